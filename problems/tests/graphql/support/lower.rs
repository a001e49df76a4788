//! From documents to genes: rendering backwards.

use async_graphql_parser::types::{Field as AstField, OperationType, Selection, SelectionSet};
use async_graphql_value::{Name, Value};
use wallace_genes::{
    ChoiceGene, Field, Gene, GeneSpec, ObjectGene, SpecId, SpecRef, spec::TupleSpec,
};
use wallace_problems::graphql::{OperationKind, OperationTemplate, Templates};

/// The operation of a document, and the gene that the document is the rendering of.
///
/// Elements that a list leaves out are lost, and aliases are taken for the names behind them.
pub(crate) fn lower<'a>(templates: &'a Templates, document: &str) -> (&'a OperationTemplate, Gene) {
    let ast = async_graphql_parser::parse_query(document)
        .unwrap_or_else(|error| panic!("{error}\n{document}"));
    let (_, ast) = ast.operations.iter().next().unwrap();
    let kind = match ast.node.ty {
        OperationType::Query => OperationKind::Query,
        OperationType::Mutation => OperationKind::Mutation,
        OperationType::Subscription => OperationKind::Subscription,
    };
    let mut around: Vec<&str> = Vec::new();
    let mut selected = &ast.node.selection_set.node;
    loop {
        let [field] = &*selected.items else { panic!("one field") };
        let Selection::Field(field) = &field.node else { panic!("a field") };
        let name = field.node.name.node.as_str();
        let is_named = |operation: &&OperationTemplate| {
            operation.kind == kind && operation.names().eq(around.iter().copied().chain([name]))
        };
        if let Some(operation) = templates.operations().iter().find(is_named) {
            return (operation, call(&operation.spec, operation.spec.id(), &field.node));
        }
        around.push(name);
        selected = &field.node.selection_set.node;
    }
}

fn present(spec: &SpecRef, id: SpecId) -> SpecId {
    match spec.graph().spec(id) {
        GeneSpec::Optional(optional) => optional.inner,
        _ => id,
    }
}

fn call(spec: &SpecRef, id: SpecId, ast: &AstField) -> Gene {
    match spec.graph().spec(present(spec, id)) {
        GeneSpec::Tuple(tuple) => Gene::Tuple(elements(spec, tuple, ast)),
        GeneSpec::Object(_) => selection(spec, id, &ast.selection_set.node),
        _ => Gene::Constant,
    }
}

fn elements(spec: &SpecRef, tuple: &TupleSpec, ast: &AstField) -> Vec<Gene> {
    let count = tuple.elements.len() - usize::from(tuple.has_selection);
    let argument = |field: &Field| match ast.get_argument(&field.name) {
        None => Gene::Absent,
        Some(given) => value(spec, field.spec, &given.node),
    };
    let mut elements: Vec<Gene> = tuple.elements[..count].iter().map(argument).collect();
    if tuple.has_selection {
        elements.push(selection(spec, tuple.elements[count].spec, &ast.selection_set.node));
    }
    elements
}

fn selection(spec: &SpecRef, id: SpecId, ast: &SelectionSet) -> Gene {
    let GeneSpec::Object(object) = spec.graph().spec(present(spec, id)) else {
        panic!("a selection")
    };
    let mut gene = ObjectGene::default();
    for item in &ast.items {
        let (name, inner) = match &item.node {
            Selection::Field(field) => (field.node.name.node.to_string(), Ok(&field.node)),
            Selection::InlineFragment(fragment) => {
                let on = &fragment.node.type_condition.as_ref().unwrap().node.on.node;
                (format!("... on {on}"), Err(&fragment.node.selection_set.node))
            }
            Selection::FragmentSpread(_) => panic!("named fragments are not rendered"),
        };
        let position = position(&object.fields, &name);
        let part = object.fields[position as usize].spec;
        let value = match inner {
            Ok(field) => call(spec, part, field),
            Err(fields) => selection(spec, part, fields),
        };
        gene.set(position, value);
    }
    Gene::Object(gene)
}

fn position(fields: &[Field], name: &str) -> u32 {
    fields.iter().position(|field| &*field.name == name).unwrap() as u32
}

fn value(spec: &SpecRef, id: SpecId, ast: &Value) -> Gene {
    let id = present(spec, id);
    match (spec.graph().spec(id), ast) {
        (_, Value::Null) => Gene::Null,
        (GeneSpec::Integer(_), Value::Number(number)) => {
            Gene::Integer(number.as_i64().unwrap().try_into().unwrap())
        }
        (GeneSpec::Long(_), Value::Number(number)) => Gene::Long(number.as_i64().unwrap()),
        (GeneSpec::Float(_), Value::Number(number)) => Gene::float(number.as_f64().unwrap()),
        (GeneSpec::Boolean, Value::Boolean(is_true)) => Gene::Boolean(*is_true),
        (GeneSpec::String(_), Value::String(text)) => Gene::text(text.as_str()),
        (GeneSpec::Enum(names), Value::Enum(name)) => {
            let index = names.values.iter().position(|known| *known == **name).unwrap();
            Gene::Enum(index as u32)
        }
        (GeneSpec::Array(array), Value::List(parts)) => {
            Gene::Array(parts.iter().map(|part| value(spec, array.element, part)).collect())
        }
        (GeneSpec::Object(object), Value::Object(given)) => {
            let first = object.fields.first().map(|field| spec.graph().spec(field.spec));
            if let Some(GeneSpec::Choice(choice)) = first {
                let (name, part) = given.first().unwrap();
                return one_of(spec, &choice.branches, name, part);
            }
            let mut gene = ObjectGene::default();
            for (name, part) in given {
                let position = position(&object.fields, name);
                gene.set(position, value(spec, object.fields[position as usize].spec, part));
            }
            Gene::Object(gene)
        }
        (spec, ast) => panic!("{ast} is no value of {spec:?}"),
    }
}

fn one_of(spec: &SpecRef, branches: &[Field], name: &Name, part: &Value) -> Gene {
    let branch = position(branches, name);
    let inner = value(spec, branches[branch as usize].spec, part);
    let choice = Gene::Choice(ChoiceGene { branch, value: Box::new(inner) });
    Gene::Object(ObjectGene { fields: vec![(0, choice)] })
}
