//! Makes a Rust service white-box: an engine sees which code a request reached, and how near it
//! came to the rest.
//!
//! Adoption is a dependency, an attribute on what is to be seen, and a driver:
//!
//! ```
//! use wallace_instrument::{Driver, ProblemInfo, white_box};
//!
//! #[white_box]
//! mod handler {
//!     pub async fn triangle(sides: [u32; 3]) -> &'static str {
//!         let [a, b, c] = sides;
//!         if a == b && b == c { "equilateral" } else { "other" }
//!     }
//! }
//!
//! # fn router() -> axum::Router { axum::Router::new() }
//! let graphql = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
//! let driver = Driver::new("shop", graphql).service(0, router).start(0)?;
//! println!("wallace fuzz --driver {}", driver.url());
//! # Ok::<(), wallace_instrument::DriverError>(())
//! ```
//!
//! **Targets.** [`white_box`] registers, before anything runs, one target per line that holds a
//! statement, two per atomic condition, one per arm of a `match`, and two per call that gives
//! what was asked for or does not: `parse`, `get`, `split_once` and the like, and every `?`. A condition that is
//! evaluated covers one side and gives the other a score in (0, 1): the nearer the operands came
//! to it, the higher ([`comparison`], [`predicate`]). Types without a known distance are covered or
//! not; [`Observable`] gives an own type one.
//!
//! **Taint.** Where a text like `_EM_7_XYZ_`, or one announced by the engine, is compared with a
//! constant, matched by a pattern, parsed, looked up, split at a separator or compared with another
//! such text, the engine is told; and so are the names of headers that the code asks for, and of
//! query parameters where the engine has sent one called `EMextraParam123`.
//!
//! **Instances.** A [`Recorder`] belongs to one instance of a service. Requests carry theirs in a
//! task-local; threads and tasks that a handler starts do not inherit it and fall back to the only
//! live recorder of their module. With several instances in one process, hand the recorder over:
//! [`Recorder::current`], [`Recorder::scope`], [`Recorder::run`].
//!
//! **In production.** The feature `off` leaves all code as it was written: a crate that names it in
//! a feature of its own, `production = ["wallace-instrument/off"]` say, has builds without a trace
//! of this one. Without it, and without a recorder, an instrumented place costs a look-up.
//!
//! **What is left alone.** `const fn`, constants, the contents of macros (a macro that is a
//! condition has its two sides), code under `#[cfg]` inside a function, and calls of `is_empty`,
//! `contains` and the like on places that cannot be named twice. Known limits: a comparison
//! borrows its operands, so fields of packed structs need a block around them; a type that is
//! inferred only after it was compared may need an annotation; and the value whose method of
//! such a name is called directly (`make().is_empty()`) is dropped after the call, not at the
//! end of the statement.
//!
//! **The kill switch.** When an engine gives a request up, the request ends: at once where it waits,
//! otherwise at its next `.await` or instrumented line, with status 503. Only requests end that
//! came through [`Recorder::watch`] or [`Recorder::layer`]; the host's own tasks go on.
//!
//! | concern | names |
//! | --- | --- |
//! | what is seen | [`white_box`], [`Observable`], [`Observation`], [`Number`] |
//! | scores | [`comparison`], [`predicate`], [`Operator`], [`Predicate`], [`Truthness`] |
//! | what is recorded | [`Recorder`], [`RecordLayer`], [`RecordedService`], [`EarlyEnd`], [`unrecorded`], [`unrecorded_scope`] |
//! | its database | [`SqlDatabase`], [`ExecutedSql`], [`DatabaseActivity`], [`SqlSchema`], [`SqlRow`], [`SqlInsertions`], with the feature `sqlite` `SqliteDatabase`, with `sqlx` `recorded` and `RecordedExecutor` |
//! | its documents and keys | [`DocumentStore`], [`MongoCollection`], [`MongoDocument`], [`RedisCommand`], [`RedisKey`], [`DatabaseDistance`] |
//! | the driver | [`Driver`], [`RunningDriver`], [`DriverError`], [`ProblemInfo`], [`SutController`] |
//!
//! **SQL.** A driver with a [database](Driver::database) tells which statements a request executed, how
//! far their conditions were from being true of a row, and takes rows for tests. The feature
//! `sqlite` does all of that for services on `rusqlite`; the feature `sqlx` for those on `sqlx` with
//! SQLite, which wrap their executors: `query.fetch_one(recorded(&pool))`.
//!
//! Features `chrono` and `jiff` give dates and times of these crates a distance.

mod called;
mod collection;
mod comparison;
mod controller;
mod database;
mod date;
mod decision;
mod driver;
mod elements;
mod hit;
mod kill;
mod layer;
mod layout;
mod memo;
mod observation;
mod operand;
mod outcome;
mod pattern_distance;
mod pending;
mod predicate;
mod probing;
mod recorder;
mod registry;
mod scope;
mod service;
mod shape;
mod site;
#[cfg(feature = "sqlite")]
mod sqlite;
mod state;
mod taint;
mod text;
mod truthness;

pub use comparison::{Operator, comparison};
pub use database::{DocumentStore, ExecutedSql, SqlDatabase};
pub use driver::{Driver, DriverError, RunningDriver};
pub use layer::{EarlyEnd, RecordLayer, RecordedService};
pub use observation::{Number, Observable, Observation};
pub use predicate::{Predicate, predicate};
pub use recorder::Recorder;
pub use scope::{unrecorded, unrecorded_scope};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteDatabase;
#[cfg(feature = "sqlx")]
pub use sqlite::{RecordedExecutor, recorded};
pub use truthness::Truthness;
pub use wallace_instrument_macros::white_box;
pub use wallace_sut_driver::{
    ProblemInfo, SutController,
    database::{
        DatabaseActivity, DatabaseDistance, MongoCollection, MongoDocument, RedisCommand, RedisKey,
        SqlInsertions, SqlRow, SqlSchema,
    },
};

#[doc(hidden)]
pub mod __private {
    pub use crate::called::{call, look_up, parse, seek, tried};
    pub use crate::comparison::Operator;
    pub use crate::elements::{
        CollectKnown, CollectQuery, CollectUnknown, Collection, CollectionProbe, Elements, LookedUp,
    };
    pub use crate::hit::{arm, compare, flag, line, matched, near};
    pub use crate::observation::{Kept, Observation, ObserveKnown, ObserveUnknown, Probe};
    pub use crate::operand::{Equated, Held, HoldCopy, HoldReference, Operand, Ordered};
    pub use crate::outcome::{OutcomeKnown, OutcomeProbe, OutcomeUnknown, Successful, noted};
    pub use crate::pending::Pending;
    pub use crate::predicate::Predicate;
    pub use crate::probing::Probing;
    pub use crate::shape::Shape;
    pub use crate::site::{Function, Registered, Site, Target};
    pub use inventory;
}

#[cfg(doctest)]
#[doc = include_str!("../tests/edition_2021.md")]
mod edition_2021 {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/white-box-rust.md")]
mod worked_example {}
