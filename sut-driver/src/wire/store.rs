//! Documents and keys on the wire.

use serde::{Deserialize, Serialize};

use super::lenient::null_as_default;

/// Body of `POST /mongoInsertion`.
#[derive(Debug, Serialize)]
pub(crate) struct MongoCommandDto<'a> {
    pub(crate) insertions: Vec<MongoInsertionDto<'a>>,
}

/// One document to insert.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MongoInsertionDto<'a> {
    pub(crate) database_name: &'a str,
    pub(crate) collection_name: &'a str,
    pub(crate) data: &'a str,
}

/// Answer to insertions of documents, also where one of them was refused.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MongoResultsDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) execution_results: Vec<bool>,
}

/// Body of `POST /redisInsertion`.
#[derive(Debug, Serialize)]
pub(crate) struct RedisCommandsDto<'a> {
    pub(crate) insertions: Vec<RedisInsertionDto<'a>>,
}

/// One value to put under a key. Drivers before 6.1 know the key and the value alone, and refuse what
/// they do not know.
#[derive(Debug, Serialize)]
pub(crate) struct RedisInsertionDto<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<&'a str>,
    pub(crate) key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<&'a str>,
    pub(crate) value: &'a str,
}

/// Answer to insertions of keys.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RedisResultsDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) execution_results: Vec<bool>,
}
