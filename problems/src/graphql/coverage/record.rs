//! Counting: a call and its answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wallace_genes::{Gene, GeneSpec, ObjectGene, SpecGraph, SpecId};

use super::SchemaCoverage;
use crate::graphql::action::GraphqlAction;
use crate::graphql::answer::{Answer, Sight, walk};
use crate::graphql::form::ALIAS;
use crate::graphql::render::response_names;
use crate::graphql::schema::{FieldId, Schema, TypeKind};
use crate::graphql::site::visit_sites;
use crate::graphql::template::{OperationTemplate, SelectionMember, Templates};
use crate::http::HttpOutcome;

impl SchemaCoverage {
    /// Counts a call, as it was sent, with what came of it. Calls that were made invalid or
    /// oversized on purpose use nothing.
    pub fn record(&mut self, templates: &Templates, action: &GraphqlAction, outcome: &HttpOutcome) {
        let Some(operation) = templates.operation(action.template) else { return };
        if !action.form.has_shape() {
            return;
        }
        self.prepare(templates.schema());
        let answer = Answer::of(outcome, action.form);
        let mut seen = self.selections(templates, operation, &action.gene);
        if let Some(answer) = &answer {
            self.errors(templates, operation, &action.gene, answer);
            self.values(templates, operation, &action.gene, answer, &mut seen);
        }
        let gave = answer.is_some_and(|answer| answer.gave(&operation.name));
        self.arguments(templates, operation, &action.gene, gave);
    }

    /// Counts every selected field, and gives them.
    fn selections(
        &mut self,
        templates: &Templates,
        operation: &OperationTemplate,
        gene: &Gene,
    ) -> BTreeSet<FieldId> {
        let mut seen = BTreeSet::new();
        visit_selection(templates, operation, gene, &mut |field, _| {
            seen.insert(field);
            if let Some(field) = self.field(field) {
                field.queried += 1;
            }
        });
        seen
    }

    fn errors(
        &mut self,
        templates: &Templates,
        operation: &OperationTemplate,
        gene: &Gene,
        answer: &Answer,
    ) {
        let Ok(response) = &answer.response else { return };
        if response.errors.iter().all(|error| error.path.is_empty()) {
            return;
        }
        let mut places = BTreeMap::new();
        visit_selection(templates, operation, gene, &mut |field, path| {
            places.insert(path.to_owned(), field);
        });
        for error in &response.errors {
            let path = error.path.replace("/*", "").replace(&format!("/{ALIAS}"), "/");
            if let Some(field) = places.get(&path).and_then(|field| self.field(*field)) {
                field.error += 1;
            }
        }
    }

    fn values(
        &mut self,
        templates: &Templates,
        operation: &OperationTemplate,
        gene: &Gene,
        answer: &Answer,
        seen: &mut BTreeSet<FieldId>,
    ) {
        let Some(data) = answer.data() else { return };
        let schema = templates.schema();
        walk(templates, operation, gene, data, &mut |place, sight| {
            let is_new = matches!(sight, Sight::Asked) && seen.insert(place.field);
            if let Some(field) = self.field(place.field) {
                // Selected on an interface, and it is this type that came.
                field.queried += u64::from(is_new);
                match sight {
                    Sight::Null => field.null += 1,
                    Sight::List(length) => {
                        field.non_null += 1;
                        field.empty += u64::from(length == 0);
                    }
                    Sight::Leaf(_, value) => {
                        field.non_null += 1;
                        field.empty += u64::from(value.as_str() == Some(""));
                    }
                    Sight::Object(..) => field.non_null += 1,
                    Sight::Asked | Sight::Breach(_) => {}
                }
            }
            self.received(schema, place.field, &sight);
        });
    }

