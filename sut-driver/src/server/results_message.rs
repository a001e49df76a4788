//! The answer of `testResults`, with exactly the fields of the protocol's release.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::controller::{RecordedAction, RecordedTarget};

/// A list that this driver always leaves empty.
type EmptyList = [u8; 0];

/// An object that this driver always leaves empty.
type EmptyMap = BTreeMap<&'static str, EmptyList>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TestResults<'a> {
    pub(super) targets: Vec<Target>,
    pub(super) additional_info_list: Vec<AdditionalInfo<'a>>,
    pub(super) extra_heuristics: Vec<ExtraHeuristics>,
}

#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub(super) struct Target {
    pub(super) id: u32,
    pub(super) descriptive_id: Option<&'static str>,
    pub(super) value: f64,
    pub(super) action_index: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdditionalInfo<'a> {
    query_parameters: &'a [String],
    headers: &'a [String],
    string_specializations: BTreeMap<&'a str, Vec<Specialisation<'a>>>,
    last_executed_statement: Option<&'a str>,
    raw_access_of_http_body_payload: bool,
    parsed_dto_names: EmptyList,
    external_services: EmptyList,
    #[serde(rename = "employedDefaultWM")]
    employed_default_wm: EmptyList,
    hostname_resolution_info_dtos: EmptyList,
}

#[derive(Serialize)]
struct Specialisation<'a> {
    #[serde(rename = "stringSpecialization")]
    kind: &'static str,
    value: Option<&'a str>,
    #[serde(rename = "type")]
    extent: &'static str,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExtraHeuristics {
    heuristics: EmptyList,
    sql_sql_executions_dto: Option<SqlExecutions>,
    mongo_executions_dto: MongoExecutions,
    redis_executions_dto: RedisExecutions,
}

#[derive(Serialize, Clone, Default)]
#[serde(rename_all = "camelCase")]
struct SqlExecutions {
    queried_data: EmptyMap,
    updated_data: EmptyMap,
    inserted_data: EmptyMap,
    deleted_data: EmptyList,
    failed_where: EmptyMap,
    number_of_sql_commands: u32,
    sql_parse_failure_count: u32,
    sql_execution_log_dto_list: EmptyList,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct MongoExecutions {
    failed_queries: EmptyList,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct RedisExecutions {
    failed_commands: EmptyList,
}

impl Target {
    /// A target reached in the test.
    pub(super) fn reached(target: &RecordedTarget, is_named: bool) -> Self {
        Self {
            id: target.id,
            descriptive_id: is_named.then_some(target.name),
            value: target.score,
            // What runs before the first announcement counts as action 0.
            action_index: target.action.map_or(0, i64::from),
        }
    }

    /// A target known, and not reached in the test.
    pub(super) fn missed(id: u32) -> Self {
        Self { id, descriptive_id: None, value: 0.0, action_index: -1 }
    }
}

/// What was seen in one action.
pub(super) fn additional_info(action: &RecordedAction) -> AdditionalInfo<'_> {
    let mut uses: BTreeMap<&str, Vec<Specialisation<'_>>> = BTreeMap::new();
    for one in &action.string_uses {
        let extent = if one.is_full_match { "FULL_MATCH" } else { "PARTIAL_MATCH" };
        uses.entry(&one.tainted).or_default().push(Specialisation {
            kind: one.specialisation,
            value: one.value.as_deref(),
            extent,
        });
    }
    AdditionalInfo {
        query_parameters: &action.query_parameters,
        headers: &action.headers,
        string_specializations: uses,
        last_executed_statement: action.last_statement.as_deref(),
        raw_access_of_http_body_payload: false,
        parsed_dto_names: [],
        external_services: [],
        employed_default_wm: [],
        hostname_resolution_info_dtos: [],
    }
}

/// Distances of one action: a system in Rust reports none of these kinds.
pub(super) fn extra_heuristics(reports_sql: bool) -> ExtraHeuristics {
    ExtraHeuristics {
        heuristics: [],
        sql_sql_executions_dto: reports_sql.then(SqlExecutions::default),
        mongo_executions_dto: MongoExecutions { failed_queries: [] },
        redis_executions_dto: RedisExecutions { failed_commands: [] },
    }
}
