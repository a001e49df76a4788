//! Schemas of real services: they load, and every sampled document is valid.

use std::collections::BTreeSet;
use std::sync::Arc;

use wallace_genes::{Draw, Gene, GeneSettings, Knowledge, check, mutate, site::collect_sites};
use wallace_problems::graphql::{
    Form, GraphqlAction, GraphqlProblem, OperationKind, OperationTemplate, Schema, Style,
    Templates, TypeKind,
};

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

/// 2,000 calls of each schema in the slow stage, 300 else; every call also in one of the forms that
/// mean the same, and every query beside another.
#[test]
fn sampled_and_mutated_documents_are_valid() {
    let calls = if std::env::var_os("RUN_SLOW_TESTS").is_some() { 2_000 } else { 300 };
    for dump in dumps() {
        let templates = Arc::new(load(&dump));
        let validator = Validator::new(templates.schema())
            .unwrap_or_else(|reason| panic!("{}: {reason}", dump.name));
        let path = http::uri::PathAndQuery::from_static("/graphql");
        let settings = wallace_engine::SearchSettings::default();
        let problem = GraphqlProblem::new(Arc::clone(&templates), path, &settings).unwrap();
        let mut documents = BTreeSet::new();
        let operations = problem.callable();
        for number in 0..calls {
            let operation = operations[number as usize % operations.len()];
            let operation = templates.operation(operation).unwrap();
            let (document, gene) = call(&templates, operation, number);
            documents.insert(document);
            let form =
                Form::EQUIVALENT[number as usize / operations.len() % Form::EQUIVALENT.len()];
            let action = GraphqlAction::new(operation.id, gene).written(form);
            documents.insert(problem.document(&action, Style::Compact).0);
            if operation.kind == OperationKind::Query {
                let other = operations[(number as usize + 1) % operations.len()];
                let action = action.written(Form::Beside(other));
                documents.insert(problem.document(&action, Style::Compact).0);
            }
        }
        documents.iter().for_each(|document| validator.accept(document));
        assert!(documents.len() > 20, "{}: only {}", dump.name, documents.len());
    }
}

/// A document that was sampled and mutated a few times; every gene on the way is valid.
fn call(templates: &Templates, operation: &OperationTemplate, number: u64) -> (String, Gene) {
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
        return (document, gene);
    }
    let (_, again) = lower(templates, &document);
    check(&operation.spec, &again).unwrap();
    let pretty = templates.render(operation, &gene, Style::Pretty);
    assert_eq!(lower(templates, &pretty).1, again, "{pretty}");
    (document, gene)
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
