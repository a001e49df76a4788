//! How calls are made from genes and earlier answers, sent, and judged.

use std::sync::Arc;

use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Score, TargetName};
use wallace_genes::{GenePath, PathStep, TemplateId};

use super::RestProblem;
use crate::binding::AnswerPlace;
use crate::evaluator::{Exchange, HttpProblem};
use crate::http::{HttpRequest, HttpResponse};
use crate::oracle::Call;
use crate::rest::action::{RestAction, Rule, Twist, Violation};
use crate::rest::identity::{self, Wanted};
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

    /// A test ends where such a call failed: what depends on it would mean nothing (rest.md 4).
    fn named(
        &self,
        (giver, response): (&RestAction, &HttpResponse),
        (taker, binding): (&RestAction, &Binding),
    ) -> Option<(AnswerPlace, Value)> {
        let wanted = self.wanted(taker.template, &binding.path)?;
        if let BindingSource::Listed { element, .. } = binding.source {
            return identity::listed(response, &wanted, element as usize);
        }
        let creator = &self.templates.operation(giver.template).path;
        identity::created(response, &wanted, creator, &self.base_path)
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
}
