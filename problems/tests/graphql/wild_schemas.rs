//! Schemas of real services: they load, and every sampled document is valid.

use std::collections::BTreeSet;
use std::sync::Arc;

use wallace_genes::{Draw, GeneSettings, Knowledge, check, collect_sites, mutate};
use wallace_problems::graphql::{OperationTemplate, Schema, Style, Templates, TypeKind};

use crate::support::{Dump, Validator, dumps, lower, sampled};

fn load(dump: &Dump) -> Templates {
    let schema = Schema::from_introspection(&dump.text)
        .unwrap_or_else(|error| panic!("{}: {error}", dump.name));
    Templates::new(Arc::new(schema)).unwrap()
}

#[test]
fn every_operation_of_every_schema_can_be_called() {
    for dump in dumps() {
        let templates = load(&dump);
        for operation in templates.operations() {
            let gene = wallace_genes::simplest(&operation.spec, &GeneSettings::default());
            check(&operation.spec, &gene).unwrap_or_else(|defect| {
                panic!("{} {}: {defect}", dump.name, operation.coordinate)
            });
        }
        let skipped: Vec<_> = templates.skipped().iter().map(ToString::to_string).collect();
        let warnings = templates.schema().warnings();
        eprintln!(
            "{}: {} operations, {} specifications, {skipped:?} {warnings:?}",
            dump.name,
            templates.operations().len(),
            templates.graph().len()
        );
    }
}

#[test]
fn sampled_and_mutated_documents_are_valid() {
    for dump in dumps() {
        let templates = load(&dump);
        let validator = Validator::new(templates.schema())
            .unwrap_or_else(|reason| panic!("{}: {reason}", dump.name));
        let mut documents = BTreeSet::new();
        let operations = templates.operations();
        for number in 0..300 {
            let operation = &operations[number as usize % operations.len()];
            documents.insert(call(&templates, operation, number));
        }
        documents.iter().for_each(|document| validator.accept(document));
        assert!(documents.len() > 20, "{}: only {}", dump.name, documents.len());
    }
}

/// A document that was sampled and mutated a few times; every gene on the way is valid.
fn call(templates: &Templates, operation: &OperationTemplate, number: u64) -> String {
    let knowledge = Knowledge::default();
    let mut gene = sampled(operation, number);
    let mut draw = Draw::new(5, number, Arc::new(GeneSettings::default()));
    for _ in 0..number % 5 {
        let mut weights = Vec::new();
        collect_sites(&operation.spec, &gene, &mut weights);
        if !weights.is_empty() {
            let chosen = [draw.rng.below(weights.len())];
            mutate(&operation.spec, operation.id, &mut gene, &chosen, &knowledge, &mut draw);
        }
        check(&operation.spec, &gene).unwrap();
    }
    check(&operation.spec, &gene).unwrap();
    let document = templates.render(operation, &gene, Style::Compact);
    if has_names_like_keywords(templates.schema()) {
        return document;
    }
    let (_, again) = lower(templates, &document);
    check(&operation.spec, &again).unwrap();
    let pretty = templates.render(operation, &gene, Style::Pretty);
    assert_eq!(lower(templates, &pretty).1, again, "{pretty}");
    document
}

/// Whether an enum has a value such as `falseswipe`, which the parser that reads documents back
/// takes for the keyword and a rest; the validator does not.
fn has_names_like_keywords(schema: &Schema) -> bool {
    let is_like_keyword =
        |name: &str| ["true", "false", "null"].iter().any(|keyword| name.starts_with(keyword));
    schema.types().any(|(_, definition)| match &definition.kind {
        TypeKind::Enum { values } => values.iter().any(|value| is_like_keyword(&value.name)),
        _ => false,
    })
}
