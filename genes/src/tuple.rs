//! Tuples: a field with arguments, whose last element may be the returned object.

use crate::gene::Gene;
use crate::path::PathStep;
use crate::spec::TupleSpec;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn sample_tuple(&mut self, tuple: &TupleSpec) -> Gene {
        self.make_tuple(tuple, |walk, spec| walk.sample(spec))
    }

    pub(crate) fn simplest_tuple(&mut self, tuple: &TupleSpec) -> Gene {
        self.make_tuple(tuple, |walk, spec| walk.simplest(spec))
    }

    /// A placeholder anywhere takes the whole field with it: an argument that has no value, or a
    /// returned object of which nothing can be selected.
    fn make_tuple(
        &mut self,
        tuple: &TupleSpec,
        mut make: impl FnMut(&mut Self, crate::SpecId) -> Gene,
    ) -> Gene {
        let mut elements = Vec::with_capacity(tuple.elements.len());
        for (position, element) in tuple.elements.iter().enumerate() {
            let step = PathStep::Field(position as u32);
            let value = self.step(step, |walk| make(walk, element.spec));
            if value.is_placeholder() {
                return value;
            }
            elements.push(value);
        }
        Gene::Tuple(elements)
    }
}
