//! Schemas with something wrong in them: what is left stays usable, and nothing panics.

use std::sync::Arc;

use serde_json::{Value, json};
use wallace_genes::Rng;
use wallace_problems::graphql::{Schema, SchemaError, Style, Templates};

use crate::support::{dumps, introspect, sampled, wire_type};

const SDL: &str = r#"
    type Query { good: Good  find(by: By, role: Role!, id: ID = "1"): Found  all: [[Good!]]! }
    type Mutation { make(with: By!): Good }
    type Good { id: ID!  next(first: Int): Good  kind: Role }
    type Better implements Thing { id: ID!  text: String }
    interface Thing { id: ID! }
    union Found = Good | Better
    enum Role { A B }
    input By { text: String!  and: [By!] }
"#;

/// What remains of the schema after a change: operations, skipped ones and warnings.
struct Remains {
    operations: Vec<String>,
    skipped: Vec<String>,
    warnings: Vec<String>,
}

fn remains(sdl: &str, change: impl FnOnce(&mut Value)) -> Remains {
    let mut answer = introspect(sdl);
    change(&mut answer);
    let schema = Schema::from_introspection(answer.to_string().as_bytes()).unwrap();
    let templates = Templates::new(Arc::new(schema)).unwrap();
    exercise(&templates);
    Remains {
        operations: templates.operations().iter().map(|it| it.coordinate.to_string()).collect(),
        skipped: templates.skipped().iter().map(ToString::to_string).collect(),
        warnings: templates.schema().warnings().iter().map(ToString::to_string).collect(),
    }
}

/// Samples and renders some calls; what comes out must be GraphQL.
fn exercise(templates: &Templates) {
    for operation in templates.operations().iter().take(10) {
        for number in 0..3 {
            let gene = sampled(operation, number);
            if gene.is_placeholder() {
                continue;
            }
            let document = templates.render(operation, &gene, Style::Compact);
            if let Err(error) = async_graphql_parser::parse_query(&document) {
                panic!("{error}\n{document}");
            }
        }
    }
}

#[test]
fn a_field_of_an_unknown_type_is_never_selected() {
    let left = remains(SDL, |answer| {
        wire_type(answer, "Good")["fields"][2]["type"] = json!({ "kind": "ENUM", "name": "Nix" });
    });
    assert_eq!(left.operations.len(), 4);
    assert!(left.skipped.is_empty());
    assert_eq!(left.warnings, ["Good.kind: the type `Nix` cannot be used: it is not defined"]);
}

#[test]
fn an_operation_that_needs_an_unknown_type_is_skipped_with_the_reason() {
    let left = remains(SDL, |answer| {
        let unknown = json!({ "kind": "NON_NULL", "ofType": { "kind": "ENUM", "name": "Nix" } });
        wire_type(answer, "Query")["fields"][1]["args"][1]["type"] = unknown;
        wire_type(answer, "Query")["fields"][0]["type"] = json!({ "kind": "LIST" });
    });
    assert_eq!(left.operations, ["Query.all", "Mutation.make"]);
    let expected = [
        "Query.good: it returns `<type of Query.good>`, which cannot be used: \
         the schema does not say which type is inside all the marks",
        "Query.find: its argument `role` of type `Nix!` has no value: \
         the type `Nix` cannot be used: it is not defined",
    ];
    assert_eq!(left.skipped, expected);
    assert!(left.warnings[1].starts_with("Query.find(role:): "), "{:?}", left.warnings);
}

#[test]
fn an_input_that_requires_itself_takes_its_operation_along() {
    let sdl = "type Query { a(x: X!): Int  b(x: X): Int  c(x: [X!]!): Int }
               input X { y: Y } input Y { x: X }";
    let left = remains(sdl, |answer| {
        for (name, other) in [("X", "Y"), ("Y", "X")] {
            let required = json!({ "kind": "NON_NULL",
                "ofType": { "kind": "INPUT_OBJECT", "name": other } });
            wire_type(answer, name)["inputFields"][0]["type"] = required;
        }
    });
    assert_eq!(left.operations, ["Query.b", "Query.c"]);
    let expected = "Query.a: its argument `x` of type `X!` has no value: \
                    the input type `X` requires itself";
    assert_eq!(left.skipped, [expected]);
}

#[test]
fn a_type_that_cannot_be_read_breaks_itself_only() {
    let left = remains(SDL, |answer| wire_type(answer, "By")["inputFields"] = json!(5));
    assert_eq!(left.operations, ["Query.good", "Query.find", "Query.all"]);
    assert_eq!(left.skipped.len(), 1);
    assert!(left.warnings[0].starts_with("By: the type cannot be used"), "{:?}", left.warnings);
    let left = remains(SDL, |answer| wire_type(answer, "Better")["kind"] = json!("NOVELTY"));
    assert_eq!(left.operations.len(), 4);
    assert!(left.warnings[0].contains("its kind \"NOVELTY\" is unknown"), "{:?}", left.warnings);
}

#[test]
fn empty_types_are_warned_of_and_stay_selectable() {
    let left = remains(SDL, |answer| {
        wire_type(answer, "Found")["possibleTypes"] = json!([]);
        wire_type(answer, "Good")["fields"] = json!([]);
        wire_type(answer, "Role")["enumValues"] = json!([]);
    });
    assert_eq!(left.operations, ["Query.good", "Query.all", "Mutation.make"]);
    assert!(left.skipped[0].contains("the enum `Role` has no values"), "{:?}", left.skipped);
    for expected in
        ["Found: it has no possible types", "Good: it has no fields", "Role: it has no values"]
    {
        assert!(left.warnings.iter().any(|it| it == expected), "{:?}", left.warnings);
    }
}

