//! Probes of what methods are called on.

use crate::elements::CollectionProbe;
use crate::observation::Probe;

/// Makes a probe of what a method is called on, and borrows what the method does: of a reference, what it
/// refers to and not the reference, which a closure may not let out.
pub trait Probing {
    /// A probe of the value.
    fn white_box_probe(&self) -> Probe<'_, Self>;
    /// A probe of the value as a collection in which `key` is looked up.
    fn white_box_look_up<'a, 'k, K: ?Sized>(
        &'a self,
        key: &'k K,
    ) -> CollectionProbe<'a, 'k, Self, K>;
}

impl<T: ?Sized> Probing for T {
    #[inline]
    fn white_box_probe(&self) -> Probe<'_, T> {
        Probe(self)
    }
    #[inline]
    fn white_box_look_up<'a, 'k, K: ?Sized>(&'a self, key: &'k K) -> CollectionProbe<'a, 'k, T, K> {
        CollectionProbe(self, key)
    }
}
