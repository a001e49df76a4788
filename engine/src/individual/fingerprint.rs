//! A number that stands for a test.

use std::hash::{Hash, Hasher};

use crate::individual::Individual;
use crate::individual::action::Action;

/// The same for equal actions on every platform; ids, bindings and feeds do not count.
pub(crate) fn fingerprint<A: Action>(test: &Individual<A>) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    for (_, action) in test.actions() {
        action.hash(&mut hasher);
    }
    for step in test.initialisation() {
        (step.template, &step.gene).hash(&mut hasher);
    }
    hasher.finish()
}

/// FNV-1a over little-endian bytes: the standard hasher is seeded anew in every process.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
