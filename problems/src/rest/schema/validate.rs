//! Whether a value follows a schema.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use regex::Regex;
use serde_json::{Map, Value};
use wallace_genes::spec::{Notation, is_of_format};

use super::{Additional, Kind, Schema, SchemaId, Schemas};

/// Whether a value is sent or received: members that are only sent are not expected back, and
/// members that are only received are not to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// In a request.
    Sent,
    /// In a response.
    Received,
}

/// One way in which a value does not follow its schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mismatch {
    /// Where, as a JSON pointer; positions in lists are `*`, so that equal mismatches of elements
    /// are one.
    pub pointer: String,
    /// The keyword of the schema that the value breaks; of formats of times, the format itself.
    pub keyword: &'static str,
    /// The place as the nearest schema with a name has it, `User/name`: the same wherever that schema
    /// is used. Without such a schema the pointer.
    pub place: String,
}

/// Most mismatches that are told of one value.
const MOST_MISMATCHES: usize = 20;
/// Deepest nesting that is looked at.
const MOST_DEPTH: usize = 100;
/// Most values compared with schemas for one value: alternatives multiply.
const MOST_STEPS: usize = 200_000;

impl Schemas {
    /// How the value does not follow the schema; nothing when it does. What cannot be judged
    /// within bounds counts as followed.
    #[must_use]
    pub fn mismatches(&self, id: SchemaId, value: &Value, direction: Direction) -> Vec<Mismatch> {
        let mut judge = Judge::new(self, direction, MOST_MISMATCHES);
        judge.judge(id, value, 0);
        judge.found
    }

    /// Whether the value follows the schema.
    #[must_use]
    pub fn allows(&self, id: SchemaId, value: &Value, direction: Direction) -> bool {
        let mut judge = Judge::new(self, direction, 1);
        judge.judge(id, value, 0);
        judge.found.is_empty()
    }
}

struct Judge<'s> {
    schemas: &'s Schemas,
    direction: Direction,
    steps: usize,
    found: Vec<Mismatch>,
    /// Mismatches after which nothing more is looked at.
    wanted: usize,
    pointer: String,
    /// The innermost schema with a name, and where the pointer was when it was entered.
    nearest: Option<(Arc<str>, usize)>,
}

impl<'s> Judge<'s> {
    fn new(schemas: &'s Schemas, direction: Direction, wanted: usize) -> Self {
        let (found, pointer) = (Vec::new(), String::new());
        Self { schemas, direction, steps: MOST_STEPS, found, wanted, pointer, nearest: None }
    }

    fn has_enough(&self) -> bool {
        self.found.len() >= self.wanted
    }

    fn miss(&mut self, keyword: &'static str) {
        let place = match &self.nearest {
            Some((name, start)) => format!("{name}{}", &self.pointer[*start..]),
            None => self.pointer.clone(),
        };
        // What all parts of an `allOf` ask for is missing once, where the outermost schema asks.
        let is_told = self.found.iter().any(|m| m.pointer == self.pointer && m.keyword == keyword);
        if !self.has_enough() && !is_told {
            self.found.push(Mismatch { pointer: self.pointer.clone(), keyword, place });
        }
    }

    fn judge(&mut self, id: SchemaId, value: &Value, depth: usize) {
        if depth > MOST_DEPTH || self.steps == 0 || self.has_enough() {
            return;
        }
        self.steps -= 1;
        let schema = self.schemas.get(id);
        let Some(name) = &schema.component else { return self.judge_here(schema, value, depth) };
        let around = self.nearest.replace((Arc::clone(name), self.pointer.len()));
        self.judge_here(schema, value, depth);
        self.nearest = around;
    }

    fn judge_here(&mut self, schema: &'s Schema, value: &Value, depth: usize) {
        if schema.is_never {
            return self.miss("false");
        }
        if !schema.kinds.allows(Kind::of(value)) {
            return self.miss(if value.is_null() { "null" } else { "type" });
        }
        if let Some(values) = &schema.values
            && !values.iter().any(|known| is_equal(known, value))
        {
            self.miss("enum");
        }
        match value {
            Value::String(text) => self.judge_text(schema, text),
            Value::Number(number) => self.judge_number(schema, number.as_f64().unwrap_or(0.0)),
            Value::Array(elements) => self.judge_list(schema, elements, depth),
            Value::Object(members) => self.judge_object(schema, members, depth),
            Value::Null | Value::Bool(_) => {}
        }
        self.judge_combinations(schema, value, depth);
    }

