//! What several schemas say together, which is what `allOf` means.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Number, Value};

use super::{Additional, Direction, Discriminator, Kinds, Schema, SchemaId, Schemas};

/// A schema, and which of its choices between alternatives are made already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part {
    /// The schema.
    pub schema: SchemaId,
    /// Whether its `oneOf` is decided.
    pub is_one_decided: bool,
    /// Whether its `anyOf` is decided.
    pub is_any_decided: bool,
}

impl From<SchemaId> for Part {
    fn from(schema: SchemaId) -> Self {
        Self { schema, is_one_decided: false, is_any_decided: false }
    }
}

/// An open choice between alternatives.
#[derive(Debug, Clone)]
pub struct OpenChoice {
    /// The schema that has it, with this choice marked as decided.
    pub decided: Part,
    /// The alternatives.
    pub alternatives: Vec<SchemaId>,
    /// The member that tells them apart.
    pub discriminator: Option<Discriminator>,
}

/// What several schemas say together, choices between alternatives left open.
#[derive(Debug, Clone, Default)]
pub struct Flat {
    /// Name of the first that has one.
    pub name: Option<Arc<str>>,
    /// Kinds.
    pub kinds: Kinds,
    /// The only values.
    pub values: Option<Vec<Value>>,
    /// Format.
    pub format: Option<Arc<str>>,
    /// Patterns that all match.
    pub patterns: Vec<Arc<str>>,
    /// Fewest and most characters.
    pub text: (u64, Option<u64>),
    /// Fewest and most elements.
    pub list: (u64, Option<u64>),
    /// Fewest and most members.
    pub members: (u64, Option<u64>),
    /// Smallest number, and whether it is itself excluded.
    pub minimum: Option<(Number, bool)>,
    /// Largest number, and whether it is itself excluded.
    pub maximum: Option<(Number, bool)>,
    /// Numbers are multiples of each of these.
    pub multiples: Vec<Number>,
    /// What all elements are.
    pub items: Vec<SchemaId>,
    /// What the first elements are; those of the first schema that tells them.
    pub first_items: Vec<SchemaId>,
    /// Whether elements differ.
    pub has_unique_items: bool,
    /// Members by name, in the order in which they were told.
    pub properties: Vec<(Arc<str>, Vec<SchemaId>)>,
    /// Members that must be there.
    pub required: Vec<Arc<str>>,
    /// Other members: none where not even one schema allows them.
    pub is_closed: bool,
    /// What other members are.
    pub additional: Vec<SchemaId>,
    /// What names of members are.
    pub names: Vec<SchemaId>,
    /// Open choices.
    pub choices: Vec<OpenChoice>,
    /// What must not hold.
    pub nots: Vec<SchemaId>,
    /// Values that are shown; the default is one.
    pub examples: Vec<Value>,
    /// Value that stands for a missing one.
    pub default: Option<Value>,
    /// Whether the value is only received.
    pub is_read_only: bool,
    /// Whether the value is only sent.
    pub is_write_only: bool,
    /// Whether no value can be right.
    pub is_never: bool,
}

/// Most schemas that one value must follow at once.
const MOST_PARTS: usize = 500;

impl Schemas {
    /// What the parts say together.
    #[must_use]
    pub fn flat(&self, parts: &[Part]) -> Flat {
        let decided: BTreeMap<SchemaId, Part> =
            parts.iter().map(|part| (part.schema, *part)).collect();
        let mut flat = Flat::default();
        for id in self.together(parts.iter().map(|part| part.schema).collect()) {
            let schema = self.get(id);
            let part = decided.get(&id).copied().unwrap_or_else(|| id.into());
            flat.take(schema);
            flat.open(schema, part);
        }
        flat
    }

    /// These schemas and all that hold with them.
    fn together(&self, mut all: Vec<SchemaId>) -> Vec<SchemaId> {
        let mut next = 0;
        while let Some(id) = all.get(next).copied() {
            next += 1;
            for more in &self.get(id).all_of {
                if !all.contains(more) && all.len() < MOST_PARTS {
                    all.push(*more);
                }
            }
        }
        all
    }

