//! What the statements of an action were about.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::Value;
use wallace_sut_driver::database::{DatabaseActivity, DatabaseDistance, SqlStatement};

use super::known::Known;
use super::plan::Plan;
use super::probe::MOST_ROWS;
use crate::database::ExecutedSql;

/// Distances that are computed for one action.
const MOST_DISTANCES: usize = 50;

/// Sees through the statements of an action.
pub(super) fn activity(
    connection: &Connection,
    known: &mut Known,
    statements: &[ExecutedSql],
) -> DatabaseActivity {
    let mut activity = DatabaseActivity::default();
    // Without a schema no statement has tables, and none a distance.
    let _ = known.schema(connection);
    for executed in statements {
        activity.statements.push(SqlStatement {
            command: executed.text.clone(),
            milliseconds: 0,
            has_failed: false,
        });
        if is_housekeeping(&executed.text) {
            continue;
        }
        let Some((plan, values)) = known.plan(&executed.text) else {
            activity.unread_statements += 1;
            continue;
        };
        plan.tell(&mut activity);
        if !plan.is_asking || activity.distances.len() >= MOST_DISTANCES {
            continue;
        }
        // What a statement changed, it found.
        let distance =
            if executed.has_changed { Some(0.0) } else { distance(connection, &plan, &values) };
        if distance != Some(0.0) {
            plan.tell_missing(&mut activity);
        }
        activity.distances.push(DatabaseDistance {
            kind: "SQL".to_owned(),
            statement: executed.text.clone(),
            distance,
        });
    }
    activity
}

/// The distance of a text; see [`super::SqliteDatabase::distance`].
pub(super) fn distance_of(connection: &Connection, known: &mut Known, text: &str) -> Option<f64> {
    known.schema(connection).ok()?;
    let (plan, values): (Arc<Plan>, _) = known.plan(text)?;
    distance(connection, &plan, &values)
}

fn is_housekeeping(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next();
    let words =
        ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "END", "CREATE", "DROP"];
    first.is_some_and(|first| words.iter().any(|word| first.eq_ignore_ascii_case(word)))
}

/// The least distance of any of the selections.
fn distance(connection: &Connection, plan: &Plan, values: &[Value]) -> Option<f64> {
    let distances = plan.probes.iter().filter_map(|probe| {
        let asked: rusqlite::Result<(Option<f64>, u32)> =
            ask(connection, &probe.distance, values, |row| Ok((row.get(0)?, row.get(1)?)));
        let exact = || ask::<bool>(connection, &probe.exact, values, |row| row.get(0)).ok();
        match asked {
            // There are more rows than were looked at: the nearest may be among the others.
            Ok((Some(distance), rows)) if rows >= MOST_ROWS && distance > 0.0 => {
                Some(if exact() == Some(true) { 0.0 } else { distance })
            }
            Ok((distance, _)) => distance,
            Err(_) => exact().map(|is_so| if is_so { 0.0 } else { 1.0 - 1e-9 }),
        }
    });
    distances.min_by(f64::total_cmp)
}

/// The only row of a question.
fn ask<T>(
    connection: &Connection,
    question: &str,
    values: &[Value],
    read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let mut statement = connection.prepare_cached(question)?;
    // Constants that the question leaves out may be the last ones.
    for (place, value) in values.iter().enumerate().take(statement.parameter_count()) {
        statement.raw_bind_parameter(place + 1, value)?;
    }
    let mut rows = statement.raw_query();
    rows.next()?.map_or(Err(rusqlite::Error::QueryReturnedNoRows), read)
}
