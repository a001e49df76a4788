//! The values of calls, and what they are called.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, SpecId, TemplateId};

use super::Templates;
use crate::rest::description::ParameterPlace;

/// Most steps to a value that is looked at for its name.
const MOST_STEPS: usize = 6;

/// A value without parts in a call.
struct Leaf<'v> {
    spec: &'v GeneSpec,
    gene: &'v Gene,
    path: &'v GenePath,
    name: &'v Arc<str>,
}

/// Values of one call: of each parameter, and of the body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallValues {
    /// Values of the parameters in their order; `None` for those that are not sent.
    pub parameters: Vec<Option<Value>>,
    /// Position of the body among those of the operation, and its value.
    pub body: Option<(usize, Value)>,
}

impl Templates {
    /// The values that the gene of a call stands for.
    #[must_use]
    pub fn values(&self, template: TemplateId, gene: &Gene) -> CallValues {
        let body = self.body(template, gene).map(|(body, spec, part)| {
            (body, self.graph.value_of(spec, part).unwrap_or(Value::Null))
        });
        CallValues { parameters: self.parameter_values(template, gene), body }
    }

    /// The texts that a call sends as values.
    pub(crate) fn texts(&self, template: TemplateId, gene: &Gene) -> BTreeSet<String> {
        let values = self.values(template, gene);
        let mut left: Vec<&Value> = values.parameters.iter().flatten().collect();
        left.extend(values.body.as_ref().map(|(_, body)| body));
        let mut texts = BTreeSet::new();
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => drop(texts.insert(text.clone())),
                Value::Array(elements) => left.extend(elements),
                Value::Object(members) => left.extend(members.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        texts
    }

    /// Values of the parameters in their order; `None` for those that are not sent.
    pub(crate) fn parameter_values(&self, template: TemplateId, gene: &Gene) -> Vec<Option<Value>> {
        let count = self.operation(template).parameters.len();
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) =
            (self.template(template).spec.spec(), gene)
        else {
            return Vec::new();
        };
        let parameters = tuple.elements.iter().zip(elements).take(count);
        parameters.map(|(field, part)| self.graph.value_of(field.spec, part)).collect()
    }