    /// Whether values of a schema go in the other direction only.
    pub(crate) fn is_left_out(&self, id: SchemaId, direction: Direction) -> bool {
        let is_marked = |id: &SchemaId| match direction {
            Direction::Sent => self.get(*id).is_read_only,
            Direction::Received => self.get(*id).is_write_only,
        };
        is_marked(&id)
            || !self.get(id).all_of.is_empty() && self.together(vec![id]).iter().any(is_marked)
    }
}

impl Flat {
    fn take(&mut self, schema: &Schema) {
        self.is_never |= schema.is_never;
        self.name = self.name.take().or_else(|| schema.name.clone());
        match self.kinds.both(schema.kinds) {
            Some(kinds) => self.kinds = kinds,
            None => self.is_never = true,
        }
        if let Some(values) = &schema.values {
            match &mut self.values {
                Some(known) => known.retain(|value| values.contains(value)),
                known => *known = Some(values.clone()),
            }
        }
        self.format = self.format.take().or_else(|| schema.format.clone());
        self.patterns.extend(schema.pattern.clone());
        let lengths = &schema.lengths;
        tighten(&mut self.text, lengths.text);
        tighten(&mut self.list, lengths.items);
        tighten(&mut self.members, lengths.members);
        self.take_bounds(schema);
        self.items.extend(schema.items);
        if self.first_items.is_empty() {
            self.first_items.clone_from(&schema.first_items);
        }
        self.has_unique_items |= schema.has_unique_items;
        self.take_members(schema);
        self.names.extend(schema.names);
        self.nots.extend(schema.not);
        self.examples.extend(schema.examples.iter().cloned());
        self.default = self.default.take().or_else(|| schema.default.clone());
        self.is_read_only |= schema.is_read_only;
        self.is_write_only |= schema.is_write_only;
    }

    fn take_bounds(&mut self, schema: &Schema) {
        let bounds = &schema.bounds;
        let lower = [(&bounds.minimum, false), (&bounds.above, true)];
        for (bound, is_excluded) in lower {
            let Some(bound) = bound else { continue };
            let is_tighter = |(known, was): &(Number, bool)| {
                number(bound) > number(known) || (number(bound) == number(known) && !was)
            };
            if self.minimum.as_ref().is_none_or(is_tighter) {
                self.minimum = Some((bound.clone(), is_excluded));
            }
        }
        let upper = [(&bounds.maximum, false), (&bounds.below, true)];
        for (bound, is_excluded) in upper {
            let Some(bound) = bound else { continue };
            let is_tighter = |(known, was): &(Number, bool)| {
                number(bound) < number(known) || (number(bound) == number(known) && !was)
            };
            if self.maximum.as_ref().is_none_or(is_tighter) {
                self.maximum = Some((bound.clone(), is_excluded));
            }
        }
        self.multiples.extend(bounds.multiples.iter().cloned());
    }

    fn take_members(&mut self, schema: &Schema) {
        for (name, id) in &schema.properties {
            match self.properties.iter_mut().find(|(known, _)| known == name) {
                Some((_, schemas)) if schemas.contains(id) => {}
                Some((_, schemas)) => schemas.push(*id),
                None => self.properties.push((Arc::clone(name), vec![*id])),
            }
        }
        for name in &schema.required {
            if !self.required.contains(name) {
                self.required.push(Arc::clone(name));
            }
        }
        match schema.additional {
            Additional::Allowed => {}
            Additional::Denied => self.is_closed = true,
            Additional::Schema(id) => self.additional.push(id),
        }
    }

    fn open(&mut self, schema: &Schema, part: Part) {
        let choices = [
            (&schema.one_of, part.is_one_decided, Part { is_one_decided: true, ..part }),
            (&schema.any_of, part.is_any_decided, Part { is_any_decided: true, ..part }),
        ];
        for (alternatives, is_decided, decided) in choices {
            if !alternatives.is_empty() && !is_decided {
                let (alternatives, discriminator) =
                    (alternatives.clone(), schema.discriminator.clone());
                self.choices.push(OpenChoice { decided, alternatives, discriminator });
            }
        }
    }
}

fn tighten(known: &mut (u64, Option<u64>), more: (Option<u64>, Option<u64>)) {
    known.0 = known.0.max(more.0.unwrap_or(0));
    known.1 = match (known.1, more.1) {
        (Some(known), Some(more)) => Some(known.min(more)),
        (known, more) => known.or(more),
    };
}

fn number(number: &Number) -> f64 {
    number.as_f64().unwrap_or(0.0)
}