    /// Counts what came as enum value or as member of an interface or union.
    fn received(&mut self, schema: &Schema, field: FieldId, sight: &Sight<'_>) {
        match sight {
            Sight::Leaf(named, Value::String(name)) => {
                if matches!(schema.definition(*named).kind, TypeKind::Enum { .. })
                    && let Some(covered) = self.type_of(*named)
                    && let Some(value) = covered.values.iter_mut().find(|it| it.name == *name)
                {
                    value.received += 1;
                }
            }
            Sight::Object(Some(known), _) => {
                let declared = schema.field(field).type_ref.named();
                let name = &schema.definition(*known).name;
                if let Some(covered) = self.type_of(declared)
                    && let Some(member) = covered.members.iter_mut().find(|it| *it.name == **name)
                {
                    member.received += 1;
                }
            }
            _ => {}
        }
    }

    fn arguments(
        &mut self,
        templates: &Templates,
        operation: &OperationTemplate,
        gene: &Gene,
        gave: bool,
    ) {
        let graph = operation.spec.graph();
        visit_sites(templates, operation, gene, &mut |site| {
            let Some(slot) = self.slot(site.coordinate) else { return };
            if let (GeneSpec::Enum(names), Gene::Enum(index), Some(place)) =
                (graph.spec(site.spec), site.gene, slot.named)
            {
                let name = names.name(*index).unwrap_or_default();
                let values = self.types.get_mut(place).map(|it| &mut it.values);
                if let Some(value) = values.into_iter().flatten().find(|it| it.name == name) {
                    value.sent += 1;
                }
            }
            let Some(argument) = self.argument(slot).filter(|_| site.is_whole) else { return };
            match site.gene {
                Gene::Absent => argument.omitted += 1,
                Gene::Null => argument.null += 1,
                _ => {
                    argument.value += 1;
                    argument.accepted += u64::from(gave);
                }
            }
        });
    }
}

/// Calls `visit` with every selected field and its path in the response, list positions left out.
fn visit_selection(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    visit: &mut dyn FnMut(FieldId, &str),
) {
    let mut path = format!("/{}", operation.name);
    visit(operation.field, &path);
    let graph = operation.spec.graph();
    Selections { templates, graph, visit }.below(operation.spec.id(), gene, &[], &mut path);
}

struct Selections<'a> {
    templates: &'a Templates,
    graph: &'a SpecGraph,
    visit: &'a mut dyn FnMut(FieldId, &str),
}

impl Selections<'_> {
    fn below(&mut self, spec: SpecId, gene: &Gene, renamed: &[(u32, String)], path: &mut String) {
        let spec = match self.graph.spec(spec) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => spec,
        };
        match (self.graph.spec(spec), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) if tuple.has_selection => {
                if let (Some(field), Some(part)) = (tuple.elements.last(), elements.last()) {
                    self.below(field.spec, part, renamed, path);
                }
            }
            (GeneSpec::Object(_), Gene::Object(object)) => {
                self.members(spec, object, renamed, path);
            }
            _ => {}
        }
    }

    fn members(
        &mut self,
        selection: SpecId,
        selected: &ObjectGene,
        renamed: &[(u32, String)],
        path: &mut String,
    ) {
        let GeneSpec::Object(declared) = self.graph.spec(selection) else { return };
        let members = self.templates.members(selection);
        let names = response_names(self.templates, self.graph, declared, members, selected);
        for (position, part) in &selected.fields {
            let place = *position as usize;
            let (Some(spec), Some(member)) = (declared.fields.get(place), members.get(place))
            else {
                continue;
            };
            match member {
                SelectionMember::Typename => {}
                SelectionMember::Field(id) => {
                    let alias = renamed.iter().find(|(field, _)| field == position);
                    let length = path.len();
                    path.push('/');
                    path.push_str(alias.map_or(&*spec.name, |(_, alias)| alias));
                    (self.visit)(*id, path);
                    self.below(spec.spec, part, &[], path);
                    path.truncate(length);
                }
                SelectionMember::Fragment(_) => {
                    let renamed = names.of_fragment(*position);
                    self.below(spec.spec, part, &renamed, path);
                }
            }
        }
    }
}
