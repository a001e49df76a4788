//! References to types: a named type inside list and non-null marks.

/// Position of a type in its [`Schema`](super::Schema).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(super) u32);

impl TypeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A mark around a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrapper {
    /// A list of what is inside.
    List,
    /// What is inside, and never null.
    NonNull,
}

/// A type as fields and arguments refer to it, with marks of any depth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeRef {
    named: TypeId,
    wrappers: Box<[Wrapper]>,
}

impl TypeRef {
    /// The type inside `wrappers`, outermost first. Nothing when a non-null mark stands directly
    /// in another, which GraphQL does not allow.
    #[must_use]
    pub fn new(named: TypeId, wrappers: &[Wrapper]) -> Option<Self> {
        let is_doubled = |pair: &[Wrapper]| pair == [Wrapper::NonNull, Wrapper::NonNull];
        if wrappers.windows(2).any(is_doubled) {
            return None;
        }
        Some(Self { named, wrappers: wrappers.into() })
    }

    /// The innermost type.
    #[must_use]
    pub fn named(&self) -> TypeId {
        self.named
    }

    /// The marks around it, outermost first.
    #[must_use]
    pub fn wrappers(&self) -> &[Wrapper] {
        &self.wrappers
    }

    /// Whether the value is never null.
    #[must_use]
    pub fn is_non_null(&self) -> bool {
        self.wrappers.first() == Some(&Wrapper::NonNull)
    }

    pub(super) fn text(&self, name: &str) -> String {
        let lists = self.wrappers.iter().filter(|wrapper| **wrapper == Wrapper::List);
        let mut text = "[".repeat(lists.count());
        text.push_str(name);
        text.extend(self.wrappers.iter().rev().map(|wrapper| match wrapper {
            Wrapper::List => ']',
            Wrapper::NonNull => '!',
        }));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_written_around_the_name() {
        use Wrapper::{List, NonNull};
        let text = |wrappers: &[Wrapper]| TypeRef::new(TypeId(0), wrappers).unwrap().text("T");
        assert_eq!(text(&[]), "T");
        assert_eq!(text(&[NonNull]), "T!");
        assert_eq!(text(&[NonNull, List, List, NonNull]), "[[T!]]!");
        assert_eq!(TypeRef::new(TypeId(0), &[List, NonNull, NonNull]), None);
    }
}
