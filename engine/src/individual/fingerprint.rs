//! A number that stands for a test.

use std::hash::{Hash, Hasher};

use fnv::FnvHasher;

use crate::individual::Individual;
use crate::individual::action::Action;

/// The same for equal actions on every platform; ids, bindings and feeds do not count.
pub(crate) fn fingerprint<A: Action>(test: &Individual<A>) -> u64 {
    // The standard hasher is seeded anew in every process.
    let mut hasher = FnvHasher::default();
    for (_, action) in test.actions() {
        action.hash(&mut hasher);
    }
    for step in test.initialisation() {
        (step.template, &step.gene).hash(&mut hasher);
    }
    hasher.finish()
}
