//! What was recorded in a test. Work and bytes follow what the test touched.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use percent_encoding::percent_decode_str;

use super::reply;
use super::results_message::{Target, TestResults, additional_info, extra_heuristics};
use super::state::Driver;
use crate::controller::{Recorded, RecordedAction, RecordedTarget};

/// The query of `testResults`.
#[derive(Debug, Default)]
struct Wanted {
    /// Numbers asked for; `None` asks for everything.
    ids: Option<Vec<i32>>,
    kill_switch: bool,
    fully_covered: bool,
    descriptive_ids: bool,
}

/// `GET /testResults`.
pub(super) async fn test_results(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let wanted = match wanted(&uri) {
        Ok(wanted) => wanted,
        Err(reason) => return reply::refused(StatusCode::BAD_REQUEST, &reason),
    };
    if !driver.is_running() {
        return reply::failed(&headers, &uri);
    }
    let recorded = driver.controller.recorded();
    let Some(targets) = select(&driver, &recorded, &wanted) else {
        let count = wanted.ids.map_or(0, |ids| ids.len());
        let reason = format!("Failed to collect target information for {count} ids");
        return reply::refused(StatusCode::INTERNAL_SERVER_ERROR, &reason);
    };
    if wanted.kill_switch {
        driver.controller.set_kill_switch(true);
    }
    let (is_announced, reports_sql) = {
        let memory = driver.memory();
        (memory.action.is_some(), memory.reports_sql)
    };
    let nothing = [RecordedAction::default()];
    let actions = match recorded.actions.as_slice() {
        [] => nothing.as_slice(),
        actions => actions,
    };
    let heuristics = if is_announced { actions.len() } else { 0 };
    reply::data(&TestResults {
        targets,
        additional_info_list: actions.iter().map(additional_info).collect(),
        extra_heuristics: actions
            .iter()
            .take(heuristics)
            .map(|action| extra_heuristics(action, reports_sql))
            .collect(),
    })
}

/// Reads the query. Of a repeated parameter the first counts, and unknown ones are ignored.
fn wanted(uri: &Uri) -> Result<Wanted, String> {
    let parameters = uri.query().unwrap_or_default().split('&');
    let parameters = parameters.map(|one| one.split_once('=').unwrap_or((one, "")));
    let value = |name: &str| {
        let mut parameters = parameters.clone();
        let found = parameters.find(|(key, _)| percent_decode_str(key).eq(name.bytes()));
        let value = found.map_or("", |(_, value)| value).replace('+', " ");
        let decoded = percent_decode_str(&value).decode_utf8();
        decoded.map(Cow::into_owned).map_err(|_| "Invalid query".to_owned())
    };
    let is_true = |name: &str| value(name).map(|it| it.eq_ignore_ascii_case("true"));
    Ok(Wanted {
        kill_switch: is_true("killSwitch")?,
        fully_covered: is_true("fullyCovered")?,
        descriptive_ids: is_true("descriptiveIds")?,
        ids: ids(&value("ids")?)?,
    })
}

/// Numbers separated by commas; empty places count for nothing.
fn ids(list: &str) -> Result<Option<Vec<i32>>, String> {
    if list.is_empty() {
        return Ok(None);
    }
    let tokens = list.split(',').filter(|token| !token.is_empty());
    let ids = tokens.map(|token| {
        let id = token.parse();
        id.map_err(|_| format!("Invalid parameter 'ids': For input string: \"{token}\""))
    });
    ids.collect::<Result<Vec<i32>, String>>().map(Some)
}

/// The targets to report; `None` when a number is unknown.
fn select(driver: &Driver, recorded: &Recorded, wanted: &Wanted) -> Option<Vec<Target>> {
    let boot_covered = driver.boot_covered();
    let is_new = |target: &RecordedTarget| target.is_first_seen && is_shown(target, &boot_covered);
    let mut targets = match &wanted.ids {
        None => {
            let names = wanted.descriptive_ids || recorded.targets.iter().any(is_new);
            let shown = recorded.targets.iter();
            let shown = shown.filter(|target| is_shown(target, &boot_covered));
            shown.map(|target| Target::reached(target, names)).collect()
        }
        Some(ids) => {
            let mut targets = asked(driver, recorded, ids, wanted.descriptive_ids)?;
            let new = recorded.targets.iter().filter(|target| is_new(target));
            targets.extend(new.map(|target| Target::reached(target, true)));
            targets
        }
    };
    if wanted.fully_covered {
        targets.retain(|target| target.value >= 1.0);
    }
    Some(targets)
}

/// One entry for each number asked for, reached or not.
fn asked(driver: &Driver, recorded: &Recorded, ids: &[i32], names: bool) -> Option<Vec<Target>> {
    let entries = ids.iter().map(|id| {
        let id = u32::try_from(*id).ok()?;
        if let Ok(index) = recorded.targets.binary_search_by_key(&id, |target| target.id) {
            return Some(Target::reached(&recorded.targets[index], names));
        }
        driver.controller.target_name(id)?;
        Some(Target::missed(id))
    });
    entries.collect()
}

/// What the start covered is reported only where it is asked for.
fn is_shown(target: &RecordedTarget, boot_covered: &HashSet<&'static str>) -> bool {
    boot_covered.is_empty() || !boot_covered.contains(target.name)
}
