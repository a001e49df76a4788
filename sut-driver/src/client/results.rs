//! What a driver recorded in one test, in the engine's words.

use std::fmt::Write;
use std::sync::Arc;

use super::SpecialisationKind;
use super::activity::activity;
use crate::activity::DatabaseActivity;
use crate::target::DriverTarget;
use crate::wire::results::{AdditionalInfo, ExtraHeuristics, Heuristic, TestResultsAnswer};

/// What to ask for after a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultsQuery<'a> {
    /// Targets to report besides those that are seen for the first time; none at all means every
    /// target reached in the test. Names not seen in this search are no error. Of too many for
    /// one request (600), all targets are reported instead. The answer may hold more than asked.
    pub wanted: &'a [Arc<str>],
    /// Whether the system shall end whatever still runs, until the next test. Default true.
    pub kill_switch: bool,
    /// Whether to report only targets with score 1. Default false.
    pub fully_covered: bool,
    /// Whether SQL distances are computed with the rows in the database, and not only with those
    /// that the test inserted. Default true.
    pub query_from_database: bool,
}

impl Default for ResultsQuery<'_> {
    fn default() -> Self {
        Self { wanted: &[], kill_switch: true, fully_covered: false, query_from_database: true }
    }
}

/// Everything recorded in one test.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TestResults {
    /// Targets with a score above 0, each once, in the order in which the driver numbered them.
    /// What the start of the system covers is not among them unless it was asked for.
    pub targets: Vec<TargetReach>,
    /// One entry for each action announced, in order; one entry before the first announcement.
    pub actions: Vec<ActionFeedback>,
}

/// How far a test came with a target.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetReach {
    /// The target. Within a search, all reports of one share one allocation.
    pub target: Arc<DriverTarget>,
    /// Best score in `(0, 1]`; 1 is covered.
    pub score: f64,
    /// Action in which that score was first reached.
    pub action: Option<usize>,
}

/// What was seen in one action, besides targets. Lists are sorted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActionFeedback {
    /// How the code used texts that came from the test.
    pub specialisations: Vec<StringSpecialisation>,
    /// Innermost statement reached last, `<class or module>_<line>_<function>`. Tells faults apart.
    pub last_statement: Option<String>,
    /// Names of query parameters that the code asked for, documented or not.
    pub query_parameters: Vec<String>,
    /// Names of headers that the code asked for, in the case it used.
    pub headers: Vec<String>,
    /// The action's work on SQL databases; `None` where there was none.
    pub sql: Option<SqlSummary>,
    /// The action's work on databases in full; `None` where there was none.
    pub database: Option<Box<DatabaseActivity>>,
}

/// One use of a tainted text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StringSpecialisation {
    /// The text as the code saw it; match it to inputs ignoring case.
    pub tainted: String,
    /// The kind of use.
    pub kind: SpecialisationKind,
    /// Constant, pattern or partner, where the kind has one.
    pub value: Option<String>,
    /// Whether the whole text was the tainted value, and not only a part of it.
    pub is_full_match: bool,
}

/// Work on SQL databases in one action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SqlSummary {
    /// Commands executed.
    pub commands: usize,
    /// Mean distance of the conditions to a matching row, 0 and up, comparable within one run
    /// only; `None` where no distance could be computed.
    pub mean_distance: Option<f64>,
}

/// Numbers as a query value. The comma is encoded as all drivers are used to.
pub(super) fn listed(ids: &[u32]) -> String {
    let mut list = String::with_capacity(ids.len() * 8);
    for id in ids {
        let separator = if list.is_empty() { "" } else { "%2C" };
        write!(list, "{separator}{id}").expect("writing to a string cannot fail");
    }
    list
}

/// The feedback of each action; the second list may be shorter.
pub(super) fn feedback(answer: &TestResultsAnswer<'_>) -> Vec<ActionFeedback> {
    let infos = answer.additional_info_list.iter().enumerate();
    infos.map(|(index, info)| action_feedback(info, answer.extra_heuristics.get(index))).collect()
}

fn action_feedback(
    info: &AdditionalInfo<'_>,
    heuristics: Option<&ExtraHeuristics<'_>>,
) -> ActionFeedback {
    let statement = info.last_executed_statement.as_deref();
    ActionFeedback {
        specialisations: specialisations(info),
        last_statement: statement.map(str::to_owned),
        query_parameters: sorted(&info.query_parameters),
        headers: sorted(&info.headers),
        sql: heuristics.and_then(sql_summary),
        database: heuristics.and_then(activity),
    }
}

