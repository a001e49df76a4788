//! Objects: named fields, as input values and as selections.

use crate::gene::{Gene, ObjectGene};
use crate::path::PathStep;
use crate::spec::{GeneSpec, ObjectPurpose, ObjectSpec, SpecId};
use crate::walk::Walk;

/// Most fields for which an object has room from the start.
const MOST_RESERVED: usize = 16;

impl Walk<'_> {
    pub(crate) fn sample_object(&mut self, id: SpecId, object: &ObjectSpec) -> Gene {
        if let Some(placeholder) = self.placeholder(object) {
            return placeholder;
        }
        self.enter(id, |walk| match object.purpose {
            ObjectPurpose::Input => walk.sample_input(object),
            ObjectPurpose::Selection => walk.sample_selection(object),
        })
    }

    fn sample_input(&mut self, object: &ObjectSpec) -> Gene {
        // About half of the fields are there; of large objects fewer, since the limits end them.
        let usual = object.fields.len().div_ceil(2).min(MOST_RESERVED);
        let mut gene = ObjectGene { fields: Vec::with_capacity(usual) };
        for (position, field) in object.fields.iter().enumerate() {
            let position = position as u32;
            match self.step(PathStep::Field(position), |walk| walk.sample(field.spec)) {
                Gene::Absent => {}
                // A required field that cannot be entered takes the object with it.
                placeholder if placeholder.is_placeholder() => return placeholder,
                value => gene.fields.push((position, value)),
            }
        }
        Gene::Object(gene)
    }

    fn sample_selection(&mut self, object: &ObjectSpec) -> Gene {
        let mut gene = ObjectGene::default();
        let most = object.fields.len().min(self.draw.settings.selected_fields as usize);
        let wanted = if self.is_full() || most == 0 { 0 } else { 1 + self.draw.rng.below(most) };
        for _ in 0..wanted {
            let position = self.draw.rng.below(object.fields.len()) as u32;
            if gene.get(position).is_none() {
                self.select(object, position, &mut gene);
            }
        }
        if gene.fields.is_empty() {
            self.select_cheapest(object, &mut gene);
        }
        if gene.fields.is_empty() { Gene::LimitObject } else { Gene::Object(gene) }
    }

    /// Adds a field to a selection, when the limits allow it.
    pub(crate) fn select(&mut self, object: &ObjectSpec, position: u32, gene: &mut ObjectGene) {
        let spec = self.present(object.fields[position as usize].spec);
        let cost = self.graph.cost(spec);
        if !cost.is_finite() || cost.depth > self.remaining_depth(ObjectPurpose::Selection) {
            return;
        }
        let value = self.step(PathStep::Field(position), |walk| {
            walk.awaken().unwrap_or_else(|| walk.sample(spec))
        });
        if !value.is_placeholder() {
            gene.set(position, value);
        }
    }

    /// Selects one field so that the selection is not empty: cheap completions are likelier, by one
    /// over their cost (docs/reference/genes.md#selection-of-fields), since taking always the first
    /// would bias the search.
    fn select_cheapest(&mut self, object: &ObjectSpec, gene: &mut ObjectGene) {
        let depth = self.remaining_depth(ObjectPurpose::Selection);
        let weight = |walk: &Self, id: SpecId| {
            let cost = walk.graph.cost(walk.present(id));
            if cost.is_finite() && cost.depth <= depth { 1.0 / f64::from(cost.nodes) } else { 0.0 }
        };
        let mut weights: Vec<f64> =
            object.fields.iter().map(|field| weight(self, field.spec)).collect();
        // A candidate may still turn out to be a cycle; then it is out, and another is drawn.
        while let Some(position) = self.draw.rng.weighted(&weights) {
            self.select(object, position as u32, gene);
            if !gene.fields.is_empty() {
                return;
            }
            weights[position] = 0.0;
        }
    }

    /// Adds or removes one selected field.
    pub(crate) fn mutate_selection(
        &mut self,
        id: SpecId,
        object: &ObjectSpec,
        gene: &mut ObjectGene,
    ) -> bool {
        let selected = gene.fields.len();
        let has_more = selected < object.fields.len();
        if selected > 1 && (!has_more || self.draw.rng.chance(0.5)) {
            let (position, part) = gene.fields.remove(self.draw.rng.below(selected));
            self.step(PathStep::Field(position), |walk| walk.put_to_sleep(part));
            return true;
        }
        if !has_more {
            return false;
        }
        let missing = self.draw.rng.below(object.fields.len() - selected) as u32;
        let position = nth_missing(gene, missing);
        self.enter(id, |walk| walk.select(object, position, gene));
        gene.fields.len() > selected
    }

    /// The simplest value: required fields only, or the cheapest selected field.
    pub(crate) fn simplest_object(&mut self, id: SpecId, object: &ObjectSpec) -> Gene {
        if let Some(placeholder) = self.placeholder(object) {
            return placeholder;
        }
        self.enter(id, |walk| {
            let mut gene = ObjectGene::default();
            if object.purpose == ObjectPurpose::Selection {
                let cost = |position: &usize| {
                    walk.graph.cost(walk.present(object.fields[*position].spec)).nodes
                };
                let mut positions: Vec<usize> = (0..object.fields.len()).collect();
                positions.sort_by_key(cost);
                for position in positions {
                    let spec = walk.present(object.fields[position].spec);
                    let value = walk.simplest(spec);
                    if !value.is_placeholder() {
                        gene.set(position as u32, value);
                        return Gene::Object(gene);
                    }
                }
                return Gene::LimitObject;
            }
            for (position, field) in object.fields.iter().enumerate() {
                match walk.simplest(field.spec) {
                    placeholder if placeholder.is_placeholder() => return placeholder,
                    value => gene.set(position as u32, value),
                }
            }
            Gene::Object(gene)
        })
    }
}

/// Position of the `rank`-th field that is not in the object.
fn nth_missing(gene: &ObjectGene, rank: u32) -> u32 {
    let mut position = rank;
    for (present, _) in &gene.fields {
        if *present <= position {
            position += 1;
        }
    }
    position
}

/// Why a gene is no valid object of its specification, besides what is wrong inside its fields.
pub(crate) fn object_defect(
    object: &ObjectSpec,
    gene: &ObjectGene,
    is_optional: impl Fn(SpecId) -> bool,
) -> Option<&'static str> {
    if gene.fields.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return Some("fields out of order");
    }
    if gene.fields.last().is_some_and(|(position, _)| *position as usize >= object.fields.len()) {
        return Some("a field that the specification does not have");
    }
    match object.purpose {
        ObjectPurpose::Selection if gene.fields.is_empty() => Some("nothing selected"),
        ObjectPurpose::Selection => None,
        ObjectPurpose::Input => {
            let is_missing = |position: usize, spec: SpecId| {
                !is_optional(spec) && gene.get(position as u32).is_none()
            };
            let mut fields = object.fields.iter().enumerate();
            fields
                .any(|(position, field)| is_missing(position, field.spec))
                .then_some("a required field is missing")
        }
    }
}

/// Whether the specification is a selection of fields.
pub(crate) fn is_selection(spec: &GeneSpec) -> bool {
    matches!(spec, GeneSpec::Object(object) if object.purpose == ObjectPurpose::Selection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_fields_are_counted_around_the_present_ones() {
        let gene = ObjectGene { fields: vec![(0, Gene::Constant), (2, Gene::Constant)] };
        assert_eq!([0, 1, 2].map(|rank| nth_missing(&gene, rank)), [1, 3, 4]);
    }
}
