//! How operations are sent, and what their answers show.

use http::HeaderValue;
use http::header::ACCEPT;
use wallace_engine::{ActionId, Score, TargetName};
use wallace_genes::{Gene, GeneSpec};

use super::GraphqlProblem;
use crate::evaluator::{Exchange, HttpProblem};
use crate::graphql::action::GraphqlAction;
use crate::graphql::answer::Answer;
use crate::graphql::render::Style;
use crate::graphql::response::{Response, ResponseData};
use crate::graphql::schema::OperationKind;
use crate::graphql::site::visit_sites;
use crate::graphql::subscription::STREAM;
use crate::graphql::target::reach_response;
use crate::graphql::verdict::{self, Case};
use crate::graphql::{check, form};
use crate::http::{HttpOutcome, HttpRequest};
use crate::oracle::{Call, Fault};
use crate::sql::SqlTables;
use crate::target::fault_target;

impl HttpProblem for GraphqlProblem {
    type Action = GraphqlAction;

    fn operation(&self, action: &GraphqlAction) -> &str {
        &self.templates.operations()[action.template.0 as usize].name
    }

    fn is_read(&self, action: &GraphqlAction) -> bool {
        let operation = self.templates.operation(action.template);
        operation.is_some_and(|operation| operation.kind == OperationKind::Query)
    }

    fn went_well(&self, outcome: &HttpOutcome) -> bool {
        let response = outcome.response.as_ref().ok().and_then(|it| Response::of(it).ok());
        response.is_some_and(|response| {
            response.data == ResponseData::Present && response.errors.is_empty()
        })
    }

    fn request(&self, action: &GraphqlAction) -> HttpRequest {
        let operation = &self.templates.operations()[action.template.0 as usize];
        let document = form::document(&self.templates, operation, action, Style::Compact);
        let mut headers = self.headers.clone();
        let is_called = self.callable.binary_search(&operation.id).is_ok();
        if operation.kind == OperationKind::Subscription && is_called {
            headers.insert(ACCEPT, HeaderValue::from_static(STREAM));
        }
        form::request(document, action.form, &self.path, headers)
    }

    fn sql_tables(&self) -> Option<&SqlTables> {
        self.sql.as_ref()
    }

    fn caller(&self, action: &GraphqlAction) -> Option<usize> {
        action.user.map(usize::from)
    }

    fn judge(
        &self,
        test: &[Exchange<'_, GraphqlAction>],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    ) {
        let operations = self.templates.operations();
        let calls = test.iter().map(|exchange| Call {
            operation: &operations[exchange.action.template.0 as usize].coordinate,
            request: exchange.request,
            outcome: exchange.outcome,
        });
        let calls: Vec<Call<'_>> = calls.collect();
        let answer = |exchange: &Exchange<'_, GraphqlAction>| {
            Answer::of(exchange.outcome, exchange.action.form)
        };
        let answers: Vec<Option<Answer>> = test.iter().map(answer).collect();
        for ((exchange, call), answer) in test.iter().zip(&calls).zip(&answers) {
            self.reach(exchange, answer.as_ref(), &mut |name, score| {
                reach(exchange.id, name, score);
            });
            let own = self.verdicts(exchange, answer.as_ref());
            for found in self.oracles.iter().flat_map(|oracle| oracle.judge(call)).chain(own) {
                reach(exchange.id, fault_target(call.operation, found), Score::COVERED);
            }
        }
        let own = check::judge(self, test, &answers);
        let users = self.oracles.iter().flat_map(|oracle| oracle.judge_test(&calls));
        for (place, found) in users.chain(own) {
            if let (Some(exchange), Some(call)) = (test.get(place), calls.get(place)) {
                reach(exchange.id, fault_target(call.operation, found), Score::COVERED);
            }
        }
    }
}

impl GraphqlProblem {
    /// The targets that one call reached.
    fn reach(
        &self,
        exchange: &Exchange<'_, GraphqlAction>,
        answer: Option<&Answer>,
        reach: &mut dyn FnMut(TargetName, Score),
    ) {
        let place = exchange.action.template.0 as usize;
        self.targets[place].reach(exchange.outcome, answer, reach);
        let has_shape = exchange.action.form.has_shape();
        if let Some(answer) = answer.filter(|_| self.is_black_box && has_shape) {
            let operation = &self.templates.operations()[place];
            reach_response(&self.templates, operation, exchange.action, answer, reach);
        }
    }

    /// The faults that one answer shows.
    fn verdicts(
        &self,
        exchange: &Exchange<'_, GraphqlAction>,
        answer: Option<&Answer>,
    ) -> Vec<Fault> {
        let operation = &self.templates.operations()[exchange.action.template.0 as usize];
        let case = Case {
            templates: &self.templates,
            operation,
            action: exchange.action,
            outcome: exchange.outcome,
            is_valid: exchange.action.form.is_valid(),
            has_shape: exchange.action.form.has_shape(),
            has_guess: self.has_guess(exchange.action),
        };
        verdict::judge(&case, answer)
    }

    /// Whether a call holds a value of a custom scalar.
    fn has_guess(&self, action: &GraphqlAction) -> bool {
        let operation = &self.templates.operations()[action.template.0 as usize];
        let mut has_guess = false;
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            let scalar = self.argument_types.get(site.coordinate).map_or("String", |name| name);
            let is_known = ["Int", "Float", "Boolean", "String", "ID"].contains(&scalar);
            let is_value = !matches!(site.gene, Gene::Absent | Gene::Null);
            let is_leaf = matches!(
                operation.spec.graph().spec(site.spec),
                GeneSpec::String(_) | GeneSpec::Long(_) | GeneSpec::Integer(_) | GeneSpec::Float(_)
            );
            has_guess |= is_leaf && is_value && !is_known;
        });
        has_guess
    }
}
