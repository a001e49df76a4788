//! Random queries of a schema, and what of it they cover.
use std::sync::Arc;
use wallace_properties::{GeneratorSettings, Schema, study};

#[test]
fn more_queries_cover_more() {
    let sdl = "type Query { shop(id: ID!): Shop } type Shop { name: String next: Shop owner: Owner } \
               type Owner { name: String age: Int }";
    let schema = Arc::new(Schema::from_sdl(sdl).unwrap());
    let mut study = study(&schema, GeneratorSettings::default(), 7);
    let (few, many) = (study.coverage(1, 5), study.coverage(20, 5));
    assert!(few.average < many.average, "{few:?} {many:?}");
}
