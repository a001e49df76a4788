//! How many assertions the published tool writes for a query, by kind.
//!
//! AutoGraphQL (Zetterlund et al., ICST 2022) writes PHPUnit tests. The rule, found by comparing
//! with its 334 tests for Saleor: three assertions for each test (status, body, no errors); for
//! each selected field that the schema without deprecated fields has, that its key is there; where
//! a value or element is non-null, that it is; the type of texts, truth values and numbers; that a
//! list is one; for an object with `__typename` selected, that it is its type; for an enum or such
//! an interface, that it is one of the possible values.

use wallace_problems::graphql::executable::{ExecutableDocument, Operation, Part, Selection};
use wallace_problems::graphql::{Schema, TypeId, TypeKind, TypeRef, Wrapper};

/// Assert calls of a generated test, by the names of PHPUnit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssertionCount {
    /// `assertArrayHasKey`: the key is there.
    pub array_has_key: usize,
    /// `assertArrayNotHasKey`: no errors.
    pub array_not_has_key: usize,
    /// `assertContains`: one of an enum's values or an interface's types.
    pub contains: usize,
    /// `assertEquals`: the status, and the type of objects.
    pub equals: usize,
    /// `assertIsArray`: the body, and lists.
    pub is_array: usize,
    /// `assertIsBool`.
    pub is_bool: usize,
    /// `assertIsInt`.
    pub is_int: usize,
    /// `assertIsNumeric`: of floats.
    pub is_numeric: usize,
    /// `assertIsString`.
    pub is_string: usize,
    /// `assertNotNull`: of what the schema marks non-null.
    pub not_null: usize,
}

impl AssertionCount {
    /// The counts in the order of the fields.
    #[must_use]
    pub fn kinds(&self) -> [usize; 10] {
        [
            self.array_has_key,
            self.array_not_has_key,
            self.contains,
            self.equals,
            self.is_array,
            self.is_bool,
            self.is_int,
            self.is_numeric,
            self.is_string,
            self.not_null,
        ]
    }

    /// All assert calls.
    #[must_use]
    pub fn total(&self) -> usize {
        self.kinds().iter().sum()
    }

    pub(crate) fn of(
        schema: &Schema,
        document: &ExecutableDocument,
        operation: &Operation,
    ) -> Self {
        let mut count = Self { array_not_has_key: 1, equals: 1, is_array: 1, ..Self::default() };
        if let Some(root) = schema.root(operation.kind) {
            Walk { schema, document }.selection(root, &operation.selections, &mut count);
        }
        count
    }
}

struct Walk<'s> {
    schema: &'s Schema,
    document: &'s ExecutableDocument,
}

impl Walk<'_> {
    fn selection(&self, owner: TypeId, parts: &[Selection], count: &mut AssertionCount) {
        for part in parts {
            match &part.part {
                Part::Field(field) => self.field(owner, &field.name, &part.selections, count),
                Part::Inline(on) => {
                    let on = on.as_ref().map_or(Some(owner), |name| self.schema.type_named(name));
                    if let (Some(on), true) = (on, self.tells_type(&part.selections)) {
                        self.selection(on, &part.selections, count);
                    }
                }
                Part::Spread(name) => {
                    let fragment = self.document.fragment(name);
                    let on = fragment.and_then(|it| self.schema.type_named(&it.on));
                    if let (Some(fragment), Some(on)) = (fragment, on) {
                        self.selection(on, &fragment.selections, count);
                    }
                }
            }
        }
    }

    fn field(&self, owner: TypeId, name: &str, below: &[Selection], count: &mut AssertionCount) {
        let known = self.schema.field_named(owner, name).map(|id| self.schema.field(id));
        let Some(known) = known.filter(|known| known.deprecation.is_none()) else { return };
        count.array_has_key += 1;
        self.value(&known.type_ref, known.type_ref.wrappers(), below, count);
    }

    fn value(
        &self,
        type_ref: &TypeRef,
        wrappers: &[Wrapper],
        below: &[Selection],
        count: &mut AssertionCount,
    ) {
        match wrappers {
            [Wrapper::NonNull, inner @ ..] => {
                count.not_null += 1;
                self.value(type_ref, inner, below, count);
            }
            [Wrapper::List, inner @ ..] => {
                count.is_array += 1;
                self.value(type_ref, inner, below, count);
            }
            [] => self.named(type_ref.named(), below, count),
        }
    }

    fn named(&self, id: TypeId, below: &[Selection], count: &mut AssertionCount) {
        let definition = self.schema.definition(id);
        let tells_type = self.tells_type(below);
        match (&definition.kind, &*definition.name) {
            (TypeKind::Scalar { .. }, "String") => count.is_string += 1,
            (TypeKind::Scalar { .. }, "Boolean") => count.is_bool += 1,
            (TypeKind::Scalar { .. }, "Int") => count.is_int += 1,
            (TypeKind::Scalar { .. }, "Float") => count.is_numeric += 1,
            (TypeKind::Enum { .. }, _) => count.contains += 1,
            (TypeKind::Interface { .. }, _) => count.contains += usize::from(tells_type),
            (TypeKind::Object { .. }, _) => count.equals += usize::from(tells_type),
            _ => {}
        }
        self.selection(id, below, count);
    }

    /// Whether `__typename` is selected, directly or by a named fragment.
    fn tells_type(&self, parts: &[Selection]) -> bool {
        parts.iter().any(|part| match &part.part {
            Part::Field(field) => &*field.name == "__typename",
            Part::Inline(_) => false,
            Part::Spread(name) => self
                .document
                .fragment(name)
                .is_some_and(|fragment| self.tells_type(&fragment.selections)),
        })
    }
}
