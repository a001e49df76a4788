//! Mutation: changing some of the genes of a tree.
//!
//! The caller weighs and chooses [sites](crate::site::collect_sites) over all actions of an individual
//! (docs/reference/search.md#genes-to-mutate); [`mutate`] changes the chosen ones in one walk.

use crate::draw::Draw;
use crate::gene::{Gene, ObjectGene};
use crate::knowledge::{Knowledge, TemplateId};
use crate::path::PathStep;
use crate::site::{count_sites, has_site, is_composite};
use crate::spec::{GeneSpec, OptionalSpec, SpecId, SpecRef};
use crate::trend::Trend;
use crate::walk::Walk;
use crate::wrapper::SeededSpec;

/// Changes the genes at the chosen sites: positions in the list of
/// [`collect_sites`](crate::site::collect_sites), ascending.
///
/// Returns whether anything changed. A valid tree stays valid.
pub fn mutate(
    spec: &SpecRef,
    template: TemplateId,
    gene: &mut Gene,
    chosen: &[usize],
    knowledge: &Knowledge,
    draw: &mut Draw,
) -> bool {
    let mut walk = Walk::new(spec, template, knowledge, draw);
    walk.nodes = gene.size() as u32;
    let mut mutation = Mutation { chosen, next: 0 };
    walk.mutate(spec.id(), gene, &mut mutation)
}

struct Mutation<'a> {
    chosen: &'a [usize],
    next: usize,
}

impl Mutation<'_> {
    /// Passes one site; whether it is chosen.
    fn pass(&mut self) -> bool {
        let is_chosen = self.chosen.first() == Some(&self.next);
        if is_chosen {
            self.chosen = &self.chosen[1..];
        }
        self.next += 1;
        is_chosen
    }
}

