//! Synthetic search problems with known optima.
//!
//! Each landscape is a small program whose targets are known: how many there are, which of them can
//! be covered, and a test that covers each. A test of each landscape replays all these witnesses.
//! [`Program`] is what a landscape defines, [`Landscape`] makes a search problem of it, and [`run()`]
//! measures one search.
//!
//! | landscape | what it asks of a search |
//! |---|---|
//! | [`needle()`] | to follow a gradient to one point of 2^32 |
//! | [`plateau()`] | to cross flat ground |
//! | [`trap()`] | not to trust the gradient |
//! | [`infeasible()`] | to leave targets that cannot be covered |
//! | [`many_targets()`] | to share the budget among 10,000 targets |
//! | [`text_match()`] | to find constants, by distance alone or by taint |
//! | [`nested()`] | to build objects, lists and optional parts |
//! | [`generated()`] | all of it at once, in random programs |

mod distance;
mod generated;
mod infeasible;
mod many_targets;
mod needle;
mod nested;
mod number;
mod plateau;
mod problem;
mod run;
mod step;
mod text_match;
mod trap;

pub use distance::{Truth, left_alignment, normalised, reward};
pub use generated::generated;
pub use infeasible::infeasible;
pub use many_targets::{many_targets, open_targets};
pub use needle::needle;
pub use nested::nested;
pub use plateau::plateau;
pub use problem::{Landscape, Program};
pub use run::{Run, run};
pub use step::{Comparison, Step, Trace};
pub use text_match::text_match;
pub use trap::trap;
