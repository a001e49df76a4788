//! SQL databases behind a service: rows as part of a test.
//!
//! A driver tells which statements a call executed, and which of their conditions no row met. Where
//! a table was found without the row that was looked for, a test is made that begins with such a
//! row: `condition` reads from the statement what the row must hold, `maker` makes it with the
//! rows it refers to, `repair` keeps references and unique values in order while the search
//! changes rows, and what a database refuses is remembered ([`SqlMemory`]) and not tried again.
//! Constants in a condition that came from the request feed the request from then on, so that row
//! and request change together. Where a driver tells no statement at all, `guess` makes some from
//! the schema alone.

mod column;
mod condition;
mod constraint;
mod ends;
mod guess;
mod learn;
mod maker;
mod memory;
mod outcome;
mod repair;
mod row;
mod statement;
mod table;
mod value;

pub(crate) use ends::tainted;
pub(crate) use guess::{BOUNDS, Input, leaf};
pub(crate) use learn::holder;
pub use memory::SqlMemory;
pub use outcome::SqlOutcome;
pub(crate) use outcome::{order, secondary};
pub use table::SqlTables;