impl Walk<'_> {
    fn mutate(&mut self, id: SpecId, gene: &mut Gene, mutation: &mut Mutation<'_>) -> bool {
        if mutation.chosen.is_empty() {
            return false;
        }
        let is_chosen = has_site(self.graph, id, gene) && mutation.pass();
        let is_chosen = is_chosen && (self.rate >= 1.0 || self.draw.rng.chance(self.rate));
        // Parts first: the walk must meet the sites that were counted, before this one changes.
        let has_changed = self.mutate_parts(id, gene, mutation);
        (is_chosen && self.mutate_noted(id, gene)) || has_changed
    }

    /// Changes the decision at this position, and notes how for the next time.
    fn mutate_noted(&mut self, id: SpecId, gene: &mut Gene) -> bool {
        let is_leaf = matches!(
            self.graph.spec(id),
            GeneSpec::Integer(_)
                | GeneSpec::Long(_)
                | GeneSpec::Float(_)
                | GeneSpec::Decimal(_)
                | GeneSpec::String(_)
        );
        if self.draw.settings.guided <= 0.0 || !is_leaf {
            return self.mutate_here(id, gene);
        }
        let was = gene.clone();
        if self.guide(id, gene) {
            return true;
        }
        let has_changed = self.mutate_here(id, gene);
        if has_changed {
            let trend = Trend::between(self.graph.spec(id), &was, gene);
            self.draw.history.note(&self.path, trend);
        }
        has_changed
    }

    fn mutate_parts(&mut self, id: SpecId, gene: &mut Gene, mutation: &mut Mutation<'_>) -> bool {
        let mut has_changed = false;
        match (self.graph.spec(id), gene) {
            (GeneSpec::Object(object), Gene::Object(value)) => {
                has_changed = self.enter(id, |walk| walk.mutate_fields(object, value, mutation));
            }
            (
                GeneSpec::Optional(OptionalSpec { inner, .. })
                | GeneSpec::Nullable(inner)
                | GeneSpec::Seeded(SeededSpec { inner, .. }),
                gene,
            ) if is_composite(self.graph, *inner, gene) => {
                has_changed = self.mutate_parts(*inner, gene, mutation);
            }
            (GeneSpec::Disruptive(inner), gene) => {
                let rate = self.draw.settings.disruptive;
                has_changed = self.rated(rate, |walk| walk.mutate_parts(*inner, gene, mutation));
            }
            (GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
                has_changed =
                    self.mutate_unique_elements(array, elements, &mut |walk, id, part| {
                        walk.mutate(id, part, mutation)
                    });
            }
            (GeneSpec::Map(map), Gene::Map(entries)) => {
                has_changed = self.mutate_entries(map, entries, &mut |walk, id, part| {
                    walk.mutate(id, part, mutation)
                });
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (position, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
                    let step = PathStep::Field(position as u32);
                    has_changed |= self.step(step, |walk| walk.mutate(field.spec, part, mutation));
                }
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                for (index, part) in elements.iter_mut().enumerate() {
                    let step = PathStep::Element(index as u32);
                    has_changed |=
                        self.step(step, |walk| walk.mutate(array.element, part, mutation));
                }
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                let spec = choice.branches[value.branch as usize].spec;
                let step = PathStep::Branch(value.branch);
                has_changed = self.step(step, |walk| walk.mutate(spec, &mut value.value, mutation));
            }
            _ => {}
        }
        has_changed
    }

    fn mutate_fields(
        &mut self,
        object: &crate::spec::ObjectSpec,
        value: &mut ObjectGene,
        mutation: &mut Mutation<'_>,
    ) -> bool {
        let is_selection = object.purpose == crate::spec::ObjectPurpose::Selection;
        let mut has_changed = false;
        let stored: Vec<u32> = value.fields.iter().map(|(position, _)| *position).collect();
        for position in &stored {
            let spec = object.fields[*position as usize].spec;
            let spec = if is_selection { self.present(spec) } else { spec };
            let part = value.get_mut(*position).expect("the field was listed above");
            let step = PathStep::Field(*position);
            has_changed |= self.step(step, |walk| walk.mutate(spec, part, mutation));
        }
        if !is_selection {
            for (position, field) in object.fields.iter().enumerate() {
                let position = position as u32;
                if stored.binary_search(&position).is_ok() {
                    continue;
                }
                let mut part = Gene::Absent;
                let step = PathStep::Field(position);
                if self.step(step, |walk| walk.mutate(field.spec, &mut part, mutation)) {
                    value.set(position, part);
                    has_changed = true;
                }
            }
            value.fields.retain(|(_, part)| *part != Gene::Absent);
        }
        has_changed
    }

    /// Changes the decision at this very position.
    fn mutate_here(&mut self, id: SpecId, gene: &mut Gene) -> bool {
        match (self.graph.spec(id), &mut *gene) {
            (GeneSpec::Optional(optional), _) => self.mutate_optional(optional, gene),
            (GeneSpec::Object(object), Gene::Object(value)) => {
                self.mutate_selection(id, object, value)
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => self.mutate_array(array, elements),
            (GeneSpec::Choice(choice), Gene::Choice(value)) => self.mutate_choice(choice, value),
            (GeneSpec::String(spec), Gene::String(value)) => self.mutate_string(spec, value),
            (GeneSpec::Integer(spec), Gene::Integer(value)) => {
                changed(value, |was| self.mutate_integer(spec, was))
            }
            (GeneSpec::Long(spec), Gene::Long(value)) => {
                changed(value, |was| self.mutate_long(spec, was))
            }
            (GeneSpec::Float(spec), Gene::Float(value)) => {
                changed(value, |was| self.mutate_float(spec, was))
            }
            (GeneSpec::Boolean, Gene::Boolean(value)) => changed(value, |was| !was),
            (GeneSpec::Decimal(spec), Gene::Decimal(value)) => self.mutate_decimal(spec, value),
            (GeneSpec::Format(format), Gene::String(value)) => self.mutate_format(format, value),
            (GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
                self.mutate_unique_array(array, elements)
            }
            (GeneSpec::Map(map), Gene::Map(entries)) => self.mutate_map(map, entries),
            (GeneSpec::Nullable(inner), _) => self.mutate_nullable(*inner, gene),
            (GeneSpec::Seeded(seeded), _) => self.mutate_seeded(seeded, gene),
            (GeneSpec::Disruptive(inner), _) => {
                let rate = self.draw.settings.disruptive;
                self.draw.rng.chance(rate)
                    && self.rated(rate, |walk| walk.mutate_noted(*inner, gene))
            }
            (GeneSpec::Enum(names), Gene::Enum(value)) => {
                // Uniform among the others: the next index would need many steps in long lists.
                let other = self.draw.rng.below(names.values.len() - 1) as u32;
                changed(value, |was| if other < was { other } else { other + 1 })
            }
            _ => false,
        }
    }

    fn mutate_optional(&mut self, optional: &OptionalSpec, gene: &mut Gene) -> bool {
        let was = gene.clone();
        *gene = match gene {
            Gene::Absent | Gene::Null => self.switch_on(optional, &was),
            _ if self.draw.rng.chance(self.draw.settings.switch_off) => {
                self.switch_off(optional, &was)
            }
            _ => match self.mutate_any(optional.inner, gene) {
                Some(_) => return *gene != was,
                // There is nothing else to change.
                None => self.switch_off(optional, &was),
            },
        };
        *gene != was
    }

    /// Changes one site of the tree, whichever. Nothing when there is none; whether it changed
    /// otherwise.
    pub(crate) fn mutate_any(&mut self, id: SpecId, gene: &mut Gene) -> Option<bool> {
        let mut weights = Vec::new();
        count_sites(self.graph, id, gene, &mut weights);
        if weights.is_empty() {
            return None;
        }
        let chosen = [self.draw.rng.below(weights.len())];
        // That a site around was chosen has passed its rate already.
        let rate = std::mem::replace(&mut self.rate, 1.0);
        let has_changed = self.mutate(id, gene, &mut Mutation { chosen: &chosen, next: 0 });
        self.rate = rate;
        Some(has_changed)
    }
}

fn changed<T: Copy + PartialEq>(value: &mut T, change: impl FnOnce(T) -> T) -> bool {
    let was = *value;
    *value = change(was);
    *value != was
}
