//! Arrays: lists of like values.

use crate::gene::Gene;
use crate::path::PathStep;
use crate::spec::ArraySpec;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn sample_array(&mut self, array: &ArraySpec) -> Gene {
        let most = self.most_elements(array);
        // 0, 1, 2 and "many" open different branches, so they are equally likely
        // (docs/reference/genes.md#arrays).
        let length = match self.draw.rng.below(4) {
            3 => most,
            few => few as u32,
        };
        let length = if self.is_full() { array.min } else { length.clamp(array.min, most) };
        let mut elements = Vec::with_capacity(length as usize);
        for index in 0..length {
            let step = PathStep::Element(index);
            match self.step(step, |walk| walk.sample(array.element)) {
                placeholder if placeholder.is_placeholder() => {
                    return if array.min == 0 { Gene::Array(Vec::new()) } else { placeholder };
                }
                value => elements.push(value),
            }
        }
        Gene::Array(elements)
    }

    pub(crate) fn most_elements(&self, array: &ArraySpec) -> u32 {
        array.max.min(array.min.saturating_add(self.draw.settings.elements)).max(array.min)
    }

    /// Changes the length, or moves, copies or swaps elements.
    pub(crate) fn mutate_array(&mut self, array: &ArraySpec, elements: &mut Vec<Gene>) -> bool {
        let length = elements.len();
        if length < 2 || self.draw.rng.chance(self.draw.settings.length_change) {
            return self.change_length(array, elements);
        }
        let (from, to) = (self.draw.rng.below(length), self.draw.rng.below(length));
        if elements[from] == elements[to] {
            return self.change_length(array, elements);
        }
        match self.draw.rng.below(3) {
            0 => elements.swap(from, to),
            1 => elements[to] = elements[from].clone(),
            _ => {
                let moved = elements.remove(from);
                elements.insert(to, moved);
            }
        }
        true
    }

    fn change_length(&mut self, array: &ArraySpec, elements: &mut Vec<Gene>) -> bool {
        let length = elements.len() as u32;
        let can_grow = length < self.most_elements(array);
        let can_shrink = length > array.min;
        if can_grow && (!can_shrink || self.draw.rng.chance(0.5)) {
            let step = PathStep::Element(length);
            let value = self.step(step, |walk| walk.sample(array.element));
            if !value.is_placeholder() {
                let place = self.draw.rng.below(elements.len() + 1);
                elements.insert(place, value);
                return true;
            }
        }
        if !can_shrink {
            return false;
        }
        let place = self.draw.rng.below(elements.len());
        elements.remove(place);
        true
    }

    pub(crate) fn simplest_array(&mut self, array: &ArraySpec) -> Gene {
        let value = if array.min == 0 { Gene::Constant } else { self.simplest(array.element) };
        if value.is_placeholder() { value } else { Gene::Array(vec![value; array.min as usize]) }
    }
}
