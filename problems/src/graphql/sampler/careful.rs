//! Calls as careful as their operation needs.

use std::sync::Arc;

use wallace_genes::{
    Gene, GenePath, GeneSettings, GeneSpec, ObjectGene, PathStep, SpecId, TemplateId, sample,
    simplest,
};

use super::Sampler;
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::Effect;
use crate::graphql::schema::OperationKind;
use crate::graphql::site::visit_sites;
use crate::graphql::template::Templates;
use crate::part::{NEARLY_BARE, put};

/// Calls in vain after which half of [`FULL`] is reached.
const PATIENCE: f64 = 20.0;
/// Most of the share of calls with all arguments, of operations that never gave anything.
const FULL: f64 = 0.5;
/// Share of calls without any optional argument that get one, after calls in vain.
const ONE: f64 = 0.5;
/// How much likelier that is what is to be written, where something is changed.
const PAYLOAD: f64 = 6.0;
/// Share of calls that ask for as little as possible, where most do not go well.
const PLAIN: f64 = 0.7;
/// Calls in vain after which something else is asked for, and the share of calls that do.
const VAIN: u64 = 3;
const OTHERWISE: f64 = 0.5;
/// Share of input objects of changes without any member that get one.
const FILLED: f64 = 0.8;

impl Sampler<'_, '_> {
    /// How the values of a call are drawn. Without a driver, where most calls of an operation do not
    /// go well, most of its calls begin with what must be there: each further argument or member of
    /// an input object is one more that may be refused.
    pub(super) fn careful(&mut self, template: TemplateId) -> Arc<GeneSettings> {
        let usual = Arc::clone(&self.draw.settings);
        if !self.scope.is_black_box || self.learnt.memory.goes_well(template) {
            return usual;
        }
        let tests = &self.scope.tests;
        let calls = self.learnt.memory.calls_in_vain(template) as f64;
        let absent = match self.draw.rng.unit() {
            // What the schema calls optional, the service may insist on.
            _ if self.draw.rng.chance(FULL * calls / (calls + PATIENCE)) => 0.0,
            draw if draw < tests.bare => 1.0,
            draw if draw < tests.bare + tests.nearly_bare => NEARLY_BARE,
            _ => return usual,
        };
        GeneSettings { absent, null: 0.0, ..(*usual).clone() }.into()
    }

    /// Asks for as little as possible at times, where most calls of an operation do not go well: what
    /// is asked for has arguments of its own, which may be refused with the whole call.
    pub(crate) fn ask_little(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let is_known = !scope.is_black_box || self.learnt.memory.goes_well(action.template);
        if is_known || !self.draw.rng.chance(PLAIN) {
            return;
        }
        let operation = scope.operation(action.template);
        let simple = simplest(&operation.spec, &self.draw.settings);
        let has_selection = scope.templates.selection_of(operation.spec.id()).is_some();
        match (&mut action.gene, simple) {
            (Gene::Tuple(parts), Gene::Tuple(simple)) if has_selection => {
                if let (Some(part), Some(simple)) = (parts.last_mut(), simple.into_iter().last()) {
                    *part = simple;
                }
            }
            (gene @ Gene::Object(_), simple) => *gene = simple,
            _ => return,
        }
        self.ask_otherwise(action);
        self.show_ids(action);
    }

    /// Asks for another leaf than the first one at times, where nothing ever went well: that one may fail
    /// whatever is sent.
    fn ask_otherwise(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let is_vain = self.learnt.memory.calls_in_vain(action.template) >= VAIN;
        if !is_vain || !self.draw.rng.chance(OTHERWISE) {
            return;
        }
        let operation = scope.operation(action.template);
        let graph = operation.spec.graph();
        let selection = scope.templates.selection_of(operation.spec.id());
        let Some(GeneSpec::Object(object)) = selection.map(|id| graph.spec(id)) else { return };
        let is_leaf = |id| *graph.spec(scope.templates.present(id)) == GeneSpec::Constant;
        let leaves = (0..).zip(&object.fields).filter(|(_, field)| is_leaf(field.spec));
        let leaves: Vec<u32> = leaves.map(|(place, _)| place).collect();
        let Some(leaf) = leaves.get(self.draw.rng.below(leaves.len().max(1))) else { return };
        let asked = match &mut action.gene {
            Gene::Tuple(parts) => parts.last_mut(),
            whole => Some(whole),
        };
        if let Some(asked) = asked {
            *asked = Gene::Object(ObjectGene { fields: vec![(*leaf, Gene::Constant)] });
        }
    }