    fn holds(&mut self, id: SchemaId, value: &Value, depth: usize) -> bool {
        let (found, wanted) = (std::mem::take(&mut self.found), self.wanted);
        self.wanted = 1;
        self.judge(id, value, depth + 1);
        self.wanted = wanted;
        std::mem::replace(&mut self.found, found).is_empty()
    }

    fn judge_combinations(&mut self, schema: &Schema, value: &Value, depth: usize) {
        for part in &schema.all_of {
            self.judge(*part, value, depth + 1);
        }
        let is_choice = !schema.any_of.is_empty() || !schema.one_of.is_empty();
        if let Some(told) = schema.told_alternative(value).filter(|_| is_choice) {
            // What tells the alternatives apart decides, where they overlap.
            self.judge(told, value, depth + 1);
            return self.judge_not(schema, value, depth);
        }
        if !schema.any_of.is_empty()
            && !schema.any_of.iter().any(|part| self.holds(*part, value, depth))
        {
            self.miss_all(&schema.any_of, value, depth, "anyOf");
        }
        if !schema.one_of.is_empty() {
            // The second that holds is one too many.
            let holding = schema.one_of.iter().filter(|part| self.holds(**part, value, depth));
            match holding.take(2).count() {
                0 => self.miss_all(&schema.one_of, value, depth, "oneOf"),
                1 => {}
                _ => self.miss("oneOf"),
            }
        }
        self.judge_not(schema, value, depth);
    }

    /// None of these alternatives holds: what is missed inside of the one that is meant, which misses
    /// the least, or the keyword where each misses something of the value itself.
    fn miss_all(
        &mut self,
        alternatives: &[SchemaId],
        value: &Value,
        depth: usize,
        keyword: &'static str,
    ) {
        if value.is_null() {
            return self.miss("null");
        }
        if self.wanted == 1 {
            return self.miss(keyword);
        }
        let mut missed: Vec<Vec<Mismatch>> = Vec::new();
        for part in alternatives {
            let found = std::mem::take(&mut self.found);
            self.judge(*part, value, depth + 1);
            missed.push(std::mem::replace(&mut self.found, found));
        }
        let is_inside = |missed: &&Vec<Mismatch>| {
            !missed.is_empty() && missed.iter().all(|it| it.pointer.len() > self.pointer.len())
        };
        let least = missed.iter().filter(is_inside).min_by_key(|missed| missed.len());
        let Some(least) = least.cloned() else { return self.miss(keyword) };
        for inner in least {
            if !self.has_enough() && !self.found.contains(&inner) {
                self.found.push(inner);
            }
        }
    }

    fn judge_not(&mut self, schema: &Schema, value: &Value, depth: usize) {
        if let Some(not) = schema.not
            && self.holds(not, value, depth)
        {
            self.miss("not");
        }
    }

    fn judge_text(&mut self, schema: &Schema, text: &str) {
        if !is_within(text.chars().count(), schema.lengths.text) {
            self.miss("length");
        }
        if let Some(pattern) = &schema.pattern
            && !matches(pattern, text)
        {
            self.miss("pattern");
        }
        if let Some(format) = &schema.format
            && is_of_format(format, text) == Some(false)
            // What the description shows itself may be sent.
            && !(self.direction == Direction::Sent
                && &**format == "date-time"
                && Notation::of(text).is_some())
        {
            self.miss(match &**format {
                "date-time" => "date-time",
                "date" => "date",
                "time" => "time",
                _ => "format",
            });
        }
    }

    fn judge_number(&mut self, schema: &Schema, value: f64) {
        let bounds = &schema.bounds;
        let number = |bound: &Option<serde_json::Number>| bound.as_ref().and_then(|b| b.as_f64());
        if number(&bounds.minimum).is_some_and(|bound| value < bound)
            || number(&bounds.above).is_some_and(|bound| value <= bound)
        {
            self.miss("minimum");
        }
        if number(&bounds.maximum).is_some_and(|bound| value > bound)
            || number(&bounds.below).is_some_and(|bound| value >= bound)
        {
            self.miss("maximum");
        }
        for multiple in bounds.multiples.iter().filter_map(|multiple| multiple.as_f64()) {
            let quotient = value / multiple;
            if multiple > 0.0
                && (quotient - quotient.round()).abs() > 1e-9 * quotient.abs().max(1.0)
            {
                self.miss("multipleOf");
            }
        }
        let is_in_format = match schema.format.as_deref() {
            Some("int32") => (-2_147_483_648.0..=2_147_483_647.0).contains(&value),
            _ => true,
        };
        if !is_in_format {
            self.miss("format");
        }
    }

