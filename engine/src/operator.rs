//! Operators: how one test becomes another.

pub(crate) mod follow_up;
pub(crate) mod hint;
pub(crate) mod impact;
pub(crate) mod inference;
pub(crate) mod mutation;