    /// Adds one of the optional arguments at times, where a call has none and such calls were in vain: with
    /// all of them nobody knows which one is refused.
    pub(super) fn join_one(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let is_vain = scope.is_black_box && self.learnt.memory.calls_in_vain(action.template) > 0;
        if !is_vain || !self.draw.rng.chance(ONE) {
            return;
        }
        let operation = scope.operation(action.template);
        let is_change = operation.kind == OperationKind::Mutation;
        let (mut places, mut weights, mut has_any) = (Vec::new(), Vec::new(), false);
        visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
            if !site.is_optional || site.path.0.len() != 1 {
                return;
            }
            has_any |= *site.gene != Gene::Absent;
            places.push((site.path.clone(), site.spec));
            let is_payload = is_change && is_payload(&scope.templates, site.spec);
            weights.push(if is_payload { PAYLOAD } else { 1.0 });
        });
        if has_any {
            return;
        }
        let Some(chosen) = self.draw.rng.weighted(&weights) else { return };
        let (path, spec) = places.swap_remove(chosen);
        let spec = scope.templates.spec_at(spec);
        let value = sample(&spec, action.template, &self.learnt.knowledge, self.draw);
        put(&mut action.gene, &path, value);
    }

    /// Gives the input objects of a change something to say, which may all be optional, and its lists of
    /// objects one: a change of nothing is refused, or answered by nothing.
    pub(super) fn fill_empty(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let operation = scope.operation(action.template);
        let is_change = operation.kind == OperationKind::Mutation
            && scope.links.effect(action.template) != Effect::Delete;
        if !scope.is_black_box || !is_change {
            return;
        }
        let graph = operation.spec.graph();
        let mut empty: Vec<(GenePath, SpecId)> = Vec::new();
        let mut lists: Vec<(GenePath, SpecId)> = Vec::new();
        let is_object =
            |id: SpecId| matches!(graph.spec(scope.templates.present(id)), GeneSpec::Object(_));
        visit_sites(&scope.templates, operation, &action.gene, &mut |site| match (
            graph.spec(site.spec),
            site.gene,
        ) {
            (GeneSpec::Object(object), Gene::Object(value))
                if value.fields.is_empty() && !object.fields.is_empty() =>
            {
                empty.push((site.path.clone(), site.spec));
            }
            (GeneSpec::Array(list), Gene::Array(elements))
                if elements.is_empty() && is_object(list.element) =>
            {
                lists.push((site.path.clone(), list.element));
            }
            _ => {}
        });
        let usual = Arc::clone(&self.draw.settings);
        self.draw.settings = GeneSettings { absent: 1.0, null: 0.0, ..(*usual).clone() }.into();
        for (path, element) in lists {
            if !self.draw.rng.chance(FILLED) {
                continue;
            }
            let element = scope.templates.spec_at(scope.templates.present(element));
            let value = sample(&element, action.template, &self.learnt.knowledge, self.draw);
            if let Some(Gene::Array(elements)) = path.find_mut(&mut action.gene) {
                elements.push(value);
            }
        }
        for (mut path, spec) in empty {
            let GeneSpec::Object(object) = graph.spec(spec) else { continue };
            let position = self.draw.rng.below(object.fields.len());
            let below = scope.templates.present(object.fields[position].spec);
            if self.draw.rng.chance(FILLED) {
                let spec = scope.templates.spec_at(below);
                let value = sample(&spec, action.template, &self.learnt.knowledge, self.draw);
                path.0.push(PathStep::Field(position as u32));
                put(&mut action.gene, &path, value);
            }
        }
        self.draw.settings = usual;
    }
}

/// Whether an argument is an object with values of its own, or a list of such: members of a filter are
/// objects that compare.
fn is_payload(templates: &Templates, spec: SpecId) -> bool {
    let of = |id: SpecId| templates.graph().spec(templates.present(id));
    let element = match of(spec) {
        GeneSpec::Array(list) => of(list.element),
        whole => whole,
    };
    let GeneSpec::Object(object) = element else { return false };
    let is_value = |id: SpecId| !matches!(of(id), GeneSpec::Object(_) | GeneSpec::Array(_));
    object.fields.iter().any(|field| is_value(field.spec))
}

#[cfg(test)]
mod tests {
    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::scope::Scope;
    use crate::http::{HttpOutcome, HttpResponse};

    const CALLS: usize = 200;

    const FILTERED: &str = "type Query { things(filter: Filter!): Int }
        input Filter { name: String size: Int owner: String }";