    fn judge_list(&mut self, schema: &Schema, elements: &[Value], depth: usize) {
        if !is_within(elements.len(), schema.lengths.items) {
            self.miss("items");
        }
        if schema.has_unique_items
            && elements
                .iter()
                .enumerate()
                .take(1_000)
                .any(|(index, element)| elements[..index].contains(element))
        {
            self.miss("uniqueItems");
        }
        let length = self.pointer.len();
        self.pointer.push_str("/*");
        for (index, element) in elements.iter().enumerate() {
            if let Some(part) = schema.first_items.get(index).copied().or(schema.items) {
                self.judge(part, element, depth + 1);
            }
        }
        self.pointer.truncate(length);
    }

    fn judge_object(&mut self, schema: &Schema, members: &Map<String, Value>, depth: usize) {
        if !is_within(members.len(), schema.lengths.members) {
            self.miss("properties");
        }
        for name in schema.required.iter().filter(|name| !members.contains_key(&***name)) {
            if !self.has_enough() && self.is_expected(schema, name) {
                self.below(name, |judge| judge.miss("required"));
            }
        }
        for (name, value) in members {
            if self.has_enough() {
                return;
            }
            if let Some(names) = schema.names
                && !self.holds(names, &Value::String(name.clone()), depth)
            {
                self.below(name, |judge| judge.miss("propertyNames"));
            }
            let property = schema.properties.iter().find(|(known, _)| **known == **name);
            // What a map holds is one place, whatever it is called.
            let (place, part) = match (property, schema.additional) {
                (Some((_, part)), _) => (name.as_str(), Some(*part)),
                (None, Additional::Schema(part)) => ("*", Some(part)),
                (None, Additional::Allowed) => continue,
                (None, Additional::Denied) => (name.as_str(), None),
            };
            self.below(place, |judge| match part {
                Some(part) => judge.judge(part, value, depth + 1),
                None => judge.miss("additionalProperties"),
            });
        }
    }

    /// Whether a required member must be there in this direction.
    fn is_expected(&self, schema: &Schema, name: &str) -> bool {
        let property = schema.properties.iter().find(|(known, _)| **known == *name);
        property.is_none_or(|(_, id)| !self.schemas.is_left_out(*id, self.direction))
    }

    fn below(&mut self, name: &str, judge: impl FnOnce(&mut Self)) {
        if self.wanted == 1 {
            // That there is one is all that is told.
            return judge(self);
        }
        let length = self.pointer.len();
        self.pointer.push('/');
        if name.contains(['~', '/']) {
            self.pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        } else {
            self.pointer.push_str(name);
        }
        judge(self);
        self.pointer.truncate(length);
    }
}

/// Numbers are equal by value: 1 and 1.0 are the same.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn is_within(count: usize, (least, most): (Option<u64>, Option<u64>)) -> bool {
    let count = count as u64;
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}

thread_local! {
    static COMPILED: RefCell<HashMap<Arc<str>, Option<Regex>>> = RefCell::new(HashMap::new());
}

/// Whether a part of the text matches the pattern. A pattern that cannot be read, such as one
/// that looks around, matches everything.
fn matches(pattern: &Arc<str>, text: &str) -> bool {
    const MOST_PATTERNS: usize = 10_000;
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() > MOST_PATTERNS {
            compiled.clear();
        }
        let regex = compiled.entry(Arc::clone(pattern)).or_insert_with(|| {
            regex::RegexBuilder::new(&readable(pattern)).size_limit(1 << 20).build().ok()
        });
        regex.as_ref().is_none_or(|regex| regex.is_match(text))
    })
}

/// The pattern as the crate reads it: JavaScript escapes slashes and calls digits ASCII ones.
pub(crate) fn readable(pattern: &str) -> String {
    pattern.replace("\\/", "/").replace("\\d", "[0-9]")
}

#[cfg(test)]
mod tests;
