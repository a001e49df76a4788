//! REST services: descriptions, templates, rendering, targets, oracles.

mod description;
mod schema;

pub use description::{
    BodyContent, Description, DescriptionError, Diagnostic, Encoding, Fetch, FilterError, Link,
    LinkSource, Location, Operation, OperationFilter, Parameter, ParameterPlace, ReadSettings,
    Response, ResponseContent, SecurityScheme, Statuses, Style,
};
pub use schema::{
    Additional, Bounds, Direction, Discriminator, Flat, Kind, Kinds, Lengths, Mismatch, Part,
    Schema, SchemaId, Schemas, Xml, is_of_format,
};
