//! Values of arguments, as GraphQL literals.
//!
//! The paper chooses a generator by the exact shape of the type and emits only the first argument
//! of a field; so does [`Strategy::Paper`], and what is not emitted is not generated. The other
//! strategy gives values to all required arguments and to some others.

use std::fmt::Write;

use wallace_genes::Rng;
use wallace_problems::graphql::{
    FieldDefinition, InputValue, Schema, TypeId, TypeKind, TypeRef, Wrapper,
};

use crate::settings::{ArgumentFamily, GeneratorSettings, Strategy};

/// Nesting of input objects beyond which only what is required is given.
const MAX_DEPTH: usize = 3;
/// Elements of a generated list, at most.
const MAX_ELEMENTS: usize = 3;
/// Share of calls in which an argument is given that could be left out.
const OPTIONAL_SHARE: f64 = 0.3;

/// How an argument gets its value.
#[derive(Debug)]
pub(crate) struct ArgumentPlan {
    /// Position among the arguments of the field.
    pub(crate) index: u32,
    pub(crate) is_required: bool,
    value: Value,
}

/// What is drawn.
#[derive(Debug)]
enum Value {
    Text,
    Id,
    Integer,
    Float,
    Boolean,
    Enum(Box<[Box<str>]>),
    List(Box<Value>),
    /// Name, whether it is required, and value of each field.
    Object(Box<[(Box<str>, bool, Value)]>),
    /// One global identifier, as the paper gives it for a list of them.
    GlobalId,
    Null,
}

/// The arguments of a field that get values; nothing when a required one has no possible value.
pub(crate) fn argument_plan(
    schema: &Schema,
    field: &FieldDefinition,
    settings: &GeneratorSettings,
) -> Option<Box<[ArgumentPlan]>> {
    let mut plans = Vec::new();
    for (index, argument) in field.arguments.iter().enumerate() {
        let is_first_only = settings.strategy == Strategy::Paper;
        let value = if is_first_only && index == 0 {
            paper_value(schema, argument)
        } else if is_first_only {
            break;
        } else {
            value(schema, &argument.type_ref, 0)
        };
        match value {
            Some(value) => {
                let is_required = is_first_only || argument.is_required();
                plans.push(ArgumentPlan { index: index as u32, is_required, value });
            }
            None if argument.is_required() => return None,
            None => {}
        }
    }
    Some(plans.into())
}

/// What the paper draws for an argument. Shapes it has no generator for get a value of their type.
fn paper_value(schema: &Schema, argument: &InputValue) -> Option<Value> {
    use Wrapper::{List, NonNull};
    let named = schema.definition(argument.type_ref.named());
    let wrappers = match argument.type_ref.wrappers() {
        [NonNull, inner @ ..] => inner,
        all => all,
    };
    match (&*named.name, &named.kind, wrappers) {
        ("ID", _, [List, NonNull]) => Some(Value::GlobalId),
        ("String", _, [List, NonNull]) | ("Time", _, []) => Some(Value::Text),
        (_, TypeKind::Enum { .. }, [List, NonNull]) => scalar(schema, argument.type_ref.named()),
        _ => value(schema, &argument.type_ref, 0),
    }
}

fn value(schema: &Schema, type_ref: &TypeRef, depth: usize) -> Option<Value> {
    let lists = type_ref.wrappers().iter().filter(|it| **it == Wrapper::List).count();
    let element = match &schema.definition(type_ref.named()).kind {
        TypeKind::InputObject { fields, is_one_of } => object(schema, fields, *is_one_of, depth),
        _ => scalar(schema, type_ref.named()),
    };
    match element {
        Some(element) => Some((0..lists).fold(element, |inner, _| Value::List(Box::new(inner)))),
        None => (!type_ref.is_non_null()).then_some(Value::Null),
    }
}

fn object(schema: &Schema, fields: &[InputValue], is_one_of: bool, depth: usize) -> Option<Value> {
    if depth > 2 * MAX_DEPTH {
        return None;
    }
    if is_one_of {
        let first = fields.iter().find_map(|field| {
            Some((field.name.as_ref().into(), true, value(schema, &field.type_ref, depth + 1)?))
        });
        return first.map(|field| Value::Object([field].into()));
    }
    let wanted = fields.iter().filter(|field| field.is_required() || depth < MAX_DEPTH);
    let members = wanted.map(|field| {
        let inner = value(schema, &field.type_ref, depth + 1)?;
        Some((field.name.as_ref().into(), field.is_required(), inner))
    });
    members.collect::<Option<Box<[_]>>>().map(Value::Object)
}

fn scalar(schema: &Schema, id: TypeId) -> Option<Value> {
    let definition = schema.definition(id);
    Some(match &definition.kind {
        TypeKind::Enum { values } if values.is_empty() => return None,
        TypeKind::Enum { values } => {
            Value::Enum(values.iter().map(|value| value.name.as_ref().into()).collect())
        }
        TypeKind::Scalar { .. } => match &*definition.name {
            "Int" => Value::Integer,
            "Float" => Value::Float,
            "Boolean" => Value::Boolean,
            "ID" => Value::Id,
            _ => Value::Text,
        },
        _ => return None,
    })
}

