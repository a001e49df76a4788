//! Whether a document is valid for a schema.
//!
//! Fragments are judged with each operation that spreads them, since their variables are those of the
//! operation; never from within another selection, so that the stack holds one definition only.

mod directive;
mod fragment;
mod introspection;
mod overlap;
mod selection;
mod value;
mod variable;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{
    ExecutableDocument, Fragment, Invalid, Operation, Part, Selection, VariableDefinition,
};
use crate::graphql::schema::{OperationKind, Schema, SchemaPosition, TypeId, TypeKind};

impl ExecutableDocument {
    /// All that is not valid for a schema, in the order of the text; nothing when the document is
    /// valid. What the model could not use of the schema is not there for this judge either. That
    /// exactly one field of an input object must be given is left to the service.
    #[must_use]
    pub fn problems(&self, schema: &Schema) -> Vec<Invalid> {
        let mut fragments = HashMap::new();
        for fragment in self.fragments() {
            fragments.entry(&*fragment.name).or_insert(fragment);
        }
        let mut judge =
            Judge { schema, document: self, fragments, variables: &[], problems: Vec::new() };
        judge.names();
        judge.fragments();
        for operation in self.operations() {
            judge.operation(operation);
        }
        // Whether answers can be merged is a question for selections that make sense.
        if judge.problems.is_empty() {
            for operation in self.operations() {
                judge.merges(operation);
            }
        }
        let mut problems = judge.problems;
        problems.sort();
        problems.dedup();
        problems
    }
}

/// What is known while a document is judged.
struct Judge<'a> {
    schema: &'a Schema,
    document: &'a ExecutableDocument,
    fragments: HashMap<&'a str, &'a Fragment>,
    /// Variables of the operation that is judged.
    variables: &'a [VariableDefinition],
    problems: Vec<Invalid>,
}

/// A type of the schema, or of the one that describes schemas.
#[derive(Clone, Copy)]
struct Owner<'a> {
    schema: &'a Schema,
    id: TypeId,
}

impl<'a> Owner<'a> {
    fn name(self) -> &'a Arc<str> {
        &self.schema.definition(self.id).name
    }
}

impl<'a> Judge<'a> {
    fn add(&mut self, position: SchemaPosition, reason: String) {
        self.problems.push(Invalid { position, reason });
    }

    /// Names of definitions are unique, and an operation without one is alone.
    fn names(&mut self) {
        let (mut operations, mut fragments) = (HashSet::new(), HashSet::new());
        let is_alone = self.document.operations().count() == 1;
        for operation in self.document.operations() {
            match &operation.name {
                None if is_alone => {}
                None => {
                    let reason = "an operation without a name stands beside others".to_owned();
                    self.add(operation.position, reason);
                }
                Some(name) if operations.insert(name) => {}
                Some(name) => {
                    self.add(operation.position, format!("there are two operations `{name}`"));
                }
            }
        }
        for fragment in self.document.fragments() {
            if !fragments.insert(&fragment.name) {
                let reason = format!("there are two fragments `{}`", fragment.name);
                self.add(fragment.position, reason);
            }
        }
    }

    fn operation(&mut self, operation: &'a Operation) {
        self.variables = &operation.variables;
        let location = match operation.kind {
            OperationKind::Query => "QUERY",
            OperationKind::Mutation => "MUTATION",
            OperationKind::Subscription => "SUBSCRIPTION",
        };
        self.directives(&operation.directives, location, operation.position);
        self.variable_definitions();
        let Some(root) = self.schema.root(operation.kind) else {
            return self.add(operation.position, format!("the schema has no {}", operation.kind));
        };
        self.selections(Owner { schema: self.schema, id: root }, &operation.selections);
        let fragments = self.reachable(&operation.selections);
        for fragment in &fragments {
            self.directives(&fragment.directives, "FRAGMENT_DEFINITION", fragment.position);
            if let Some(owner) = self.composite(&fragment.on) {
                self.selections(owner, &fragment.selections);
            }
        }
        self.unused_variables(operation, &fragments);
        if operation.kind == OperationKind::Subscription {
            self.subscription(operation);
        }
    }

    /// A subscription asks for one field, whatever happens, and not for what it itself is.
    fn subscription(&mut self, operation: &'a Operation) {
        let mut open: Vec<&Selection> = operation.selections.iter().collect();
        let (mut seen, mut fields) = (HashSet::new(), 0);
        while let Some(selection) = open.pop() {
            if selection.directives.iter().any(|it| matches!(&*it.name, "skip" | "include")) {
                let reason = "a subscription's field may not be left out".to_owned();
                self.add(selection.position, reason);
            }
            match &selection.part {
                Part::Field(field) => {
                    fields += 1;
                    if field.name.starts_with("__") {
                        let reason = format!("a subscription may not ask for `{}`", field.name);
                        self.add(selection.position, reason);
                    }
                }
                Part::Inline(_) => open.extend(&selection.selections),
                Part::Spread(name) => {
                    let fragment = self.fragments.get(&**name).filter(|_| seen.insert(name));
                    open.extend(fragment.iter().flat_map(|fragment| &fragment.selections));
                }
            }
        }
        if fields > 1 {
            self.add(operation.position, "a subscription asks for one field only".to_owned());
        }
    }

    /// The type of a name, if it can be used.
    fn type_named(&self, name: &str) -> Option<Owner<'a>> {
        let schema = if name.starts_with("__") { introspection::schema() } else { self.schema };
        let id = schema.type_named(name)?;
        let is_broken = matches!(schema.definition(id).kind, TypeKind::Broken { .. });
        (!is_broken).then_some(Owner { schema, id })
    }

    /// The type of a name, if something can be selected of it.
    fn composite(&self, name: &str) -> Option<Owner<'a>> {
        self.type_named(name).filter(|owner| owner.schema.definition(owner.id).is_composite())
    }
}
