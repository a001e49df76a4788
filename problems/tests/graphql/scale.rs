//! Large schemas: nothing grows faster than the schema.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wallace_problems::graphql::{Schema, Style, Templates};

use crate::support::sampled;

/// The introspection answer of a service with so many object types, all of which implement one
/// interface and refer to others, and as many input types, each of which holds the next.
fn large(types: usize) -> String {
    let named = |name: &str| format!(r#"{{"kind":"OBJECT","name":"{name}","ofType":null}}"#);
    let mut text = String::from(
        r#"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","fields":[{"name":"node","args":[],"type":{"kind":"INTERFACE","name":"Node"}}"#,
    );
    for index in 0..types {
        let returned = named(&format!("T{index}"));
        let argument = format!(
            r#"{{"name":"in","type":{{"kind":"INPUT_OBJECT","name":"I{index}"}},"defaultValue":null}}"#
        );
        write!(text, r#",{{"name":"get{index}","args":[{argument}],"type":{returned}}}"#).unwrap();
    }
    text.push_str("]}");
    let id = r#"{"name":"id","args":[],"type":{"kind":"SCALAR","name":"ID"}}"#;
    let members: Vec<String> = (0..types).map(|index| named(&format!("T{index}"))).collect();
    let members = members.join(",");
    write!(
        text,
        r#",{{"kind":"INTERFACE","name":"Node","fields":[{id}],"possibleTypes":[{members}]}}"#
    )
    .unwrap();
    for index in 0..types {
        let next = named(&format!("T{}", (index * 7 + 1) % types));
        write!(
            text,
            r#",{{"kind":"OBJECT","name":"T{index}","interfaces":[{{"name":"Node"}}],"fields":[{id},{{"name":"next","args":[],"type":{next}}},{{"name":"many","args":[{{"name":"first","type":{{"kind":"SCALAR","name":"Int"}}}}],"type":{{"kind":"LIST","ofType":{next}}}}}]}}"#
        )
        .unwrap();
        let inner = format!(r#"{{"kind":"INPUT_OBJECT","name":"I{}"}}"#, (index + 1) % types);
        write!(
            text,
            r#",{{"kind":"INPUT_OBJECT","name":"I{index}","inputFields":[{{"name":"next","type":{inner}}},{{"name":"text","type":{{"kind":"SCALAR","name":"String"}}}}]}}"#
        )
        .unwrap();
    }
    text.push_str("]}}}");
    text
}

#[test]
fn twenty_thousand_types_are_no_problem() {
    let schema = Schema::from_introspection(large(10_000).as_bytes()).unwrap();
    assert_eq!(schema.warnings(), []);
    let templates = Templates::new(Arc::new(schema)).unwrap();
    assert_eq!(templates.operations().len(), 10_001);
    let nodes = templates.graph().len() as f64;
    let smaller = Schema::from_introspection(large(1_000).as_bytes()).unwrap();
    let smaller = Templates::new(Arc::new(smaller)).unwrap().graph().len() as f64;
    assert!((9.0..11.0).contains(&(nodes / smaller)), "{smaller} became {nodes}");
    for operation in templates.operations().iter().step_by(100) {
        let document = templates.render(operation, &sampled(operation, 0), Style::Compact);
        assert!(document.len() < 20_000, "{}", document.len());
    }
}

#[test]
fn twenty_thousand_types_of_definition_language_are_no_problem() {
    let types = 10_000;
    let mut text = String::from("interface Node { id: ID! } type Query { node: Node");
    for index in 0..types {
        write!(text, " get{index}(in: I{index}): T{index}").unwrap();
    }
    text.push('}');
    for index in 0..types {
        let next = (index * 7 + 1) % types;
        write!(text, " type T{index} implements Node {{ id: ID! next: [T{next}] }}").unwrap();
        write!(text, " input I{index} {{ next: I{next} text: String = \"\" }}").unwrap();
    }
    let started = Instant::now();
    let schema = Schema::from_sdl(&text).unwrap();
    assert_eq!(schema.warnings(), []);
    let node = schema.definition(schema.type_named("Node").unwrap());
    assert_eq!(node.possible_types().len(), types);
    assert_eq!(Templates::new(Arc::new(schema)).unwrap().operations().len(), types + 1);
    // A second where nothing else runs; what grows with the square of the schema takes minutes.
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn marks_of_any_depth_are_read_within_the_limits_of_json() {
    let reference = |depth: usize| {
        let open = r#"{"kind":"LIST","ofType":"#.repeat(depth);
        format!(r#"{open}{{"kind":"SCALAR","name":"Int"}}{}"#, "}".repeat(depth))
    };
    let schema = |depth: usize| {
        let argument = format!(r#"[{{"name":"x","type":{}}}]"#, reference(depth));
        let field = format!(r#"{{"name":"a","args":{argument},"type":{}}}"#, reference(0));
        let good = r#"{"name":"b","args":[],"type":{"kind":"SCALAR","name":"Int"}}"#;
        let query = format!(r#"{{"kind":"OBJECT","name":"Query","fields":[{field},{good}]}}"#);
        format!(r#"{{"__schema":{{"queryType":{{"name":"Query"}},"types":[{query}]}}}}"#)
    };
    let read = |depth: usize| Schema::from_introspection(schema(depth).as_bytes());
    assert!(Templates::new(Arc::new(read(9).unwrap())).is_ok());
    assert!(Templates::new(Arc::new(read(100).unwrap())).is_ok());
    assert!(read(100_000).is_err());
}
