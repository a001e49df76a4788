//! Counting: a call and its answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wallace_genes::{Gene, GeneSpec};

use super::SchemaCoverage;
use crate::graphql::action::GraphqlAction;
use crate::graphql::answer::{Answer, Sight, walk};
use crate::graphql::document::{Part, Selection};
use crate::graphql::form::ALIAS;
use crate::graphql::schema::{FieldId, Schema, TypeKind};
use crate::graphql::site::visit_sites;
use crate::graphql::template::{OperationTemplate, Templates};
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
        let answer = Answer::of(outcome, action.form, Some(operation));
        let has_data = answer.as_ref().and_then(Answer::data).is_some_and(|data| !data.is_empty());
        for field in operation.namespaces.iter().map(|it| it.field) {
            if let Some(field) = self.field(field) {
                field.queried += 1;
                field.non_null += u64::from(has_data);
            }
        }
        let selections = [templates.called_field(operation, &action.gene)];
        let mut places = BTreeMap::new();
        visit_selections(&selections, &mut String::new(), &mut |id, path| {
            places.insert(path.to_owned(), id);
            self.field(id).into_iter().for_each(|field| field.queried += 1);
        });
        if let Some(answer) = &answer {
            self.errors(&places, answer);
            self.values(templates.schema(), &selections, answer, places.into_values().collect());
        }
        let gave = answer.is_some_and(|answer| answer.gave(&operation.name));
        self.arguments(templates, operation, &action.gene, gave);
    }

    fn errors(&mut self, places: &BTreeMap<String, FieldId>, answer: &Answer) {
        for error in answer.response.iter().flat_map(|response| &response.errors) {
            let path = error.path.replace("/*", "").replace(&format!("/{ALIAS}"), "/");
            if let Some(field) = places.get(&path).and_then(|field| self.field(*field)) {
                field.error += 1;
            }
        }
    }

    fn values(
        &mut self,
        schema: &Schema,
        selections: &[Selection],
        answer: &Answer,
        mut seen: BTreeSet<FieldId>,
    ) {
        let Some(data) = answer.data() else { return };
        walk(schema, selections, data, &mut |id, sight| {
            let is_new = matches!(sight, Sight::Asked) && seen.insert(id);
            if let Some(field) = self.field(id) {
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
            self.received(schema, id, &sight);
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
                let declared = schema.returned(field);
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
fn visit_selections(
    selections: &[Selection],
    path: &mut String,
    visit: &mut dyn FnMut(FieldId, &str),
) {
    for selection in selections {
        let length = path.len();
        match &selection.part {
            Part::Field(field) => {
                path.push('/');
                path.push_str(field.key());
                field.id.into_iter().for_each(|id| visit(id, path));
            }
            Part::Fragment { .. } | Part::Spread(_) => {}
        }
        visit_selections(&selection.selections, path, visit);
        path.truncate(length);
    }
}
