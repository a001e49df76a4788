//! Dormant parts: values that were switched off and may come back.
//!
//! A gene holds only what is present, so a part that is switched off is gone from it. While one
//! test is mutated again and again, what was there is remembered here and put back half of the
//! time that the part returns: a value that took many steps is not lost to a single switch.

use std::collections::VecDeque;

use crate::gene::Gene;
use crate::knowledge::TemplateId;
use crate::path::{GenePath, PathStep};

/// Values switched off in the mutations of one lineage; the oldest are forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Dormant {
    action: u32,
    /// Action, template and path of each: an action that is being made has the number of another
    /// one, which may be of another template, and parts of that would not fit.
    parts: VecDeque<(u32, TemplateId, GenePath, Gene)>,
}

impl Dormant {
    /// Most values remembered.
    pub const LIMIT: usize = 32;

    /// Says which action of the test is mutated next, by its number.
    pub fn enter_action(&mut self, action: u32) {
        self.action = action;
    }

    pub(crate) fn remember(&mut self, template: TemplateId, path: &[PathStep], part: Gene) {
        if matches!(part, Gene::Absent | Gene::Null | Gene::Constant) {
            return;
        }
        self.take(template, path);
        if self.parts.len() == Self::LIMIT {
            self.parts.pop_front();
        }
        self.parts.push_back((self.action, template, GenePath(path.to_vec()), part));
    }

    /// Takes the value that was last at `path`.
    pub(crate) fn take(&mut self, template: TemplateId, path: &[PathStep]) -> Option<Gene> {
        let place = self.parts.iter().position(|(action, of, other, _)| {
            *action == self.action && *of == template && other.0 == path
        })?;
        self.parts.remove(place).map(|(_, _, _, part)| part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_once_and_only_where_it_was() {
        let mut dormant = Dormant::default();
        let (path, template) = ([PathStep::Field(1)], TemplateId(3));
        dormant.remember(template, &path, Gene::Integer(1));
        dormant.remember(template, &path, Gene::Integer(2));
        assert_eq!(dormant.take(template, &[]), None);
        assert_eq!(dormant.take(TemplateId(4), &path), None);
        dormant.enter_action(9);
        assert_eq!(dormant.take(template, &path), None);
        dormant.enter_action(0);
        assert_eq!(dormant.take(template, &path), Some(Gene::Integer(2)));
        assert_eq!(dormant.take(template, &path), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut dormant = Dormant::default();
        for field in 0..1_000 {
            dormant.remember(TemplateId(0), &[PathStep::Field(field)], Gene::Boolean(true));
        }
        assert_eq!(dormant.parts.len(), Dormant::LIMIT);
    }
}
