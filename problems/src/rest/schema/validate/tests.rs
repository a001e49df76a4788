//! Tests of the validator.

use serde_json::json;

use super::*;
use crate::rest::{Description, Location, ReadSettings};

/// The schema of a body, read from a description around it.
fn schemas(schema: &str) -> (Schemas, SchemaId) {
    let text = format!(
        r#"{{"openapi":"3.1.0","info":{{"title":"t","version":"1"}},"paths":{{"/x":{{"post":{{"requestBody":
        {{"content":{{"application/json":{{"schema":{schema}}}}}}},"responses":{{}}}}}}}}}}"#
    );
    let location = Location::Text("test".to_owned());
    let settings = ReadSettings::default();
    let description =
        Description::from_text(&text, location, &settings, &|_| Err(String::new())).unwrap();
    let schema = description.operations[0].bodies[0].schema;
    (description.schemas, schema)
}

fn keywords(schema: &str, value: &Value) -> Vec<(String, &'static str)> {
    let (schemas, id) = schemas(schema);
    let found = schemas.mismatches(id, value, Direction::Received);
    found.into_iter().map(|mismatch| (mismatch.pointer, mismatch.keyword)).collect()
}

#[test]
fn each_keyword_is_judged() {
    let cases = [
        (r#"{"type":"integer"}"#, json!("x"), "type"),
        (r#"{"enum":[1,"a"]}"#, json!(2), "enum"),
        (r#"{"type":"string","maxLength":1}"#, json!("\u{1F600}a"), "length"),
        (r#"{"type":"string","pattern":"^a"}"#, json!("ba"), "pattern"),
        (r#"{"type":"string","format":"date"}"#, json!("ba"), "date"),
        (r#"{"type":"string","format":"uuid"}"#, json!("ba"), "format"),
        (r#"{"minimum":1}"#, json!(0), "minimum"),
        (r#"{"exclusiveMaximum":1}"#, json!(1), "maximum"),
        (r#"{"multipleOf":0.1}"#, json!(0.25), "multipleOf"),
        (r#"{"minItems":1}"#, json!([]), "items"),
        (r#"{"uniqueItems":true}"#, json!([1, 1]), "uniqueItems"),
        (r#"{"oneOf":[{"type":"integer"},{"minimum":0}]}"#, json!(1), "oneOf"),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, json!("x"), "anyOf"),
        (r#"{"not":{"type":"integer"}}"#, json!(1), "not"),
        ("false", json!(1), "false"),
    ];
    for (schema, value, keyword) in cases {
        assert_eq!(keywords(schema, &value), [(String::new(), keyword)], "{schema}");
    }
}

#[test]
fn of_alternatives_what_is_missed_in_the_one_that_is_meant_is_told() {
    let of = |least: u32| {
        format!(
            r#"{{"type":"object","properties":{{"a":{{"minimum":{least}}},"b":{{"minimum":{least}}}}}}}"#
        )
    };
    for keyword in ["anyOf", "oneOf"] {
        let schema = format!(r#"{{"{keyword}":[{{"type":"string"}},{},{}]}}"#, of(9), of(2));
        let found = keywords(&schema, &json!({ "a": 1, "b": 5 }));
        assert_eq!(found, [("/a".to_owned(), "minimum")], "{keyword}");
    }
}

#[test]
fn an_alternative_that_is_told_is_judged_alone() {
    let at = "#/paths/~1x/post/requestBody/content/application~1json/schema/$defs";
    let schema = format!(
        r##"{{"$defs":{{"A":{{"type":"object","properties":{{"kind":{{}},"a":{{"type":"integer"}}}}}},
        "B":{{"type":"object","properties":{{"kind":{{}}}}}}}},"oneOf":[{{"$ref":"{at}/A"}},{{"$ref":"{at}/B"}}],
        "discriminator":{{"propertyName":"kind","mapping":{{"of a":"{at}/A","of b":"{at}/B"}}}}}}"##
    );
    assert!(keywords(&schema, &json!({ "kind": "of a", "a": 1 })).is_empty(), "both hold");
    let found = keywords(&schema, &json!({ "kind": "of a", "a": "x" }));
    assert_eq!(found, [("/a".to_owned(), "type")]);
    assert!(keywords(&schema, &json!({ "kind": "of b", "a": "x" })).is_empty());
    let found = keywords(&schema, &json!({ "kind": "of c" }));
    assert_eq!(found, [(String::new(), "oneOf")]);
}

#[test]
fn mismatches_of_elements_are_one_and_have_their_place() {
    let schema = r#"{"type":"array","items":{"type":"object","properties":{"a/b":{"type":"integer"}},
        "required":["c"],"additionalProperties":false}}"#;
    let found = keywords(schema, &json!([{ "a/b": "x", "c": 1 }, { "a/b": "y" }]));
    let at = |pointer: &str, keyword| (pointer.to_owned(), keyword);
    assert_eq!(
        found,
        [at("/*/a~1b", "type"), at("/*/c", "additionalProperties"), at("/*/c", "required")]
    );
}

#[test]
fn what_a_map_holds_is_one_place() {
    let schema =
        r#"{"properties":{"n":{"type":"null"}},"additionalProperties":{"type":"integer"}}"#;
    let found = keywords(schema, &json!({ "n": null, "a": "x", "b": "y", "c": 3 }));
    assert_eq!(found, [("/*".to_owned(), "type")]);
}

#[test]
fn what_is_only_sent_is_not_expected_back() {
    let schema =
        r#"{"properties":{"p":{"writeOnly":true},"q":{"readOnly":true}},"required":["p","q"]}"#;
    let (schemas, id) = schemas(schema);
    let missing = |direction| schemas.mismatches(id, &json!({}), direction)[0].pointer.clone();
    assert_eq!(missing(Direction::Received), "/q");
    assert_eq!(missing(Direction::Sent), "/p");
}

#[test]
fn a_place_begins_at_the_nearest_schema_that_references_name() {
    let here = "#/paths/~1x/post/requestBody/content/application~1json/schema/$defs/User";
    let schema = format!(
        r#"{{"$defs":{{"User":{{"title":"Somebody","properties":{{"mail":{{"title":"Mail","type":"string"}}}}}}}},
        "properties":{{"data":{{"$ref":"{here}"}},"more":{{"title":"More","type":"string"}}}}}}"#
    );
    let (schemas, id) = schemas(&schema);
    let value = json!({ "data": { "mail": 1 }, "more": 1 });
    let found = schemas.mismatches(id, &value, Direction::Received);
    let places: Vec<String> = found.into_iter().map(|mismatch| mismatch.place).collect();
    assert_eq!(places, ["User/mail", "/more"]);
}

#[test]
fn what_all_parts_ask_for_is_missing_once() {
    let schema = r##"{"$defs":{"Base":{"type":"object","required":["id"]}},"type":"object","required":["id"],
        "allOf":[{"$ref":"#/paths/~1x/post/requestBody/content/application~1json/schema/$defs/Base"},
                 {"type":"object"}]}"##;
    assert_eq!(keywords(schema, &json!("x")), [(String::new(), "type")]);
    assert_eq!(keywords(schema, &json!({})), [("/id".to_owned(), "required")]);
}
