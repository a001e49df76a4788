//! What an action did with databases, as drivers tell it.

use super::results::SqlSummary;
use crate::activity::{
    DatabaseActivity, DatabaseDistance, MongoCollection, RedisCommand, SqlStatement,
};
use crate::wire::database::{SqlExecutions, SqlStatementDto};
use crate::wire::results::{ExtraHeuristics, Heuristic};

/// Most statements that are kept of one action.
const MOST_STATEMENTS: usize = 1_000;
/// Longest text of a statement that is kept, in characters.
const LONGEST_STATEMENT: usize = 10_000;

/// The summary of what an action did with SQL databases; `None` where it did nothing.
pub(super) fn summary(activity: &DatabaseActivity) -> Option<SqlSummary> {
    let sql = activity.distances.iter().filter(|one| one.kind == "SQL");
    let distances: Vec<f64> = sql.filter_map(|one| one.distance).collect();
    let (mut sum, mut count) = (0.0, 0.0);
    for distance in &distances {
        sum += distance;
        count += 1.0;
    }
    let mean_distance = (count > 0.0).then(|| sum / count);
    let commands = activity.statements.len();
    (commands > 0 || mean_distance.is_some()).then_some(SqlSummary { commands, mean_distance })
}

/// Reads the activity of one action; `None` where there was none.
pub(super) fn activity(heuristics: &ExtraHeuristics<'_>) -> Option<Box<DatabaseActivity>> {
    let mut activity = DatabaseActivity {
        distances: heuristics.heuristics.iter().map(distance).collect(),
        ..DatabaseActivity::default()
    };
    if let Some(executions) = &heuristics.sql_executions {
        add_sql(&mut activity, executions);
    }
    if let Some(mongo) = &heuristics.mongo_executions {
        let text = |text: &Option<crate::wire::lenient::Text<'_>>| {
            text.as_deref().unwrap_or_default().to_owned()
        };
        activity.empty_collections.extend(mongo.failed_queries.iter().map(|query| {
            let raw = query.documents_type.map_or("", |raw| raw.get());
            // Mostly a text, in which a schema is written; elsewhere the schema itself.
            let document_type = serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned());
            MongoCollection {
                database: text(&query.database),
                collection: text(&query.collection),
                document_type,
            }
        }));
    }
    if let Some(redis) = &heuristics.redis_executions {
        activity.failed_redis_commands.extend(redis.failed_commands.iter().map(|failed| {
            RedisCommand {
                command: failed.command.clone().unwrap_or_default(),
                keys: failed.keys.iter().chain(&failed.key).cloned().collect(),
                pattern: failed.pattern.clone(),
                field: failed.field.clone(),
            }
        }));
    }
    (activity != DatabaseActivity::default()).then(|| Box::new(activity))
}

fn distance(one: &Heuristic<'_>) -> DatabaseDistance {
    let is_known =
        !one.extra_heuristic_evaluation_failure && (0.0..f64::MAX).contains(&one.value.0);
    DatabaseDistance {
        kind: one.kind.as_deref().unwrap_or_default().to_owned(),
        statement: shortened(one.id.as_deref().unwrap_or_default()),
        distance: is_known.then_some(one.value.0),
    }
}

fn add_sql(activity: &mut DatabaseActivity, executions: &SqlExecutions<'_>) {
    let statements = executions.sql_execution_log_dto_list.iter();
    activity.statements.extend(statements.take(MOST_STATEMENTS).map(statement));
    activity.unread_statements =
        usize::try_from(executions.sql_parse_failure_count).unwrap_or_default();
    activity.queried.clone_from(&executions.queried_data);
    activity.updated.clone_from(&executions.updated_data);
    activity.inserted.clone_from(&executions.inserted_data);
    activity.failed_conditions.clone_from(&executions.failed_where);
    activity.deleted.clone_from(&executions.deleted_data);
}

fn statement(dto: &SqlStatementDto<'_>) -> SqlStatement {
    SqlStatement {
        command: shortened(dto.sql_command.as_deref().unwrap_or_default()),
        milliseconds: u64::try_from(dto.execution_time).unwrap_or_default(),
        has_failed: dto.has_failed,
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_STATEMENT).collect()
}
