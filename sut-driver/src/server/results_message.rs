//! The answer of `testResults`, with exactly the fields of the protocol's release.

use std::collections::BTreeMap;

use crate::activity::{DatabaseActivity, DatabaseDistance, MongoCollection, RedisCommand};
use crate::controller::{RecordedAction, RecordedTarget};
use crate::json::to_json;

/// A list that this driver always leaves empty.
type EmptyList = [u8; 0];

pub(super) struct TestResults<'a> {
    pub(super) targets: Vec<Target>,
    pub(super) additional_info_list: Vec<AdditionalInfo<'a>>,
    pub(super) extra_heuristics: Vec<ExtraHeuristics<'a>>,
}

#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) id: u32,
    pub(super) descriptive_id: Option<&'static str>,
    pub(super) value: f64,
    pub(super) action_index: i64,
}

pub(super) struct AdditionalInfo<'a> {
    query_parameters: &'a [String],
    headers: &'a [String],
    string_specializations: BTreeMap<&'a str, Vec<Specialisation<'a>>>,
    last_executed_statement: Option<&'a str>,
    raw_access_of_http_body_payload: bool,
    parsed_dto_names: EmptyList,
    external_services: EmptyList,
    employed_default_wm: EmptyList,
    hostname_resolution_info_dtos: EmptyList,
}

struct Specialisation<'a> {
    kind: &'static str,
    value: Option<&'a str>,
    extent: &'static str,
}

pub(super) struct ExtraHeuristics<'a> {
    heuristics: Vec<Heuristic<'a>>,
    sql_sql_executions_dto: Option<SqlExecutions<'a>>,
    mongo_executions_dto: MongoExecutions<'a>,
    redis_executions_dto: RedisExecutions<'a>,
}

struct Heuristic<'a> {
    r#type: &'a str,
    objective: &'static str,
    id: &'a str,
    value: f64,
    number_of_evaluated_records: u32,
    extra_heuristic_evaluation_failure: bool,
}

#[derive(Default)]
struct SqlExecutions<'a> {
    queried_data: Columns<'a>,
    updated_data: Columns<'a>,
    inserted_data: Columns<'a>,
    deleted_data: &'a [String],
    failed_where: Columns<'a>,
    number_of_sql_commands: usize,
    sql_parse_failure_count: usize,
    sql_execution_log_dto_list: Vec<SqlStatement<'a>>,
}

/// Columns by table.
type Columns<'a> = BTreeMap<&'a str, &'a [String]>;

struct SqlStatement<'a> {
    sql_command: &'a str,
    execution_time: u64,
    // The misspelling is that of the protocol.
    has_failed: bool,
}

struct MongoExecutions<'a> {
    failed_queries: Vec<MongoQuery<'a>>,
}

struct MongoQuery<'a> {
    database: &'a str,
    collection: &'a str,
    documents_type: &'a str,
}

struct RedisExecutions<'a> {
    failed_commands: Vec<RedisFailure<'a>>,
}

struct RedisFailure<'a> {
    command: &'a str,
    keys: &'a [String],
    pattern: Option<&'a str>,
    field: Option<&'a str>,
}

