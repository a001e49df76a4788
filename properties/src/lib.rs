//! Property-based testing of GraphQL services: random queries made from the schema, and properties
//! that every answer must have.
//!
//! [`Generator`] makes queries by one of two [`Strategy`]s over the same schema: that of Karlsson,
//! Causevic and Sundmark, "Automatic Property-based Testing of GraphQL APIs" (AST 2021), exactly,
//! or one that goes where the schema is not covered yet. [`study()`] repeats the coverage study of
//! that paper on any schema, and [`plot()`] draws it. [`Check`] sends queries to a service, judges the
//! answers by the paper's properties and by others, and makes what fails small.
//!
//! # Example
//! ```
//! use wallace_genes::Rng;
//! use wallace_properties::{Generator, GeneratorSettings, Query, Schema};
//!
//! let sdl = "type Query { user(id: ID!): User } type User { name: String }";
//! let schema = std::sync::Arc::new(Schema::from_sdl(sdl)?);
//! let generator = Generator::new(&schema, GeneratorSettings::default());
//! let (mut query, mut rng) = (Query::default(), Rng::new(1, 0));
//! generator.generate(&mut query, 5, &mut rng);
//! assert!(generator.text(&query).starts_with("query{user(id:\""));
//! # Ok::<(), wallace_properties::SchemaError>(())
//! ```

mod answer;
mod argument;
mod check;
mod failure;
mod generator;
mod plan;
mod plot;
mod property;
mod query;
mod relation;
mod service;
mod settings;
mod shrink;
mod study;
mod white_box;

pub use check::Check;
pub use failure::{Failure, Outcome, read_saved, saved};
pub use generator::Generator;
pub use plot::plot;
pub use query::Query;
pub use relation::InverseRelation;
pub use service::{Service, ServiceError};
pub use settings::{
    ArgumentFamily, CheckSettings, GeneratorSettings, RecordedQuery, Strategy, UserOracle,
};
pub use study::{CoverageCell, CoverageStudy, REPETITIONS, RepetitionCell, published, study};
pub use wallace_problems::graphql::{Schema, SchemaError};
pub use white_box::WhiteBox;
