//! Checks on documents that a service should refuse: for their form, their meaning or their size.

use std::collections::{BTreeSet, VecDeque};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::build::{Build, test_of};
use crate::graphql::action::{Form, GraphqlAction, Overload, Rule, Violation};
use crate::graphql::form::violable;
use crate::graphql::link::select;
use crate::graphql::schema::{FieldId, Schema, TypeId};

/// Fields on the way down, below the operation.
const DEPTH: usize = 9;

impl Build<'_, '_> {
    /// A cheap query, made large.
    pub(super) fn overload(
        &mut self,
        template: TemplateId,
        overload: Overload,
    ) -> Option<Individual<GraphqlAction>> {
        let mut action = self.likely(template);
        if overload == Overload::Depth {
            let operation = self.scope.operation(template);
            let schema = self.scope.schema();
            let returned = schema.returned(operation.field);
            let way = way_down(schema, returned, DEPTH)?;
            select(&self.scope.templates, operation, &mut action.gene, &way, &self.draw.settings)?;
        }
        test_of([action.written(Form::Overload(overload))])
    }

    /// A mutation in a form in which it must not be executed; by nobody, since what other sites send
    /// carries no credentials but cookies.
    pub(super) fn forgery(
        &mut self,
        template: TemplateId,
        form: Form,
    ) -> Option<Individual<GraphqlAction>> {
        let action = self.likely(template).by(None);
        test_of([action.written(form)])
    }

    /// An invalid document.
    pub(super) fn violation(
        &mut self,
        template: TemplateId,
        rule: Rule,
    ) -> Option<Individual<GraphqlAction>> {
        let mut action = self.likely(template);
        let operation = self.scope.operation(template);
        let needs_value = matches!(
            rule,
            Rule::UnknownEnum | Rule::WrongKind | Rule::MissingArgument | Rule::NullArgument
        );
        let mut site = 0;
        if needs_value {
            if rule == Rule::WrongKind && self.draw.rng.chance(0.5) {
                action = self.full(template);
            }
            let places = violable(&self.scope.templates, operation, &action.gene, rule);
            if places.is_empty() {
                return None;
            }
            // Each try takes the next place.
            site = (self.tries(template) % places.len()) as u16;
        }
        if rule == Rule::MissingSelection && !operation.has_selection {
            return None;
        }
        test_of([action.written(Form::Violation(Violation { rule, site }))])
    }

    /// A question for the schema.
    pub(super) fn introspection(
        &mut self,
        template: TemplateId,
    ) -> Option<Individual<GraphqlAction>> {
        test_of([self.simple(template).by(None).written(Form::Introspection)])
    }
}

/// A way of so many object fields from a type, round a cycle of types where it needs one; nothing
/// when the types below end before.
pub(super) fn way_down(schema: &Schema, start: TypeId, length: usize) -> Option<Vec<FieldId>> {
    let cyclic = cyclic_types(schema, start);
    let (mut at, mut way) = way_to_cycle(schema, start, &cyclic)?;
    while way.len() < length {
        // Stays within the cycle; of several ways the first.
        let next =
            object_fields(schema, at).into_iter().find(|(_, below)| cyclic.contains(below))?;
        way.push(next.0);
        at = next.1;
    }
    Some(way)
}

/// Fields that lead to an object without any argument that must be given.
fn object_fields(schema: &Schema, owner: TypeId) -> Vec<(FieldId, TypeId)> {
    let fields = schema.fields(owner).filter_map(|field| {
        let definition = schema.field(field);
        let below = definition.type_ref.named();
        let is_free = !definition.needs_arguments();
        let is_object = schema.definition(below).fields().iter().len() > 0;
        (is_free && is_object).then_some((field, below))
    });
    fields.collect()
}

/// The types that lie on a cycle and can be reached from `start`.
fn cyclic_types(schema: &Schema, start: TypeId) -> BTreeSet<TypeId> {
    let mut graph: DiGraph<TypeId, ()> = DiGraph::new();
    let mut nodes: std::collections::BTreeMap<TypeId, NodeIndex> =
        std::collections::BTreeMap::new();
    let mut open = vec![start];
    nodes.insert(start, graph.add_node(start));
    while let Some(next) = open.pop() {
        for (_, below) in object_fields(schema, next) {
            let node = *nodes.entry(below).or_insert_with(|| {
                open.push(below);
                graph.add_node(below)
            });
            graph.update_edge(nodes[&next], node, ());
        }
    }
    let is_cycle = |part: &Vec<NodeIndex>| part.len() > 1 || graph.contains_edge(part[0], part[0]);
    let parts = tarjan_scc(&graph).into_iter().filter(is_cycle);
    parts.flatten().map(|node| graph[node]).collect()
}

/// The shortest way to a type on a cycle.
fn way_to_cycle(
    schema: &Schema,
    start: TypeId,
    cyclic: &BTreeSet<TypeId>,
) -> Option<(TypeId, Vec<FieldId>)> {
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([(start, Vec::new())]);
    while let Some((at, way)) = open.pop_front() {
        if cyclic.contains(&at) {
            return Some((at, way));
        }
        if seen.insert(at) {
            for (field, below) in object_fields(schema, at) {
                open.push_back((below, way.iter().copied().chain([field]).collect()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::{Draw, GeneSettings};

    use super::*;
    use crate::graphql::action::Check;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::scope::Scope;
    use crate::graphql::template::Templates;

    #[test]
    fn nobody_sends_what_other_sites_send() {
        let sdl = "type Query { a: Int } type Mutation { change: Int }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let mut scope = Scope::new(Arc::new(templates), vec![TemplateId(1)], 5);
        scope.users = 2;
        let learnt: Learnt<GraphqlMemory> = Learnt::default();
        for seed in 0..20 {
            let mut draw = Draw::new(seed, 1, Arc::new(GeneSettings::default()));
            let check = Check::Forgery(Form::FormEncoded);
            let mut build = Build { scope: &scope, learnt: &learnt, draw: &mut draw, check };
            let test = build.forgery(TemplateId(1), Form::FormEncoded).unwrap();
            assert_eq!(test.actions()[0].1.user, None);
        }
    }

    #[test]
    fn ways_go_round_cycles_and_end_where_types_do() {
        let sdl = "type Query { user: User leaf: Leaf }
            type User { id: ID posts: [Post] } type Post { leaf: Leaf author: User } type Leaf { id: ID }";
        let schema = Schema::from_sdl(sdl).unwrap();
        let names = |start: &str| {
            let way = way_down(&schema, schema.type_named(start).unwrap(), 5)?;
            Some(way.iter().map(|field| schema.coordinate(*field)).collect::<Vec<_>>().join(" "))
        };
        let round = "User.posts Post.author User.posts Post.author User.posts";
        assert_eq!(names("User").as_deref(), Some(round));
        assert_eq!(names("Leaf"), None);
    }
}