    /// The body that a call sends: its position among those of the operation, its specification and
    /// its gene.
    pub(crate) fn body<'g>(
        &self,
        template: TemplateId,
        gene: &'g Gene,
    ) -> Option<(usize, SpecId, &'g Gene)> {
        let place = self.operation(template).parameters.len();
        let template = self.template(template);
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (template.spec.spec(), gene) else {
            return None;
        };
        let Gene::Choice(choice) = elements.get(place)? else { return None };
        let GeneSpec::Choice(spec) = self.graph.spec(self.present(tuple.elements.get(place)?.spec))
        else {
            return None;
        };
        let branch = choice.branch as usize;
        let spec = spec.branches.get(branch)?.spec;
        Some((*template.bodies.get(branch)?, spec, &choice.value))
    }

    /// Texts and numbers of a call besides those of its path, and what they are called: parameters,
    /// and members of its body down to two levels.
    pub(crate) fn named_leaves(&self, id: TemplateId, gene: &Gene) -> Vec<(GenePath, Arc<str>)> {
        let mut leaves = Vec::new();
        let parameters = &self.operation(id).parameters;
        let in_path = |path: &GenePath| {
            let Some(PathStep::Field(index)) = path.0.first() else { return false };
            let parameter = parameters.get(*index as usize);
            parameter.is_some_and(|parameter| parameter.place == ParameterPlace::Path)
        };
        let (root, name) = (self.template(id).spec.id(), "".into());
        self.visit_named(root, gene, &name, &mut GenePath::default(), &mut |leaf| {
            let is_named = matches!(leaf.gene, Gene::String(_) | Gene::Integer(_) | Gene::Long(_));
            if is_named && !in_path(leaf.path) {
                leaves.push((leaf.path.clone(), Arc::clone(leaf.name)));
            }
        });
        leaves
    }

    /// The values of a call that are texts, numbers or truth values: what each is called, and its
    /// address; those of its path too.
    #[must_use]
    pub fn named_values(&self, id: TemplateId, gene: &Gene) -> Vec<(GenePath, Arc<str>)> {
        let (Gene::Tuple(elements), operation) = (gene, self.operation(id)) else {
            return Vec::new();
        };
        let parameters = operation.parameters.iter().zip(elements).enumerate();
        let in_path = parameters.filter(|(_, (parameter, part))| {
            parameter.place == ParameterPlace::Path
                && matches!(
                    part,
                    Gene::String(_)
                        | Gene::Integer(_)
                        | Gene::Long(_)
                        | Gene::Decimal(_)
                        | Gene::Enum(_)
                )
        });
        let in_path = in_path.map(|(index, (parameter, _))| {
            let name: Arc<str> = (*parameter.name).into();
            (GenePath(vec![PathStep::Field(index as u32)]), name)
        });
        in_path.chain(self.named_leaves(id, gene)).collect()
    }

    /// The listed values of a call, each with the number of values that its list holds.
    pub(crate) fn listed_values(&self, id: TemplateId, gene: &Gene) -> Vec<(GenePath, u32)> {
        let mut found = Vec::new();
        let (root, name) = (self.template(id).spec.id(), "".into());
        self.visit_named(root, gene, &name, &mut GenePath::default(), &mut |leaf| {
            if let (GeneSpec::Enum(listed), Gene::Enum(_)) = (leaf.spec, leaf.gene) {
                found.push((leaf.path.clone(), listed.values.len() as u32));
            }
        });
        found
    }

    /// Visits what has no parts, and what it is called; lists and maps count as having none.
    fn visit_named(
        &self,
        id: SpecId,
        gene: &Gene,
        name: &Arc<str>,
        path: &mut GenePath,
        visit: &mut dyn FnMut(Leaf<'_>),
    ) {
        let spec = self.graph.spec(self.present(id));
        let mut below = |step: PathStep, id: SpecId, part: &Gene, name: &Arc<str>| {
            path.0.push(step);
            if path.0.len() <= MOST_STEPS {
                self.visit_named(id, part, name, path, visit);
            }
            path.0.pop();
        };
        match (spec, gene) {
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    below(PathStep::Branch(value.branch), branch.spec, &value.value, name);
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &value.fields {
                    let Some(field) = object.fields.get(*position as usize) else { continue };
                    below(PathStep::Field(*position), field.spec, part, &field.name);
                }
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (index, (field, part)) in (0..).zip(tuple.elements.iter().zip(elements)) {
                    below(PathStep::Field(index), field.spec, part, &field.name);
                }
            }
            (spec, gene) => visit(Leaf { spec, gene, path, name }),
        }
    }

    /// What the parameter or member at an address is called; the last name on the way there.
    pub(crate) fn name_at(&self, id: TemplateId, path: &GenePath) -> Option<Arc<str>> {
        let mut spec = self.template(id).spec.id();
        let mut name = None;
        for step in &path.0 {
            let (called, next) = self.graph.below(spec, *step)?;
            spec = next;
            name = called.or(name);
        }
        name.cloned()
    }

    /// Where in the body the value at an address stands, as a JSON pointer; none where it is in no
    /// body, or below what has no fixed place.
    #[must_use]
    pub fn body_pointer(&self, id: TemplateId, path: &GenePath) -> Option<String> {
        let (first, rest) = path.0.split_first()?;
        let parameters = self.operation(id).parameters.len() as u32;
        if *first != PathStep::Field(parameters) {
            return None;
        }
        let mut pointer = String::new();
        for end in 1..=rest.len() {
            match rest[end - 1] {
                PathStep::Branch(_) => {}
                PathStep::Field(_) => {
                    let name = self.name_at(id, &GenePath(path.0[..=end].to_vec()))?;
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                PathStep::Element(_) | PathStep::Key(_) => return None,
            }
        }
        Some(pointer)
    }

    /// What values other than none are, without what says how they are drawn.
    pub(crate) fn present(&self, id: SpecId) -> SpecId {
        self.graph.value(id)
    }
}
