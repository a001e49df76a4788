//! From harvested operations to tests that a search begins with.

use std::sync::Arc;

use serde_json::{Map, Value};
use wallace_genes::{Gene, GeneSpec, ObjectGene, SpecGraph, SpecId, spec::TupleSpec};
use wallace_problems::graphql::executable::{ExecutableDocument, Field, Part, Selection};
use wallace_problems::graphql::{
    GraphqlAction, OperationKind, OperationTemplate, SelectionMember, Templates,
};

use crate::harvest::{Harvest, HarvestedOperation};

/// Selections within selections, and fragments within fragments, at most.
const MAX_DEPTH: usize = 64;

impl Harvest {
    /// One test for each operation, in the order of [`Harvest::operations`]: a call for each field
    /// of its root. Of a field that is selected twice the first time counts, directives do not.
    /// Optional arguments whose values are not known, or do not fit, are left out; so are calls
    /// with others of that kind, and operations without any call.
    #[must_use]
    pub fn seeds(&self, templates: &Templates) -> Vec<Vec<GraphqlAction>> {
        let tests = self.operations().iter().map(|operation| calls(operation, templates));
        tests.filter(|test| !test.is_empty()).collect()
    }
}

fn calls(operation: &HarvestedOperation, templates: &Templates) -> Vec<GraphqlAction> {
    let definition = operation.definition();
    let mut variables = Map::new();
    for variable in &definition.variables {
        let default = variable.default.as_ref();
        if let Some(value) = default.and_then(|value| value.to_json(&|_| None)) {
            variables.insert(variable.name.to_string(), value);
        }
    }
    if let Some(Value::Object(given)) = &operation.logged.variables {
        variables.extend(given.clone());
    }
    let adopter =
        Adopter { templates, graph: templates.graph(), document: &operation.document, variables };
    let mut calls = Vec::new();
    adopter.called(operation.kind, &definition.selections, &mut Vec::new(), &mut calls);
    calls
}

/// Makes genes of one operation.
struct Adopter<'h> {
    templates: &'h Templates,
    graph: &'h Arc<SpecGraph>,
    document: &'h ExecutableDocument,
    variables: Map<String, Value>,
}