impl ArgumentPlan {
    /// Whether the argument is given this time.
    pub(crate) fn is_given(&self, rng: &mut Rng) -> bool {
        self.is_required || rng.chance(OPTIONAL_SHARE)
    }

    /// Appends a value as a literal.
    pub(crate) fn draw(&self, literals: &mut String, drawing: &mut Drawing<'_>) {
        drawing.value(&self.value, literals);
    }
}

/// What values are drawn from.
pub(crate) struct Drawing<'d> {
    pub(crate) family: &'d ArgumentFamily,
    /// Identifiers seen in answers.
    pub(crate) seen: &'d [String],
    pub(crate) size: usize,
    pub(crate) rng: &'d mut Rng,
}

impl Drawing<'_> {
    fn value(&mut self, value: &Value, text: &mut String) {
        let is_hostile = *self.family == ArgumentFamily::Hostile;
        match value {
            Value::Integer | Value::Float | Value::Boolean | Value::Text if is_hostile => {
                self.hostile(text);
            }
            Value::Text => self.alphanumeric(text),
            Value::Id => self.id(text),
            Value::Integer => self.integer(text),
            Value::Float => push(text, format_args!("{:?}", self.rng.gaussian() * 100.0)),
            Value::Boolean => text.push_str(if self.rng.below(2) == 0 { "true" } else { "false" }),
            Value::Enum(names) => text.push_str(&names[self.rng.below(names.len())]),
            Value::List(inner) => self.list(inner, text),
            Value::Object(fields) => self.object(fields, text),
            Value::GlobalId => {
                let number = self.small_integer();
                push(text, format_args!("\"gid://abc/abc/{number}\""));
            }
            Value::Null => text.push_str("null"),
        }
    }

    /// Each identifier of the mixed family is one of three kinds; where nothing was seen yet, one
    /// of two.
    fn id(&mut self, text: &mut String) {
        let ids = match self.family {
            ArgumentFamily::Hostile => return self.hostile(text),
            ArgumentFamily::Alphanumeric => return self.alphanumeric(text),
            ArgumentFamily::Mixed { ids } => ids,
        };
        let known = ids.len() + self.seen.len();
        match self.rng.below(if known == 0 { 2 } else { 3 }) {
            0 => self.alphanumeric(text),
            1 => {
                let number = self.small_integer();
                push(text, format_args!("\"{number}\""));
            }
            _ => {
                let chosen = self.rng.below(known);
                let id = ids.get(chosen).unwrap_or_else(|| &self.seen[chosen - ids.len()]);
                push_string(text, id.chars());
            }
        }
    }

    fn small_integer(&mut self) -> i64 {
        self.rng.between(-(self.size as i64), self.size as i64)
    }

    /// Of a number of bits that grows with the size, within the 32 bits of GraphQL.
    fn integer(&mut self, text: &mut String) {
        let bits = 1 + self.rng.below(self.size.clamp(1, 31));
        let limit = (1_i64 << bits) - 1;
        let number = self.rng.between(-limit, limit);
        push(text, format_args!("{number}"));
    }

    /// Of 0 to `size` characters: digits, capitals and small letters, one third each.
    fn alphanumeric(&mut self, text: &mut String) {
        let length = self.rng.below(self.size + 1);
        text.push('"');
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
        text.push('"');
    }

    /// Of 0 to `size` characters from U+0000 to U+00FF, escaped: the paper left that out, and its
    /// queries with a quotation mark could not be parsed.
    fn hostile(&mut self, text: &mut String) {
        let length = self.rng.below(self.size + 1);
        text.push('"');
        for _ in 0..length {
            push_escaped(text, char::from(self.rng.below(256) as u8));
        }
        text.push('"');
    }

    fn list(&mut self, inner: &Value, text: &mut String) {
        text.push('[');
        for index in 0..self.rng.below(MAX_ELEMENTS + 1) {
            if index > 0 {
                text.push(',');
            }
            self.value(inner, text);
        }
        text.push(']');
    }

    fn object(&mut self, fields: &[(Box<str>, bool, Value)], text: &mut String) {
        text.push('{');
        let mut is_first = true;
        for (name, is_required, inner) in fields {
            if *is_required || self.rng.chance(OPTIONAL_SHARE) {
                text.push_str(if is_first { "" } else { "," });
                is_first = false;
                push(text, format_args!("{name}: "));
                self.value(inner, text);
            }
        }
        text.push('}');
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a String takes any text");
}

/// Appends a text as a GraphQL string.
pub(crate) fn push_string(text: &mut String, characters: impl Iterator<Item = char>) {
    text.push('"');
    characters.for_each(|character| push_escaped(text, character));
    text.push('"');
}

fn push_escaped(text: &mut String, character: char) {
    match character {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        control if control < ' ' || control == '\u{7f}' => {
            push(text, format_args!("\\u{:04x}", u32::from(control)));
        }
        plain => text.push(plain),
    }
}
