//! Lists that were asked for with a filter.

use serde_json::Value;
use wallace_genes::{Gene, GeneSpec};

use super::Judge;
use crate::graphql::answer::Seen;
use crate::graphql::schema::TypeId;
use crate::graphql::scope::argument_name;
use crate::graphql::site::visit_sites;

impl Judge<'_> {
    /// Elements of a list that contradict the filter they were asked for with: an enum argument of the
    /// name and type of one of their fields.
    pub(super) fn filtered(&mut self, call: &Seen<'_>) {
        if !call.is_query() || !call.gave() {
            return;
        }
        let schema = self.scope.schema();
        let graph = call.operation.spec.graph();
        let mut filters: Vec<(String, TypeId, String)> = Vec::new();
        visit_sites(&self.scope.templates, call.operation, &call.action.gene, &mut |site| {
            // Arguments of the operation, and of one input object among them.
            let is_own = site.path.0.len() <= 2 && site.is_whole;
            if let (GeneSpec::Enum(names), Gene::Enum(index), true) =
                (graph.spec(site.spec), site.gene, is_own)
                && let Some(value) = names.name(*index)
            {
                let type_name = self.scope.argument_types.get(site.coordinate);
                if let Some(of) = type_name.and_then(|name| schema.type_named(name)) {
                    filters.push((
                        argument_name(site.coordinate).to_owned(),
                        of,
                        value.to_string(),
                    ));
                }
            }
        });
        let element = |owner: TypeId, name: &str, of: TypeId| {
            schema.field_named(owner, name).is_some_and(|field| schema.returned(field) == of)
        };
        let mut listed = Vec::new();
        if let Some(value) = call.value() {
            collect_listed(value, 2, &mut listed);
        }
        for (name, of, wanted) in filters {
            for (owner, object) in self.objects(call) {
                let is_listed = listed.iter().any(|it| std::ptr::eq(*it, object));
                if !is_listed || !element(owner, &name, of) {
                    continue;
                }
                if let Some(Value::String(value)) = object.get(&name)
                    && *value != wanted
                {
                    return self.report(
                        call,
                        988,
                        format!("elements do not match the filter {name}"),
                    );
                }
            }
        }
    }
}

/// The objects in the lists of a value that are not inside other lists.
fn collect_listed<'v>(
    value: &'v Value,
    depth: u32,
    listed: &mut Vec<&'v serde_json::Map<String, Value>>,
) {
    match value {
        Value::Array(elements) => listed.extend(elements.iter().filter_map(Value::as_object)),
        Value::Object(fields) if depth > 0 => {
            for below in fields.values() {
                collect_listed(below, depth - 1, listed);
            }
        }
        _ => {}
    }
}
