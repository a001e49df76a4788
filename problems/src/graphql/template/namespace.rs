//! Namespaces: fields of a root type that hold operations, as in `mutation { users { create } }`.
//!
//! GraphQL has no word for them. A field is taken for one where nothing is asked of it but what it
//! holds: it has no arguments, it returns one object of a type that nothing else in the schema
//! returns and that has no id, and at least half of the fields of that type have arguments. Where
//! the type is named like a root type (`PageQuery`), one field with arguments or that returns an object
//! is enough. What only looks like one loses nothing: its fields are called one by one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graphql::schema::{
    FieldDefinition, FieldId, OperationKind, Schema, TypeId, TypeKind, Wrapper,
};
use crate::word::words;

/// Most namespaces around an operation.
const DEPTH: usize = 3;

/// A field that holds operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// The field.
    pub field: FieldId,
    /// Its name.
    pub name: Arc<str>,
}

/// Where an operation stands.
pub(super) struct Place {
    pub(super) kind: OperationKind,
    pub(super) namespaces: Vec<Namespace>,
    pub(super) field: FieldId,
}

impl Place {
    /// The names that lead to it, under the schema's own name of the root type.
    pub(super) fn coordinate(&self, schema: &Schema) -> String {
        let Some(first) = self.namespaces.first() else { return schema.coordinate(self.field) };
        let mut text = schema.coordinate(first.field);
        for name in self.namespaces[1..].iter().map(|it| &it.name).chain([self.name(schema)]) {
            text.push('.');
            text.push_str(name);
        }
        text
    }

    /// Its name, then those of its namespaces from the innermost.
    pub(super) fn full_name(&self, schema: &Schema) -> String {
        let around = self.namespaces.iter().rev().map(|it| &*it.name);
        [&**self.name(schema)].into_iter().chain(around).collect::<Vec<_>>().join("_")
    }

    fn name<'s>(&self, schema: &'s Schema) -> &'s Arc<str> {
        &schema.field(self.field).name
    }
}

/// The operations of a schema: queries, then mutations, then subscriptions, in schema order.
pub(super) fn places(schema: &Schema) -> Vec<Place> {
    let returns = returns(schema);
    let mut found = Vec::new();
    for kind in OperationKind::ALL {
        if let Some(root) = schema.root(kind) {
            add(schema, &returns, (kind, root), &mut Vec::new(), &mut found);
        }
    }
    found
}

fn add(
    schema: &Schema,
    returns: &HashMap<TypeId, usize>,
    (kind, holder): (OperationKind, TypeId),
    around: &mut Vec<Namespace>,
    found: &mut Vec<Place>,
) {
    for id in schema.fields(holder) {
        let field = schema.field(id);
        let held = field.type_ref.named();
        let may_hold = kind != OperationKind::Subscription
            && around.len() < DEPTH
            && returns.get(&held) == Some(&1)
            && is_namespace(schema, field);
        if may_hold {
            around.push(Namespace { field: id, name: Arc::clone(&field.name) });
            add(schema, returns, (kind, held), around, found);
            around.pop();
        } else {
            found.push(Place { kind, namespaces: around.clone(), field: id });
        }
    }
}

/// How many fields return each type, and unions hold it.
fn returns(schema: &Schema) -> HashMap<TypeId, usize> {
    let mut returns: HashMap<TypeId, usize> = HashMap::new();
    for (id, definition) in schema.types() {
        for field in schema.fields(id) {
            *returns.entry(schema.returned(field)).or_default() += 1;
        }
        if let TypeKind::Union { possible_types } | TypeKind::Interface { possible_types, .. } =
            &definition.kind
        {
            possible_types.iter().for_each(|held| *returns.entry(*held).or_default() += 1);
        }
    }
    for kind in OperationKind::ALL {
        schema.root(kind).into_iter().for_each(|root| *returns.entry(root).or_default() += 1);
    }
    returns
}

fn is_namespace(schema: &Schema, field: &FieldDefinition) -> bool {
    let definition = schema.definition(field.type_ref.named());
    let is_one = !field.type_ref.wrappers().contains(&Wrapper::List);
    let is_object = matches!(definition.kind, TypeKind::Object { .. });
    if !field.arguments.is_empty() || !is_one || !is_object {
        return false;
    }
    let fields = definition.fields();
    let has_id = fields.iter().any(|it| *it.name == *"id" || *it.name == *"_id");
    let last = words(&definition.name).pop().unwrap_or_default();
    let is_named_so = ["query", "queries", "mutation", "mutations"].contains(&&*last);
    let is_operation = |it: &&FieldDefinition| {
        let returned = schema.definition(it.type_ref.named());
        !it.arguments.is_empty() || (is_named_so && returned.is_composite())
    };
    let count = fields.iter().filter(is_operation).count();
    !has_id && count > 0 && (is_named_so || 2 * count >= fields.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_genes::{GeneSettings, simplest};

    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;

    fn operations(sdl: &str) -> Vec<(String, String)> {
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let operations = templates.operations().iter().map(|operation| {
            let gene = simplest(&operation.spec, &GeneSettings::default());
            let text = templates.render(operation, &gene, Style::Compact);
            assert_eq!(templates.document(operation, &gene).text(Style::Compact), text);
            (operation.coordinate.to_string(), text)
        });
        operations.collect()
    }

    #[test]
    fn operations_of_a_namespace_are_called_one_by_one() {
        let sdl = "type Query { pages: PageQuery! site: Site } type Site { title: String }
            type PageQuery { tree: Tree list(first: Int!): [Int] } type Tree { depth: Int }
            type Mutation { users: Users } type Users { create(name: Int!): Int roles: Roles }
            type Roles { grant(id: Int!): Int }";
        let expected = [
            ("Query.pages.tree", "query{pages{tree{depth}}}"),
            ("Query.pages.list", "query{pages{list(first:0)}}"),
            ("Query.site", "query{site{title}}"),
            ("Mutation.users.create", "mutation{users{create(name:0)}}"),
            ("Mutation.users.roles.grant", "mutation{users{roles{grant(id:0)}}}"),
        ];
        let expected = expected.map(|(place, text)| (place.to_owned(), text.to_owned()));
        assert_eq!(operations(sdl), expected);
    }

    #[test]
    fn what_is_a_thing_or_a_page_of_things_is_no_namespace() {
        let sdl = "type Query { me: Me all: Page other(of: Int): Posts node: Any shop: Shop }
            type Me { id: ID! posts(first: Int): Int } type Page { items: [Post] total: Total }
            type Total { count: Int } type Post { name: String } type Posts { of(n: Int): Int }
            type Shop { name: String logo: String near(x: Int): Int } union Any = Thing
            type Thing { part(n: Int): Int } type Mutation { make: Made }
            type Made { post: Post name: String }";
        let found: Vec<String> = operations(sdl).into_iter().map(|(place, _)| place).collect();
        let expected =
            ["Query.me", "Query.all", "Query.other", "Query.node", "Query.shop", "Mutation.make"];
        assert_eq!(found, expected);
    }
}
