//! Consumers: what an argument wants, by its name and type.

use std::collections::{BTreeSet, HashMap};

use super::list::is_naming;
use super::name::TypeNames;
use super::{Effect, effect};
use crate::graphql::pool::ANY_ID;
use crate::graphql::schema::{FieldId, InputValue, Schema, TypeId, TypeKind};
use crate::graphql::template::{OperationTemplate, Templates};
use crate::word::{singular, stem, words};

/// What a value is wanted for; decides how often one of the pool is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Identifies something.
    Id,
    /// Says where a page begins.
    Cursor,
    /// A value of a custom scalar.
    Scalar,
    /// A name by which a query lists things.
    Named,
    /// A value of a field of the same name.
    Same,
}

impl Purpose {
    /// Share of the values that are taken from those seen earlier: ids mostly, others seldom.
    pub(crate) fn share(self) -> f64 {
        match self {
            Self::Id => 0.8,
            Self::Named => 0.7,
            Self::Scalar => 0.6,
            Self::Cursor => 0.4,
            Self::Same => 0.2,
        }
    }
}

/// What may feed an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArgumentSource {
    pub(crate) purpose: Purpose,
    /// Keys of the pool, the most trusted first.
    pub(crate) keys: Vec<String>,
}

impl ArgumentSource {
    /// `Type.field` of the values that are meant, where that is known.
    pub(crate) fn kind(&self) -> Option<&str> {
        let first = self.keys.first().map(String::as_str);
        first.filter(|key| key.contains('.') && !key.starts_with("*."))
    }
}

/// The key of objects and lists that a field of a custom scalar held.
pub(crate) fn object_key(scalar: &str, field: &str) -> String {
    format!("object:{scalar}.{field}")
}

/// Most types of what an argument may identify.
const MOST_TYPES: usize = 3;

/// Words that a name of something that identifies ends in.
const ID_WORDS: [&str; 9] = ["id", "ids", "uuid", "guid", "iid", "slug", "key", "pk", "handle"];

/// Words in the names of what a caller makes up for a call, as Relay's `clientMutationId`.
const OF_CALLS: [&str; 5] = ["client", "request", "correlation", "idempotency", "trace"];

/// Whether a field of this name and scalar identifies what it belongs to.
pub(crate) fn is_id(name: &str, scalar: &str) -> bool {
    scalar == "ID"
        || (is_text_or_number(scalar)
            && words(name).last().is_some_and(|last| ID_WORDS.contains(&&**last)))
}

fn is_text_or_number(scalar: &str) -> bool {
    !matches!(scalar, "Boolean" | "Float")
}

fn is_custom(scalar: &str) -> bool {
    !matches!(scalar, "Int" | "Float" | "Boolean" | "String" | "ID")
}

/// Whether a value of a field may be one of an argument, by their scalars. A number is never a text
/// id, a text seldom a number, and of two custom scalars neither takes values of the other.
fn may_identify(field: &str, argument: &str) -> bool {
    let is_number = |name: &str| matches!(name, "Int" | "Long" | "BigInt");
    match argument {
        "ID" | "String" => true,
        _ if is_number(argument) => is_number(field),
        _ => field == argument || matches!(field, "ID" | "String"),
    }
}

/// Whether something of this type has a field that identifies it.
pub(super) fn has_id(schema: &Schema, id: TypeId) -> bool {
    own_ids(schema, id).next().is_some()
}

fn own_ids(schema: &Schema, id: TypeId) -> impl Iterator<Item = FieldId> + '_ {
    ids(schema, id).filter(|field| words(&schema.field(*field).name).len() == 1)
}

/// Fields of a type that identify something, itself or another.
fn ids(schema: &Schema, id: TypeId) -> impl Iterator<Item = FieldId> + '_ {
    schema.fields(id).filter(|field| {
        let definition = schema.field(*field);
        let scalar = schema.definition(definition.type_ref.named());
        let is_leaf = matches!(scalar.kind, TypeKind::Scalar { .. });
        is_leaf && is_id(&definition.name, &scalar.name)
    })
}

/// Coordinates of the arguments that a call of the operation may hold, those of input objects
/// included.
pub(super) fn coordinates(
    templates: &Templates,
    operation: &OperationTemplate,
) -> BTreeSet<String> {
    let schema = templates.schema();
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    for argument in &schema.field(operation.field).arguments {
        found.insert(format!("{}({}:)", operation.field_coordinate, argument.name));
        open.push(argument.type_ref.named());
    }
    let mut seen = BTreeSet::new();
    while let Some(next) = open.pop() {
        if let TypeKind::InputObject { fields, .. } = &schema.definition(next).kind
            && seen.insert(next.index())
        {
            for field in fields {
                found.insert(format!("{}.{}", schema.definition(next).name, field.name));
                open.push(field.type_ref.named());
            }
        }
    }
    found
}

