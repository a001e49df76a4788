//! Chains of conditions with `let`: which pattern is being tried.

use crate::hit::matched;
use crate::site::Function;

/// Target of the pattern of a chain that is being tried; nothing else is undecided.
#[derive(Debug, Default)]
pub struct Pending(Option<u32>);

impl Pending {
    /// No pattern is being tried.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// A pattern is about to be tried. Returns true.
    #[inline]
    pub const fn attempt(&mut self, target: u32) -> bool {
        self.0 = Some(target);
        true
    }

    /// The pattern fits. Returns true.
    #[inline]
    pub fn fits(&mut self, function: &'static Function, target: u32) -> bool {
        self.0 = None;
        matched(function, target, true)
    }

    /// The chain is false; if a pattern was being tried, that is why.
    #[inline]
    pub fn fails(&mut self, function: &'static Function) {
        if let Some(target) = self.0.take() {
            matched(function, target, false);
        }
    }
}
