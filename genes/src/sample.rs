//! Sampling: a random value of a specification.

use crate::draw::Draw;
use crate::gene::Gene;
use crate::knowledge::{Knowledge, TemplateId};
use crate::spec::{GeneSpec, SpecId, SpecRef};
use crate::walk::Walk;

/// Draws a valid value of `spec`, the root of template `template`.
///
/// The specification is expanded only where the value goes, and within the limits of
/// [`GeneSettings`](crate::GeneSettings). What cannot be entered any more is left out.
///
/// Returns [`Gene::CycleObject`] or [`Gene::LimitObject`] only when the limits leave no value at
/// all, for example with a depth of 0.
#[must_use]
pub fn sample(
    spec: &SpecRef,
    template: TemplateId,
    knowledge: &Knowledge,
    draw: &mut Draw,
) -> Gene {
    Walk::new(spec, template, knowledge, draw).sample(spec.id())
}

impl Walk<'_> {
    pub(crate) fn sample(&mut self, id: SpecId) -> Gene {
        self.nodes += 1;
        if !self.graph.cost(id).is_finite() {
            return Gene::CycleObject;
        }
        match self.graph.spec(id) {
            GeneSpec::Object(object) => self.sample_object(id, object),
            GeneSpec::Optional(optional) => self.sample_optional(optional),
            GeneSpec::Tuple(tuple) => self.sample_tuple(tuple),
            GeneSpec::Array(array) => self.sample_array(array),
            GeneSpec::Choice(choice) => self.sample_choice(choice),
            GeneSpec::String(string) => self.sample_string(string),
            GeneSpec::Enum(names) => Gene::Enum(self.draw.rng.below(names.values.len()) as u32),
            GeneSpec::Integer(integer) => Gene::Integer(self.sample_integer(integer)),
            GeneSpec::Long(long) => Gene::Long(self.sample_long(long)),
            GeneSpec::Float(float) => self.sample_float(float),
            GeneSpec::Boolean => Gene::Boolean(self.draw.rng.chance(0.5)),
            GeneSpec::Decimal(spec) => Gene::Decimal(Box::new(self.sample_decimal(spec))),
            GeneSpec::Format(format) => self.sample_format(format),
            GeneSpec::UniqueArray(array) => self.sample_unique_array(array),
            GeneSpec::Map(map) => self.sample_map(map),
            GeneSpec::Nullable(inner) => self.sample_nullable(*inner),
            GeneSpec::Disruptive(inner) | GeneSpec::Immutable(inner) => self.sample(*inner),
            GeneSpec::Seeded(seeded) => self.sample_seeded(seeded),
            GeneSpec::Constant => Gene::Constant,
        }
    }
}
