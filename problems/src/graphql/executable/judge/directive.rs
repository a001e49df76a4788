//! Directives are known, and stand where they may.

use std::collections::HashSet;

use super::variable::in_value;
use super::{Judge, introspection};
use crate::graphql::document::Directive;
use crate::graphql::schema::SchemaPosition;

/// Where `skip` and `include` may stand.
const PARTS: [&str; 3] = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"];

impl<'a> Judge<'a> {
    pub(super) fn directives(
        &mut self,
        directives: &'a [Directive],
        location: &str,
        position: SchemaPosition,
    ) {
        let mut seen = HashSet::new();
        for directive in directives {
            let name = &directive.name;
            let is_first = seen.insert(name);
            let place = format!("`@{name}`");
            let (is_allowed, is_repeatable) = match &**name {
                "skip" | "include" => (PARTS.contains(&location), false),
                "deprecated" | "specifiedBy" => (false, false),
                _ => match self.schema.directives().iter().find(|it| it.name == *name) {
                    Some(it) => (it.locations.iter().any(|it| **it == *location), it.is_repeatable),
                    None => {
                        self.add(position, format!("there is no directive {place}"));
                        continue;
                    }
                },
            };
            if !is_allowed {
                self.add(position, format!("{place} may not stand here"));
            }
            if !is_first && !is_repeatable {
                self.add(position, format!("{place} stands twice at one place"));
            }
            self.directive_arguments(directive, &place, position);
        }
    }

    /// What the schema says of the arguments of its own directives is not in the model: of them
    /// only the variables are looked at.
    fn directive_arguments(
        &mut self,
        directive: &'a Directive,
        place: &str,
        position: SchemaPosition,
    ) {
        if let Some(id) =
            introspection::implied(&directive.name).filter(|_| is_condition(directive))
        {
            let schema = introspection::schema();
            let known = &schema.field(id).arguments;
            return self.arguments(schema, known, &directive.arguments, place, position);
        }
        let mut used = HashSet::new();
        directive.arguments.iter().for_each(|(_, value)| in_value(value, &mut used));
        for name in used {
            if !self.variables.iter().any(|variable| variable.name == *name) {
                self.add(position, format!("there is no variable `${name}`"));
            }
        }
    }
}

fn is_condition(directive: &Directive) -> bool {
    matches!(&*directive.name, "skip" | "include")
}