/// Drivers keep these in sets without order.
pub(super) fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    names
}

fn specialisations(info: &AdditionalInfo<'_>) -> Vec<StringSpecialisation> {
    let mut found = Vec::new();
    for (tainted, uses) in &info.string_specializations.0 {
        for one in uses.iter().flatten() {
            let kind = one.kind.as_deref();
            let Some(kind) = kind.and_then(SpecialisationKind::from_protocol_name) else {
                continue;
            };
            found.push(StringSpecialisation {
                tainted: tainted.to_string(),
                kind,
                value: one.value.as_deref().map(str::to_owned),
                is_full_match: one.extent.as_deref() != Some("PARTIAL_MATCH"),
            });
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn sql_summary(heuristics: &ExtraHeuristics<'_>) -> Option<SqlSummary> {
    let executions = heuristics.sql_executions.as_ref();
    let commands = executions.map_or(0, |executions| executions.number_of_sql_commands);
    let commands = usize::try_from(commands).unwrap_or(0);
    let distances = heuristics.heuristics.iter().filter(|one| is_distance(one));
    let (mut sum, mut count) = (0.0, 0.0);
    for distance in distances {
        sum += distance.value.0;
        count += 1.0;
    }
    let mean_distance = (count > 0.0).then(|| sum / count);
    (commands > 0 || mean_distance.is_some()).then_some(SqlSummary { commands, mean_distance })
}

/// Whether an entry tells how near a condition was. The largest number stands for "no row".
fn is_distance(one: &Heuristic<'_>) -> bool {
    one.kind.as_deref() == Some("SQL")
        && one.objective.as_deref() == Some("MINIMIZE_TO_ZERO")
        && !one.extra_heuristic_evaluation_failure
        && (0.0..f64::MAX).contains(&one.value.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Vec<ActionFeedback> {
        feedback(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn unknown_kinds_are_left_out_and_the_rest_is_sorted() {
        let actions = read(
            r#"{"additionalInfoList":[{"headers":["b","a","a"],"queryParameters":null,
            "stringSpecializations":{"_EM_1_XYZ_":[
              {"stringSpecialization":"LATER","value":"x","type":"FULL_MATCH"},
              {"stringSpecialization":"CONSTANT","value":"z","type":"FULL_MATCH"},
              {"stringSpecialization":"INTEGER","value":null,"type":"PARTIAL_MATCH"}],
              "_EM_2_XYZ_":null},
            "lastExecutedStatement":"a/B_1_c","later":{"x":[1]}}],"extraHeuristics":null}"#,
        );
        let [action] = actions.as_slice() else { panic!("one action expected: {actions:?}") };
        assert_eq!(action.headers, ["a", "b"]);
        assert_eq!(action.last_statement.as_deref(), Some("a/B_1_c"));
        let kinds: Vec<_> = action.specialisations.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [SpecialisationKind::Integer, SpecialisationKind::Constant]);
        assert!(!action.specialisations[0].is_full_match);
        assert_eq!(action.specialisations[1].value.as_deref(), Some("z"));
        assert_eq!(action.sql, None);
    }

    #[test]
    fn sql_distances_are_averaged_without_failures_and_largest_numbers() {
        let entry = |value: &str, failed: bool| {
            format!(
                r#"{{"type":"SQL","objective":"MINIMIZE_TO_ZERO","id":"SELECT","value":{value},
                "numberOfEvaluatedRecords":1,"extraHeuristicEvaluationFailure":{failed}}}"#
            )
        };
        let entries = [
            entry("2", false),
            entry("4.0", false),
            entry("1.7976931348623157E308", false),
            entry("7", true),
        ];
        let old_name = format!(
            r#"{{"additionalInfoList":[{{}}],"extraHeuristics":[{{"heuristics":[{}],
            "databaseExecutionDto":{{"numberOfSqlCommands":3}}}}]}}"#,
            entries.join(",")
        );
        let expected = SqlSummary { commands: 3, mean_distance: Some(3.0) };
        assert_eq!(read(&old_name)[0].sql, Some(expected));
        let new_name = old_name.replace("databaseExecutionDto", "sqlSqlExecutionsDto");
        assert_eq!(read(&new_name)[0].sql, Some(expected));
    }

    #[test]
    fn numbers_are_listed_with_an_encoded_comma() {
        assert_eq!(listed(&[3, 12]), "3%2C12");
    }
}