#[test]
fn names_that_are_none_are_never_printed() {
    let left = remains(SDL, |answer| {
        wire_type(answer, "Query")["fields"][0]["name"] = json!("good } x {");
        wire_type(answer, "Query")["fields"][1]["args"][0]["name"] = json!("");
        wire_type(answer, "Good")["fields"][0]["name"] = json!("i d");
        wire_type(answer, "Role")["enumValues"][0]["name"] = json!("true");
    });
    assert_eq!(left.operations, ["Query.all", "Mutation.make"]);
    assert_eq!(left.warnings.len(), 4, "{:?}", left.warnings);
}

#[test]
fn repeated_and_misplaced_definitions_are_warned_of() {
    let left = remains(SDL, |answer| {
        let again = wire_type(answer, "Role").clone();
        answer["data"]["__schema"]["types"].as_array_mut().unwrap().push(again);
        let fields = wire_type(answer, "Good")["fields"].as_array_mut().unwrap();
        fields.push(fields[0].clone());
        wire_type(answer, "Found")["possibleTypes"][1] = json!({ "name": "Thing" });
        wire_type(answer, "Query")["fields"][0]["type"] =
            json!({ "kind": "INPUT_OBJECT", "name": "By" });
        wire_type(answer, "Thing")["possibleTypes"] = Value::Null;
    });
    assert_eq!(left.operations, ["Query.find", "Query.all", "Mutation.make"]);
    assert_eq!(left.skipped, ["Query.good: it returns `By`, which is an input type"]);
    for expected in [
        "Role: defined twice; the first definition counts",
        "Good: `id` is there twice; the first counts",
        "Found: possible types that are no object types, or repeated, are ignored",
        "Query.good: the type `By` cannot be returned",
        "Thing: its possible types are not listed; those that implement it count",
    ] {
        assert!(left.warnings.iter().any(|it| it == expected), "{:?}", left.warnings);
    }
}

#[test]
fn a_schema_without_a_usable_operation_names_the_first() {
    let mut answer = introspect("type Query { a: Int }");
    wire_type(&mut answer, "Query")["fields"][0]["type"] = Value::Null;
    let schema = Schema::from_introspection(answer.to_string().as_bytes()).unwrap();
    let error = Templates::new(Arc::new(schema)).unwrap_err();
    assert!(matches!(error, SchemaError::NoUsableOperation { count: 1, .. }), "{error}");
    assert!(error.to_string().contains("Query.a"), "{error}");
}

/// Bytes flipped, cut and repeated.
#[test]
fn damaged_text_never_panics() {
    let whole = introspect(SDL).to_string().into_bytes();
    let mut rng = Rng::new(3, 0);
    let mut readable = 0;
    for _ in 0..3_000 {
        let mut text = whole.clone();
        for _ in 0..=rng.below(3) {
            let place = rng.below(text.len());
            match rng.below(4) {
                0 => text[place] = rng.below(256) as u8,
                1 => text[place] = b"\"{}[],:0nt\\"[rng.below(11)],
                2 => drop(text.drain(place..(place + rng.below(40)).min(text.len()))),
                _ => text.truncate(place.max(1)),
            }
        }
        readable += usize::from(survives(&text));
    }
    assert!(readable > 300, "only {readable} damaged schemas were readable");
}

/// Members replaced, removed, and exchanged with others.
#[test]
fn damaged_structure_never_panics() {
    let whole = introspect(SDL);
    let mut rng = Rng::new(5, 0);
    let mut readable = 0;
    for _ in 0..3_000 {
        let mut answer = whole.clone();
        for _ in 0..=rng.below(4) {
            let donor = random_part(&mut answer, &mut rng).clone();
            let part = random_part(&mut answer, &mut rng);
            *part = match rng.below(6) {
                0 => Value::Null,
                1 => json!(rng.below(3)),
                2 => json!("Query"),
                3 => json!([]),
                4 => json!({}),
                _ => donor,
            };
        }
        readable += usize::from(survives(answer.to_string().as_bytes()));
    }
    assert!(readable > 1_000, "only {readable} damaged schemas were readable");
}

#[test]
fn damaged_schemas_of_real_services_never_panic() {
    for dump in dumps().iter().filter(|dump| dump.text.len() < 100_000) {
        let whole: Value = serde_json::from_slice(&dump.text).unwrap();
        let mut rng = Rng::new(7, 0);
        for _ in 0..20 {
            let mut answer = whole.clone();
            for _ in 0..10 {
                let donor = random_part(&mut answer, &mut rng).clone();
                *random_part(&mut answer, &mut rng) = donor;
            }
            survives(answer.to_string().as_bytes());
        }
    }
}

/// A random part of the answer, by a random walk: mostly from the list of types, else the root.
fn random_part<'a>(answer: &'a mut Value, rng: &mut Rng) -> &'a mut Value {
    let types = "/data/__schema/types";
    let is_inside = answer.pointer(types).is_some() && rng.chance(0.9);
    let mut value = if is_inside { answer.pointer_mut(types).unwrap() } else { answer };
    loop {
        let count = match &*value {
            Value::Array(parts) => parts.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        if count == 0 || rng.chance(0.02) {
            return value;
        }
        let chosen = rng.below(count);
        value = match value {
            Value::Array(parts) => &mut parts[chosen],
            Value::Object(members) => members.iter_mut().nth(chosen).unwrap().1,
            _ => unreachable!("it has parts"),
        };
    }
}

/// Reads and uses what can be used. Whether anything could.
fn survives(text: &[u8]) -> bool {
    let Ok(schema) = Schema::from_introspection(text) else { return false };
    let Ok(templates) = Templates::new(Arc::new(schema)) else { return false };
    exercise(&templates);
    true
}