/// What feeds each argument of the schema, by coordinate.
pub(super) fn sources(
    templates: &Templates,
    names: &TypeNames,
    resources: &[Option<TypeId>],
) -> HashMap<String, ArgumentSource> {
    let schema = templates.schema();
    let matcher = Matcher::new(schema, names);
    let mut sources = HashMap::new();
    let makers = templates.operations().iter().filter(|it| effect(it) == Effect::Create);
    let made: BTreeSet<String> = makers.flat_map(|it| coordinates(templates, it)).collect();
    let mut add = |coordinate: String, input: &InputValue, about: Option<TypeId>| {
        // What is made gets a name that nothing has yet.
        let own = about.filter(|_| made.contains(&coordinate));
        if let Some(source) = matcher.source(input, about, own) {
            sources.insert(coordinate, source);
        }
    };
    for (operation, about) in templates.operations().iter().zip(resources) {
        for argument in &schema.field(operation.field).arguments {
            add(format!("{}({}:)", operation.field_coordinate, argument.name), argument, *about);
        }
    }
    for (id, definition) in schema.types().filter(|(id, _)| !templates.holds_operations(*id)) {
        for field in schema.fields(id) {
            for argument in &schema.field(field).arguments {
                let about = Some(schema.field(field).type_ref.named());
                add(format!("{}({}:)", schema.coordinate(field), argument.name), argument, about);
            }
        }
        if let TypeKind::InputObject { fields, .. } = &definition.kind {
            let about = names.within(&words(&definition.name));
            for field in fields {
                add(format!("{}.{}", definition.name, field.name), field, about);
            }
        }
    }
    sources
}

/// Finds what an argument wants.
struct Matcher<'a> {
    schema: &'a Schema,
    names: &'a TypeNames,
    /// Object types that fields of a name return.
    by_field: HashMap<String, BTreeSet<TypeId>>,
    /// Names of fields that return a scalar.
    leaves: BTreeSet<String>,
}

impl<'a> Matcher<'a> {
    fn new(schema: &'a Schema, names: &'a TypeNames) -> Self {
        let mut by_field: HashMap<String, BTreeSet<TypeId>> = HashMap::new();
        let mut leaves = BTreeSet::new();
        for field in schema.types().flat_map(|(id, _)| schema.fields(id)) {
            let definition = schema.field(field);
            let returned = definition.type_ref.named();
            match schema.definition(returned).kind {
                TypeKind::Object { .. } | TypeKind::Interface { .. } => {
                    let key = words(&definition.name).concat();
                    by_field.entry(key).or_default().insert(returned);
                }
                TypeKind::Scalar { .. } => {
                    leaves.insert(definition.name.to_string());
                }
                _ => {}
            }
        }
        Self { schema, names, by_field, leaves }
    }

    fn source(
        &self,
        input: &InputValue,
        about: Option<TypeId>,
        own: Option<TypeId>,
    ) -> Option<ArgumentSource> {
        let scalar = self.schema.definition(input.type_ref.named());
        if !matches!(scalar.kind, TypeKind::Scalar { .. }) {
            return None;
        }
        let name = &*input.name;
        let source = |purpose, keys: Vec<String>| Some(ArgumentSource { purpose, keys });
        if ["after", "before", "cursor"].contains(&name) {
            let known = ["endCursor", "startCursor", "cursor", "nextCursor"];
            let known = known.iter().filter(|field| self.leaves.contains(**field));
            let keys: Vec<String> = known.map(|field| format!("*.{field}")).collect();
            return if keys.is_empty() { None } else { source(Purpose::Cursor, keys) };
        }
        let own_scalar = is_custom(&scalar.name).then(|| format!("scalar:{}", scalar.name));
        if is_id(name, &scalar.name) && !self.is_of_call(name) {
            let mut keys = self.id_keys(name, &scalar.name, about);
            // A service refuses what is no value of its scalar, as a relay id for a `UUID`.
            keys.push(own_scalar.unwrap_or_else(|| ANY_ID.to_owned()));
            return source(Purpose::Id, keys);
        }
        if let Some(key) = own_scalar {
            return source(Purpose::Scalar, vec![key, object_key(&scalar.name, name)]);
        }
        let is_same = is_text_or_number(&scalar.name) && self.leaves.contains(name);
        let same = || source(Purpose::Same, vec![format!("*.{name}")]);
        self.named(input, own).or_else(|| if is_same { same() } else { None })
    }

