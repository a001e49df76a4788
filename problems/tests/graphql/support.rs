//! The language of these tests: schemas from SDL, genes from documents, and an independent
//! validator.

mod data;
mod lower;
mod sdl;
mod summary;
mod validator;

use std::sync::Arc;

use serde_json::Value;
use wallace_genes::{Draw, Gene, GeneSettings, Knowledge, sample};
use wallace_problems::graphql::{OperationTemplate, Schema, Style, Templates};

pub(crate) use data::{Dump, dumps, sdl_file};
pub(crate) use lower::lower;
pub(crate) use sdl::print as print_sdl;
pub(crate) use summary::summary;
pub(crate) use validator::{Validator, introspect};

/// The schema of some SDL, by way of introspection.
pub(crate) fn schema(sdl: &str) -> Schema {
    schema_with(sdl, |_| {})
}

/// The schema of some SDL, whose introspection answer was changed on the way.
pub(crate) fn schema_with(sdl: &str, change: impl FnOnce(&mut Value)) -> Schema {
    let mut answer = introspect(sdl);
    change(&mut answer);
    Schema::from_introspection(answer.to_string().as_bytes()).unwrap()
}

/// The templates of some SDL.
pub(crate) fn templates(sdl: &str) -> Templates {
    Templates::new(Arc::new(schema(sdl))).unwrap()
}

/// The type of this name in an introspection answer.
pub(crate) fn wire_type<'a>(answer: &'a mut Value, name: &str) -> &'a mut Value {
    let types = answer["data"]["__schema"]["types"].as_array_mut().unwrap();
    types.iter_mut().find(|entry| entry["name"] == name).unwrap()
}

/// The operation at a schema coordinate.
pub(crate) fn operation<'a>(templates: &'a Templates, coordinate: &str) -> &'a OperationTemplate {
    let mut operations = templates.operations().iter();
    operations.find(|operation| &*operation.coordinate == coordinate).unwrap()
}

/// A sampled gene; every number gives another.
pub(crate) fn sampled(operation: &OperationTemplate, number: u64) -> Gene {
    let mut draw = Draw::new(17, number, Arc::new(GeneSettings::default()));
    sample(&operation.spec, operation.id, &Knowledge::default(), &mut draw)
}

/// Reads a document into a gene of its operation and renders that.
pub(crate) fn rendered_again(templates: &Templates, document: &str, style: Style) -> String {
    let (operation, gene) = lower(templates, document);
    wallace_genes::check(&operation.spec, &gene).unwrap();
    templates.render(operation, &gene, style)
}