impl Adopter<'_> {
    /// The operations among what is selected of a root type, or of the namespaces `around` it.
    fn called<'s>(
        &self,
        kind: OperationKind,
        selections: &'s [Selection],
        around: &mut Vec<&'s str>,
        calls: &mut Vec<GraphqlAction>,
    ) {
        for selection in selections {
            let Some(field) = selection.as_field() else { continue };
            let stands_here = |it: &&OperationTemplate| {
                it.kind == kind && it.names().eq(around.iter().copied().chain([&*field.name]))
            };
            match self.templates.operations().iter().find(stands_here) {
                Some(template) => calls.extend(self.call(template, field, &selection.selections)),
                None if around.len() < MAX_DEPTH => {
                    around.push(&field.name);
                    self.called(kind, &selection.selections, around, calls);
                    around.pop();
                }
                None => {}
            }
        }
    }

    fn call(
        &self,
        template: &OperationTemplate,
        field: &Field,
        below: &[Selection],
    ) -> Option<GraphqlAction> {
        let GeneSpec::Tuple(tuple) = template.spec.spec() else { return None };
        Some(GraphqlAction::new(template.id, self.tuple(tuple, (field, below), None, MAX_DEPTH)?))
    }

    /// Arguments, then the selection if there is one; `known` is what was selected of it before.
    fn tuple(
        &self,
        tuple: &TupleSpec,
        (field, below): (&Field, &[Selection]),
        known: Option<Gene>,
        depth: usize,
    ) -> Option<Gene> {
        if let Some(Gene::Tuple(mut elements)) = known {
            if tuple.has_selection {
                let selected = elements.pop();
                let returned = tuple.elements.last()?.spec;
                elements.push(self.selected(returned, below, selected, depth)?);
            }
            return Some(Gene::Tuple(elements));
        }
        let count = tuple.elements.len() - usize::from(tuple.has_selection);
        let mut elements = Vec::with_capacity(tuple.elements.len());
        for argument in &tuple.elements[..count] {
            let given = field.arguments.iter().find(|(name, _)| *name == argument.name);
            let variable = |name: &str| self.variables.get(name).cloned();
            let value = given.and_then(|(_, value)| value.to_json(&variable));
            let gene = value.and_then(|value| self.templates.gene_of(argument.spec, &value));
            elements.push(match gene {
                Some(gene) => gene,
                None if matches!(self.graph.spec(argument.spec), GeneSpec::Optional(_)) => {
                    Gene::Absent
                }
                None => return None,
            });
        }
        if tuple.has_selection {
            let returned = tuple.elements.last()?.spec;
            elements.push(self.selected(returned, below, None, depth)?);
        }
        Some(Gene::Tuple(elements))
    }

    /// What is selected of an object, added to what was selected of it before.
    fn selected(
        &self,
        id: SpecId,
        selections: &[Selection],
        known: Option<Gene>,
        depth: usize,
    ) -> Option<Gene> {
        let id = self.templates.present(id);
        let mut gene = match known {
            Some(Gene::Object(gene)) => gene,
            _ => ObjectGene::default(),
        };
        self.add(id, selections, &mut gene, depth.checked_sub(1)?)?;
        if gene.fields.is_empty()
            && let GeneSpec::Object(object) = self.graph.spec(id)
        {
            // Nothing that was asked for has a place here; `__typename` stands last.
            gene.set(u32::try_from(object.fields.len()).ok()?.checked_sub(1)?, Gene::Constant);
        }
        Some(Gene::Object(gene))
    }

    fn add(
        &self,
        id: SpecId,
        selections: &[Selection],
        gene: &mut ObjectGene,
        depth: usize,
    ) -> Option<()> {
        let GeneSpec::Object(object) = self.graph.spec(id) else { return None };
        let depth = depth.checked_sub(1)?;
        for selection in selections {
            let (condition, inner) = match &selection.part {
                Part::Field(field) => {
                    self.add_field(id, (field, &selection.selections), gene, depth);
                    continue;
                }
                Part::Inline(on) => (on.as_ref(), &selection.selections),
                Part::Spread(name) => {
                    let Some(fragment) = self.document.fragment(name) else { continue };
                    (Some(&fragment.on), &fragment.selections)
                }
            };
            let name = condition.unwrap_or(&object.type_name);
            match self.fragment(id, name) {
                Some((position, spec)) => {
                    let known = gene.get(position).cloned();
                    if let Some(part) = self.selected(spec, inner, known, depth) {
                        gene.set(position, part);
                    }
                }
                // Of the object's own type, or of an interface of it.
                None => self.add(id, inner, gene, depth)?,
            }
        }
        Some(())
    }

    fn add_field(
        &self,
        id: SpecId,
        (field, below): (&Field, &[Selection]),
        gene: &mut ObjectGene,
        depth: usize,
    ) {
        let GeneSpec::Object(object) = self.graph.spec(id) else { return };
        let members = self.templates.members(id);
        let mut fields = (0..).zip(object.fields.iter().zip(members));
        let found = fields.find(|(_, (known, member))| {
            known.name == field.name && !matches!(member, SelectionMember::Fragment(_))
        });
        let Some((position, (known, _))) = found else { return };
        let spec = self.templates.present(known.spec);
        let earlier = gene.get(position).cloned();
        let part = match self.graph.spec(spec) {
            GeneSpec::Constant => Some(Gene::Constant),
            GeneSpec::Tuple(tuple) => self.tuple(tuple, (field, below), earlier, depth),
            _ => self.selected(spec, below, earlier, depth),
        };
        if let Some(part) = part {
            gene.set(position, part);
        }
    }

    /// The fragment of a type in the selection of another.
    fn fragment(&self, id: SpecId, name: &str) -> Option<(u32, SpecId)> {
        let GeneSpec::Object(object) = self.graph.spec(id) else { return None };
        let members = (0..).zip(self.templates.members(id).iter().zip(&object.fields));
        let schema = self.templates.schema();
        members.into_iter().find_map(|(position, (member, field))| match member {
            SelectionMember::Fragment(type_id) if *schema.definition(*type_id).name == *name => {
                Some((position, field.spec))
            }
            _ => None,
        })
    }
}
