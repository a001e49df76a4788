//! What directives say: those that the model knows, and the names of the others.

use std::sync::Arc;

use async_graphql_parser::Positioned;
use async_graphql_parser::types::ConstDirective;
use async_graphql_value::ConstValue;

use super::canonical::Places;
use super::name::original;
use crate::graphql::schema::SchemaBuilder;

/// The default of the argument `reason` (GraphQL specification, section "@deprecated").
const NO_REASON: &str = "No longer supported";

/// Names of the directives whose meaning is in the model.
const IN_THE_MODEL: [&str; 3] = ["deprecated", "specifiedBy", "oneOf"];

type Directives = [Positioned<ConstDirective>];

/// The first directive of this name.
pub(super) fn named<'d>(directives: &'d Directives, name: &str) -> Option<&'d ConstDirective> {
    let mut directives = directives.iter().map(|directive| &directive.node);
    directives.find(|directive| original(&directive.name.node) == name)
}

/// Why something should not be used any more, if so.
pub(super) fn deprecation(directives: &Directives, places: &Places<'_>) -> Option<Box<str>> {
    let directive = named(directives, "deprecated")?;
    Some(text(directive, "reason", places).unwrap_or_else(|| NO_REASON.into()))
}

/// A text given to a directive.
pub(super) fn text(
    directive: &ConstDirective,
    argument: &str,
    places: &Places<'_>,
) -> Option<Box<str>> {
    let is_meant = |name: &str| original(name) == argument;
    let (_, value) = directive.arguments.iter().find(|(name, _)| is_meant(&name.node))?;
    match &value.node {
        ConstValue::String(_) => Some(places.text(value.pos)),
        _ => None,
    }
}

/// Names of the directives whose meaning is not in the model.
pub(super) fn others(directives: &Directives, builder: &mut SchemaBuilder) -> Vec<Arc<str>> {
    let names = directives.iter().map(|directive| original(&directive.node.name.node));
    let names = names.filter(|name| !IN_THE_MODEL.contains(name));
    names.filter_map(|name| builder.name(name)).collect()
}
