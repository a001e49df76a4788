//! REST services: descriptions, templates, rendering, targets, oracles.

mod action;
mod check;
mod description;
mod identity;
mod learn;
mod oracle;
mod plan;
mod problem;
mod render;
mod resource;
mod schema;
mod target;
mod template;

pub use action::{RestAction, Rule, Twist, Violation};
pub use description::{
    BodyContent, Description, DescriptionError, Diagnostic, Encoding, Fetch, FilterError, Link,
    LinkSource, Location, Operation, OperationFilter, Parameter, ParameterPlace, ReadSettings,
    Response, ResponseContent, SecurityScheme, Statuses, Style,
};
pub use oracle::OracleSettings;
pub use problem::{RestMemory, RestProblem, RestSettings};
pub use schema::{
    Additional, Bounds, Direction, Discriminator, Flat, Kind, Kinds, Lengths, Mismatch, Part,
    Schema, SchemaId, Schemas, Xml, is_of_format,
};
pub use template::{
    CallValues, Form, NothingCallable, OperationTemplate, Pool, PoolValue, SkippedOperation,
    Templates, TextRule,
};