    /// The name of a thing of another type than `own`, as `shelfName` says: what things of the type are
    /// called.
    fn named(&self, input: &InputValue, own: Option<TypeId>) -> Option<ArgumentSource> {
        let words = words(&input.name);
        let (last, of) =
            words.split_last().filter(|(last, of)| is_naming(last) && !of.is_empty())?;
        let thing = self.names.named(of).filter(|thing| Some(*thing) != own)?;
        let definition = self.schema.definition(thing);
        let scalar = &self.schema.definition(input.type_ref.named()).name;
        let names =
            self.schema.fields(thing).map(|field| self.schema.field(field)).find(|field| {
                let kind = &self.schema.definition(field.type_ref.named()).name;
                *field.name == **last && !field.needs_arguments() && kind == scalar
            })?;
        let keys = vec![format!("{}.{}", definition.name, names.name)];
        Some(ArgumentSource { purpose: Purpose::Named, keys })
    }

    /// Whether a name is one of the call itself, and of no thing.
    fn is_of_call(&self, name: &str) -> bool {
        let words = words(name);
        let is_told = words.iter().any(|word| OF_CALLS.contains(&&**word));
        is_told && self.names.within(&words).is_none()
    }

    /// Whether an object type is one of those that an interface or a union stands for.
    fn is_kind_of(&self, id: TypeId, named: TypeId) -> bool {
        self.schema.definition(named).possible_types().contains(&id)
    }

    /// The types of things whose name ends in these words, as `BoardRange` does for `rangeId`.
    fn ending(&self, of: &[String]) -> Option<BTreeSet<TypeId>> {
        let ends = |name: &str| {
            let words = words(name);
            let start = words.len().checked_sub(of.len());
            start.is_some_and(|start| stem(&words[start..]) == stem(of))
        };
        let things = self.schema.types().filter(|(id, definition)| {
            let is_thing = matches!(definition.kind, TypeKind::Object { .. });
            is_thing && ends(&definition.name) && has_id(self.schema, *id)
        });
        let things: BTreeSet<TypeId> = things.map(|(id, _)| id).collect();
        (1..=MOST_TYPES).contains(&things.len()).then_some(things)
    }

