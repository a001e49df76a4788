//! Operands of comparisons, kept the way the built-in operators keep them.

/// An operand kept by value, where the original code would have copied it.
#[derive(Debug)]
pub struct Held<T>(T);

impl<T> std::ops::Deref for Held<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A left operand whose right neighbour may change it.
///
/// The built-in operators copy the left operand before the right one is evaluated, so that
/// `self.position == self.advance()` is fine; a reference to it would not be. Copies what can be
/// copied and keeps a reference otherwise, by the same choice as [`crate::observation::Probe`].
#[derive(Debug)]
pub struct Operand<'a, T: ?Sized>(pub &'a T);

/// Holds operands that can be copied.
pub trait HoldCopy {
    /// Type of the operand.
    type Value;
    /// A copy.
    fn white_box_hold(&self) -> Held<Self::Value>;
}

/// Holds any other operand.
pub trait HoldReference<'a> {
    /// Type of the operand.
    type Value: ?Sized;
    /// The reference itself.
    fn white_box_hold(&self) -> &'a Self::Value;
}

impl<T: Copy> HoldCopy for Operand<'_, T> {
    type Value = T;
    #[inline]
    fn white_box_hold(&self) -> Held<T> {
        Held(*self.0)
    }
}

impl<'a, T: ?Sized> HoldReference<'a> for &Operand<'a, T> {
    type Value = T;
    #[inline]
    fn white_box_hold(&self) -> &'a T {
        self.0
    }
}
