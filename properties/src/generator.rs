//! Making queries.
//!
//! The algorithm of Karlsson et al., read from their replication package: fields of the root are
//! drawn, then, generation by generation, fields of every object drawn in the one before. So depth
//! is bounded by the size, breadth by the most fields of one object, and a query mostly ends
//! because only leaves were drawn.

use std::sync::Arc;

use wallace_genes::Rng;
use wallace_problems::graphql::{Document, Schema, SchemaTuples, Selection, Style, TupleCoverage};

use crate::argument::Drawing;
use crate::plan::{NONE, Plan, PlanField};
use crate::query::{Node, Query, ROOT};
use crate::settings::{GeneratorSettings, Strategy};

/// Failed draws in a row after which a shorter selection is taken.
const MAX_TRIES: usize = 10;
/// Generations of a query, at most.
const MAX_GENERATIONS: usize = 100;

/// Makes queries for one schema.
#[derive(Debug)]
pub struct Generator {
    schema: Arc<Schema>,
    plan: Plan,
    settings: GeneratorSettings,
    tuples: SchemaTuples,
    /// Of the directed strategy: tuples that no query asked for yet.
    open: Option<OpenTuples>,
    /// Identifiers seen in answers.
    seen: Vec<String>,
}

impl Generator {
    /// A generator of queries for this schema.
    ///
    /// # Panics
    /// When the settings allow no field at all.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, settings: GeneratorSettings) -> Self {
        assert!(settings.max_fields > 0, "a selection has at least one field");
        let tuples = SchemaTuples::reachable(schema);
        let plan = Plan::new(schema, &tuples, &settings);
        let is_directed = settings.strategy == Strategy::CoverageDirected;
        let open = is_directed.then(|| OpenTuples::new(&plan, &tuples));
        Self { schema: Arc::clone(schema), plan, settings, tuples, open, seen: Vec::new() }
    }

    /// The tuples that coverage is measured on.
    #[must_use]
    pub fn tuples(&self) -> &SchemaTuples {
        &self.tuples
    }

    /// Adds an identifier that was seen in an answer to those of the mixed family.
    pub fn learn_id(&mut self, id: &str) {
        // More identifiers than these do not make a better mix.
        if self.seen.len() < 1000 && !self.seen.iter().any(|known| known == id) {
            self.seen.push(id.to_owned());
        }
    }

    /// Makes a query of this size, 0 and up, in place of what `query` held.
    pub fn generate(&self, query: &mut Query, size: usize, rng: &mut Rng) {
        query.nodes.clear();
        query.arguments.clear();
        self.select(query, 0, ROOT, rng);
        let mut start = 0;
        for _ in 0..(size + 1).min(MAX_GENERATIONS) {
            let end = query.nodes.len();
            for index in start..end {
                let field = self.plan.field(query.nodes[index].field);
                if field.object != NONE && query.nodes.len() < self.settings.max_nodes {
                    query.nodes[index].is_expanded = true;
                    self.select(query, field.object, index as u32, rng);
                }
            }
            start = end;
            if start == query.nodes.len() {
                break;
            }
        }
        self.give_arguments(query, size, rng);
    }

    /// Adds the tuples that a query asks for; whether one of them is new. What was drawn counts,
    /// as in the paper: objects too that the text leaves out, because nothing was drawn of them.
    pub fn cover(&self, query: &Query, coverage: &mut TupleCoverage) -> bool {
        let mut is_new = false;
        for node in &query.nodes {
            let tuple = self.plan.field(node.field).tuple;
            if tuple != NONE {
                is_new |= coverage.cover(tuple as usize);
            }
        }
        is_new
    }

    /// Tells the directed strategy what a query asked for. Nothing for the paper's.
    pub fn learn_coverage(&mut self, query: &Query) {
        if let Some(open) = &mut self.open {
            let tuples = query.nodes.iter().map(|node| self.plan.field(node.field).tuple);
            open.remove(&self.plan, tuples);
        }
    }

    /// Draws fields of an object.
    fn select(&self, query: &mut Query, object: u32, parent: u32, rng: &mut Rng) {
        let range = self.plan.objects[object as usize].clone();
        let start = query.nodes.len();
        let wanted = 1 + rng.below(self.settings.max_fields);
        let count = (range.end - range.start) as usize;
        if count == 0 {
            return;
        }
        if let Some(field) = self.open.as_ref().and_then(|open| open.first(range.clone(), rng)) {
            query.nodes.push(node(field, parent));
        }
        let mut failed = 0;
        while query.nodes.len() - start < wanted && failed < MAX_TRIES {
            let field = range.start + rng.below(count) as u32;
            if query.nodes[start..].iter().any(|node| node.field == field) {
                failed += 1;
            } else {
                failed = 0;
                query.nodes.push(node(field, parent));
            }
        }
    }

    fn give_arguments(&self, query: &mut Query, size: usize, rng: &mut Rng) {
        let (schema, settings, seen) = (&*self.schema, &self.settings, &*self.seen);
        let mut drawing = Drawing { schema, settings, seen, size, rng };
        for node in &mut query.nodes {
            let first = query.arguments.len() as u32;
            if let Some(id) = self.plan.field(node.field).selection.id() {
                drawing.arguments(schema.field(id), &mut query.arguments);
            }
            node.arguments = first..query.arguments.len() as u32;
        }
    }

    /// The query as a document.
    ///
    /// Objects of which no field was drawn are left out, and with them the objects that become
    /// empty; where nothing is left, `__typename` of the root is asked for.
    #[must_use]
    pub fn document(&self, query: &Query) -> Document {
        let mut below: Vec<Vec<Selection>> = vec![Vec::new(); query.nodes.len() + 1];
        let root = query.nodes.len();
        // Children stand behind their parents, so one pass from the end knows of every object
        // whether something is left of it.
        for (index, node) in query.nodes.iter().enumerate().rev() {
            let field = self.plan.field(node.field);
            let mut selections = std::mem::take(&mut below[index]);
            let stays_empty = self.settings.keeps_empty_objects && node.is_expanded;
            if field.object != NONE && selections.is_empty() && !stays_empty {
                continue;
            }
            selections.reverse();
            let mut selection = Selection { selections, ..field.selection.clone() };
            let definition = selection.id().map(|id| self.schema.field(id));
            let given =
                &query.arguments[node.arguments.start as usize..node.arguments.end as usize];
            if let (Some(definition), Some(asked)) = (definition, selection.as_field_mut()) {
                let name = |index: u32| Arc::clone(&definition.arguments[index as usize].name);
                asked.arguments = given.iter().map(|it| (name(it.0), it.1.clone())).collect();
            }
            let parent = if node.parent == ROOT { root } else { node.parent as usize };
            below[parent].push(selection);
        }
        let mut selections = below.swap_remove(root);
        selections.reverse();
        if selections.is_empty() {
            selections.push(Selection::typename());
        }
        Document::query(selections)
    }

    /// The query as text.
    #[must_use]
    pub fn text(&self, query: &Query) -> String {
        self.document(query).text(Style::Compact)
    }
}

