//! Answers about the driver and its system, as far as an engine uses them.

use serde::Deserialize;

use super::authentication::AuthenticationEntry;
use super::database::SqlSchemaDto;
use super::lenient::{Number, Text, null_as_default};

/// What every JSON answer is wrapped in.
#[derive(Debug, Deserialize)]
pub(crate) struct Wrapper<'a, T> {
    pub(crate) data: Option<T>,
    #[serde(default, borrow)]
    pub(crate) error: Option<Text<'a>>,
    /// Only in errors made by the server's container, which have no wrapper.
    #[serde(default, borrow)]
    pub(crate) message: Option<Text<'a>>,
}

/// Answer of `GET /controllerInfo`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ControllerInfo<'a> {
    #[serde(borrow)]
    pub(crate) full_name: Option<Text<'a>>,
    pub(crate) is_instrumentation_on: Option<bool>,
    #[serde(borrow)]
    pub(crate) executable_full_path: Option<Text<'a>>,
}

/// Answer of `GET /infoSUT`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InfoSut<'a> {
    #[serde(borrow, rename = "restProblem")]
    pub(crate) rest: Option<RestProblem<'a>>,
    #[serde(borrow, rename = "graphQLProblem")]
    pub(crate) graphql: Option<GraphQlProblem<'a>>,
    #[serde(rename = "rpcProblem")]
    pub(crate) rpc: Option<serde::de::IgnoredAny>,
    #[serde(rename = "webProblem")]
    pub(crate) web: Option<serde::de::IgnoredAny>,
    #[serde(borrow, rename = "baseUrlOfSUT")]
    pub(crate) base_url: Option<Text<'a>>,
    #[serde(borrow, rename = "infoForAuthentication", deserialize_with = "null_as_default")]
    pub(crate) authentication: Vec<AuthenticationEntry<'a>>,
    #[serde(rename = "sqlSchemaDto")]
    pub(crate) sql_schema: Option<SqlSchemaDto>,
    #[serde(rename = "unitsInfoDto", deserialize_with = "null_as_default")]
    pub(crate) units: UnitsInfo,
    #[serde(borrow, rename = "bootTimeInfoDto", deserialize_with = "null_as_default")]
    pub(crate) boot: BootTimeInfo<'a>,
}

/// A REST interface.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RestProblem<'a> {
    #[serde(borrow)]
    pub(crate) open_api_url: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) open_api_schema: Option<Text<'a>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) endpoints_to_skip: Vec<String>,
}

/// A GraphQL interface.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct GraphQlProblem<'a> {
    #[serde(borrow)]
    pub(crate) endpoint: Option<Text<'a>>,
}

/// Sizes of the instrumented code. Counts are signed on the wire.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UnitsInfo {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) unit_names: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) number_of_lines: i64,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) number_of_branches: i64,
}

/// What was recorded while the system started.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BootTimeInfo<'a> {
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) targets: Vec<BootTarget<'a>>,
}

/// A target reached at start; the drivers give no number here.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BootTarget<'a> {
    #[serde(borrow)]
    pub(crate) descriptive_id: Option<Text<'a>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) value: Number,
}