    /// `Type.field` of what the argument may identify.
    fn id_keys(&self, name: &str, scalar: &str, about: Option<TypeId>) -> Vec<String> {
        let words = words(name);
        let is_named = words.last().is_some_and(|last| ID_WORDS.contains(&&**last));
        let of = if is_named { &words[..words.len() - 1] } else { &words[..] };
        let types: BTreeSet<TypeId> = match self.names.named(of) {
            _ if of.is_empty() => about.into_iter().collect(),
            // What names things of all kinds, as `nodeId` does, means that which the call is about.
            Some(named) if about.is_some_and(|it| self.is_kind_of(it, named)) => {
                about.into_iter().collect()
            }
            Some(named) => [named].into(),
            None => {
                let returned =
                    self.by_field.get(&of.concat()).or_else(|| self.by_field.get(&stem(of)));
                let returned = returned.filter(|types| {
                    types.len() <= MOST_TYPES && types.iter().any(|id| has_id(self.schema, *id))
                });
                let ending = || self.ending(of);
                match returned.cloned().or_else(ending) {
                    Some(types) => types,
                    None => self.names.within(of).or(about).into_iter().collect(),
                }
            }
        };
        let mut keys = Vec::new();
        for id in types {
            let type_name = &self.schema.definition(id).name;
            let last = words.last().map_or("id", |last| &**last);
            // `document(documentId:)` takes what the document calls so.
            let same = ids(self.schema, id).find(|it| *self.schema.field(*it).name == *name);
            let own: Vec<FieldId> = match same {
                Some(same) => vec![same],
                None => own_ids(self.schema, id).collect(),
            };
            let exact =
                own.iter().filter(|field| *self.schema.field(**field).name == *singular(last));
            let chosen: Vec<&FieldId> = exact.collect();
            let chosen = if chosen.is_empty() { own.iter().collect() } else { chosen };
            for field in chosen {
                let definition = self.schema.field(*field);
                let known = &self.schema.definition(definition.type_ref.named()).name;
                if may_identify(known, scalar) {
                    keys.push(format!("{type_name}.{}", definition.name));
                }
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::graphql::link::Links;

    #[test]
    fn ids_of_a_custom_scalar_come_from_that_scalar_alone() {
        let sdl = "scalar UUID scalar Slug
            type Query { payment(id: UUID!, slug: Slug): Payment item(id: ID!, key: String): Item }
            type Payment { id: UUID! slug: Slug nodeId: ID! } type Item { id: ID! key: UUID }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let keys = |coordinate: &str| links.source(coordinate).unwrap().keys.clone();
        assert_eq!(keys("Query.payment(id:)"), ["Payment.id", "scalar:UUID"]);
        assert_eq!(keys("Query.payment(slug:)"), ["Payment.slug", "scalar:Slug"]);
        assert_eq!(keys("Query.item(id:)"), ["Item.id", ANY_ID]);
        assert_eq!(keys("Query.item(key:)"), ["Item.key", ANY_ID]);
    }

    #[test]
    fn an_id_of_whatever_there_is_means_what_the_call_is_about() {
        let sdl = "interface Node { nodeId: ID! } type Query { item(nodeId: ID!): Item node(nodeId: ID!): Node }
            type Item implements Node { nodeId: ID! } type Shelf implements Node { nodeId: ID! }
            type Mutation { updateShelf(input: UpdateShelfInput!): Updated }
            input UpdateShelfInput { clientMutationId: String nodeId: ID! clientId: ID } type Updated { shelf: Shelf }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let keys = |coordinate: &str| links.source(coordinate).unwrap().keys.clone();
        assert_eq!(keys("Query.item(nodeId:)"), ["Item.nodeId", ANY_ID]);
        assert_eq!(keys("UpdateShelfInput.nodeId"), ["Shelf.nodeId", ANY_ID]);
        assert_eq!(keys("Query.node(nodeId:)"), ["Node.nodeId", ANY_ID]);
        assert!(links.source("UpdateShelfInput.clientMutationId").is_none(), "made up for a call");
        let clients = sdl.replace("Shelf ", "Client ").replace("UpdateShelf", "UpdateClient");
        let templates = Templates::new(Arc::new(Schema::from_sdl(&clients).unwrap())).unwrap();
        let links = Links::new(&templates);
        assert_eq!(links.source("UpdateClientInput.clientId").unwrap().purpose, Purpose::Id);
    }

    #[test]
    fn the_name_of_a_thing_is_what_things_of_its_type_are_called() {
        let sdl = "type Query { shelves: [Shelf] item(of: Selector!): Item find(shelfName: String): Int }
            type Shelf { name: String size: Int } type Item { shelfName: String code(in: Int!): String }
            type Mutation { createShelf(shelfName: String, itemCode: String): Shelf move(shelfName: String): Int }
            input Selector { shelfName: String! shelfSize: Int itemCode: String }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let keys = |at: &str| links.source(at).map(|it| (it.purpose, it.keys.join(" ")));
        let named = Some((Purpose::Named, "Shelf.name".to_owned()));
        assert_eq!(keys("Selector.shelfName"), named);
        assert_eq!(keys("Query.find(shelfName:)"), named);
        assert_eq!(keys("Mutation.move(shelfName:)"), named);
        let same = Some((Purpose::Same, "*.shelfName".to_owned()));
        assert_eq!(keys("Mutation.createShelf(shelfName:)"), same, "a new one has its own name");
        assert_eq!(keys("Selector.shelfSize"), None);
        assert_eq!(keys("Selector.itemCode"), None, "none without an argument");
        assert_eq!(links.producers("Shelf.name").len(), 2);
    }

    #[test]
    fn an_argument_takes_what_the_thing_itself_calls_so() {
        let sdl = "type Query { article(documentId: ID!): Article }
            type Article { documentId: ID! slug: ID }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let keys = &links.source("Query.article(documentId:)").unwrap().keys;
        assert_eq!(keys[0], "Article.documentId");
        assert!(!keys.iter().any(|key| key == "Article.slug"), "{keys:?}");
    }

    #[test]
    fn the_last_words_of_a_type_are_enough_to_name_its_things() {
        let sdl = "type Query { board(id: ID!): Board span: Span } type Board { id: ID! ranges: [DateRange] }
            type Span { range: From } type From { text: String } type DateRange { id: ID! range: From }
            type Mutation { updateBoardRange(rangeId: ID!): DateRange moveBoard(boardId: ID!): Board }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let keys = |coordinate: &str| links.source(coordinate).unwrap().keys.clone();
        assert_eq!(keys("Mutation.updateBoardRange(rangeId:)"), ["DateRange.id", ANY_ID]);
        assert_eq!(keys("Mutation.moveBoard(boardId:)"), ["Board.id", ANY_ID]);
    }
}
