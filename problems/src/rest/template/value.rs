//! From genes to JSON values.

use serde_json::{Map, Number, Value};
use wallace_genes::{Gene, GeneSpec, SpecId, TemplateId};

use super::{Form, Templates};

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
        let template = self.template(template);
        let operation = &self.description.operations[template.operation];
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (template.spec.spec(), gene) else {
            return CallValues::default();
        };
        let mut values = CallValues::default();
        for (index, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
            if index < operation.parameters.len() {
                values.parameters.push(self.value(field.spec, part));
            } else if let Gene::Choice(choice) = part {
                let GeneSpec::Choice(spec) = self.graph.spec(self.present(field.spec)) else {
                    continue;
                };
                let branch = choice.branch as usize;
                let Some(field) = spec.branches.get(branch) else { continue };
                let value = self.value(field.spec, &choice.value).unwrap_or(Value::Null);
                values.body = template.bodies.get(branch).map(|body| (*body, value));
            }
        }
        values
    }

    pub(crate) fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }

    /// The value that a gene stands for; `None` when it is left out.
    pub(crate) fn value(&self, id: SpecId, gene: &Gene) -> Option<Value> {
        Some(match (self.graph.spec(id), gene) {
            (_, Gene::Absent | Gene::CycleObject | Gene::LimitObject) => return None,
            (_, Gene::Null | Gene::Constant) => Value::Null,
            (GeneSpec::Optional(optional), gene) => return self.value(optional.inner, gene),
            (GeneSpec::Object(object), Gene::Object(value)) => {
                let mut members = Map::new();
                for (position, part) in &value.fields {
                    let Some(field) = object.fields.get(*position as usize) else { continue };
                    if let Some(part) = self.value(field.spec, part) {
                        members.insert(field.name.to_string(), part);
                    }
                }
                Value::Object(members)
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                let branch = choice.branches.get(value.branch as usize)?;
                return self.value(branch.spec, &value.value);
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                if matches!(self.form(id), Some(Form::Map)) {
                    return Some(self.map(array.element, elements));
                }
                elements.iter().filter_map(|part| self.value(array.element, part)).collect()
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => match self.form(id) {
                Some(Form::Tuple) | None => {
                    let parts = tuple.elements.iter().zip(elements);
                    parts.filter_map(|(field, part)| self.value(field.spec, part)).collect()
                }
                Some(form) => Value::String(composed(form, elements)),
            },
            (GeneSpec::Enum(_), Gene::Enum(index)) => match self.form(id) {
                Some(Form::Values(values)) => values.get(*index as usize)?.clone(),
                _ => return None,
            },
            (_, leaf) => return self.leaf(id, leaf),
        })
    }

    fn leaf(&self, id: SpecId, gene: &Gene) -> Option<Value> {
        let whole = |number: i64| match self.form(id) {
            Some(Form::Multiple(multiple)) => multiplied(number, *multiple),
            _ => number.into(),
        };
        Some(match gene {
            Gene::String(string) => Value::String(string.text.to_string()),
            Gene::Integer(number) => whole(i64::from(*number)),
            Gene::Long(number) => whole(*number),
            Gene::Float(number) => Number::from_f64(number.get()).map(Value::Number)?,
            Gene::Boolean(value) => Value::Bool(*value),
            _ => return None,
        })
    }

    fn map(&self, pair: SpecId, elements: &[Gene]) -> Value {
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
