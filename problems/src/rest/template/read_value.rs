//! From JSON values to genes: examples, and values of earlier responses.

use serde_json::Value;
use wallace_genes::{ChoiceGene, Gene, GeneSpec, ObjectGene, SpecId};

use super::{Form, Templates};

/// Deepest value that is read.
const MOST_DEPTH: usize = 50;

impl Templates {
    /// The gene that stands for a value, where the specification has one. Members that it does
    /// not know are left out.
    pub(crate) fn gene(&self, id: SpecId, value: &Value) -> Option<Gene> {
        self.gene_below(id, value, 0)
    }

    fn gene_below(&self, id: SpecId, value: &Value, depth: usize) -> Option<Gene> {
        if depth > MOST_DEPTH {
            return None;
        }
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => self.gene_below(optional.inner, value, depth + 1),
            GeneSpec::Choice(choice) => {
                let mut branches = choice.branches.iter().enumerate();
                branches.find_map(|(branch, field)| {
                    let value = Box::new(self.gene_below(field.spec, value, depth + 1)?);
                    Some(Gene::Choice(ChoiceGene { branch: branch as u32, value }))
                })
            }
            GeneSpec::Object(object) => {
                let members = value.as_object()?;
                let mut gene = ObjectGene::default();
                for (position, field) in object.fields.iter().enumerate() {
                    match members.get(&*field.name) {
                        Some(part) => gene
                            .fields
                            .push((position as u32, self.gene_below(field.spec, part, depth + 1)?)),
                        None if matches!(self.graph.spec(field.spec), GeneSpec::Optional(_)) => {}
                        None => return None,
                    }
                }
                Some(Gene::Object(gene))
            }
            GeneSpec::Array(array) if matches!(self.form(id), Some(Form::Map)) => {
                let pairs = value.as_object()?.iter();
                let pair = |(name, part): (&String, &Value)| {
                    let GeneSpec::Object(pair) = self.graph.spec(array.element) else {
                        return None;
                    };
                    let part = self.gene_below(pair.fields[1].spec, part, depth + 1)?;
                    let name = Value::String(name.clone());
                    let name = self.gene_below(pair.fields[0].spec, &name, depth + 1)?;
                    let fields = vec![(0, name), (1, part)];
                    Some(Gene::Object(ObjectGene { fields }))
                };
                pairs.map(pair).collect::<Option<Vec<_>>>().map(Gene::Array)
            }
            GeneSpec::Array(array) => {
                let elements = value.as_array()?;
                let is_within = (array.min..=array.max).contains(&(elements.len() as u32));
                let genes =
                    elements.iter().map(|part| self.gene_below(array.element, part, depth + 1));
                genes.collect::<Option<Vec<_>>>().filter(|_| is_within).map(Gene::Array)
            }
            _ => self.leaf_gene(id, value),
        }
    }

    fn leaf_gene(&self, id: SpecId, value: &Value) -> Option<Gene> {
        Some(match (self.graph.spec(id), self.form(id)) {
            (GeneSpec::Enum(_), Some(Form::Values(values))) => {
                Gene::Enum(values.iter().position(|known| known == value)? as u32)
            }
            (GeneSpec::String(spec), form) => {
                let text = value.as_str()?;
                let length = text.chars().count() as u64;
                let is_within = length >= u64::from(spec.min) && length <= u64::from(spec.max);
                let is_allowed = match form {
                    Some(Form::Text(rule)) => rule.allows(text),
                    _ => true,
                };
                return (is_within && is_allowed).then(|| Gene::text(text));
            }
            (GeneSpec::Integer(spec), None) => {
                let number = i32::try_from(value.as_i64()?).ok()?;
                return (spec.min..=spec.max).contains(&number).then_some(Gene::Integer(number));
            }
            (GeneSpec::Long(spec), None) => {
                let number = value.as_i64()?;
                return (spec.min..=spec.max).contains(&number).then_some(Gene::Long(number));
            }
            (GeneSpec::Float(spec), _) => {
                let number = value.as_f64()?;
                return (spec.min..=spec.max).contains(&number).then(|| Gene::float(number));
            }
            (GeneSpec::Boolean, _) => Gene::Boolean(value.as_bool()?),
            (GeneSpec::Constant, _) => return value.is_null().then_some(Gene::Constant),
            _ => return None,
        })
    }
}
