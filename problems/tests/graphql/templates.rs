//! Templates: what the schema becomes.

use std::sync::Arc;

use wallace_genes::{GeneSettings, GeneSpec, SpecId, spec::ObjectPurpose};
use wallace_problems::graphql::{GraphqlProblem, OperationTemplate, SelectionMember, Templates};

use crate::support::{operation, templates};

const SDL: &str = "
    type Query {
        user(id: ID!, active: Boolean, role: Role! = ADMIN, filter: [Filter]): User
        node: Node
        thing: Thing
        ping: String
    }
    type Mutation { add(at: Date!, on: Date): Boolean  set(big: BigInt!): Int }
    scalar Date
    scalar BigInt
    enum Role { ADMIN GUEST }
    input Filter { text: String!  not: Filter }
    interface Node { id: ID! }
    type User implements Node { id: ID!  name: String  friends(first: Int): [User!]!  boss: User }
    type Tag implements Node { id: ID! }
    union Thing = User | Tag
";

/// A specification in a line: what a reader of the schema would expect.
fn shown(operation: &OperationTemplate, id: SpecId, depth: usize) -> String {
    let inner = |id: SpecId| shown(operation, id, depth);
    let fields = |fields: &[wallace_genes::Field]| {
        let field = |field: &wallace_genes::Field| format!("{}:{}", field.name, inner(field.spec));
        fields.iter().map(field).collect::<Vec<_>>().join(" ")
    };
    match operation.spec.graph().spec(id) {
        GeneSpec::Optional(optional) => {
            let mark = if optional.is_nullable { "??" } else { "?" };
            format!("{}{mark}", inner(optional.inner))
        }
        GeneSpec::Object(object) => {
            if depth == 0 {
                return object.type_name.to_string();
            }
            let purpose = if object.purpose == ObjectPurpose::Input { "in " } else { "" };
            let below = |field: &wallace_genes::Field| {
                format!("{}:{}", field.name, shown(operation, field.spec, depth - 1))
            };
            let below: Vec<String> = object.fields.iter().map(below).collect();
            format!("{purpose}{}{{{}}}", object.type_name, below.join(" "))
        }
        GeneSpec::Tuple(tuple) => format!("({})", fields(&tuple.elements)),
        GeneSpec::Array(array) => format!("[{}]", inner(array.element)),
        GeneSpec::Choice(choice) => format!("one of {}", fields(&choice.branches)),
        GeneSpec::Enum(names) => {
            let names = names.values.iter().map(|name| name.as_str().unwrap());
            names.collect::<Vec<_>>().join("|")
        }
        GeneSpec::String(_) => "String".to_owned(),
        GeneSpec::Integer(_) => "Integer".to_owned(),
        GeneSpec::Long(_) => "Long".to_owned(),
        GeneSpec::Float(_) => "Float".to_owned(),
        GeneSpec::Boolean => "Boolean".to_owned(),
        GeneSpec::Constant => "x".to_owned(),
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn check(coordinate: &str, expected: &str) {
    let templates = templates(SDL);
    let operation = operation(&templates, coordinate);
    assert_eq!(shown(operation, operation.spec.id(), 1), expected);
}

#[test]
fn a_nullable_argument_has_three_states_and_a_default_two() {
    check(
        "Query.user",
        "(id:String active:Boolean?? role:ADMIN|GUEST? \
         filter:[in Filter{text:String not:Filter??}??]?? \
         User:User{id:x? name:x? friends:(first:Integer?? User:User)? boss:User? __typename:x?})",
    );
}

#[test]
fn a_scalar_operation_is_an_empty_tuple() {
    check("Query.ping", "()");
}

#[test]
fn an_interface_has_fragments_for_the_types_with_further_fields() {
    check("Query.node", "(Node:Node{id:x? ... on User:User? __typename:x?})");
}

#[test]
fn a_union_has_a_fragment_for_every_member() {
    check("Query.thing", "(Thing:Thing{... on User:User? ... on Tag:Tag? __typename:x?})");
}

#[test]
fn custom_scalars_are_longs_by_name_or_texts_with_a_warning() {
    check("Mutation.add", "(at:String on:String??)");
    check("Mutation.set", "(big:Long)");
    let warned: Vec<String> =
        templates(SDL).warnings().iter().map(|warning| warning.coordinate.clone()).collect();
    assert_eq!(warned, ["Date"]);
}

#[test]
fn operations_are_numbered_in_schema_order_queries_first() {
    let templates = templates(SDL);
    let coordinates: Vec<&str> =
        templates.operations().iter().map(|operation| &*operation.coordinate).collect();
    let expected =
        ["Query.user", "Query.node", "Query.thing", "Query.ping", "Mutation.add", "Mutation.set"];
    assert_eq!(coordinates, expected);
    for (index, operation) in templates.operations().iter().enumerate() {
        assert_eq!(operation.id.0 as usize, index);
        assert_eq!(templates.operation(operation.id).unwrap().coordinate, operation.coordinate);
    }
    let user = operation(&templates, "Query.user");
    let arguments: Vec<String> = user
        .arguments
        .iter()
        .map(|argument| format!("{}: {}", argument.name, argument.type_text))
        .collect();
    assert_eq!(arguments, ["id: ID!", "active: Boolean", "role: Role!", "filter: [Filter]"]);
    assert!(user.has_selection && !operation(&templates, "Query.ping").has_selection);
}

#[test]
fn types_in_cycles_are_built_once() {
    let chain = |types: usize| {
        let mut sdl = "type Query { start: T0 }".to_owned();
        for index in 0..types {
            let others: Vec<String> =
                (0..types).map(|other| format!("to{other}: T{other}")).collect();
            sdl += &format!(" type T{index} {{ {} }}", others.join(" "));
        }
        templates(&sdl).graph().len()
    };
    // For each type its selection and the optional one, whatever the number of paths.
    assert_eq!(chain(8) - chain(4), 8);
}

#[test]
fn the_table_of_members_says_what_every_field_means() {
    let templates = templates(SDL);
    let schema = Arc::clone(templates.schema());
    let meaning = |coordinate: &str| -> Vec<String> {
        let operation = operation(&templates, coordinate);
        let GeneSpec::Tuple(tuple) = operation.spec.spec() else { panic!("a tuple") };
        let members = templates.members(tuple.elements.last().unwrap().spec);
        let name = |member: &SelectionMember| match member {
            SelectionMember::Field(id) => schema.coordinate(*id),
            SelectionMember::Fragment(id) => format!("on {}", schema.definition(*id).name),
            SelectionMember::Typename => "typename".to_owned(),
        };
        members.iter().map(name).collect()
    };
    assert_eq!(meaning("Query.node"), ["Node.id", "on User", "typename"]);
    assert_eq!(meaning("Query.thing"), ["on User", "on Tag", "typename"]);
    let user = ["User.id", "User.name", "User.friends", "User.boss", "typename"];
    assert_eq!(meaning("Query.user"), user);
    assert!(templates.members(operation(&templates, "Query.ping").spec.id()).is_empty());
}

#[test]
fn subscriptions_have_templates_and_are_called_when_asked_for() {
    let sdl = "type Query { a: Int } type Subscription { b(c: Int!): Int }";
    let templates = Arc::new(templates(sdl));
    let settings = wallace_engine::SearchSettings::default();
    let path = http::uri::PathAndQuery::from_static("/graphql");
    let problem = GraphqlProblem::new(Arc::clone(&templates), path, &settings).unwrap();
    assert_eq!(problem.callable().len(), 1);
    let problem = problem.with_subscriptions(&settings.genes);
    let names = problem.callable().iter().map(|id| &*templates.operation(*id).unwrap().coordinate);
    assert_eq!(names.collect::<Vec<_>>(), ["Query.a", "Subscription.b"]);
}

#[test]
fn a_required_argument_may_be_deeper_than_the_limit() {
    let sdl = "type Query { deep(a: A!): Int  flat(a: A): Int }
               input A { b: B! } input B { c: C! } input C { text: String }";
    let templates = templates(sdl);
    let callable = |coordinate: &str, input_depth: u32| {
        let settings = GeneSettings { input_depth, ..GeneSettings::default() };
        operation(&templates, coordinate).is_callable(&settings)
    };
    assert!(callable("Query.deep", 3) && !callable("Query.deep", 2));
    assert!(callable("Query.flat", 0));
}

/// Templates are shared between workers.
#[test]
fn templates_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Templates>();
}
