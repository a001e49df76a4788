//! Values of arguments: guesses, and values seen earlier.

use wallace_genes::{Draw, Gene, GeneSpec};

use super::Sampler;
use super::id::is_told;
use super::typename::select_typenames;
use crate::binding::put_scalar;
use crate::graphql::action::GraphqlAction;
use crate::graphql::hint;
use crate::graphql::link::Purpose;
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::scalar::{ScalarKind, number};
use crate::graphql::scope::{Need, Scope};
use crate::graphql::site::visit_sites;
use crate::part::put;

/// Share of values of scalars that are objects which are written as one; others are any texts.
const OBJECT: f64 = 0.95;
/// Share of dates and times that are written as a refusal told.
const TOLD: f64 = 0.9;
/// Share of ids of what a call makes that something has already.
const TAKEN: f64 = 0.1;
/// Share of cursors that no answer told which stay: a service refuses them with the whole call.
const GUESSED_CURSOR: f64 = 0.1;
/// Share of values seen earlier that are of the most trusted key.
const TRUSTED: f64 = 0.95;

impl Sampler<'_, '_> {
    /// Guesses and values seen earlier in place of random ones, and `__typename` where the type
    /// of an object is open.
    pub(crate) fn improve(&mut self, action: &mut GraphqlAction) {
        self.guess(action);
        self.fill_from_pool(action, 1.0);
    }

    /// The same without values seen earlier.
    pub(super) fn guess(&mut self, action: &mut GraphqlAction) {
        if self.scope.is_black_box {
            self.leave_out(action);
            self.guess_values(action);
            self.put_told(action);
            let spec = self.scope.operation(action.template).spec.id();
            select_typenames(&self.scope.templates, spec, &mut action.gene);
        }
    }

    fn guess_values(&mut self, action: &mut GraphqlAction) {
        let (scope, draw) = (self.scope, &mut *self.draw);
        let memory = &self.learnt.memory;
        let operation = scope.operation(action.template);
        let graph = operation.spec.graph();
        let mut guesses = Vec::new();
        visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
            if matches!(site.gene, Gene::Absent | Gene::Null | Gene::Boolean(_)) {
                return;
            }
            let spec = graph.spec(site.spec);
            if !matches!(
                spec,
                GeneSpec::String(_) | GeneSpec::Integer(_) | GeneSpec::Long(_) | GeneSpec::Float(_)
            ) {
                return;
            }
            let guess = guess_at(scope, site.coordinate, spec, draw);
            let (name, scalar) = scope.scalar_at(site.coordinate);
            let is_text = matches!(spec, GeneSpec::String(_));
            let guess = match (memory.scalar_kinds.of(scalar), guess) {
                (ScalarKind::Number, Some(guess)) if is_numeric(&guess) => Some(guess),
                (ScalarKind::Number, _) if is_numeric(site.gene) => None,
                (ScalarKind::Number, _) => {
                    Some(Gene::text(hint::whole_number(name, &mut draw.rng)))
                }
                (ScalarKind::Object, guess) => {
                    let is_known = scope.scalars.contains_key(scalar);
                    let is_usual = is_text && !is_known && draw.rng.chance(OBJECT);
                    if is_usual { Some(Gene::text(hint::object(&mut draw.rng))) } else { guess }
                }
                (ScalarKind::Text, guess) => {
                    let told = memory.moments.of(site.coordinate, scalar);
                    match told.filter(|_| is_text && draw.rng.chance(TOLD)) {
                        Some(moment) => Some(Gene::text(hint::moment(moment, &mut draw.rng))),
                        None => guess,
                    }
                }
            };
            if let Some(guess) = guess {
                guesses.push((site.path.clone(), guess));
            }
        });
        for (path, guess) in guesses {
            if let Some(place) = path.find_mut(&mut action.gene) {
                *place = guess;
            }
        }
    }

    /// Puts values seen earlier into arguments.
    pub(super) fn fill_from_pool(&mut self, action: &mut GraphqlAction, share: f64) {
        for need in self.scope.needs(action) {
            let usual = if need.is_of_made { TAKEN } else { need.source.purpose.share() };
            let wanted = self.trust(action.template, &need).unwrap_or(usual);
            if self.draw.rng.chance(wanted * share) && self.put_from_pool(action, &need) {
                continue;
            }
            let is_cursor = need.source.purpose == Purpose::Cursor && need.is_optional;
            if is_cursor && self.scope.is_black_box && !self.draw.rng.chance(GUESSED_CURSOR) {
                self.leave_out_guess(action, &need);
            }
        }
    }

    /// Leaves out a value that is none of those seen earlier.
    fn leave_out_guess(&mut self, action: &mut GraphqlAction, need: &Need) {
        let pool = &self.learnt.memory.pool;
        let is_known = |key: &String| is_told(pool.get(key), &action.gene, &need.path);
        if !need.source.keys.iter().any(is_known) {
            put(&mut action.gene, &need.path, Gene::Absent);
        }
    }

    /// Puts a value of the pool where it is needed; of the most trusted key mostly. Returns whether
    /// there was one that fits.
    pub(crate) fn put_from_pool(&mut self, action: &mut GraphqlAction, need: &Need) -> bool {
        let trust = self.trust(action.template, need).unwrap_or(TRUSTED);
        let GraphqlMemory { pool, scalar_kinds, .. } = &self.learnt.memory;
        // What takes anything is no text because some field of its kind held one.
        let is_of_object = |key: &str| {
            let scalar = key.strip_prefix("scalar:");
            scalar.is_some_and(|scalar| scalar_kinds.of(scalar) == ScalarKind::Object)
        };
        let keys = need.source.keys.iter().filter(|key| !is_of_object(key));
        let known: Vec<_> = keys.filter_map(|key| pool.get(key)).collect();
        for (index, values) in known.iter().enumerate() {
            let is_last = index + 1 == known.len();
            if is_last || self.draw.rng.chance(trust) {
                let value = &values[self.draw.rng.below(values.len())];
                return put_scalar(&mut action.gene, &need.path, value);
            }
        }
        false
    }
}

