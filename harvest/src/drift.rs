//! Schema drift: what a new version of the schema breaks, and for whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use wallace_problems::graphql::executable::{Field, Operation, Part, Selection};
use wallace_problems::graphql::{
    FieldDefinition, OperationKind, Schema, TypeId, TypeKind, TypeRef,
};

use crate::document::Validator;
use crate::harvest::Harvest;

/// How a change breaks an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BreakKind {
    /// The field is gone.
    FieldRemoved,
    /// Its type is another one, or a list where there was none.
    TypeChanged,
    /// It was never null and now may be.
    BecameNullable,
    /// An argument that is given is gone.
    ArgumentRemoved,
    /// An argument that is not given must be.
    ArgumentRequired,
    /// An argument takes another type.
    ArgumentTypeChanged,
    /// The type of a fragment is gone.
    TypeRemoved,
    /// The answer may hold an enum value or a type that the consumer does not know.
    ValueAdded,
    /// The operation is not valid any more for another reason.
    Invalid,
}

impl BreakKind {
    /// Whether the service will refuse the operation; the others answer, and the consumer may not
    /// understand.
    #[must_use]
    pub fn is_refused(self) -> bool {
        !matches!(self, Self::TypeChanged | Self::BecameNullable | Self::ValueAdded)
    }
}

/// One change, and everybody it breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// How.
    pub kind: BreakKind,
    /// Where: a schema coordinate such as `User.name` or `Query.user(id:)`.
    pub coordinate: String,
    /// What changed, in words.
    pub detail: String,
    /// Names and places of the operations.
    pub operations: BTreeSet<String>,
    /// Who sends them.
    pub consumers: BTreeSet<String>,
    /// How often they were sent.
    pub times: u64,
}

impl fmt::Display for Break {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let consumers: Vec<&str> = self.consumers.iter().map(String::as_str).collect();
        let operations: Vec<&str> = self.operations.iter().map(String::as_str).take(3).collect();
        write!(
            formatter,
            "{}: {}; breaks {} operations ({}), sent {} times by {}",
            self.coordinate,
            self.detail,
            self.operations.len(),
            operations.join(", "),
            self.times,
            consumers.join(", ")
        )
    }
}

/// What breaks for the consumers of a harvest when its schema becomes `new`: refusals first, then
/// by the number of calls.
#[must_use]
pub fn drift(harvest: &Harvest, new: &Schema) -> Vec<Break> {
    let validator = Validator::new(new);
    let mut breaks: BTreeMap<(BreakKind, String, String), Break> = BTreeMap::new();
    for operation in harvest.operations() {
        let mut walk = Walk { old: harvest.schema(), new, found: BTreeSet::new() };
        walk.operation(operation.kind, operation.definition());
        for fragment in operation.document.fragments() {
            walk.on(&fragment.on, &fragment.selections);
        }
        if !walk.found.iter().any(|(kind, ..)| kind.is_refused()) {
            for problem in validator.problems(&operation.logged.document) {
                let place = operation.calls.first().cloned().unwrap_or_default();
                walk.found.insert((BreakKind::Invalid, place, problem.reason));
            }
        }
        let name = operation.logged.operation_name.as_deref().unwrap_or("unnamed");
        for (kind, coordinate, detail) in walk.found {
            let key = (kind, coordinate.clone(), detail.clone());
            let entry = breaks.entry(key).or_insert_with(|| Break {
                kind,
                coordinate,
                detail,
                operations: BTreeSet::new(),
                consumers: BTreeSet::new(),
                times: 0,
            });
            entry.operations.insert(format!("{name} at {}", operation.logged.origin));
            entry.consumers.extend(operation.consumers.iter().cloned());
            entry.times += operation.times;
        }
    }
    let mut breaks: Vec<Break> = breaks.into_values().collect();
    breaks.sort_by_key(|it| (!it.kind.is_refused(), std::cmp::Reverse(it.times)));
    breaks
}

struct Walk<'s> {
    old: &'s Schema,
    new: &'s Schema,
    found: BTreeSet<(BreakKind, String, String)>,
}

