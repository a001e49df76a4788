//! How many assertions the published tool writes for a query, by kind.
//!
//! AutoGraphQL (Zetterlund et al., ICST 2022) writes PHPUnit tests. The rule, found by comparing
//! with its 334 tests for Saleor: three assertions for each test (status, body, no errors); for
//! each selected field that the schema without deprecated fields has, that its key is there; where
//! a value or element is non-null, that it is; the type of texts, truth values and numbers; that a
//! list is one; for an object with `__typename` selected, that it is its type; for an enum or such
//! an interface, that it is one of the possible values.

use apollo_compiler::ast;
use wallace_problems::graphql::{Schema, TypeId, TypeKind, TypeRef, Wrapper};

use crate::document::Document;
use crate::document::kind;

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
        document: &Document,
        operation: &ast::OperationDefinition,
    ) -> Self {
        let mut count = Self { array_not_has_key: 1, equals: 1, is_array: 1, ..Self::default() };
        if let Some(root) = schema.root(kind(operation)) {
            Walk { schema, document }.selection(root, &operation.selection_set, &mut count);
        }
        count
    }
}

struct Walk<'s> {
    schema: &'s Schema,
    document: &'s Document,
}

impl Walk<'_> {
    fn selection(&self, owner: TypeId, parts: &[ast::Selection], count: &mut AssertionCount) {
        for part in parts {
            match part {
                ast::Selection::Field(field) => self.field(owner, field, count),
                ast::Selection::InlineFragment(fragment) => {
                    let condition = fragment.type_condition.as_ref();
                    let on = condition.map_or(Some(owner), |name| self.schema.type_named(name));
                    if let (Some(on), true) = (on, self.tells_type(&fragment.selection_set)) {
                        self.selection(on, &fragment.selection_set, count);
                    }
                }
                ast::Selection::FragmentSpread(spread) => {
                    let fragment = self.document.fragment(&spread.fragment_name);
                    let on = fragment.and_then(|it| self.schema.type_named(&it.type_condition));
                    if let (Some(fragment), Some(on)) = (fragment, on) {
                        self.selection(on, &fragment.selection_set, count);
                    }
                }
            }
        }
    }

    fn field(&self, owner: TypeId, field: &ast::Field, count: &mut AssertionCount) {
        let known = self.schema.field_named(owner, &field.name).map(|id| self.schema.field(id));
        let Some(known) = known.filter(|known| known.deprecation.is_none()) else { return };
        count.array_has_key += 1;
        self.value(&known.type_ref, known.type_ref.wrappers(), field, count);
    }

    fn value(
        &self,
        type_ref: &TypeRef,
        wrappers: &[Wrapper],
        field: &ast::Field,
        count: &mut AssertionCount,
    ) {
        match wrappers {
            [Wrapper::NonNull, inner @ ..] => {
                count.not_null += 1;
                self.value(type_ref, inner, field, count);
            }
            [Wrapper::List, inner @ ..] => {
                count.is_array += 1;
                self.value(type_ref, inner, field, count);
            }
            [] => self.named(type_ref.named(), field, count),
        }
    }

    fn named(&self, id: TypeId, field: &ast::Field, count: &mut AssertionCount) {
        let definition = self.schema.definition(id);
        let tells_type = self.tells_type(&field.selection_set);
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
        self.selection(id, &field.selection_set, count);
    }

    /// Whether `__typename` is selected, directly or by a named fragment.
    fn tells_type(&self, parts: &[ast::Selection]) -> bool {
        parts.iter().any(|part| match part {
            ast::Selection::Field(field) => field.name.as_str() == "__typename",
            ast::Selection::InlineFragment(_) => false,
            ast::Selection::FragmentSpread(spread) => self
                .document
                .fragment(&spread.fragment_name)
                .is_some_and(|fragment| self.tells_type(&fragment.selection_set)),
        })
    }
}
