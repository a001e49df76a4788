//! Operands of comparisons, kept the way the built-in operators keep them.

use std::ops::Rem;

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

/// A left operand of `==` or `!=` beside whose right neighbour the type is not certain yet.
///
/// The operators tell their right operand what the left one can be compared with, and what is inside of
/// `Some(x)`, of a tuple or of an array is converted to that: `Some(&mut x)` to `Some(&x)`. So does `%` here,
/// which gives both operands.
#[derive(Debug)]
pub struct Equated<'a, L: ?Sized>(pub &'a L);

/// The same for the operators of order.
#[derive(Debug)]
pub struct Ordered<'a, L: ?Sized>(pub &'a L);

impl<'a, L: PartialEq<R> + ?Sized, R> Rem<R> for Equated<'a, L> {
    type Output = (&'a L, R);
    #[inline]
    fn rem(self, right: R) -> (&'a L, R) {
        (self.0, right)
    }
}

impl<'a, L: PartialOrd<R> + ?Sized, R> Rem<R> for Ordered<'a, L> {
    type Output = (&'a L, R);
    #[inline]
    fn rem(self, right: R) -> (&'a L, R) {
        (self.0, right)
    }
}
