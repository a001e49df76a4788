//! The schema model, read from introspection answers.

use serde_json::{Value, json};
use wallace_problems::graphql::{OperationKind, Schema, SchemaError, TypeKind, Wrapper};

use crate::support::{introspect, schema, schema_with, wire_type};

const SDL: &str = r#"
    schema { query: QueryRoot mutation: Changes subscription: Feed }
    "Reads."
    type QueryRoot {
        "Finds a user."
        user(
            "Which one."
            id: ID!
            deep: [[[Int!]!]]! = [[[1]]]
        ): User
        old: Int @deprecated(reason: "use new")
    }
    type Changes { add(user: NewUser!): User! }
    type Feed { users: User }
    interface Named { name: String! }
    type User implements Named { name: String!  role: Role  thing: Thing }
    type Bot implements Named { name: String!  user: User }
    union Thing = User | Bot
    enum Role { ADMIN  GUEST @deprecated }
    input NewUser { name: String!  role: Role! = GUEST }
    scalar Date
"#;

#[test]
fn everything_of_the_schema_is_in_the_model() {
    let schema = schema(SDL);
    assert!(schema.warnings().is_empty(), "{:?}", schema.warnings());
    let root = |kind| schema.root(kind).map(|id| &*schema.definition(id).name);
    assert_eq!(root(OperationKind::Query), Some("QueryRoot"));
    assert_eq!(root(OperationKind::Mutation), Some("Changes"));
    assert_eq!(root(OperationKind::Subscription), Some("Feed"));

    let user = schema.field(schema.field_at("QueryRoot.user").unwrap());
    assert_eq!(user.description.as_deref(), Some("Finds a user."));
    assert_eq!(schema.type_text(&user.type_ref), "User");
    let [id, deep] = &*user.arguments else { panic!("two arguments") };
    assert_eq!(id.description.as_deref(), Some("Which one."));
    assert!(id.is_required() && !deep.is_required());
    assert_eq!(schema.type_text(&deep.type_ref), "[[[Int!]!]]!");
    use Wrapper::{List, NonNull};
    assert_eq!(deep.type_ref.wrappers(), [NonNull, List, List, NonNull, List, NonNull]);
    assert_eq!(deep.default.as_deref(), Some("[[[1]]]"));
    let old = schema.field(schema.field_at("QueryRoot.old").unwrap());
    assert_eq!(old.deprecation.as_deref(), Some("use new"));
    assert_eq!(schema.field_at("User.user"), None);
    assert_eq!(schema.field_at("user"), None);
}

#[test]
fn members_values_and_input_fields_are_in_the_model() {
    let schema = schema(SDL);
    let definition = |name: &str| schema.definition(schema.type_named(name).unwrap());
    let names = |name: &str| -> Vec<&str> {
        let possible = definition(name).possible_types().iter();
        possible.map(|id| &*schema.definition(*id).name).collect()
    };
    assert_eq!(names("Thing"), ["User", "Bot"]);
    let mut implementers = names("Named");
    implementers.sort_unstable();
    assert_eq!(implementers, ["Bot", "User"]);
    let TypeKind::Enum { values } = &definition("Role").kind else { panic!("an enum") };
    assert_eq!(values.len(), 2);
    assert_eq!(values[1].deprecation.as_deref(), Some("No longer supported"));
    let TypeKind::InputObject { fields, is_one_of } = &definition("NewUser").kind else {
        panic!("an input object")
    };
    assert!(!is_one_of && fields[0].is_required() && !fields[1].is_required());
    assert_eq!(fields[1].default.as_deref(), Some("GUEST"));
    assert_eq!(definition("Date").kind, TypeKind::Scalar { specified_by: None });
    assert_eq!(definition("QueryRoot").description.as_deref(), Some("Reads."));
}

#[test]
fn newer_members_are_understood_where_they_are() {
    let schema = schema_with(SDL, |answer| {
        wire_type(answer, "NewUser")["isOneOf"] = true.into();
        wire_type(answer, "Date")["specifiedByURL"] = "https://date.example".into();
    });
    let kind = |name: &str| &schema.definition(schema.type_named(name).unwrap()).kind;
    assert!(matches!(kind("NewUser"), TypeKind::InputObject { is_one_of: true, .. }));
    let TypeKind::Scalar { specified_by } = kind("Date") else { panic!("a scalar") };
    assert_eq!(specified_by.as_deref(), Some("https://date.example"));
}

#[test]
fn the_data_around_it_and_a_byte_order_mark_do_not_matter() {
    let answer = introspect(SDL);
    let bare = answer["data"].to_string();
    assert!(Schema::from_introspection(bare.as_bytes()).is_ok());
    let marked = format!("\u{feff}{answer}");
    assert!(Schema::from_introspection(marked.as_bytes()).is_ok());
    let pretty = serde_json::to_vec_pretty(&answer).unwrap();
    assert!(Schema::from_introspection(&pretty).is_ok());
}

#[track_caller]
fn refused(answer: &str) -> SchemaError {
    Schema::from_introspection(answer.as_bytes()).unwrap_err()
}

#[test]
fn a_refusal_says_what_the_service_said_and_what_to_do() {
    let answer = r#"{"errors":[{"message":"introspection is disabled"}],"data":null}"#;
    let error = refused(answer);
    let expected = SchemaError::Refused { message: "introspection is disabled".to_owned() };
    assert_eq!(error, expected);
    assert!(error.to_string().contains("--schema"), "{error}");
    assert!(matches!(refused(r#"{"errors":[17]}"#), SchemaError::Refused { .. }));
}

#[test]
fn a_schema_that_comes_with_an_error_is_used_with_a_warning() {
    let schema = schema_with(SDL, |answer| answer["errors"] = json!([{ "message": "partly" }]));
    let [warning] = schema.warnings() else { panic!("one warning") };
    assert_eq!(warning.to_string(), "__schema: the answer also holds an error: partly");
}

#[test]
fn what_is_no_schema_says_so() {
    let page = refused("<!doctype html><title>502 Bad Gateway</title>");
    assert!(page.to_string().contains("<!doctype html>"), "{page}");
    assert!(matches!(page, SchemaError::NotJson { .. }));
    assert!(matches!(refused(""), SchemaError::NotJson { .. }));
    assert!(matches!(refused(r#"{"data":{"__schema":"#), SchemaError::NotJson { .. }));
    for answer in ["{}", "[]", "7", r#"{"data":{}}"#, r#"{"data":7}"#, r#"{"errors":[]}"#] {
        assert!(matches!(refused(answer), SchemaError::NotIntrospection { .. }), "{answer}");
    }
}

#[test]
fn a_schema_needs_a_query_type_and_an_operation() {
    let changed = |change: fn(&mut Value)| {
        let mut answer = introspect(SDL);
        change(&mut answer);
        refused(&answer.to_string())
    };
    let without = changed(|answer| answer["data"]["__schema"]["queryType"] = Value::Null);
    assert_eq!(without, SchemaError::NoQueryType);
    let unknown =
        changed(|answer| answer["data"]["__schema"]["queryType"] = json!({ "name": "Nix" }));
    assert!(unknown.to_string().contains("`Nix`"), "{unknown}");
    let scalar =
        changed(|answer| answer["data"]["__schema"]["queryType"] = json!({ "name": "Date" }));
    assert!(scalar.to_string().contains("not an object type"), "{scalar}");
    let empty = changed(|answer| {
        wire_type(answer, "QueryRoot")["fields"] = json!([]);
        answer["data"]["__schema"]["mutationType"] = Value::Null;
    });
    assert_eq!(empty, SchemaError::NoOperations);
}
