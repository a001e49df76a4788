//! Impact: which positions of a template, and which operators, moved a target before.
//!
//! Kept for each target that was worked on and each position of a template (list indices count as
//! one), never for single tests, so that its size follows the schema and not the run
//! (docs/reference/search.md#genes-to-mutate).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wallace_genes::{NormalisedPath, TemplateId};

use crate::individual::difference::Change;
use crate::target::TargetId;

/// How often something was tried, and how often it did what is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) tries: u32,
    pub(crate) hits: u32,
}

impl Tally {
    pub(crate) fn count(&mut self, is_hit: bool) {
        self.tries = self.tries.saturating_add(1);
        self.hits = self.hits.saturating_add(u32::from(is_hit));
    }

    /// Expected share of hits, one half before anything was tried (Laplace's rule of succession).
    pub(crate) fn rate(self) -> f64 {
        self.rate_with(0.5)
    }

    /// Expected share of hits, `prior` before anything was tried.
    pub(crate) fn rate_with(self, prior: f64) -> f64 {
        (f64::from(self.hits) + 2.0 * prior) / (f64::from(self.tries) + 2.0)
    }
}

/// Changes of values without any effect, after which it is as likely as not that values do nothing.
const DEAF: f64 = 5.0;

/// A position of a template.
pub(crate) type Site = (TemplateId, NormalisedPath);

/// What was seen on the way to one target.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TargetImpact {
    sites: Vec<(Site, Tally)>,
    /// Mutations of the structure; hits helped.
    pub(crate) structure: Tally,
    /// Hints followed; hits came nearer.
    pub(crate) hints: Tally,
    /// Cutting a test down; hits kept the score.
    pub(crate) trim: Tally,
}

impl TargetImpact {
    /// Weight of a position (docs/reference/search.md#genes-to-mutate): 1, and up to 100 more by
    /// the share of its changes that changed the score. What was never changed weighs as much as
    /// the heaviest.
    pub(crate) fn weight(&self, site: &Site) -> f64 {
        let weigh =
            |tally: &Tally| 1.0 + 100.0 * f64::from(tally.hits) / f64::from(tally.tries.max(1));
        match self.sites.binary_search_by(|(other, _)| other.cmp(site)) {
            Ok(place) => weigh(&self.sites[place].1),
            Err(_) => self.sites.iter().map(|(_, tally)| weigh(tally)).fold(1.0, f64::max),
        }
    }

    /// How likely it is that values do not matter to the target, in `[0, 1)`: 0 as soon as the change of
    /// one moved it.
    pub(crate) fn deafness(&self) -> f64 {
        let all = self.sites.iter().map(|(_, tally)| tally);
        let is_moved = all.clone().any(|tally| tally.hits > 0);
        let tries = if is_moved { 0.0 } else { all.map(|tally| f64::from(tally.tries)).sum() };
        tries / (tries + DEAF)
    }

    fn count(&mut self, site: Site, is_hit: bool) {
        let place = match self.sites.binary_search_by(|(other, _)| other.cmp(&site)) {
            Ok(place) => place,
            Err(place) => {
                self.sites.insert(place, (site, Tally::default()));
                place
            }
        };
        self.sites[place].1.count(is_hit);
    }
}

/// What was seen on the way to each target that is open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Impact {
    targets: BTreeMap<TargetId, TargetImpact>,
    /// Cutting tests down on the way to any target; hits kept the score.
    pub(crate) trim: Tally,
    /// Joining tests on the way to any target; hits came nearer to it or to another.
    pub(crate) splice: Tally,
}

impl Impact {
    /// Most targets remembered; the longest known go first.
    const TARGETS: usize = 4_096;
    /// Changes at once from which nothing is learnt about a single one.
    const CHANGES: usize = 16;

    pub(crate) fn of(&self, target: TargetId) -> Option<&TargetImpact> {
        self.targets.get(&target)
    }

    /// Trust in the hints for a target, in `[0, 1]`: twice the expected share that helps.
    pub(crate) fn trust(&self, target: TargetId) -> f64 {
        self.of(target).map_or(1.0, |impact| (2.0 * impact.hints.rate()).min(1.0))
    }

    pub(crate) fn of_mut(&mut self, target: TargetId) -> &mut TargetImpact {
        if self.targets.len() >= Self::TARGETS && !self.targets.contains_key(&target) {
            self.targets.pop_first();
        }
        self.targets.entry(target).or_default()
    }

    /// Counts a test that was cut down on the way to a target, and whether it kept the score.
    pub(crate) fn count_trim(&mut self, target: TargetId, is_hit: bool) {
        self.trim.count(is_hit);
        self.of_mut(target).trim.count(is_hit);
    }

    /// Counts what changed, and whether the score of the target did.
    pub(crate) fn count(&mut self, target: TargetId, changes: &[Change<'_>], is_hit: bool) {
        if changes.is_empty() || changes.len() > Self::CHANGES {
            return;
        }
        let mut sites: Vec<Site> =
            changes.iter().map(|change| (change.template, change.path.normalised())).collect();
        sites.sort_unstable();
        sites.dedup();
        let impact = self.of_mut(target);
        for site in sites {
            impact.count(site, is_hit);
        }
    }

    /// Drops what is known of a covered target.
    pub(crate) fn forget(&mut self, target: TargetId) {
        self.targets.remove(&target);
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GenePath, PathStep};

    use super::*;

    fn site(field: u32) -> Site {
        (TemplateId(0), GenePath(vec![PathStep::Field(field)]).normalised())
    }

    #[test]
    fn what_moved_the_target_weighs_most_and_the_untried_as_much() {
        let mut impact = TargetImpact::default();
        assert_eq!(impact.weight(&site(0)), 1.0);
        for (field, is_hit) in [(0, false), (0, false), (1, true), (1, false)] {
            impact.count(site(field), is_hit);
        }
        assert_eq!(impact.weight(&site(0)), 1.0);
        assert_eq!(impact.weight(&site(1)), 51.0);
        assert_eq!(impact.weight(&site(2)), 51.0);
    }

    #[test]
    fn memory_is_bounded() {
        let mut impact = Impact::default();
        for target in 0..10_000 {
            impact.of_mut(TargetId(target));
        }
        assert_eq!(impact.targets.len(), Impact::TARGETS);
        assert!(impact.of(TargetId(0)).is_none() && impact.of(TargetId(9_999)).is_some());
    }
}
