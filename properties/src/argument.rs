//! Values of arguments.
//!
//! The paper chooses a generator by the exact shape of the type and gives only the first argument
//! of a field; so does [`Strategy::Paper`]. The other strategy gives values to all required
//! arguments and to some others.

use std::sync::Arc;

use wallace_genes::Rng;
use wallace_problems::graphql::{
    FieldDefinition, InputValue, Literal, Schema, TypeId, TypeKind, TypeRef, Wrapper,
};

use crate::settings::{ArgumentFamily, GeneratorSettings, Strategy};

/// Nesting of input objects beyond which only what is required is given.
const MAX_DEPTH: usize = 3;
/// Elements of a generated list, at most.
const MAX_ELEMENTS: usize = 3;
/// Share of calls in which an argument is given that could be left out.
const OPTIONAL_SHARE: f64 = 0.3;

/// Whether all arguments that must be given have a value.
pub(crate) fn is_callable(schema: &Schema, field: &FieldDefinition, strategy: Strategy) -> bool {
    let drawn = if strategy == Strategy::Paper { 1 } else { field.arguments.len() };
    let mut drawn = field.arguments.iter().take(drawn);
    drawn.all(|it| !it.is_required() || is_possible(schema, &it.type_ref, 0))
}

/// Whether there is a value for a position: null, or one that does not nest too deeply.
fn is_possible(schema: &Schema, type_ref: &TypeRef, depth: usize) -> bool {
    !type_ref.is_non_null() || has_value(schema, type_ref.named(), depth)
}

fn has_value(schema: &Schema, id: TypeId, depth: usize) -> bool {
    match &schema.definition(id).kind {
        TypeKind::Scalar { .. } => true,
        TypeKind::Enum { values } => !values.is_empty(),
        TypeKind::InputObject { fields, is_one_of } if depth <= 2 * MAX_DEPTH => match is_one_of {
            true => fields.iter().any(|it| has_value(schema, it.type_ref.named(), depth + 1)),
            false => fields
                .iter()
                .all(|it| !it.is_required() || is_possible(schema, &it.type_ref, depth + 1)),
        },
        _ => false,
    }
}

/// What values are drawn from.
pub(crate) struct Drawing<'d> {
    pub(crate) schema: &'d Schema,
    pub(crate) settings: &'d GeneratorSettings,
    /// Identifiers seen in answers.
    pub(crate) seen: &'d [String],
    pub(crate) size: usize,
    pub(crate) rng: &'d mut Rng,
}

