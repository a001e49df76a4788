//! REST services: descriptions, templates, rendering, targets, oracles.

mod action;
mod boundary;
mod callback;
mod check;
mod deed;
mod description;
mod family;
mod file;
mod identity;
mod learn;
mod link;
mod memory;
mod operations;
mod oracle;
mod part;
mod plan;
mod problem;
mod render;
mod resource;
mod sample;
mod schema;
mod settings;
mod sign_in;
mod target;
mod template;
mod undocumented;
mod word;

pub use action::{Change, Deviation, Extreme, RestAction, Rule, Undocumented, Violation};
pub use callback::CallbackListener;
pub use check::{Check, Tries};
pub use description::{
    BodyContent, Description, DescriptionError, Diagnostic, Encoding, Fetch, FilterError, Filtered,
    Link, LinkSource, Location, Operation, OperationFilter, Parameter, ParameterPlace,
    ReadSettings, Response, ResponseContent, SecurityScheme, Statuses, Style,
};
pub(crate) use identity::decoded;
pub use memory::{Record, RestMemory, TableUse};
pub use oracle::{OracleSettings, Payload};
pub use plan::{Gone, Proven};
pub use problem::{RestProblem, RestSettings};
pub use schema::{
    Additional, Bounds, Direction, Discriminator, Flat, Kind, Kinds, Lengths, Mismatch, Part,
    Schema, SchemaId, Schemas, Xml,
};
pub use settings::TestSettings;
pub(crate) use sign_in::is_login;
pub use template::{
    CallValues, NothingCallable, OperationTemplate, Pool, PoolValue, SkippedOperation, Templates,
};
pub use undocumented::Reading;
