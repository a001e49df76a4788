//! The answer of `GET /testResults`: the one large message of every test, read in place.

use serde::Deserialize;

use super::database::{MongoExecutions, RedisExecutions, SqlExecutions};
use super::lenient::{Members, Number, Text, null_as_default};

/// Everything recorded in one test.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TestResultsAnswer<'a> {
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) targets: Vec<TargetInfo<'a>>,
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) additional_info_list: Vec<AdditionalInfo<'a>>,
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) extra_heuristics: Vec<ExtraHeuristics<'a>>,
}

/// One target. The same number can come twice, with and without its text.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TargetInfo<'a> {
    pub(crate) id: Option<i64>,
    #[serde(borrow)]
    pub(crate) descriptive_id: Option<Text<'a>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) value: Number,
    pub(crate) action_index: Option<i64>,
}

/// What was seen in one action, besides targets.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AdditionalInfo<'a> {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) query_parameters: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) headers: Vec<String>,
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) string_specializations: Members<'a, Option<Vec<Specialisation<'a>>>>,
    #[serde(borrow)]
    pub(crate) last_executed_statement: Option<Text<'a>>,
}

/// One use of a tainted text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Specialisation<'a> {
    #[serde(borrow, rename = "stringSpecialization")]
    pub(crate) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) value: Option<Text<'a>>,
    #[serde(borrow, rename = "type")]
    pub(crate) extent: Option<Text<'a>>,
}

/// Distances and database work of one action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExtraHeuristics<'a> {
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) heuristics: Vec<Heuristic<'a>>,
    // The second name is that of release 3.0.
    #[serde(rename = "sqlSqlExecutionsDto", alias = "databaseExecutionDto")]
    #[serde(borrow)]
    pub(crate) sql_executions: Option<SqlExecutions<'a>>,
    #[serde(borrow, rename = "mongoExecutionsDto", alias = "mongoExecutionDto")]
    pub(crate) mongo_executions: Option<MongoExecutions<'a>>,
    #[serde(rename = "redisExecutionsDto")]
    pub(crate) redis_executions: Option<RedisExecutions>,
}

/// One distance.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Heuristic<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) objective: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) id: Option<Text<'a>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) value: Number,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) extra_heuristic_evaluation_failure: bool,
}
