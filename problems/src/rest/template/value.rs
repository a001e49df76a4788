//! From genes to JSON values.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Number, Value};
use wallace_genes::{
    Gene, GenePath, GeneSpec, ObjectGene, ObjectSpec, PathStep, SpecId, TemplateId, TupleSpec,
};

use super::{Form, Templates};
use crate::rest::description::ParameterPlace;

/// Most steps to a value that is looked at for its name.
const MOST_STEPS: usize = 5;

/// One level of what a gene stands for.
pub(super) enum Part<'t> {
    /// A value without parts that is no text.
    Plain(Value),
    /// A value that the description lists.
    Listed(&'t Value),
    Text(Cow<'t, str>),
    Object(&'t ObjectSpec, &'t ObjectGene),
    /// An object of any members: pairs of this specification.
    Map(SpecId, &'t [Gene]),
    /// A list whose elements are of this specification.
    Array(SpecId, &'t [Gene]),
    /// A list of fixed places.
    Tuple(&'t TupleSpec, &'t [Gene]),
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
        let body = self
            .body(template, gene)
            .map(|(body, spec, part)| (body, self.value(spec, part).unwrap_or(Value::Null)));
        CallValues { parameters: self.parameter_values(template, gene), body }
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
        parameters.map(|(field, part)| self.value(field.spec, part)).collect()
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
        let operation = self.operation(id);
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (self.template(id).spec.spec(), gene)
        else {
            return leaves;
        };
        for (index, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
            let parameter = operation.parameters.get(index);
            if parameter.is_none_or(|parameter| parameter.place != ParameterPlace::Path) {
                let mut path = vec![PathStep::Field(index as u32)];
                self.collect_leaves(field.spec, part, &field.name, &mut path, &mut leaves);
            }
        }
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
                && matches!(part, Gene::String(_) | Gene::Integer(_) | Gene::Long(_))
        });
        let in_path = in_path.map(|(index, (parameter, _))| {
            let name: Arc<str> = (*parameter.name).into();
            (GenePath(vec![PathStep::Field(index as u32)]), name)
        });
        in_path.chain(self.named_leaves(id, gene)).collect()
    }

    fn collect_leaves(
        &self,
        id: SpecId,
        gene: &Gene,
        name: &Arc<str>,
        path: &mut Vec<PathStep>,
        leaves: &mut Vec<(GenePath, Arc<str>)>,
    ) {
        let spec = self.graph.spec(self.present(id));
        match (spec, gene) {
            (_, Gene::String(_) | Gene::Integer(_) | Gene::Long(_)) => {
                leaves.push((GenePath(path.clone()), Arc::clone(name)));
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) if path.len() < MOST_STEPS => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    path.push(PathStep::Branch(value.branch));
                    self.collect_leaves(branch.spec, &value.value, name, path, leaves);
                    path.pop();
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) if path.len() < MOST_STEPS => {
                for (position, part) in &value.fields {
                    let Some(field) = object.fields.get(*position as usize) else { continue };
                    path.push(PathStep::Field(*position));
                    self.collect_leaves(field.spec, part, &field.name, path, leaves);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// What the parameter or member at an address is called; the last name on the way there.
    pub(crate) fn name_at(&self, id: TemplateId, path: &GenePath) -> Option<Arc<str>> {
        let mut spec = self.template(id).spec.id();
        let mut name = None;
        for step in &path.0 {
            let (next, called) = match (self.graph.spec(self.present(spec)), *step) {
                (GeneSpec::Tuple(tuple), PathStep::Field(index)) => {
                    let field = tuple.elements.get(index as usize)?;
                    (field.spec, Some(&field.name))
                }
                (GeneSpec::Object(object), PathStep::Field(index)) => {
                    let field = object.fields.get(index as usize)?;
                    (field.spec, Some(&field.name))
                }
                (GeneSpec::Choice(choice), PathStep::Branch(branch)) => {
                    (choice.branches.get(branch as usize)?.spec, None)
                }
                (GeneSpec::Array(array), PathStep::Element(_)) => (array.element, None),
                _ => return None,
            };
            spec = next;
            name = called.map(Arc::clone).or(name);
        }
        name
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

    pub(crate) fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }

    /// The value that a gene stands for; `None` when it is left out.
    pub(crate) fn value(&self, id: SpecId, gene: &Gene) -> Option<Value> {
        Some(match self.part(id, gene)? {
            Part::Plain(value) => value,
            Part::Listed(value) => value.clone(),
            Part::Text(text) => Value::String(text.into_owned()),
            Part::Object(object, value) => {
                let mut members = Map::new();
                for (name, spec, part) in self.members(object, value) {
                    if let Some(part) = self.value(spec, part) {
                        members.insert(name.to_owned(), part);
                    }
                }
                Value::Object(members)
            }
            Part::Map(pair, elements) => self.map(pair, elements),
            Part::Array(element, parts) => {
                parts.iter().filter_map(|part| self.value(element, part)).collect()
            }
            Part::Tuple(tuple, parts) => {
                let parts = tuple.elements.iter().zip(parts);
                parts.filter_map(|(field, part)| self.value(field.spec, part)).collect()
            }
        })
    }

    /// What a gene stands for, one level of it; `None` when it is left out.
    pub(super) fn part<'t>(&'t self, id: SpecId, gene: &'t Gene) -> Option<Part<'t>> {
        Some(match (self.graph.spec(id), gene) {
            (_, Gene::Absent | Gene::CycleObject | Gene::LimitObject) => return None,
            (_, Gene::Null | Gene::Constant) => Part::Plain(Value::Null),
            (GeneSpec::Optional(optional), gene) => return self.part(optional.inner, gene),
            (GeneSpec::Object(object), Gene::Object(value)) => Part::Object(object, value),
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                let branch = choice.branches.get(value.branch as usize)?;
                return self.part(branch.spec, &value.value);
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => match self.form(id) {
                Some(Form::Map) => Part::Map(array.element, elements),
                _ => Part::Array(array.element, elements),
            },
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => match self.form(id) {
                Some(Form::Tuple) | None => Part::Tuple(tuple, elements),
                Some(form) => Part::Text(composed(form, elements).into()),
            },
            (GeneSpec::Enum(_), Gene::Enum(index)) => match self.form(id) {
                Some(Form::Values(values)) => Part::Listed(values.get(*index as usize)?),
                _ => return None,
            },
            (_, Gene::String(string)) => Part::Text((&*string.text).into()),
            (_, leaf) => Part::Plain(self.leaf(id, leaf)?),
        })
    }

    fn leaf(&self, id: SpecId, gene: &Gene) -> Option<Value> {
        let whole = |number: i64| match self.form(id) {
            Some(Form::Multiple(multiple)) => multiplied(number, *multiple),
            _ => number.into(),
        };
        Some(match gene {
            Gene::Integer(number) => whole(i64::from(*number)),
            Gene::Long(number) => whole(*number),
            Gene::Float(number) => Number::from_f64(number.get()).map(Value::Number)?,
            Gene::Boolean(value) => Value::Bool(*value),
            _ => return None,
        })
    }

    /// The members of an object that its gene has a part for: name, specification and part.
    pub(super) fn members<'t>(
        &'t self,
        object: &'t ObjectSpec,
        value: &'t ObjectGene,
    ) -> impl Iterator<Item = (&'t str, SpecId, &'t Gene)> {
        value.fields.iter().filter_map(|(position, part)| {
            let field = object.fields.get(*position as usize)?;
            Some((&*field.name, field.spec, part))
        })
    }

    /// An object of any members; of those with one name the last.
    pub(super) fn map(&self, pair: SpecId, elements: &[Gene]) -> Value {
        let mut members = Map::new();
        let GeneSpec::Object(object) = self.graph.spec(pair) else { return Value::Null };
        for element in elements {
            let Gene::Object(element) = element else { continue };
            if let (Some(name), Some(part)) = (element.get(0), element.get(1))
                && let Some(Value::String(name)) = self.value(object.fields[0].spec, name)
                && let Some(value) = self.value(object.fields[1].spec, part)
            {
                members.insert(name, value);
            }
        }
        Value::Object(members)
    }
}

fn multiplied(quotient: i64, multiple: f64) -> Value {
    if multiple.fract() == 0.0 && multiple < 9e15 {
        return quotient.saturating_mul(multiple as i64).into();
    }
    // Fractions such as 0.01 have no exact double, their inverse has.
    let inverse = (1.0 / multiple).round();
    let is_exact = (inverse * multiple - 1.0).abs() < 1e-12;
    let product = if is_exact { quotient as f64 / inverse } else { quotient as f64 * multiple };
    Number::from_f64(product).map_or(Value::Null, Value::Number)
}

fn composed(form: &Form, elements: &[Gene]) -> String {
    let part = |index: usize| match elements.get(index) {
        Some(Gene::Long(number)) => *number,
        _ => 0,
    };
    let date = || format!("{:04}-{:02}-{:02}", part(0), part(1), part(2));
    let time =
        |from: usize| format!("{:02}:{:02}:{:02}Z", part(from), part(from + 1), part(from + 2));
    match form {
        Form::Date => date(),
        Form::DateTime => format!("{}T{}", date(), time(3)),
        Form::Time => time(0),
        Form::Ipv4 => format!("{}.{}.{}.{}", part(0), part(1), part(2), part(3)),
        Form::Uuid => {
            let (high, low) = (part(0) as u64, part(1) as u64);
            format!(
                "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
                high >> 32,
                (high >> 16) & 0xffff,
                high & 0xfff,
                0x8000 | (low >> 48) & 0x3fff,
                low & 0xffff_ffff_ffff
            )
        }
        Form::Values(_) | Form::Map | Form::Tuple | Form::Multiple(_) | Form::Text(_) => {
            String::new()
        }
    }
}
