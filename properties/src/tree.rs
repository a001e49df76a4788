//! Queries as trees, for what looks at answers and makes queries smaller.

use std::sync::Arc;

use wallace_problems::graphql::{FieldId, TypeId};

use crate::generator::Generator;
use crate::plan::NONE;
use crate::query::Query;
use crate::text::Layout;

/// A selected field, fragment, or `__typename`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Branch {
    /// As it stands in the text.
    pub(crate) text: Arc<str>,
    pub(crate) field: Option<FieldId>,
    pub(crate) on: Option<TypeId>,
    /// Name, literal, and whether it must be given.
    pub(crate) arguments: Vec<(Arc<str>, String, bool)>,
    pub(crate) children: Vec<Branch>,
}

impl Branch {
    /// A field without arguments.
    pub(crate) fn new(text: Arc<str>, field: Option<FieldId>, children: Vec<Self>) -> Self {
        Self { text, field, on: None, arguments: Vec::new(), children }
    }

    /// Its key in the answer.
    pub(crate) fn key(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }

    /// Number of fields, itself included.
    pub(crate) fn size(&self) -> usize {
        1 + self.children.iter().map(Self::size).sum::<usize>()
    }
}

/// Number of fields of a selection.
pub(crate) fn size(selection: &[Branch]) -> usize {
    selection.iter().map(Branch::size).sum()
}

/// The selection as text, in the form of the paper.
pub(crate) fn text(selection: &[Branch]) -> String {
    let mut text = String::new();
    write(selection, &mut text);
    text
}

fn write(selection: &[Branch], text: &mut String) {
    text.push('{');
    for branch in selection {
        text.push_str(&branch.text);
        for (index, (name, literal, _)) in branch.arguments.iter().enumerate() {
            text.push_str(if index == 0 { "(" } else { ", " });
            text.push_str(&format!("{name}: {literal}"));
        }
        text.push_str(if branch.arguments.is_empty() { "" } else { ")" });
        if branch.children.is_empty() {
            text.push(' ');
        } else {
            write(&branch.children, text);
        }
    }
    text.push('}');
}

impl Generator {
    /// What shows of a query in its text.
    pub(crate) fn tree(&self, query: &Query) -> Vec<Branch> {
        let mut layout = Layout::default();
        layout.lay_out(&self.plan, query, self.settings.keeps_empty_objects);
        let tree = self.branches(query, &layout, layout.first);
        if tree.is_empty() {
            vec![Branch::new("__typename".into(), None, Vec::new())]
        } else {
            tree
        }
    }

    fn branches(&self, query: &Query, layout: &Layout, first: u32) -> Vec<Branch> {
        let (mut branches, mut next) = (Vec::new(), first);
        while next != NONE {
            let node = &query.nodes[next as usize];
            let field = self.plan.field(node.field);
            let arguments = query.arguments_of(node).iter().map(|argument| {
                let name = Arc::clone(&field.argument_names[argument.index as usize]);
                let plan = field.arguments.iter().find(|plan| plan.index == argument.index);
                let is_required = plan.is_some_and(|plan| plan.is_required);
                (name, query.literal(argument).to_owned(), is_required)
            });
            branches.push(Branch {
                text: Arc::clone(&field.text),
                field: field.field,
                on: field.on,
                arguments: arguments.collect(),
                children: self.branches(query, layout, layout.children[next as usize]),
            });
            next = layout.siblings[next as usize];
        }
        branches
    }
}