to_json! {
    TestResults<'a> {
        targets: "targets", additional_info_list: "additionalInfoList",
        extra_heuristics: "extraHeuristics",
    }
    Target {
        id: "id", descriptive_id: "descriptiveId", value: "value", action_index: "actionIndex",
    }
    AdditionalInfo<'a> {
        query_parameters: "queryParameters", headers: "headers",
        string_specializations: "stringSpecializations",
        last_executed_statement: "lastExecutedStatement",
        raw_access_of_http_body_payload: "rawAccessOfHttpBodyPayload",
        parsed_dto_names: "parsedDtoNames", external_services: "externalServices",
        employed_default_wm: "employedDefaultWM",
        hostname_resolution_info_dtos: "hostnameResolutionInfoDtos",
    }
    Specialisation<'a> { kind: "stringSpecialization", value: "value", extent: "type" }
    ExtraHeuristics<'a> {
        heuristics: "heuristics", sql_sql_executions_dto: "sqlSqlExecutionsDto",
        mongo_executions_dto: "mongoExecutionsDto", redis_executions_dto: "redisExecutionsDto",
    }
    Heuristic<'a> {
        r#type: "type", objective: "objective", id: "id", value: "value",
        number_of_evaluated_records: "numberOfEvaluatedRecords",
        extra_heuristic_evaluation_failure: "extraHeuristicEvaluationFailure",
    }
    SqlExecutions<'a> {
        queried_data: "queriedData", updated_data: "updatedData", inserted_data: "insertedData",
        deleted_data: "deletedData", failed_where: "failedWhere",
        number_of_sql_commands: "numberOfSqlCommands",
        sql_parse_failure_count: "sqlParseFailureCount",
        sql_execution_log_dto_list: "sqlExecutionLogDtoList",
    }
    SqlStatement<'a> {
        sql_command: "sqlCommand", execution_time: "executionTime",
        has_failed: "threwSqlExeception",
    }
    MongoExecutions<'a> { failed_queries: "failedQueries" }
    MongoQuery<'a> {
        database: "database", collection: "collection", documents_type: "documentsType",
    }
    RedisExecutions<'a> { failed_commands: "failedCommands" }
    RedisFailure<'a> { command: "command", keys: "keys", pattern: "pattern", field: "field" }
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

/// Distances of one action, as far as there are any.
pub(super) fn extra_heuristics(action: &RecordedAction, reports_sql: bool) -> ExtraHeuristics<'_> {
    let activity = action.database.as_deref().filter(|_| reports_sql);
    let distances = activity.map_or(&[][..], |activity| &activity.distances);
    ExtraHeuristics {
        heuristics: distances.iter().map(heuristic).collect(),
        sql_sql_executions_dto: reports_sql.then(|| activity.map(executions).unwrap_or_default()),
        mongo_executions_dto: MongoExecutions {
            failed_queries: activity
                .map_or(&[][..], |it| &it.empty_collections)
                .iter()
                .map(mongo_query)
                .collect(),
        },
        redis_executions_dto: RedisExecutions {
            failed_commands: activity
                .map_or(&[][..], |it| &it.failed_redis_commands)
                .iter()
                .map(redis_failure)
                .collect(),
        },
    }
}

fn mongo_query(one: &MongoCollection) -> MongoQuery<'_> {
    let (database, collection) = (&*one.database, &*one.collection);
    MongoQuery { database, collection, documents_type: &one.document_type }
}

fn redis_failure(one: &RedisCommand) -> RedisFailure<'_> {
    RedisFailure {
        command: &one.command,
        keys: &one.keys,
        pattern: one.pattern.as_deref(),
        field: one.field.as_deref(),
    }
}

/// A distance that is not known is the largest number, as in the rest of the family.
fn heuristic(one: &DatabaseDistance) -> Heuristic<'_> {
    Heuristic {
        r#type: &one.kind,
        objective: "MINIMIZE_TO_ZERO",
        id: &one.statement,
        value: one.distance.unwrap_or(f64::MAX),
        number_of_evaluated_records: u32::from(one.distance.is_some()),
        extra_heuristic_evaluation_failure: false,
    }
}

fn executions(activity: &DatabaseActivity) -> SqlExecutions<'_> {
    let statements = activity.statements.iter().map(|one| SqlStatement {
        sql_command: &one.command,
        execution_time: one.milliseconds,
        has_failed: one.has_failed,
    });
    SqlExecutions {
        queried_data: columns(&activity.queried),
        updated_data: columns(&activity.updated),
        inserted_data: columns(&activity.inserted),
        deleted_data: &activity.deleted,
        failed_where: columns(&activity.failed_conditions),
        number_of_sql_commands: activity.statements.len(),
        sql_parse_failure_count: activity.unread_statements,
        sql_execution_log_dto_list: statements.collect(),
    }
}

fn columns(tables: &BTreeMap<String, Vec<String>>) -> Columns<'_> {
    tables.iter().map(|(table, columns)| (table.as_str(), columns.as_slice())).collect()
}
