//! Systems under test with known contents, in the manner of the EvoMaster Benchmark.
//!
//! The benchmark's systems run on the JVM; these are Rust systems with the same interface and the
//! same decision structure, instrumented with `#[white_box]`, so that a search can be measured in
//! one process, without a JVM. Each fixture ships what it contains ([`Expected`]): the number of
//! operations and, for every branch side, a request that reaches it or the reason why none can.
//! Behaviour [`Switches`] make an instance wrong on purpose, to judge generated suites by: there is
//! at least one for each refusal, and for each side of a decision that an answer shows.
//!
//! | fixture | what |
//! | --- | --- |
//! | `features-service` | products with features, constraints between them, and configurations, on SQLite |
//! | `flawed-shop`, `flawed-shop-graphql` | a shop with a REST and a GraphQL face, and 25 seeded faults for oracles in each |
//! | `generated` | random nested conditions over arguments and state, made from a seed ([`Generated`]) |
//! | `graphql-ncs` | six numerical functions: triangles, remainders, Bessel, exponential integral, F-distribution, incomplete gamma |
//! | `graphql-scs` | eleven functions on texts: a calculator, cookies, dates, suffixes, orders, patterns, titles |
//! | `karlsson-toy` | projects and users that refer to each other, with the 15 seeded faults of a study |
//! | `rest-ncs`, `rest-scs` | the same functions, and the same switches of what they compute, behind GET paths with an OpenAPI document |
//! | `petclinic` | owners, pets, visits, vets and specialties behind GraphQL, on SQLite |
//! | `rest-news` | news items of countries, on SQLite |
//!
//! ```
//! use emb_fixtures::{Fixture, Options};
//!
//! let fixture = Fixture::find("graphql-ncs")?;
//! let switches = fixture.parse_switches(&["remainder-sign-lost".to_owned()])?;
//! let running = fixture.start(Options { switches, ..Options::default() })?;
//! assert!(running.base_url.starts_with("http://127.0.0.1:"));
//! assert_eq!(fixture.expected().operations, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Catalogue`] is a service over an empty database, for rows that a search has to make up.
//! [`Depot`] is one over documents and keys that a search has to make up.
//! [`Feed`] is a service with subscriptions, for what a client makes of streams.
//!
//! Every fixture is a binary too: `cargo run -p emb-fixtures --bin graphql-ncs -- --help`.

mod amendment;
mod catalogue;
mod command;
mod database;
mod depot;
mod error;
mod expected;
mod features_service;
mod feed;
mod fixture;
mod flawed_shop;
mod generated;
mod graphql;
mod graphql_ncs;
mod graphql_scs;
mod habit;
mod interface;
mod karlsson_toy;
mod numeric;
mod percent;
mod petclinic;
mod resource;
mod rest;
mod rest_ncs;
mod rest_news;
mod rest_scs;
mod running;
mod server;
mod suggestion;
mod switch;
mod system;
mod text;

pub use catalogue::Catalogue;
pub use command::{FixtureArguments, run_fixture, run_fixture_with, run_generated};
pub use depot::Depot;
pub use expected::{Expected, InfeasibleSide, SeededFault, Witness};
pub use feed::{Feed, FeedProtocol};
pub use fixture::{Fixture, UnknownFixture};
pub use generated::Generated;
pub use habit::Habit;
pub use interface::Interface;
pub use running::{Options, Running, StartError};
pub use switch::{Asked, Switch, Switches, UnknownSwitch};
pub use system::System;
