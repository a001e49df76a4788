//! How calls are made from genes and earlier answers, sent, and judged.

use std::borrow::Cow;

use http::Method;
use serde_json::Value;
use wallace_engine::{Action, ActionId, BindingSource, Individual, Score, TargetName};
use wallace_genes::Gene;

use super::RestProblem;
use crate::binding::{bound_action, put_gene, put_scalar};
use crate::evaluator::{Exchange, HttpProblem};
use crate::http::{HttpOutcome, HttpRequest};
use crate::oracle::Call;
use crate::rest::action::{RestAction, Rule, Twist, Violation};
use crate::rest::callback;
use crate::rest::identity::{self, HEADER, LISTED};
use crate::sql::SqlTables;
use crate::target::fault_target;

impl HttpProblem for RestProblem {
    type Action = RestAction;

    fn operation(&self, action: &RestAction) -> &str {
        &self.operations.get(action.template).id
    }

    fn is_read(&self, action: &RestAction) -> bool {
        self.templates.operation(action.template).method == Method::GET
    }

    fn request(&self, action: &RestAction) -> HttpRequest {
        match self.with_callback(action) {
            Some(action) => self.templates().request(&action, self.base_path()),
            None => self.templates().request(action, self.base_path()),
        }
    }

    fn sql_tables(&self) -> Option<&SqlTables> {
        self.sql.as_ref()
    }

    fn caller(&self, action: &RestAction) -> Option<usize> {
        action.caller.map(usize::from)
    }

    /// Also fills in what names the thing that an earlier call made or listed. Where such a call
    /// failed, the test ends: what depends on it would mean nothing (rest.md 4).
    fn bound<'a>(
        &self,
        individual: &'a Individual<RestAction>,
        place: usize,
        outcomes: &[HttpOutcome],
    ) -> Option<Cow<'a, RestAction>> {
        let mut bound = bound_action(individual, place, outcomes);
        let (id, action) = &individual.actions()[place];
        for binding in individual.bindings().iter().filter(|binding| binding.action == *id) {
            let BindingSource::Response { action: source, pointer } = &binding.source else {
                continue;
            };
            if !pointer.starts_with('#') {
                continue;
            }
            let source = individual.position(*source)?;
            let response = outcomes.get(source)?.response.as_ref().ok()?;
            if let Some(name) = pointer.strip_prefix(HEADER) {
                let value = Value::String(response.header(name)?.to_owned());
                put_scalar(bound.to_mut().gene_mut(), &binding.path, &value);
                continue;
            }
            let creator = &self.operations.get(individual.actions()[source].1.template).path;
            let wanted = self.operations.wanted(action.template, &binding.path)?;
            let value = match pointer.strip_prefix(LISTED) {
                Some(rest) => identity::listed(response, &wanted, rest.parse().unwrap_or(0)),
                None => identity::created(response, &wanted, creator, self.base_path()),
            }?;
            if !put_scalar(bound.to_mut().gene_mut(), &binding.path, &value) {
                return None;
            }
        }
        // What one call takes from the genes of another, it takes from what was sent.
        self.copy_bound(individual, place, outcomes, bound)
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
        });
        let own = self.own.judge(&calls.collect::<Vec<_>>());
        for (place, fault) in self.oracles.judge(test).into_iter().chain(own) {
            let Some(exchange) = test.get(place) else { continue };
            let operation = self.operations.get(exchange.action.template);
            // Another verb is another operation, though none that is documented.
            let operation = match exchange.action.twist.as_deref() {
                Some(Twist::Verb(verb)) => &*format!("{verb}:{}", operation.path),
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
        let Some(Twist::Callback { parameter, pointer }) = action.twist.as_deref() else {
            return None;
        };
        let url =
            self.oracles.callback.as_ref().map(|listener| listener.url(&path)).unwrap_or_default();
        let value = Value::String(url).to_string();
        let (parameter, pointer) = (*parameter, pointer.clone());
        let put = Violation { parameter, pointer, rule: Rule::Format, value };
        Some(RestAction { twist: Some(Box::new(Twist::Violation(put))), ..action.clone() })
    }

    /// Genes that a call shares with an earlier one, which may itself have been filled in.
    fn copy_bound<'a>(
        &self,
        individual: &'a Individual<RestAction>,
        place: usize,
        outcomes: &[HttpOutcome],
        mut bound: Cow<'a, RestAction>,
    ) -> Option<Cow<'a, RestAction>> {
        let id = individual.actions()[place].0;
        for binding in individual.bindings().iter().filter(|binding| binding.action == id) {
            let BindingSource::Gene { action: source, path } = &binding.source else { continue };
            let source = individual.position(*source).filter(|source| *source < place)?;
            let earlier = self.bound(individual, source, outcomes)?;
            let value: Gene = path.find(earlier.gene())?.clone();
            put_gene(binding.path.find_mut(bound.to_mut().gene_mut())?, &value);
        }
        Some(bound)
    }
}
