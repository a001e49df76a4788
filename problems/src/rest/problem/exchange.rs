//! How calls are made from genes and earlier answers, sent, and judged.

use std::sync::Arc;

use http::Method;
use serde_json::Value;
use wallace_engine::{
    ActionId, Binding, BindingSource, Individual, Problem as _, Score, TargetName,
};
use wallace_genes::{GenePath, GeneSettings, SpecRef, TemplateId, simplest};

use super::RestProblem;
use crate::binding::AnswerPlace;
use crate::evaluator::{Exchange, HttpProblem};
use crate::http::{HttpOutcome, HttpRequest, HttpResponse};
use crate::kind;
use crate::oracle::Call;
use crate::rest::action::{Deviation, RestAction, Rule, Violation};
use crate::rest::callback;
use crate::rest::description::ParameterPlace;
use crate::rest::identity::{self, decoded, is_step};
use crate::rest::learn::NAMES;
use crate::rest::resource::Need;
use crate::spoil::flipped;
use crate::sql::{Input, SqlTables, leaf};
use crate::store::Stores;
use crate::target::fault_target;
use crate::word::plain;

/// Most calls that are made at the beginning to see who the users are, for each.
const MOST_OWN_READS: usize = 3;

impl HttpProblem for RestProblem {
    type Action = RestAction;

    fn operation(&self, action: &RestAction) -> &str {
        &self.operations.get(action.template).id
    }

    fn is_read(&self, action: &RestAction) -> bool {
        self.operations.is(action.template, &Method::GET)
    }

    fn makers(&self, action: &RestAction) -> Option<Vec<&str>> {
        self.operations.makers(action.template)
    }

    fn request(&self, action: &RestAction) -> HttpRequest {
        let mut request = match self.with_callback(action) {
            Some(action) => self.templates().request(&action, self.base_path()),
            None => self.templates().request(action, self.base_path()),
        };
        request.headers.extend(self.headers.clone());
        request
    }

    fn leads_elsewhere(&self, action: &RestAction, request: &HttpRequest) -> bool {
        let mut segments = request.path.path().split('/');
        action.deviation.is_none() && segments.any(|segment| is_step(&decoded(segment)))
    }

    fn own_reads(&self) -> Vec<HttpRequest> {
        let bare = GeneSettings { absent: 1.0, ..GeneSettings::default() };
        let request = |id: TemplateId| {
            let gene = simplest(&self.templates().template(id).spec, &bare);
            self.request(&RestAction::new(id, gene))
        };
        self.operations.own_reads().take(MOST_OWN_READS).map(request).collect()
    }

    fn undoing(
        &self,
        operation: &str,
        request: &HttpRequest,
        response: &HttpResponse,
    ) -> Vec<HttpRequest> {
        let Some(id) = self.template_named(operation) else { return Vec::new() };
        let deletion = self.operations.deletion_of(id, (request, response), self.base_path());
        // What makes a thing would make another one.
        let makes = self.operations.is(id, &Method::POST) && deletion.is_some();
        flipped(request).filter(|_| !makes).into_iter().chain(deletion).collect()
    }

    fn leaning(
        &self,
        individual: &Individual<RestAction>,
        index: usize,
        outcome: &HttpOutcome,
    ) -> f64 {
        let went_well = outcome.is_success();
        let Some((id, action)) = individual.actions().get(index) else { return 0.0 };
        if self.operations.is_white_box || !went_well {
            return 0.0;
        }
        let weight = |need: &Need| {
            let mut bound = individual.bindings().iter();
            let binding = bound.find(|it| it.action == *id && it.path == need.path());
            match binding.map(|binding| &binding.source) {
                None if need.is_made_here || need.thing.creations.is_empty() => 0.0,
                None => 1.0,
                // What a list shows may be there from the start.
                Some(BindingSource::Listed { .. }) => 0.5,
                Some(_) => 0.0,
            }
        };
        self.operations.resources.needs(action.template).iter().map(weight).sum()
    }

    fn sql_tables(&self) -> Option<&SqlTables> {
        self.beginnings.tables.as_ref()
    }

    fn stores(&self) -> Option<&Stores> {
        self.beginnings.stores.as_ref()
    }

    fn inputs(&self, action: &RestAction) -> Vec<Input> {
        let named = self.templates().named_values(action.template, &action.gene);
        let value = |path: &GenePath| leaf(path.find(&action.gene)?);
        let operation = self.operations.get(action.template);
        let input = |(path, name): &(GenePath, Arc<str>)| {
            // `/things/{id}`: of whom it is the id, the path says.
            let is_of_path = NAMES.contains(&&*plain(name));
            let of = operation.segment_before(name).filter(|_| is_of_path);
            Some((format!("{} {name}", of.unwrap_or_default()), value(path)?))
        };
        named.iter().filter_map(input).collect()
    }

