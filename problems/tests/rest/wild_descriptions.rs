//! Descriptions of real services.

use crate::support::{read, wild};

/// Operations that each file describes, counted from the files by other means: the number of
/// members of path items that are verbs.
fn operations_by_json(text: &str) -> Option<usize> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let verbs = ["get", "post", "put", "patch", "delete", "options", "head", "trace"];
    let items = value["paths"].as_object()?.values();
    Some(items.map(|item| verbs.iter().filter(|verb| item.get(**verb).is_some()).count()).sum())
}

#[test]
fn all_descriptions_load() {
    for (name, text) in wild() {
        let description = read(&name, &text).unwrap();
        if let Some(count) = operations_by_json(&text) {
            assert_eq!(description.operations.len(), count, "{name}");
        }
        println!(
            "{name}: {} operations, {} schemas, {} diagnostics {:?}",
            description.operations.len(),
            description.schemas.len(),
            description.diagnostics.len(),
            description.diagnostics.first().map(ToString::to_string)
        );
    }
}

#[test]
fn counts_agree_with_the_index_of_the_data() {
    let expected = [
        ("stripe", 384),
        ("kubernetes", 945),
        ("jira", 422),
        ("CheckoutService", 20),
        ("notion", 10),
        ("restcountries", 22),
    ];
    for (name, text) in wild() {
        let Some((_, count)) = expected.iter().find(|(part, _)| name.contains(part)) else {
            continue;
        };
        assert_eq!(read(&name, &text).unwrap().operations.len(), *count, "{name}");
    }
}
