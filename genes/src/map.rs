//! Maps: values under keys that are not fixed in advance.

use crate::gene::Gene;
use crate::path::PathStep;
use crate::spec::SpecId;
use crate::walk::Walk;

/// Draws for a key that is not there yet before the map stays as it is.
const DRAWS: u32 = 10;

/// Specification of a map. Keys are different by construction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapSpec {
    /// Keys: a kind whose genes are texts or names.
    pub key: SpecId,
    /// Values of the entries.
    pub value: SpecId,
    /// Fewest entries.
    pub min: u32,
    /// Most entries.
    pub max: u32,
}

impl MapSpec {
    /// What is wrong with the keys or the number of the entries.
    pub(crate) fn defect(&self, entries: &[(Gene, Gene)]) -> Option<&'static str> {
        if !(self.min as usize..=self.max as usize).contains(&entries.len()) {
            return Some("wrong number of entries");
        }
        has_duplicates(entries.iter().map(|(key, _)| key)).then_some("a key occurs twice")
    }

    /// Removes entries whose key occurs twice, and those beyond the most.
    pub(crate) fn remove_taken(&self, entries: &mut Vec<(Gene, Gene)>) {
        let mut seen = std::collections::HashSet::new();
        entries.retain(|(key, _)| seen.insert(key.clone()));
        entries.truncate(self.max as usize);
    }
}

/// Whether an entry may have the key at this place of the map.
fn is_free(entries: &[(Gene, Gene)], place: usize, key: &Gene) -> bool {
    let mut others = entries.iter().enumerate().filter(|(index, _)| *index != place);
    !others.any(|(_, (other, _))| other == key)
}

/// Whether two of the genes are equal.
pub(crate) fn has_duplicates<'a>(genes: impl Iterator<Item = &'a Gene>) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut genes = genes;
    genes.any(|gene| !seen.insert(gene))
}

impl Walk<'_> {
    pub(crate) fn sample_map(&mut self, map: &MapSpec) -> Gene {
        let most = map.max.min(map.min.saturating_add(self.draw.settings.elements));
        let wanted = if self.is_full() {
            map.min
        } else {
            self.draw.rng.between(i64::from(map.min), i64::from(most)) as u32
        };
        let mut entries = Vec::with_capacity(wanted as usize);
        while (entries.len() as u32) < wanted && self.add_entry(map, &mut entries) {}
        if (entries.len() as u32) < map.min { Gene::LimitObject } else { Gene::Map(entries) }
    }

    /// Adds an entry under a new key. Returns whether there was one.
    fn add_entry(&mut self, map: &MapSpec, entries: &mut Vec<(Gene, Gene)>) -> bool {
        let place = entries.len();
        let Some(key) = self.new_key(map, entries) else { return false };
        let step = PathStep::Element(place as u32);
        let value = self.step(step, |walk| walk.sample(map.value));
        let is_value = !value.is_placeholder();
        if is_value {
            entries.push((key, value));
        }
        is_value
    }

    fn new_key(&mut self, map: &MapSpec, entries: &[(Gene, Gene)]) -> Option<Gene> {
        let place = entries.len();
        let step = PathStep::Key(place as u32);
        for _ in 0..DRAWS {
            let key = self.step(step, |walk| walk.sample(map.key));
            if is_free(entries, place, &key) && !key.is_placeholder() {
                return Some(key);
            }
        }
        let mut keys = (0..=place as u32).map_while(|rank| self.nth(map.key, rank));
        keys.find(|key| is_free(entries, place, key))
    }

    /// Adds or removes an entry.
    pub(crate) fn mutate_map(&mut self, map: &MapSpec, entries: &mut Vec<(Gene, Gene)>) -> bool {
        let length = entries.len() as u32;
        let most = map.max.min(map.min.saturating_add(self.draw.settings.elements)).max(length);
        let can_shrink = length > map.min;
        let can_grow = length < most;
        let grows = can_grow && (!can_shrink || self.draw.rng.chance(0.5));
        if grows && self.add_entry(map, entries) {
            return true;
        }
        if !can_shrink {
            return false;
        }
        entries.remove(self.draw.rng.below(entries.len()));
        true
    }

    /// Changes keys and values; a key that would occur twice stays as it was.
    pub(crate) fn mutate_entries(
        &mut self,
        map: &MapSpec,
        entries: &mut [(Gene, Gene)],
        mutate: &mut dyn FnMut(&mut Self, SpecId, &mut Gene) -> bool,
    ) -> bool {
        let mut has_changed = false;
        for index in 0..entries.len() {
            let was = entries[index].0.clone();
            let key = &mut entries[index].0;
            let is_new = self.step(PathStep::Key(index as u32), |walk| mutate(walk, map.key, key));
            if is_new && !is_free(entries, index, &entries[index].0) {
                entries[index].0 = was;
            } else {
                has_changed |= is_new;
            }
            let value = &mut entries[index].1;
            let step = PathStep::Element(index as u32);
            has_changed |= self.step(step, |walk| mutate(walk, map.value, value));
        }
        has_changed
    }

    pub(crate) fn simplest_map(&mut self, map: &MapSpec) -> Gene {
        let mut entries = Vec::with_capacity(map.min as usize);
        let mut rank = 0;
        while (entries.len() as u32) < map.min {
            let key = match self.nth(map.key, rank) {
                Some(key) if is_free(&entries, entries.len(), &key) => Some(key),
                Some(_) => None,
                // These keys cannot be counted through, so they are drawn, a little longer.
                None => match (0..DRAWS).find_map(|_| self.new_key(map, &entries)) {
                    Some(key) => Some(key),
                    None => return Gene::LimitObject,
                },
            };
            rank += 1;
            let Some(key) = key else { continue };
            match self.simplest(map.value) {
                placeholder if placeholder.is_placeholder() => return placeholder,
                value => entries.push((key, value)),
            }
        }
        Gene::Map(entries)
    }
}
