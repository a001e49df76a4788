//! The elements of a collection, for look-ups: which ones could have been asked for.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::observation::{Observable, Observation};
use crate::state::is_recording;

/// Most elements that are looked at; of larger collections, nothing is seen. Those without an
/// order would show a different part in every run.
const MOST: usize = 1_000;

/// A collection whose elements, or keys, can be observed.
pub trait Elements {
    /// Number of elements.
    fn count(&self) -> usize;
    /// Whether the collection is asked by position, and not by key.
    fn is_indexed(&self) -> bool;
    /// Shows each element, or key.
    fn each(&self, show: &mut dyn FnMut(Observation<'_>));
}

/// A collection that code looks something up in.
#[derive(Clone, Copy)]
pub enum Collection<'a> {
    /// A collection with observable elements.
    Known(&'a dyn Elements),
    /// The headers of a request or of a response.
    Headers,
    /// Anything else.
    Unknown,
}

impl std::fmt::Debug for Collection<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Collection::Known(_) => "Known",
            Collection::Headers => "Headers",
            Collection::Unknown => "Unknown",
        })
    }
}

impl Collection<'_> {
    /// Whether a number that is looked up is a position. In collections of which nothing is known,
    /// it can be nothing else: the keys of maps that are numbers are known.
    pub(crate) fn is_indexed(&self) -> bool {
        match self {
            Collection::Known(elements) => elements.is_indexed(),
            Collection::Headers => false,
            Collection::Unknown => true,
        }
    }

    /// Shows each element of a collection that is not too large.
    pub(crate) fn each(&self, show: &mut dyn FnMut(Observation<'_>)) {
        if let Collection::Known(elements) = self
            && elements.count() <= MOST
        {
            elements.each(show);
        }
    }
}

/// Chooses between collections, what leads to one, and other types, as
/// [`crate::observation::Probe`] does: `(&&CollectionProbe(&value)).white_box_collection()` finds
/// the traits in the order in which they stand here.
///
/// The key that is looked up is beside it: what the collection holds may follow only from later code, and is
/// hardly observable where the key is not. What is seen of the collection borrows nothing from the key, which
/// may be given away.
#[derive(Debug)]
pub struct CollectionProbe<'a, 'k, T: ?Sized, K: ?Sized>(pub &'a T, pub &'k K);

/// Sees collections.
pub trait CollectKnown<'a> {
    /// What leads to the collection: a slice has no reference that is one.
    type Seen: LookedUp;
    /// The collection.
    fn white_box_collection(&self) -> Self::Seen;
}

/// Sees the parameters of a query, in the extractors of web frameworks.
pub trait CollectQuery<'a> {
    /// The collection.
    fn white_box_collection(&self) -> Collection<'a>;
}

/// Sees headers, and nothing in any other type.
pub trait CollectUnknown {
    /// [`Collection::Headers`] or [`Collection::Unknown`].
    fn white_box_collection(&self) -> Collection<'static>;
}

/// Types that look-ups see through.
pub trait LookedUp {
    /// What look-ups see.
    fn collection(&self) -> Collection<'_>;
}

impl<'a, T: LookedUp + ?Sized, K: Observable + ?Sized> CollectKnown<'a>
    for &CollectionProbe<'a, '_, T, K>
{
    type Seen = &'a T;
    #[inline]
    fn white_box_collection(&self) -> &'a T {
        self.0
    }
}

impl<'a, T: Observable, K: Observable + ?Sized> CollectKnown<'a>
    for &CollectionProbe<'a, '_, [T], K>
{
    type Seen = &'a [T];
    #[inline]
    fn white_box_collection(&self) -> &'a [T] {
        self.0
    }
}

/// Only what is known by its name is followed: whatever else a type does to be another is its own.
impl<'a, T: Deref<Target: LookedUp> + ?Sized, K: Observable + ?Sized> CollectQuery<'a>
    for &&CollectionProbe<'a, '_, T, K>
{
    #[inline]
    fn white_box_collection(&self) -> Collection<'a> {
        match is_recording() && is_named::<T>("::query::Query<") {
            true => self.0.deref().collection(),
            false => Collection::Unknown,
        }
    }
}

