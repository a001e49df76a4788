//! What sampled calls get besides random values: values that the service answered with, and counts
//! and amounts near the least ones.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_genes::{
    Draw, Gene, GeneSpec, Knowledge, SpecId, TemplateId, is_tainted, sample, simplest,
};

use super::Templates;
use crate::rest::identity::is_step;
use crate::rest::schema::Direction;
use crate::word::plain;

/// Share of values that the service answered with under the same name.
const POOLED: f64 = 0.4;
/// Share of numbers that are near the least one, where the description says which that is: counts
/// and amounts mostly are.
const SMALL: f64 = 0.5;
/// How far above the least number such numbers go.
const SMALL_RANGE: usize = 4;
/// How many numbers there are at least where that is done: the few of a short range are all usual.
const WIDE_RANGE: i64 = 50;
/// Draws until a call that schemas refuse is given up.
const DRAWS: usize = 10;

/// A value that the service answered with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoolValue {
    /// The value: a text, number or truth value.
    pub value: Value,
    /// The operation that answered.
    pub template: TemplateId,
}

/// Values that the service answered with, by name in lower case. Bounded: the oldest go first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    values: BTreeMap<String, VecDeque<PoolValue>>,
}

impl Pool {
    /// Most values of one name.
    pub const MOST_VALUES: usize = 30;
    /// Most names.
    pub const MOST_NAMES: usize = 1_000;

    /// Remembers a value; not a step of a path, by which a placeholder would lead to another operation.
    pub fn add(&mut self, name: &str, value: &Value, template: TemplateId) {
        if value.as_str().is_some_and(is_step) {
            return;
        }
        let name = plain(name);
        if !self.values.contains_key(&name) && self.values.len() >= Self::MOST_NAMES {
            return;
        }
        let values = self.values.entry(name).or_default();
        if values.iter().any(|known| known.value == *value) {
            return;
        }
        if values.len() == Self::MOST_VALUES {
            values.pop_front();
        }
        values.push_back(PoolValue { value: value.clone(), template });
    }