fn node(field: u32, parent: u32) -> Node {
    Node { field, parent, arguments: 0..0, is_expanded: false }
}

/// What no query asked for yet, and how far it is.
#[derive(Debug)]
struct OpenTuples {
    is_open: Vec<bool>,
    /// Of each field, the number of selections below it until an open tuple; 0 for one itself.
    distance: Vec<u32>,
}

impl OpenTuples {
    fn new(plan: &Plan, tuples: &SchemaTuples) -> Self {
        let mut open = Self { is_open: vec![true; tuples.len()], distance: Vec::new() };
        open.measure(plan);
        open
    }

    fn remove(&mut self, plan: &Plan, tuples: impl Iterator<Item = u32>) {
        let mut is_changed = false;
        for tuple in tuples.filter(|tuple| *tuple != NONE) {
            is_changed |= std::mem::replace(&mut self.is_open[tuple as usize], false);
        }
        if is_changed {
            self.measure(plan);
        }
    }

    /// Shortest ways, by rounds: the schema's depth is small.
    fn measure(&mut self, plan: &Plan) {
        let is_open = |field: &PlanField| field.tuple != NONE && self.is_open[field.tuple as usize];
        self.distance =
            plan.fields.iter().map(|field| if is_open(field) { 0 } else { NONE }).collect();
        loop {
            let nearest: Vec<u32> = plan.objects.iter().map(|range| self.nearest(range)).collect();
            let mut is_changed = false;
            for (distance, field) in self.distance.iter_mut().zip(&plan.fields) {
                let below = nearest.get(field.object as usize).copied().unwrap_or(NONE);
                if below != NONE && below + 1 < *distance {
                    *distance = below + 1;
                    is_changed = true;
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    fn nearest(&self, range: &std::ops::Range<u32>) -> u32 {
        let distances = &self.distance[range.start as usize..range.end as usize];
        distances.iter().copied().min().unwrap_or(NONE)
    }

    /// One of the fields nearest to an open tuple; nothing when none leads to one.
    fn first(&self, range: std::ops::Range<u32>, rng: &mut Rng) -> Option<u32> {
        let nearest = self.nearest(&range);
        if nearest == NONE {
            return None;
        }
        let is_near = |field: &u32| self.distance[*field as usize] == nearest;
        let count = range.clone().filter(is_near).count();
        range.filter(is_near).nth(rng.below(count))
    }
}