/// Frameworks have headers of several major versions of the crate `http`, and some their own: the
/// name of the type tells all of them.
impl<T: ?Sized, K: ?Sized> CollectUnknown for CollectionProbe<'_, '_, T, K> {
    #[inline]
    fn white_box_collection(&self) -> Collection<'static> {
        match is_recording() && is_named::<T>("::header::map::HeaderMap") {
            true => Collection::Headers,
            false => Collection::Unknown,
        }
    }
}

/// Whether the name of `T`, or of what it refers to, is of a crate's own module called so.
fn is_named<T: ?Sized>(part: &str) -> bool {
    let name = std::any::type_name::<T>().trim_start_matches(['&', ' ']);
    let name = name.trim_start_matches("mut ");
    name.find(part).is_some_and(|place| !name[..place].contains('<'))
}

macro_rules! elements {
    ($([$($generics:tt)*] $type:ty, $elements:ident, $is_indexed:literal;)*) => {$(
        impl<$($generics)*> Elements for $type {
            fn count(&self) -> usize {
                self.len()
            }
            fn is_indexed(&self) -> bool {
                $is_indexed
            }
            fn each(&self, show: &mut dyn FnMut(Observation<'_>)) {
                self.$elements().for_each(|element| show(element.observe()));
            }
        }
        impl<$($generics)*> LookedUp for $type {
            fn collection(&self) -> Collection<'_> {
                Collection::Known(self)
            }
        }
    )*};
}
elements! {
    [T: Observable, const N: usize] [T; N], iter, true;
    [T: Observable] Vec<T>, iter, true;
    [T: Observable] VecDeque<T>, iter, true;
    [T: Observable, S] HashSet<T, S>, iter, false;
    [T: Observable] BTreeSet<T>, iter, false;
    [K: Observable, V, S] HashMap<K, V, S>, keys, false;
    [K: Observable, V] BTreeMap<K, V>, keys, false;
}

impl<T: Observable> Elements for &[T] {
    fn count(&self) -> usize {
        self.len()
    }
    fn is_indexed(&self) -> bool {
        true
    }
    fn each(&self, show: &mut dyn FnMut(Observation<'_>)) {
        self.iter().for_each(|element| show(element.observe()));
    }
}

impl<T: Observable> LookedUp for &[T] {
    fn collection(&self) -> Collection<'_> {
        Collection::Known(self)
    }
}

macro_rules! looked_up_behind {
    ($($type:ty)*) => {$(
        impl<T: LookedUp + ?Sized> LookedUp for $type {
            fn collection(&self) -> Collection<'_> {
                (**self).collection()
            }
        }
    )*};
}
looked_up_behind!(&T &mut T Box<T> Rc<T> Arc<T>);

impl LookedUp for Collection<'_> {
    fn collection(&self) -> Collection<'_> {
        *self
    }
}

impl<T: LookedUp> LookedUp for LazyLock<T> {
    fn collection(&self) -> Collection<'_> {
        (**self).collection()
    }
}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "the borrow is what chooses the trait")]
mod tests {
    use super::*;

    #[test]
    fn keys_are_seen_and_large_collections_are_not() {
        let map: HashMap<String, u8> = HashMap::from([("a".to_owned(), 1)]);
        let mut seen = 0;
        (&&CollectionProbe(&map, "a")).white_box_collection().collection().each(&mut |key| {
            assert_eq!(key, Observation::Text("a"));
            seen += 1;
        });
        let part = (&&CollectionProbe(&[1, 2, 3][1..], &0)).white_box_collection();
        part.collection().each(&mut |_| seen += 10);
        let large: Vec<usize> = (0..=MOST).collect();
        let all = (&&CollectionProbe(&large, &0)).white_box_collection();
        all.collection().each(&mut |_| seen += 100);
        struct Opaque;
        let opaque = [Opaque];
        (&&CollectionProbe(&opaque, &0)).white_box_collection().each(&mut |_| seen += 100);
        assert_eq!(seen, 21);
        let headers = axum::http::HeaderMap::<u8>::default();
        let unseen = (&&CollectionProbe(&headers, "a")).white_box_collection();
        assert!(matches!(unseen, Collection::Unknown), "nothing records here");
        assert!(is_named::<&axum::http::HeaderMap<u8>>("::header::map::HeaderMap"));
        assert!(!is_named::<Vec<axum::http::HeaderMap<u8>>>("::header::map::HeaderMap"));
    }
}
