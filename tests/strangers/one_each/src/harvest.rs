//! What production uses of a schema, and what a new one would break.
use std::sync::Arc;
use wallace_harvest::{Harvest, HarvestSettings, Schema, drift, read_text};

#[test]
fn a_removed_field_breaks_who_uses_it() {
    let log =
        "{\"query\": \"{ user(id: 7) { name } }\"}\n{\"query\": \"{ user(id: 8) { name } }\"}\n";
    let schema = |user: &str| {
        let sdl = format!("type Query {{ user(id: ID!): User }} type User {{ {user} }}");
        Schema::from_sdl(&sdl).unwrap()
    };
    let reading = read_text("requests.ndjson", log);
    let (old, new) = (schema("name: String age: Int"), schema("age: Int"));
    let harvest = Harvest::new(Arc::new(old), reading, &mut HarvestSettings::default());
    assert_eq!((harvest.coverage().covered(), harvest.coverage().total()), (2, 3));
    let breaks = drift(&harvest, &new);
    assert_eq!(breaks[0].coordinate, "User.name");
}
