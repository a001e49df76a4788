//! From JSON values to genes: arguments that somebody else has sent.

use serde_json::{Map, Value};
use wallace_genes::{ChoiceGene, Gene, GeneSpec, ObjectGene, SpecId, spec::ObjectSpec};

use super::Templates;

/// Deepest value that is read.
const MOST_DEPTH: usize = 50;

impl Templates {
    /// The gene that stands for a value of an argument, coerced as GraphQL coerces input: one value
    /// is a list of one, a number is a text where a text is wanted. Members that an input object
    /// does not have, and optional ones that do not fit, are left out. `None` where the value does
    /// not fit, or nests too deeply.
    #[must_use]
    pub fn gene_of(&self, argument: SpecId, value: &Value) -> Option<Gene> {
        self.gene_below(argument, value, MOST_DEPTH)
    }

    fn gene_below(&self, id: SpecId, value: &Value, depth: usize) -> Option<Gene> {
        let depth = depth.checked_sub(1)?;
        match (self.graph.spec(id), value) {
            (GeneSpec::Optional(optional), Value::Null) => {
                Some(if optional.is_nullable { Gene::Null } else { Gene::Absent })
            }
            (GeneSpec::Optional(optional), _) => self.gene_below(optional.inner, value, depth),
            (GeneSpec::Array(array), Value::Array(elements)) => {
                let genes = elements.iter().map(|part| self.gene_below(array.element, part, depth));
                genes.collect::<Option<Vec<_>>>().map(Gene::Array)
            }
            (GeneSpec::Array(array), one) => {
                Some(Gene::Array(vec![self.gene_below(array.element, one, depth)?]))
            }
            (GeneSpec::Object(object), Value::Object(members)) if self.is_one_of(id) => {
                self.one_of(object, members, depth)
            }
            (GeneSpec::Object(object), Value::Object(members)) => {
                self.object(object, members, depth)
            }
            (spec, _) => leaf(spec, value),
        }
    }

    fn object(
        &self,
        object: &ObjectSpec,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Option<Gene> {
        let mut gene = ObjectGene::default();
        for (position, field) in (0..).zip(&object.fields) {
            let part = members.get(&*field.name);
            match part.and_then(|part| self.gene_below(field.spec, part, depth)) {
                Some(part) => gene.set(position, part),
                None if matches!(self.graph.spec(field.spec), GeneSpec::Optional(_)) => {}
                None => return None,
            }
        }
        Some(Gene::Object(gene))
    }

    /// An input object that is given as exactly one of its fields.
    fn one_of(
        &self,
        object: &ObjectSpec,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Option<Gene> {
        let GeneSpec::Choice(choice) = self.graph.spec(object.fields.first()?.spec) else {
            return None;
        };
        let (name, part) = members.iter().find(|(_, part)| !part.is_null())?;
        let branch = choice.branches.iter().position(|field| *field.name == **name)?;
        let value = Box::new(self.gene_below(choice.branches[branch].spec, part, depth)?);
        let chosen = Gene::Choice(ChoiceGene { branch: u32::try_from(branch).ok()?, value });
        Some(Gene::Object(ObjectGene { fields: vec![(0, chosen)] }))
    }
}

fn leaf(spec: &GeneSpec, value: &Value) -> Option<Gene> {
    match (spec, value) {
        (GeneSpec::String(_), Value::String(text)) => Some(Gene::text(text.as_str())),
        (GeneSpec::String(_), Value::Null) => None,
        // A number as an identifier, or what a custom scalar takes.
        (GeneSpec::String(_), other) => Some(Gene::text(other.to_string())),
        (GeneSpec::Enum(names), Value::String(name)) => {
            let place = names.values.iter().position(|known| *known == **name)?;
            Some(Gene::Enum(u32::try_from(place).ok()?))
        }
        (GeneSpec::Integer(_), number) => {
            Some(Gene::Integer(i32::try_from(number.as_i64()?).ok()?))
        }
        (GeneSpec::Long(_), number) => number.as_i64().map(Gene::Long),
        (GeneSpec::Float(_), number) => number.as_f64().map(Gene::float),
        (GeneSpec::Boolean, truth) => truth.as_bool().map(Gene::Boolean),
        _ => None,
    }
}
