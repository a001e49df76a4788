//! The string case study: eleven functions whose branches depend on texts.
//!
//! One file per function, all of them instrumented; [`TextOperations`] is what a GraphQL or REST
//! face calls. Functions whose matter is lower case expect their texts lowered; the operations
//! do that.

mod calc;
mod cookie;
mod costfuns;
mod date_parse;
mod file_suffix;
mod noty_pevar;
mod operation;
mod ordered4;
mod pat;
mod regex;
mod switch_list;
mod text2txt;
mod title;

pub(crate) use operation::TextOperations;
pub(crate) use switch_list::{GRAPHQL_SWITCHES, REST_SWITCHES, messages, statuses};
