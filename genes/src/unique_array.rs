//! Lists whose elements all differ.

use crate::gene::Gene;
use crate::map::has_duplicates;
use crate::path::PathStep;
use crate::spec::{ArraySpec, SpecId};
use crate::walk::Walk;

/// Draws for an element that is not there yet before the values are counted through.
const DRAWS: u32 = 10;

impl Walk<'_> {
    pub(crate) fn sample_unique_array(&mut self, array: &ArraySpec) -> Gene {
        let most = self.most_elements(array);
        let wanted = match self.draw.rng.below(4) {
            3 => most,
            few => few as u32,
        };
        let wanted = if self.is_full() { array.min } else { wanted.clamp(array.min, most) };
        let mut elements = Vec::with_capacity(wanted as usize);
        while (elements.len() as u32) < wanted && self.add_element(array, &mut elements) {}
        let is_long_enough = elements.len() as u32 >= array.min;
        if is_long_enough { Gene::Array(elements) } else { Gene::LimitObject }
    }

    /// Adds an element that is not there yet. Returns whether there was one.
    fn add_element(&mut self, array: &ArraySpec, elements: &mut Vec<Gene>) -> bool {
        let length = elements.len() as u32;
        for _ in 0..DRAWS {
            let value = self.step(PathStep::Element(length), |walk| walk.sample(array.element));
            if !elements.contains(&value) && !value.is_placeholder() {
                elements.push(value);
                return true;
            }
        }
        let mut values = (0..=length).map_while(|rank| self.nth(array.element, rank));
        let found = values.find(|value| !elements.contains(value));
        found.is_some_and(|value| {
            elements.push(value);
            true
        })
    }

    /// Changes the length or the order.
    pub(crate) fn mutate_unique_array(
        &mut self,
        array: &ArraySpec,
        elements: &mut Vec<Gene>,
    ) -> bool {
        let length = elements.len();
        if length >= 2 && !self.draw.rng.chance(self.draw.settings.length_change) {
            let (from, to) = (self.draw.rng.below(length), self.draw.rng.below(length));
            if from != to {
                elements.swap(from, to);
                return true;
            }
        }
        let can_grow = (length as u32) < self.most_elements(array);
        let can_shrink = length as u32 > array.min;
        let grows = can_grow && (!can_shrink || self.draw.rng.chance(0.5));
        if grows && self.add_element(array, elements) {
            return true;
        }
        if can_shrink {
            elements.remove(self.draw.rng.below(length));
        } else if length >= 2 {
            elements.swap(0, length - 1);
        }
        can_shrink || length >= 2
    }

    /// Changes elements; one that would occur twice stays as it was.
    pub(crate) fn mutate_unique_elements(
        &mut self,
        array: &ArraySpec,
        elements: &mut [Gene],
        mutate: &mut dyn FnMut(&mut Self, SpecId, &mut Gene) -> bool,
    ) -> bool {
        let mut has_changed = false;
        for index in 0..elements.len() {
            let was = elements[index].clone();
            let part = &mut elements[index];
            let step = PathStep::Element(index as u32);
            if !self.step(step, |walk| mutate(walk, array.element, part)) {
                continue;
            }
            if has_duplicates(elements.iter()) {
                elements[index] = was;
            } else {
                has_changed = true;
            }
        }
        has_changed
    }

    pub(crate) fn simplest_unique_array(&mut self, array: &ArraySpec) -> Gene {
        let mut elements = Vec::with_capacity(array.min as usize);
        for rank in 0..array.min {
            match self.nth(array.element, rank) {
                Some(value) => elements.push(value),
                None => return self.sampled_unique_array(array),
            }
        }
        Gene::Array(elements)
    }

    /// The least list of elements that cannot be counted through: drawn ones.
    fn sampled_unique_array(&mut self, array: &ArraySpec) -> Gene {
        let mut elements = Vec::new();
        while (elements.len() as u32) < array.min {
            // A little longer than when sampling, since this is the last resort.
            if !(0..DRAWS).any(|_| self.add_element(array, &mut elements)) {
                return Gene::LimitObject;
            }
        }
        Gene::Array(elements)
    }
}
