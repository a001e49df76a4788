//! How calls are made from genes and earlier answers, sent, and judged.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use wallace_engine::{Action, ActionId, BindingSource, Individual, Score, TargetName};
use wallace_genes::{Gene, GenePath, PathStep, TemplateId};

use super::RestProblem;
use crate::binding::{put_gene, response_value};
use crate::evaluator::{Exchange, HttpProblem};
use crate::http::{HttpOutcome, HttpRequest};
use crate::oracle::Call;
use crate::rest::action::{RestAction, Rule, Twist, Violation};
use crate::rest::identity::{self, HEADER, LISTED, Wanted};
use crate::sql::SqlTables;

impl HttpProblem for RestProblem {
    type Action = RestAction;

    fn operation(&self, action: &RestAction) -> &str {
        &self.templates.operation(action.template).id
    }

    fn request(&self, action: &RestAction) -> HttpRequest {
        match self.with_callback(action) {
            Some(action) => self.templates.request(&action, &self.base_path),
            None => self.templates.request(action, &self.base_path),
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
        let (id, action) = &individual.actions()[place];
        let mut bound = Cow::Borrowed(&**action);
        let spec = &self.templates.template(action.template).spec;
        for binding in individual.bindings().iter().filter(|binding| binding.action == *id) {
            let BindingSource::Response { action: source, pointer } = &binding.source else {
                continue;
            };
            if !pointer.starts_with('#') {
                if let Some(value) = response_value(individual, *source, pointer, outcomes) {
                    spec.put(bound.to_mut().gene_mut(), &binding.path, &value);
                }
                continue;
            }
            let source = individual.position(*source)?;
            let response = outcomes.get(source)?.response.as_ref().ok()?;
            if let Some(name) = pointer.strip_prefix(HEADER) {
                let value = Value::String(response.header(name)?.to_owned());
                spec.put(bound.to_mut().gene_mut(), &binding.path, &value);
                continue;
            }
            let creator = &self.templates.operation(individual.actions()[source].1.template).path;
            let wanted = self.wanted(action.template, &binding.path)?;
            let value = match pointer.strip_prefix(LISTED) {
                Some(rest) => identity::listed(response, &wanted, rest.parse().unwrap_or(0)),
                None => identity::created(response, &wanted, creator, &self.base_path),
            }?;
            if !spec.put(bound.to_mut().gene_mut(), &binding.path, &value) {
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
                &self.templates,
                exchange.action,
                exchange.outcome,
                self.is_white_box,
                &mut |name, score| {
                    reach(exchange.id, name, score);
                },
            );
        }
        let calls = test.iter().map(|exchange| Call {
            operation: &self.templates.operation(exchange.action.template).id,
            request: exchange.request,
            outcome: exchange.outcome,
        });
        let own = self.own.judge(&calls.collect::<Vec<_>>());
        for (place, fault) in self.oracles.judge(self, test).into_iter().chain(own) {
            let Some(exchange) = test.get(place) else { continue };
            let operation = self.templates.operation(exchange.action.template);
            // Another verb is another operation, though none that is documented.
            let operation = match exchange.action.twist.as_deref() {
                Some(Twist::Verb(verb)) => format!("{verb} {}", operation.path),
                _ => operation.id.replacen(':', " ", 1),
            };
            let name = format!("fault:{}:{operation}:{}", fault.code, fault.context);
            reach(exchange.id, name.into(), Score::COVERED);
        }
    }
}

impl RestProblem {
    /// What a value of a call names: a placeholder of its path, or a thing that a parameter or
    /// member is called like.
    fn wanted(&self, template: TemplateId, path: &GenePath) -> Option<Wanted> {
        let first = path.0.first()?;
        let needs = self.resources.needs(template);
        let need = needs
            .iter()
            .find(|need| path.0.len() == 1 && *first == PathStep::Field(need.parameter));
        if let Some(need) = need {
            let path = Arc::clone(&self.templates.operation(template).path);
            return Some(Wanted { path, depth: need.depth, name: Arc::clone(&need.name) });
        }
        let name = self.templates.name_at(template, path)?;
        let place = &self.resources.referred(&name)?.place;
        let depth = place.split('/').filter(|segment| !segment.is_empty()).count();
        Some(Wanted { path: Arc::clone(place), depth, name })
    }

    /// The path of our own listener that a call is made to lead to, if it is.
    pub(in crate::rest) fn callback_path(action: &RestAction) -> Option<String> {
        let Some(Twist::Callback { parameter, pointer }) = action.twist.as_deref() else {
            return None;
        };
        let parameter = parameter.map_or_else(|| "body".to_owned(), |index| index.to_string());
        let pointer: String =
            pointer.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Some(format!("wallace/{}/{parameter}{pointer}", action.template.0))
    }

    /// The call with the address of our own listener put in.
    fn with_callback(&self, action: &RestAction) -> Option<RestAction> {
        let path = Self::callback_path(action)?;
        let Some(Twist::Callback { parameter, pointer }) = action.twist.as_deref() else {
            return None;
        };
        let url = self.callback.as_ref().map(|listener| listener.url(&path)).unwrap_or_default();
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
            let spec = |action: &RestAction| &self.templates.template(action.template).spec;
            let is_put = spec(&earlier).value_at(earlier.gene(), path).is_some_and(|value| {
                spec(&individual.actions()[place].1).put(
                    bound.to_mut().gene_mut(),
                    &binding.path,
                    &value,
                )
            });
            if is_put {
                continue;
            }
            let value: Gene = path.find(earlier.gene())?.clone();
            put_gene(binding.path.find_mut(bound.to_mut().gene_mut())?, &value);
        }
        Some(bound)
    }
}