    fn named_things(&self, action: &RestAction) -> Vec<(Vec<String>, String)> {
        let mut things = kind::things(self.inputs(action), &self.kinds(action));
        // A placeholder names something, whatever it is called.
        let operation = self.operations.get(action.template);
        let values = self.templates().values(action.template, &action.gene).parameters;
        for (parameter, value) in operation.parameters.iter().zip(&values) {
            let before = operation.segment_before(&parameter.name);
            let id = value.as_ref().and_then(kind::scalar);
            if let (Some(before), Some(id)) = (before, id)
                && parameter.place == ParameterPlace::Path
                && !things.iter().any(|(_, known)| *known == id)
            {
                things.push((kind::kinds(before).collect(), id));
            }
        }
        things
    }

    fn kinds(&self, action: &RestAction) -> Vec<String> {
        let segments = self.operations.get(action.template).path.split('/');
        segments.filter(|it| !it.starts_with('{')).flat_map(kind::kinds).collect()
    }

    fn caller(&self, action: &RestAction) -> Option<usize> {
        action.caller.map(usize::from)
    }

    fn spec_of(&self, action: &RestAction) -> Option<SpecRef> {
        Some(self.templates().template(action.template).spec.clone())
    }

    /// A test ends where such a call failed: what depends on it would mean nothing
    /// (docs/reference/rest.md#plans).
    fn named(
        &self,
        (giver, response): (&RestAction, &HttpResponse),
        (taker, binding): (&RestAction, &Binding),
    ) -> Option<(AnswerPlace, Value)> {
        let wanted = self.operations.wanted(taker.template, &binding.path)?;
        if let BindingSource::Listed { element, .. } = binding.source {
            return identity::listed(response, &wanted, element as usize);
        }
        let creator = &self.operations.get(giver.template).path;
        let chosen = self.templates().texts(giver.template, &giver.gene);
        identity::created(response, &wanted, (creator, &chosen), self.base_path())
    }

    fn read_located(
        &self,
        action: &RestAction,
        request: &HttpRequest,
        response: &HttpResponse,
    ) -> Option<HttpRequest> {
        self.oracles.read_located(action, request, response)
    }

    fn judge(
        &self,
        test: &[Exchange<'_, RestAction>],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    ) {
        for exchange in test {
            let targets = &self.targets[exchange.action.template.0 as usize];
            targets.reach(
                self.templates(),
                exchange.action,
                exchange.outcome,
                self.operations.is_white_box,
                &mut |name, score| {
                    reach(exchange.id, name, score);
                },
            );
        }
        let calls = test.iter().map(|exchange| Call {
            operation: &self.operations.get(exchange.action.template).id,
            request: exchange.request,
            outcome: exchange.outcome,
            elapsed: exchange.elapsed,
        });
        let calls: Vec<Call<'_>> = calls.collect();
        let ids: Vec<ActionId> = test.iter().map(|exchange| exchange.id).collect();
        self.sources.judge(&calls, &ids, reach);
        let own = self.own.judge(&calls);
        for (place, fault) in self.oracles.judge(test).into_iter().chain(own) {
            let Some(exchange) = test.get(place) else { continue };
            let operation = self.operations.get(exchange.action.template);
            // Another verb is another operation, though none that is documented.
            let operation = match exchange.action.deviation.as_deref() {
                Some(Deviation::Verb(verb)) => &*format!("{verb}:{}", operation.path),
                _ => &*operation.id,
            };
            reach(exchange.id, fault_target(operation, fault), Score::COVERED);
        }
    }
}

impl RestProblem {
    /// The call with the address of our own listener put in.
    fn with_callback(&self, action: &RestAction) -> Option<RestAction> {
        let path = callback::path_of(action)?;
        let Some(Deviation::Callback { parameter, pointer }) = action.deviation.as_deref() else {
            return None;
        };
        let url =
            self.oracles.callback.as_ref().map(|listener| listener.url(&path)).unwrap_or_default();
        let value = Value::String(url).to_string();
        let (parameter, pointer) = (*parameter, pointer.clone());
        let put = Violation { parameter, pointer, rule: Rule::Format, value };
        Some(RestAction { deviation: Some(Box::new(Deviation::Violation(put))), ..action.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn a_placeholder_names_something_whatever_it_is_called() {
        let problem = problem(
            "{'/admin/rules/{ruleType}': {get: {parameters: [{name: ruleType, in: path, required: true, \
               schema: {type: string, enum: [FULL]}}]}}}",
            0,
        );
        let id = named(&problem, "GET:/admin/rules/{ruleType}");
        let spec = &problem.templates().template(id).spec;
        let action = RestAction::new(id, simplest(spec, &GeneSettings::default()));
        let things = problem.named_things(&action);
        assert_eq!(things, [(vec!["rule".to_owned()], "FULL".to_owned())]);
    }
}
