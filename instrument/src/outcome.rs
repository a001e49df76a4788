//! Whether a call gave what was asked for: `Some`, `Ok`, or true.

use std::ops::ControlFlow;

/// Values that tell success from failure.
pub trait Successful {
    /// Whether the call succeeded.
    fn is_success(&self) -> bool;
}

impl Successful for bool {
    #[inline]
    fn is_success(&self) -> bool {
        *self
    }
}

impl<T> Successful for Option<T> {
    #[inline]
    fn is_success(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> Successful for Result<T, E> {
    #[inline]
    fn is_success(&self) -> bool {
        self.is_ok()
    }
}

impl<B, C> Successful for ControlFlow<B, C> {
    #[inline]
    fn is_success(&self) -> bool {
        self.is_continue()
    }
}

/// Chooses between [`OutcomeKnown`] and [`OutcomeUnknown`], as [`crate::observation::Probe`] does.
#[derive(Debug)]
pub struct OutcomeProbe<'a, T: ?Sized>(pub &'a T);

/// Sees the outcome of types that have one.
pub trait OutcomeKnown {
    /// Whether the call succeeded.
    fn white_box_outcome(&self) -> Option<bool>;
}

/// Sees nothing in values of other types.
pub trait OutcomeUnknown {
    /// Always `None`.
    fn white_box_outcome(&self) -> Option<bool>;
}

impl<T: Successful + ?Sized> OutcomeKnown for OutcomeProbe<'_, T> {
    #[inline]
    fn white_box_outcome(&self) -> Option<bool> {
        Some(self.0.is_success())
    }
}

impl<T: ?Sized> OutcomeUnknown for &OutcomeProbe<'_, T> {
    #[inline]
    fn white_box_outcome(&self) -> Option<bool> {
        None
    }
}
