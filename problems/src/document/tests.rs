//! Tests of documents.

use serde_json::json;

use super::*;

fn read(text: &str) -> Document {
    Document::parse(text, DocumentLimits::default()).unwrap()
}

#[test]
fn json_and_yaml_give_the_same_values_and_lines() {
    let json = "{\n \"a\": [1, -2.5e3, \"x\\n\\ud83d\\ude00\", true, null],\n \"b\": {}\n}";
    let yaml = "\na: [1, -2.5e3, \"x\\n\u{1F600}\", true, ~]\nb: {}\n";
    let expected = json!({ "a": [1, -2500.0, "x\n\u{1F600}", true, null], "b": {} });
    for text in [json, yaml] {
        let document = read(text);
        assert_eq!(document.root().to_json(100), Some(expected.clone()));
        assert_eq!(document.root().get("b").unwrap().line(), 3);
    }
}

#[test]
fn plain_scalars_follow_the_core_schema() {
    let text = "a: yes\nb: 0x1F\nc: .5\nd: 1.2.3\ne: \nf: 2020-01-01\ng: '5'\nh: =\ni: 1e400";
    let expected = json!({ "a": "yes", "b": 31, "c": 0.5, "d": "1.2.3", "e": null,
        "f": "2020-01-01", "g": "5", "h": "=", "i": "1e400" });
    assert_eq!(read(text).root().to_json(100), Some(expected));
}

#[test]
fn aliases_share_and_merge_keys_copy_members() {
    let text = "base: &b {x: 1, y: 2}\nalias: *b\nmerged:\n  <<: *b\n  y: 3\nself: &s [*s]";
    let document = read(text);
    let expected = json!({ "base": { "x": 1, "y": 2 }, "alias": { "x": 1, "y": 2 },
        "merged": { "x": 1, "y": 3 }, "self": [null] });
    assert_eq!(document.root().to_json(100), Some(expected));
    let root = document.root();
    assert_eq!(root.get("base").unwrap().id(), root.get("alias").unwrap().id());
}

#[test]
fn a_bomb_of_aliases_stays_small() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", below.trim_end_matches(", ")));
    }
    let document = read(&text);
    assert!(document.len() < 100);
    assert_eq!(document.root().to_json(10_000), None);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let line = |text: &str| match Document::parse(text, DocumentLimits::default()) {
        Err(DocumentError::Malformed { line, .. }) => line,
        other => panic!("{text:?}: {other:?}"),
    };
    assert_eq!(line("{\n\"a\": 1,\n\"b\" 2}"), 3);
    assert_eq!(line("{\"a\": [1, 2"), 1);
    assert_eq!(line("a: 1\nb: [1, 2\nc: }"), 3);
    let deep = "[".repeat(100_000);
    let refused = Document::parse(&deep, DocumentLimits::default());
    assert!(matches!(refused, Err(DocumentError::TooLarge { what: "levels of nesting", .. })));
    let limits = DocumentLimits { values: 10, ..DocumentLimits::default() };
    let many = format!("[{}1]", "1,".repeat(100));
    assert!(matches!(Document::parse(&many, limits), Err(DocumentError::TooLarge { .. })));
}

#[test]
fn members_are_found_among_many() {
    let members: Vec<String> = (0..1000).map(|number| format!("\"m{number}\":{number}")).collect();
    let document = read(&format!("{{{},\"m7\":0}}", members.join(",")));
    let root = document.root();
    assert_eq!(root.members().count(), 1000);
    assert_eq!(root.get("m999").unwrap().number(), Some(&999.into()));
    assert_eq!(root.get("m7").unwrap().number(), Some(&0.into()));
    assert!(root.get("m1000").is_none());
}
