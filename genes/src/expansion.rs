//! What a specification looks like as a tree, and how much of it there is.
//!
//! [`expand`] makes a template of a specification, in which a cycle and a limit of depth are genes of
//! their own; [`prune`] takes out what no value can hold because of them.

pub use crate::complexity::{Complexity, complexity};
pub use crate::expand::{expand, prune};
