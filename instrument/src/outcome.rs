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

/// Shows the outcome of a call, and gives it. The call stands where its type is expected, and what
/// shows it in a closure, which the compiler looks at when that type is known.
#[inline]
pub fn noted<T>(outcome: T, note: impl FnOnce(&T)) -> T {
    note(&outcome);
    outcome
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
