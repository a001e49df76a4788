//! Queries as GraphQL text.

use crate::generator::Generator;
use crate::plan::{NONE, Plan};
use crate::query::{Query, ROOT};

impl Generator {
    /// The query as text, in the paper's form: `{a(b: 1){c d }e }`.
    ///
    /// Objects of which no field was drawn are left out, and with them the objects that become
    /// empty; where nothing is left, `__typename` of the root is asked for.
    #[must_use]
    pub fn text(&self, query: &Query) -> String {
        let mut text = String::with_capacity(query.nodes.len() * 16 + query.literals.len());
        self.write(query, &mut Layout::default(), &mut text);
        text
    }

    /// As [`Generator::text`], behind what is in `text`, with memory that is used again.
    pub fn write(&self, query: &Query, layout: &mut Layout, text: &mut String) {
        layout.lay_out(&self.plan, query, self.settings.keeps_empty_objects);
        let mut printer = Printer { generator: self, query, layout, text };
        if printer.layout.first == NONE {
            printer.text.push_str("{__typename }");
        } else {
            printer.selection(printer.layout.first);
        }
    }
}

/// Who is selected on whom, of those fields that show in the text. Holds memory only: one serves
/// any number of queries.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The first field of the root.
    pub(crate) first: u32,
    /// Of each node, its first child and its next sibling.
    pub(crate) children: Vec<u32>,
    pub(crate) siblings: Vec<u32>,
}

impl Layout {
    /// Children stand behind their parents, so one pass from the end knows of every object
    /// whether something is left of it.
    pub(crate) fn lay_out(&mut self, plan: &Plan, query: &Query, keeps_empty_objects: bool) {
        let count = query.nodes.len();
        self.first = NONE;
        self.children.clear();
        self.children.resize(count, NONE);
        self.siblings.clear();
        self.siblings.resize(count, NONE);
        for (index, node) in query.nodes.iter().enumerate().rev() {
            let is_leaf = plan.field(node.field).object == NONE;
            let has_children = self.children[index] != NONE;
            let stays_empty = keeps_empty_objects && node.is_expanded;
            if !(is_leaf || has_children || stays_empty) {
                continue;
            }
            let first = match node.parent {
                ROOT => &mut self.first,
                parent => &mut self.children[parent as usize],
            };
            self.siblings[index] = std::mem::replace(first, index as u32);
        }
    }
}

struct Printer<'p> {
    generator: &'p Generator,
    query: &'p Query,
    layout: &'p Layout,
    text: &'p mut String,
}

impl Printer<'_> {
    fn selection(&mut self, first: u32) {
        self.text.push('{');
        let mut next = first;
        while next != NONE {
            self.node(next);
            next = self.layout.siblings[next as usize];
        }
        self.text.push('}');
    }

    fn node(&mut self, index: u32) {
        let node = &self.query.nodes[index as usize];
        let field = self.generator.plan.field(node.field);
        self.text.push_str(&field.text);
        for (number, argument) in self.query.arguments_of(node).iter().enumerate() {
            self.text.push_str(if number == 0 { "(" } else { ", " });
            self.text.push_str(&field.argument_names[argument.index as usize]);
            self.text.push_str(": ");
            self.text.push_str(self.query.literal(argument));
        }
        if !node.arguments.is_empty() {
            self.text.push(')');
        }
        match self.layout.children[index as usize] {
            NONE => self.text.push(' '),
            child => self.selection(child),
        }
    }
}
