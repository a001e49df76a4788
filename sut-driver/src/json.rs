//! The little JSON that a driver needs.
//!
//! A crate for it would do more, and harm: what a service depends on is seen by the compiler
//! wherever the service is compiled. With `impl PartialEq<Value> for i32` in sight, `list == []`
//! has a type no more.

mod members;
mod read;
mod write;

pub(crate) use members::Members;
pub(crate) use read::Value;
pub(crate) use write::{Object, ToJson, to_json};