impl Drawing<'_> {
    /// Appends the arguments that a field is given this time: position and value.
    pub(crate) fn arguments(&mut self, field: &FieldDefinition, given: &mut Vec<(u32, Literal)>) {
        let is_paper = self.settings.strategy == Strategy::Paper;
        for (index, argument) in (0..).zip(&field.arguments) {
            if is_paper {
                return given.push((index, self.paper_value(&argument.type_ref)));
            }
            if argument.is_required() || self.rng.chance(OPTIONAL_SHARE) {
                given.push((index, self.value(&argument.type_ref, 0)));
            }
        }
    }

    /// What the paper draws for an argument. Shapes it has no generator for get a value of their
    /// type.
    fn paper_value(&mut self, type_ref: &TypeRef) -> Literal {
        use Wrapper::{List, NonNull};
        let named = self.schema.definition(type_ref.named());
        let wrappers = match type_ref.wrappers() {
            [NonNull, inner @ ..] => inner,
            all => all,
        };
        match (&*named.name, &named.kind, wrappers) {
            ("ID", _, [List, NonNull]) => {
                let number = self.small_integer();
                Literal::Text(format!("gid://abc/abc/{number}").into())
            }
            ("String", _, [List, NonNull]) | (_, TypeKind::Enum { .. }, [List, NonNull]) => {
                self.named(type_ref.named(), 0)
            }
            _ => self.value(type_ref, 0),
        }
    }

    fn value(&mut self, type_ref: &TypeRef, depth: usize) -> Literal {
        let lists = type_ref.wrappers().iter().filter(|it| **it == Wrapper::List).count();
        self.list(lists, type_ref.named(), depth)
    }

    /// A value inside so many lists.
    fn list(&mut self, lists: usize, named: TypeId, depth: usize) -> Literal {
        if lists == 0 {
            return self.named(named, depth);
        }
        let count = self.rng.below(MAX_ELEMENTS + 1);
        Literal::List((0..count).map(|_| self.list(lists - 1, named, depth)).collect())
    }

    fn named(&mut self, id: TypeId, depth: usize) -> Literal {
        let schema = self.schema;
        let definition = schema.definition(id);
        let is_hostile = self.settings.arguments == ArgumentFamily::Hostile;
        match &definition.kind {
            TypeKind::Enum { values } if !values.is_empty() => {
                Literal::Enum(Arc::clone(&values[self.rng.below(values.len())].name))
            }
            TypeKind::InputObject { fields, is_one_of } if has_value(schema, id, depth) => {
                self.object(fields, *is_one_of, depth)
            }
            TypeKind::Scalar { .. } if is_hostile => Literal::Text(self.hostile()),
            TypeKind::Scalar { .. } => match &*definition.name {
                "Int" => self.integer(),
                "Float" => Literal::Float(self.rng.gaussian() * 100.0),
                "Boolean" => Literal::Boolean(self.rng.below(2) == 0),
                "ID" => Literal::Text(self.id()),
                _ => Literal::Text(self.alphanumeric()),
            },
            _ => Literal::Null,
        }
    }

    fn object(&mut self, fields: &[InputValue], is_one_of: bool, depth: usize) -> Literal {
        let mut members = Vec::new();
        for field in fields {
            let is_wanted = if is_one_of {
                members.is_empty() && has_value(self.schema, field.type_ref.named(), depth + 1)
            } else {
                field.is_required() || (depth < MAX_DEPTH && self.rng.chance(OPTIONAL_SHARE))
            };
            if is_wanted {
                members.push((Arc::clone(&field.name), self.value(&field.type_ref, depth + 1)));
            }
        }
        Literal::Object(members)
    }

    /// Each identifier of the mixed family is one of three kinds; where nothing was seen yet, one
    /// of two.
    fn id(&mut self) -> Box<str> {
        let ArgumentFamily::Mixed { ids } = &self.settings.arguments else {
            return self.alphanumeric();
        };
        let known = ids.len() + self.seen.len();
        match self.rng.below(if known == 0 { 2 } else { 3 }) {
            0 => self.alphanumeric(),
            1 => self.small_integer().to_string().into(),
            _ => {
                let chosen = self.rng.below(known);
                let id = ids.get(chosen).unwrap_or_else(|| &self.seen[chosen - ids.len()]);
                id.as_str().into()
            }
        }
    }

    fn small_integer(&mut self) -> i64 {
        self.rng.between(-(self.size as i64), self.size as i64)
    }

    /// Of a number of bits that grows with the size, within the 32 bits of GraphQL.
    fn integer(&mut self) -> Literal {
        let bits = 1 + self.rng.below(self.size.clamp(1, 31));
        let limit = (1_i64 << bits) - 1;
        Literal::Integer(self.rng.between(-limit, limit))
    }

    /// Of 0 to `size` characters: digits, capitals and small letters, one third each.
    fn alphanumeric(&mut self) -> Box<str> {
        let length = self.rng.below(self.size + 1);
        let mut text = String::with_capacity(length);
        let mut bits = 0_u64;
        for index in 0..length {
            if index % 4 == 0 {
                bits = self.rng.bits();
            }
            let part = bits as u16 as u32;
            bits >>= 16;
            let (kind, rest) = ((part * 3) >> 16, (part * 3) & 0xffff);
            let character = match kind {
                0 => b'0' + ((rest * 10) >> 16) as u8,
                1 => b'A' + ((rest * 26) >> 16) as u8,
                _ => b'a' + ((rest * 26) >> 16) as u8,
            };
            text.push(char::from(character));
        }
        text.into()
    }

    /// Of 0 to `size` characters from U+0000 to U+00FF, escaped where they are printed: the paper
    /// left that out, and its queries with a quotation mark could not be parsed.
    fn hostile(&mut self) -> Box<str> {
        let length = self.rng.below(self.size + 1);
        let text: String = (0..length).map(|_| char::from(self.rng.below(256) as u8)).collect();
        text.into()
    }
}
