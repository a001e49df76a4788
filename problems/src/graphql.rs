//! GraphQL services: schema, operation templates, rendering, and what a response says.
//!
//! A [`Schema`] is read once, from the answer to [`INTROSPECTION_QUERY`] or from schema definition
//! language. [`Templates`] turns it
//! into one shared graph of gene specifications with an [`OperationTemplate`] for every query and
//! mutation; a gene of such a template renders to a GraphQL document.

mod action;
mod answer;
mod asker;
mod check;
mod coverage;
mod document;
pub mod executable;
mod extreme;
mod filter;
mod form;
mod gone;
mod hint;
mod introspection;
mod link;
mod memory;
mod moment;
mod planner;
mod pool;
mod problem;
mod refusal;
mod render;
mod response;
mod sampler;
mod scalar;
mod schema;
mod scope;
mod sdl;
mod site;
mod subscription;
mod target;
mod template;
mod tuple;
mod verdict;
mod widen;

pub use action::{Check, Form, GraphqlAction, Overload, Rule, Violation};
pub use answer::contradiction;
pub use check::CheckSettings;
pub use coverage::{
    ArgumentCoverage, CoverageTotal, CoveredKind, FieldCoverage, MemberCoverage, SchemaCoverage,
    TypeCoverage, ValueCoverage,
};
pub use document::{
    Directive, Document, Field, FragmentDefinition, Literal, Part, Selection, Variable,
};
pub use filter::{OperationFilter, OperationPattern, PatternError};
pub use introspection::{INTROSPECTION_QUERY, IntrospectionSupport};
pub use memory::GraphqlMemory;
pub use problem::GraphqlProblem;
pub use render::{Style, request_body};
pub use response::{NotGraphql, Response, ResponseData, ResponseError};
pub use schema::{
    DirectiveDefinition, EnumValue, FieldDefinition, FieldId, InputValue, OperationKind, Schema,
    SchemaError, SchemaPosition, SchemaProblem, SchemaWarning, TypeDefinition, TypeId, TypeKind,
    TypeRef, Wrapper,
};
pub use subscription::{SubscriptionLimits, SubscriptionTransport};
pub use template::{
    ArgumentTemplate, Namespace, OperationTemplate, SelectionMember, SkippedOperation, Templates,
};
pub use tuple::{SchemaTuples, TupleCoverage};