/// Whether a gene is written as a number where its scalar is one.
fn is_numeric(gene: &Gene) -> bool {
    matches!(gene, Gene::String(string) if number(&string.text).is_some())
}

/// What people would give for the argument at a coordinate, or nothing.
pub(crate) fn guess_at(
    scope: &Scope,
    coordinate: &str,
    spec: &GeneSpec,
    draw: &mut Draw,
) -> Option<Gene> {
    let (name, scalar) = scope.scalar_at(coordinate);
    hint::guess(name, scalar, spec, &scope.scalars, &mut draw.rng)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::uri::PathAndQuery;
    use serde_json::json;
    use wallace_engine::{Learnt, Problem, SearchSettings};
    use wallace_genes::GeneSettings;

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::answer::Answer;
    use crate::graphql::problem::GraphqlProblem;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    #[test]
    fn what_takes_an_object_is_given_what_a_field_of_its_name_held() {
        let sdl = "scalar JSON type Query { shown: Thing } type Thing { extra: JSON error: JSON }
            type Mutation { keep(extra: JSON!): Int }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let (path, settings) = (PathAndQuery::from_static("/"), SearchSettings::default());
        let problem =
            GraphqlProblem::new(Arc::clone(&templates), path, &settings).unwrap().black_box();
        let template = |name: &str| templates.operations().iter().find(|it| *it.name == *name);
        let shown = template("shown").unwrap();
        let sample = wallace_genes::sample;
        let full = GeneSettings { absent: 0.0, ..GeneSettings::default() };
        let mut draw = Draw::new(1, 1, Arc::new(full));
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        for extra in [json!({ "size": 12345 }), json!([12345])] {
            let gene = sample(&shown.spec, shown.id, &learnt.knowledge, &mut draw);
            let body = json!({ "data": { "shown": { "extra": extra, "error": "gone wrong" } } });
            let response =
                HttpResponse { status: 200, body: body.to_string(), ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            let action = GraphqlAction::new(shown.id, gene);
            learnt.memory.note(&action, &answer, &templates, &problem.scope.links);
        }
        let keep = template("keep").unwrap().id;
        let tests = (0..600).map(|_| problem.sample(&learnt, &mut draw));
        let actions = tests
            .flat_map(|test| test.actions().iter().map(|it| (*it.1).clone()).collect::<Vec<_>>());
        let actions = actions.filter(|it| it.template == keep && it.check.is_none());
        let documents: Vec<String> =
            actions.map(|action| problem.document(&action, Style::Compact).0).collect();
        let count = |part: &str| documents.iter().filter(|it| it.contains(part)).count();
        assert!(count("extra:{size:12345}") > 10, "{documents:#?}");
        assert!(count("extra:[12345]") > 10, "{documents:#?}");
        assert_eq!(count("gone wrong"), 0);
    }
}