impl Walk<'_> {
    fn add(&mut self, kind: BreakKind, coordinate: String, detail: String) {
        self.found.insert((kind, coordinate, detail));
    }

    fn operation(&mut self, kind: OperationKind, operation: &Operation) {
        if let (Some(old), Some(new)) = (self.old.root(kind), self.new.root(kind)) {
            self.selection(old, new, &operation.selections);
        }
    }

    /// A selection on a type of this name.
    fn on(&mut self, name: &str, parts: &[Selection]) {
        match (self.old.type_named(name), self.new.type_named(name)) {
            (Some(old), Some(new)) => self.selection(old, new, parts),
            _ => self.add(BreakKind::TypeRemoved, name.to_owned(), "the type is gone".to_owned()),
        }
    }

    fn selection(&mut self, old: TypeId, new: TypeId, parts: &[Selection]) {
        for part in parts {
            match &part.part {
                Part::Field(field) if field.name.starts_with("__") => {}
                Part::Field(field) => self.field(old, new, field, &part.selections),
                Part::Inline(Some(name)) => self.on(name, &part.selections),
                Part::Inline(None) => self.selection(old, new, &part.selections),
                Part::Spread(_) => {}
            }
        }
    }

    fn field(&mut self, old: TypeId, new: TypeId, field: &Field, below: &[Selection]) {
        let Some(before) = self.old.field_named(old, &field.name) else { return };
        let coordinate = self.old.coordinate(before);
        let Some(after) = self.new.field_named(new, &field.name) else {
            let detail = "the field is gone".to_owned();
            return self.add(BreakKind::FieldRemoved, coordinate, detail);
        };
        let (old, new) = (self.old, self.new);
        let (one, other) = (old.field(before), new.field(after));
        self.arguments(&coordinate, one, other, field);
        if self.returned(&coordinate, &one.type_ref, &other.type_ref) {
            let (old, new) = (one.type_ref.named(), other.type_ref.named());
            self.selection(old, new, below);
        }
    }

    /// Compares what a field returns; whether its selection can be compared too.
    fn returned(&mut self, coordinate: &str, one: &TypeRef, other: &TypeRef) -> bool {
        let (before, after) = (self.old.type_text(one), self.new.type_text(other));
        let bare = |text: &str| text.replace('!', "");
        if bare(&before) != bare(&after) {
            let detail = format!("its type was {before} and is {after}");
            self.add(BreakKind::TypeChanged, coordinate.to_owned(), detail);
        } else if is_weaker(&before, &after) {
            let detail = format!("it was {before} and is {after}: it may be null");
            self.add(BreakKind::BecameNullable, coordinate.to_owned(), detail);
        }
        let added = self.added_values(one.named(), other.named());
        if !added.is_empty() {
            let detail = format!("it may now be {}", added.join(" or "));
            self.add(BreakKind::ValueAdded, coordinate.to_owned(), detail);
        }
        self.new.definition(other.named()).is_composite()
    }

    /// Enum values and member types that are new.
    fn added_values(&self, old: TypeId, new: TypeId) -> Vec<String> {
        let names = |schema: &Schema, id: TypeId| -> BTreeSet<String> {
            let definition = schema.definition(id);
            match &definition.kind {
                TypeKind::Enum { values } => values.iter().map(|it| it.name.to_string()).collect(),
                TypeKind::Union { possible_types } => possible_types
                    .iter()
                    .map(|id| schema.definition(*id).name.to_string())
                    .collect(),
                _ => BTreeSet::new(),
            }
        };
        let (before, after) = (names(self.old, old), names(self.new, new));
        let is_known = !before.is_empty();
        after.difference(&before).filter(|_| is_known).cloned().collect()
    }

    fn arguments(
        &mut self,
        coordinate: &str,
        one: &FieldDefinition,
        other: &FieldDefinition,
        field: &Field,
    ) {
        let given: BTreeSet<&str> = field.arguments.iter().map(|(name, _)| &**name).collect();
        for name in &given {
            let before = one.arguments.iter().find(|it| &*it.name == *name);
            let after = other.arguments.iter().find(|it| &*it.name == *name);
            let place = format!("{coordinate}({name}:)");
            match (before, after) {
                (_, None) => {
                    self.add(BreakKind::ArgumentRemoved, place, "the argument is gone".to_owned());
                }
                (Some(before), Some(after)) => {
                    let before = self.old.type_text(&before.type_ref);
                    let after = self.new.type_text(&after.type_ref);
                    if before.replace('!', "") != after.replace('!', "") {
                        let detail = format!("it took {before} and takes {after}");
                        self.add(BreakKind::ArgumentTypeChanged, place, detail);
                    }
                }
                (None, Some(_)) => {}
            }
        }
        for argument in other.arguments.iter().filter(|argument| argument.is_required()) {
            if !given.contains(&*argument.name) {
                let place = format!("{coordinate}({}:)", argument.name);
                let detail = "the argument must be given now".to_owned();
                self.add(BreakKind::ArgumentRequired, place, detail);
            }
        }
    }
}

/// Whether a non-null mark of a type is gone, its other marks being the same.
fn is_weaker(before: &str, after: &str) -> bool {
    let (mut old, mut new) = (before.chars().peekable(), after.chars().peekable());
    while let Some(character) = old.next() {
        if character == '!' {
            return true;
        }
        if new.next() != Some(character) {
            return false;
        }
        match (old.peek() == Some(&'!'), new.peek() == Some(&'!')) {
            (true, true) => {
                old.next();
                new.next();
            }
            (false, true) => {
                new.next();
            }
            (true, false) | (false, false) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_weaker;

    #[test]
    fn only_a_lost_mark_is_weaker() {
        for (before, after, expected) in [
            ("A!", "A", true),
            ("[A!]!", "[A]!", true),
            ("[A!]!", "[A!]", true),
            ("A", "A!", false),
            ("[A]", "[A!]!", false),
            ("[A!]", "[A!]!", false),
            ("[A]!", "[A!]", true),
            ("A", "A", false),
        ] {
            assert_eq!(is_weaker(before, after), expected, "{before} {after}");
        }
    }
}