    /// The values of a name, oldest first.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &PoolValue> {
        self.values.get(&plain(name)).into_iter().flatten()
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Templates {
    /// Samples a valid call: its gene follows the specification, and the values follow the
    /// schemas, as far as that can be found in a few draws.
    #[must_use]
    pub fn sample(
        &self,
        id: TemplateId,
        knowledge: &Knowledge,
        pool: &Pool,
        draw: &mut Draw,
    ) -> Gene {
        let template = self.template(id);
        let mut gene = Gene::Constant;
        for _ in 0..DRAWS {
            gene = sample(&template.spec, id, knowledge, draw);
            self.dress(template.spec.id(), &mut gene, "", pool, draw);
            if !template.is_checked || self.follows_schemas(id, &gene) {
                return gene;
            }
        }
        let mut small = simplest(&template.spec, &draw.settings);
        self.dress(template.spec.id(), &mut small, "", pool, draw);
        if self.follows_schemas(id, &small) { small } else { gene }
    }

    /// The gene with answered values put in.
    pub(crate) fn dressed(
        &self,
        id: TemplateId,
        mut gene: Gene,
        pool: &Pool,
        draw: &mut Draw,
    ) -> Gene {
        self.dress(self.template(id).spec.id(), &mut gene, "", pool, draw);
        gene
    }

    /// Whether the values of a call follow the schemas of the description.
    #[must_use]
    pub fn follows_schemas(&self, id: TemplateId, gene: &Gene) -> bool {
        let operation = self.operation(id);
        let values = self.values(id, gene);
        let allows = |schema, value: &Value| self.schemas.allows(schema, value, Direction::Sent);
        let parameters = operation.parameters.iter().zip(&values.parameters);
        parameters
            .filter_map(|(parameter, value)| Some((parameter.schema, value.as_ref()?)))
            .all(|(schema, value)| allows(schema, value))
            && values
                .body
                .as_ref()
                .is_none_or(|(body, value)| allows(operation.bodies[*body].schema, value))
    }

    /// Puts answered values in one part of a call, which is called `name`.
    pub(crate) fn dress(
        &self,
        id: SpecId,
        gene: &mut Gene,
        name: &str,
        pool: &Pool,
        draw: &mut Draw,
    ) {
        if self.is_shown(id, gene) {
            return;
        }
        match (self.graph().spec(self.present(id)), &mut *gene) {
            (_, Gene::Absent | Gene::Null | Gene::Constant) => {}
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &mut value.fields {
                    let field = &object.fields[*position as usize];
                    self.dress(field.spec, part, &field.name, pool, draw);
                }
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (field, part) in tuple.elements.iter().zip(elements) {
                    self.dress(field.spec, part, &field.name, pool, draw);
                }
            }
            (GeneSpec::Map(map), Gene::Map(entries)) => {
                for (_, part) in entries {
                    self.dress(map.value, part, name, pool, draw);
                }
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                for part in elements {
                    self.dress(array.element, part, name, pool, draw);
                }
            }
            (GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
                for index in 0..elements.len() {
                    let was = elements[index].clone();
                    self.dress(array.element, &mut elements[index], name, pool, draw);
                    // What would occur twice stays as it was.
                    let (before, after) = elements.split_at(index);
                    if before.contains(&after[0]) || after[1..].contains(&after[0]) {
                        elements[index] = was;
                    }
                }
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    self.dress(branch.spec, &mut value.value, name, pool, draw);
                }
            }
            (
                GeneSpec::String(_)
                | GeneSpec::Format(_)
                | GeneSpec::Integer(_)
                | GeneSpec::Long(_)
                | GeneSpec::Float(_)
                | GeneSpec::Decimal(_),
                _,
            ) => self.dress_leaf(id, gene, name, pool, draw),
            _ => {}
        }
    }

    /// Whether the description shows the value: it stays.
    fn is_shown(&self, id: SpecId, gene: &Gene) -> bool {
        match self.graph().spec(id) {
            GeneSpec::Optional(optional) => self.is_shown(optional.inner, gene),
            GeneSpec::Seeded(seeded) => {
                seeded.examples.contains(gene) || self.is_shown(seeded.inner, gene)
            }
            _ => false,
        }
    }

    fn dress_leaf(&self, id: SpecId, gene: &mut Gene, name: &str, pool: &Pool, draw: &mut Draw) {
        // A tainted text is there to be seen by the service.
        let is_marked = matches!(gene, Gene::String(string) if is_tainted(&string.text) || string.specialisation.is_some());
        if is_marked && draw.is_tainting {
            return;
        }
        if !pool.is_empty() && draw.rng.chance(POOLED) {
            let values: Vec<&PoolValue> = pool.values(name).collect();
            if let Some(pooled) = draw.rng.pick(&values)
                && let Some(pooled) = self.graph().read(id, &pooled.value)
            {
                *gene = pooled;
                return;
            }
        }
        if let Some(least) = self.least(id)
            && draw.rng.chance(SMALL)
        {
            let small = least.saturating_add(draw.rng.below(SMALL_RANGE) as i64);
            *gene = self.graph().read(id, &small.into()).unwrap_or_else(|| gene.clone());
        }
    }

    /// The least whole number, where one is told that no kind of number brings by itself.
    fn least(&self, id: SpecId) -> Option<i64> {
        let (least, most) = match self.graph().spec(self.present(id)) {
            GeneSpec::Integer(range) => (i64::from(range.min), i64::from(range.max)),
            GeneSpec::Long(range) => (range.min, range.max),
            _ => return None,
        };
        let is_wide = most.saturating_sub(least) > WIDE_RANGE;
        (is_wide && least > i64::from(i32::MIN)).then_some(least)
    }
}