    /// Calls of the last operation of a schema, after calls of which so many went well.
    fn documents(sdl: &str, is_black_box: bool, (calls, successes): (u32, u32)) -> Vec<String> {
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let operation = templates.operations().last().unwrap();
        let mut scope = Scope::new(Arc::clone(&templates), vec![operation.id], 5);
        scope.is_black_box = is_black_box;
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let call = |learnt: &Learnt<GraphqlMemory>, draw: &mut Draw| {
            Sampler { scope: &scope, learnt, draw }.call(operation.id)
        };
        for number in 0..calls {
            let gave = format!(r#"{{"data":{{"{}":1}}}}"#, operation.name);
            let body = if number < successes { gave } else { "{}".to_owned() };
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            let sent = call(&learnt, &mut draw);
            learnt.memory.note(&sent, &answer, &templates, &scope.links);
        }
        let document =
            |action: GraphqlAction| templates.render(operation, &action.gene, Style::Compact);
        (0..CALLS).map(|_| document(call(&learnt, &mut draw))).collect()
    }

    fn share(documents: &[String], is_so: impl Fn(&str) -> bool) -> f64 {
        documents.iter().filter(|it| is_so(it)).count() as f64 / documents.len() as f64
    }

    #[test]
    fn operations_that_do_not_go_well_are_called_with_little() {
        let bare = |is_black_box, known| {
            share(&documents(FILTERED, is_black_box, known), |it| it.contains("filter:{}"))
        };
        assert!(bare(true, (0, 0)) > 0.5);
        assert!(bare(true, (20, 5)) > 0.25);
        assert!(bare(true, (20, 15)) < 0.1);
        assert!(bare(false, (0, 0)) < 0.1);
    }

    #[test]
    fn what_never_goes_well_is_called_with_all_arguments_more_and_more() {
        let full = |known| {
            let is_full =
                |it: &str| ["name:", "size:", "owner:"].iter().all(|part| it.contains(part));
            share(&documents(FILTERED, true, known), is_full)
        };
        let (first, later) = (full((0, 0)), full((60, 0)));
        assert!(first < 0.1 && later > 0.3, "{first} {later}");
        assert!(full((60, 1)) < 0.2, "it can go well without");
    }

    #[test]
    fn optional_arguments_join_one_by_one() {
        let sdl = "type Query { size: Int } type Mutation { put(filter: Filter sort: [String!]
            limit: Int page: Int search: String data: [Item!]): Int } input Item { name: String }
            input Filter { name: Comparison, _and: [Filter] } input Comparison { _eq: String }";
        let alone = |known| {
            let is_alone = |it: &str| it.starts_with("mutation{put(data:[") && it.ends_with("])}");
            share(&documents(sdl, true, known), is_alone)
        };
        let (first, later) = (alone((0, 0)), alone((20, 0)));
        assert!(first < 0.04 && later > 0.15, "{first} {later}");
    }

    #[test]
    fn a_change_has_something_to_change() {
        let sdl = "type Query { size: Int } type Mutation { change(input: Change!): Int }
            input Change { name: String size: Int parts: Parts } input Parts { name: String }";
        let is_empty = |it: &str| it.contains("input:{}") || it.contains("parts:{}");
        let empty = |is_black_box| share(&documents(sdl, is_black_box, (0, 0)), is_empty);
        assert!(empty(true) < 0.4, "{}", empty(true));
        let several = sdl.replace("input: Change!", "inputs: [Change!]!");
        let none = share(&documents(&several, true, (0, 0)), |it| it.contains("inputs:[]"));
        assert!(none < 0.4, "{none}");
        let taken = sdl.replace("change(", "deleteChange(");
        assert!(share(&documents(&taken, true, (0, 0)), is_empty) > 0.5);
    }

    #[test]
    fn what_says_which_thing_is_meant_says_it_once() {
        let sdl =
            "type Query { size: Int } type Mutation { deletePost(where: PostUniqueInput!): Int }
            input PostUniqueInput { email: String slug: String id: ID }";
        let members =
            |it: &str| ["id:", "slug:", "email:"].iter().filter(|at| it.contains(*at)).count();
        for known in [(0, 0), (20, 20)] {
            let documents = documents(sdl, true, known);
            let one = share(&documents, |it| members(it) == 1);
            let by_id = share(&documents, |it| members(it) == 1 && !it.contains("email:"));
            assert!(one > 0.6 && by_id > 0.5, "{one} {by_id}");
        }
        // A filter with an id stays one, until nothing was found with it.
        let filter =
            "type Query { things(filter: Filter!): Int } input Filter { name: String id: ID }";
        let by_id = |known| share(&documents(filter, true, known), |it| it.contains("filter:{id:"));
        assert!(by_id((20, 0)) > by_id((0, 0)) + 0.2);
    }

    #[test]
    fn what_nobody_answers_is_asked_for_something_else() {
        let sdl = "type Query { run: Run } type Run { broken: Int size: Int name: String }";
        let asks = |known| {
            let is_other = |it: &str| matches!(it, "query{run{size}}" | "query{run{name}}");
            share(&documents(sdl, true, known), is_other)
        };
        let (first, later) = (asks((0, 0)), asks((20, 0)));
        assert!(first < 0.1 && later > 0.17, "{first} {later}");
    }

    #[test]
    fn calls_that_do_not_go_well_ask_for_little() {
        let sdl = "type Query { thing(name: String!): Thing }
            type Thing { size: Int parts(before: String): [Thing] }";
        let asks = |known| share(&documents(sdl, true, known), |it| it.contains("parts"));
        let (vain, well) = (asks((20, 0)), asks((20, 20)));
        assert!(2.0 * vain < well, "{vain} {well}");
    }
}
