//! The little JSON that a driver needs.
//!
//! A crate for it would do more, and harm: what a service depends on is seen by the compiler
//! wherever the service is compiled. With `impl PartialEq<Value> for i32` in sight, `list == []`
//! has a type no more.

mod read;
mod write;

pub(crate) use read::{Members, Value};
pub(crate) use write::{Object, ToJson, to_json};
