//! Hostile descriptions end in bounded time and memory, and never read what they must not.

use std::cell::RefCell;
use std::fmt::Write;

use wallace_problems::rest::{Description, DescriptionError, Direction, Location, ReadSettings};

use crate::support::{openapi, read};

const BODY: &str = "{post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}";

fn with_schemas(schemas: &str) -> Description {
    read("hostile", &openapi(&format!("{{/x: {BODY}}}"), schemas)).unwrap()
}

#[test]
fn circles_of_every_kind_end() {
    for schemas in [
        "{A: {$ref: '#/components/schemas/A'}}",
        "{A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}",
        "{A: {allOf: [{$ref: '#/components/schemas/B'}]}, B: {allOf: [{$ref: '#/components/schemas/A'}]}}",
        "{A: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}}",
        "{A: {not: {$ref: '#/components/schemas/A'}}}",
        "{A: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}}}",
        "{A: {type: array, minItems: 1, items: {$ref: '#/components/schemas/A'}}}",
    ] {
        let description = with_schemas(schemas);
        let schema = description.operations[0].bodies[0].schema;
        let value = serde_json::json!({ "a": { "a": [[[1]]] } });
        let _ = description.schemas.mismatches(schema, &value, Direction::Sent);
        let _ = description.schemas.flat(&[schema.into()]);
    }
}

#[test]
fn deep_nesting_is_refused_and_deep_references_are_not() {
    let deep = format!("{{\"openapi\":{}", "{\"a\":".repeat(100_000));
    assert!(matches!(read("deep", &deep), Err(DescriptionError::Document { .. })));
    let mut schemas = "{".to_owned();
    for number in 0..20_000 {
        let name = if number == 0 { "A".to_owned() } else { format!("A{number}") };
        write!(
            schemas,
            "{name}: {{type: object, properties: {{n: {{$ref: '#/components/schemas/A{}'}}}}}}, ",
            number + 1
        )
        .unwrap();
    }
    schemas.push_str("A20000: {type: string}}");
    assert!(with_schemas(&schemas).schemas.len() > 20_000);
}

#[test]
fn many_paths_are_read_in_linear_time() {
    let mut text = "openapi: 3.0.0\npaths:\n".to_owned();
    for number in 0..100_000 {
        writeln!(text, "  /p{number}/{{id}}: {{get: {{}}}}").unwrap();
    }
    let description = read("many", &text).unwrap();
    assert_eq!(description.operations.len(), 100_000);
    assert_eq!(description.diagnostics.len(), 1_000);
}

#[test]
fn bombs_of_aliases_and_alternatives_stay_small() {
    let mut text = "openapi: 3.1.0\nx0: &x0 {type: string}\n".to_owned();
    for level in 1..40 {
        let below = format!("*x{}", level - 1);
        writeln!(
            text,
            "x{level}: &x{level} {{oneOf: [{below}, {below}, {below}], enum: [{below}, {below}]}}"
        )
        .unwrap();
    }
    text.push_str(
        "paths:\n  /x: {post: {requestBody: {content: {application/json: {schema: *x39}}}}}\n",
    );
    let description = read("bomb", &text).unwrap();
    let schema = description.operations[0].bodies[0].schema;
    let _ = description.schemas.mismatches(schema, &"x".into(), Direction::Sent);
}

#[test]
fn references_lead_out_only_where_that_is_allowed_and_never_out_of_the_folder() {
    let references = [
        "file:///etc/passwd",
        "/etc/passwd",
        "../secret.yaml",
        "http://other.host/x.yaml",
        "a/b.yaml",
    ];
    let mut schemas = "{A: {anyOf: [".to_owned();
    for reference in references {
        write!(schemas, "{{$ref: '{reference}#/x'}}, ").unwrap();
    }
    schemas.push_str("{type: string}]}}");
    let text = openapi(&format!("{{/x: {BODY}}}"), &schemas);
    let fetched = RefCell::new(Vec::new());
    let fetch = |url: &str| {
        fetched.borrow_mut().push(url.to_owned());
        Ok("x: {type: integer}".to_owned())
    };
    let location = Location::Url("http://127.0.0.1:1/v1/openapi.yaml".to_owned());
    let closed = ReadSettings::default();
    Description::from_text(&text, location.clone(), &closed, &fetch).unwrap();
    assert!(fetched.borrow().is_empty());
    let open = ReadSettings { external_references: true, ..closed };
    let description = Description::from_text(&text, location, &open, &fetch).unwrap();
    assert_eq!(*fetched.borrow(), ["http://127.0.0.1:1/v1/a/b.yaml"]);
    let refused =
        description.diagnostics.iter().filter(|told| told.problem.contains("not allowed"));
    assert_eq!(refused.count(), references.len() - 1);
}

#[test]
fn files_beside_a_file_are_read_and_links_out_of_the_folder_are_not() {
    let folder = std::env::temp_dir().join(format!("wallace-references-{}", std::process::id()));
    let inside = folder.join("inside");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::write(folder.join("secret.yaml"), "x: {type: boolean}").unwrap();
    std::fs::write(inside.join("part.yaml"), "x: {type: integer, maximum: 3}").unwrap();
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink(folder.join("secret.yaml"), inside.join("link.yaml"));
    let schemas = "{A: {anyOf: [{$ref: 'part.yaml#/x'}, {$ref: 'link.yaml#/x'}, {$ref: '../secret.yaml#/x'}]}}";
    let main = inside.join("main.yaml");
    std::fs::write(&main, openapi(&format!("{{/x: {BODY}}}"), schemas)).unwrap();
    let open = ReadSettings { external_references: true, ..ReadSettings::default() };
    let description = Description::from_file(&main, &open).unwrap();
    let schema = description.operations[0].bodies[0].schema;
    let allows =
        |value: serde_json::Value| description.schemas.allows(schema, &value, Direction::Sent);
    // What is not read allows everything.
    assert!(allows(2.into()) && description.diagnostics.len() == 2);
    std::fs::remove_dir_all(&folder).unwrap();
}
