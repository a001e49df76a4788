//! How operations are sent, and what their answers show.

use std::fmt::Write as _;

use http::HeaderValue;
use http::header::ACCEPT;
use serde_json::Value;
use wallace_engine::{ActionId, Score, TargetName};
use wallace_genes::{Gene, GeneSpec, TemplateId};

use super::GraphqlProblem;
use crate::auth::Touch;
use crate::evaluator::{Exchange, HttpProblem};
use crate::graphql::action::{Form, GraphqlAction};
use crate::graphql::answer::{Answer, Seen};
use crate::graphql::document::{Document, Selection};
use crate::graphql::link::Effect;
use crate::graphql::render::Style;
use crate::graphql::response::Response;
use crate::graphql::schema::OperationKind;
use crate::graphql::site::visit_sites;
use crate::graphql::subscription::STREAM;
use crate::graphql::target::reach_response;
use crate::graphql::verdict::{self, Case};
use crate::graphql::{asker, check, form};
use crate::http::{HttpOutcome, HttpRequest};
use crate::kind;
use crate::oracle::{Call, Fault};
use crate::sql::{Input, SqlTables};
use crate::store::Stores;
use crate::target::fault_target;

impl HttpProblem for GraphqlProblem {
    type Action = GraphqlAction;

    fn operation(&self, action: &GraphqlAction) -> &str {
        &self.scope.operation(action.template).coordinate
    }

    fn is_read(&self, action: &GraphqlAction) -> bool {
        self.scope.is_query(action.template)
    }

    fn makers(&self, action: &GraphqlAction) -> Option<Vec<&str>> {
        let links = &self.scope.links;
        let ended = Some(action.template).filter(|id| links.effect(*id) == Effect::Delete);
        let ended = ended.and_then(|id| links.ended(id))?;
        let makes = |id: &&TemplateId| {
            links.effect(**id) == Effect::Create && links.resource(**id) == Some(ended)
        };
        let makers = self.scope.callable.iter().filter(makes);
        let makers: Vec<&str> = makers.map(|id| &*self.scope.operation(*id).coordinate).collect();
        // Nothing that makes some by its name is no word on whether something does.
        Some(makers).filter(|makers| !makers.is_empty())
    }

    fn went_well(&self, outcome: &HttpOutcome) -> bool {
        let response = outcome.response.as_ref().ok().and_then(|it| Response::of(it).ok());
        response.is_some_and(|response| response.is_success())
    }

    fn touch(&self, action: &GraphqlAction, _request: &HttpRequest) -> Option<Touch> {
        asker::touch(&self.scope, action, || self.inputs(action))
    }

    fn own_reads(&self) -> Vec<HttpRequest> {
        let documents = asker::own_reads(&self.scope).into_iter();
        let text = |document: Document| (document.text(Style::Compact), document.values());
        let request = |text| form::request(text, Form::Literals, &self.path, self.headers.clone());
        documents.map(text).map(request).collect()
    }

    fn is_refused(&self, outcome: &HttpOutcome) -> bool {
        let answer = Answer::of(outcome, Form::Literals, None);
        answer.is_some_and(|answer| answer.is_refused() || answer.is_unknown())
    }

    fn is_unknown(&self, outcome: &HttpOutcome) -> bool {
        Answer::of(outcome, Form::Literals, None).is_some_and(|answer| answer.is_unknown())
    }

    fn request(&self, action: &GraphqlAction) -> HttpRequest {
        let operation = self.scope.operation(action.template);
        let document = self.document(action, Style::Compact);
        let mut headers = self.headers.clone();
        let is_called = self.scope.is_callable(operation.id);
        if operation.kind == OperationKind::Subscription && is_called {
            headers.insert(ACCEPT, HeaderValue::from_static(STREAM));
        }
        form::request(document, action.form, &self.path, headers)
    }

    fn sql_tables(&self) -> Option<&SqlTables> {
        self.beginnings.tables.as_ref()
    }

    fn stores(&self) -> Option<&Stores> {
        self.beginnings.stores.as_ref()
    }

    fn inputs(&self, action: &GraphqlAction) -> Vec<Input> {
        let operation = self.scope.operation(action.template);
        let root = self.scope.templates.called_field(operation, &action.gene);
        let mut inputs = Vec::new();
        for (name, literal) in root.as_field().iter().flat_map(|field| &field.arguments) {
            add_inputs(name, literal.to_json(&|_| None).unwrap_or_default(), &mut inputs);
        }
        inputs
    }

    fn asks_for(&self, action: &GraphqlAction) -> Option<String> {
        let operation = self.scope.operation(action.template);
        let root = self.scope.templates.called_field(operation, &action.gene);
        let mut text = operation.coordinate.to_string();
        for (name, literal) in &root.as_field()?.arguments {
            write!(text, " {name}:{}", literal.to_json(&|_| None).unwrap_or_default()).ok()?;
        }
        Some(text)
    }

    fn kinds(&self, action: &GraphqlAction) -> Vec<String> {
        kind::kinds(&self.scope.operation(action.template).full_name).collect()
    }

    fn caller(&self, action: &GraphqlAction) -> Option<usize> {
        action.user.map(usize::from)
    }

    fn judge(
        &self,
        test: &[Exchange<'_, GraphqlAction>],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    ) {
        let calls = test.iter().map(|exchange| Call {
            operation: &self.scope.operation(exchange.action.template).coordinate,
            request: exchange.request,
            outcome: exchange.outcome,
            elapsed: exchange.elapsed,
        });
        let calls: Vec<Call<'_>> = calls.collect();
        let answer = |exchange: &Exchange<'_, GraphqlAction>| {
            let operation = self.scope.operation(exchange.action.template);
            Answer::of(exchange.outcome, exchange.action.form, Some(operation))
        };
        let answers: Vec<Option<Answer>> = test.iter().map(answer).collect();
        let selections: Vec<Vec<Selection>> = test.iter().map(|it| self.selections(it)).collect();
        let seen = answers.iter().zip(&selections).zip(test).enumerate();
        let seen = seen.map(|(place, ((answer, selections), exchange))| {
            let action = exchange.action;
            let operation = self.scope.operation(action.template);
            Some(Seen { place, action, operation, selections, answer: answer.as_ref()? })
        });
        let seen: Vec<Option<Seen<'_>>> = seen.collect();
        for ((exchange, call), seen) in test.iter().zip(&calls).zip(&seen) {
            self.reach(exchange, seen.as_ref(), &mut |name, score| {
                reach(exchange.id, name, score);
            });
            let own = self.verdicts(exchange, seen.as_ref());
            // An error of the service with its message says more than the status of its answer.
            let is_told = own.iter().any(|fault| fault.code == 970) && !self.off.contains(&970);
            let found = self.oracles.iter().flat_map(|oracle| oracle.judge(call)).chain(own);
            let found = found.filter(|found| !(is_told && found.code == 100));
            for found in found.filter(|found| !self.off.contains(&found.code)) {
                reach(exchange.id, fault_target(call.operation, found), Score::COVERED);
            }
        }
        let ids: Vec<ActionId> = test.iter().map(|exchange| exchange.id).collect();
        self.sources.judge(&calls, &ids, reach);
        let seen: Vec<Seen<'_>> = seen.into_iter().flatten().collect();
        let own = check::judge(&self.scope, self.checks, &seen);
        let users = self.oracles.iter().flat_map(|oracle| oracle.judge_test(&calls));
        for (place, found) in users.chain(own) {
            let is_wanted = !self.off.contains(&found.code);
            if let (Some(exchange), Some(call), true) =
                (test.get(place), calls.get(place), is_wanted)
            {
                reach(exchange.id, fault_target(call.operation, found), Score::COVERED);
            }
        }
    }
}

/// Most elements of a list that are looked at.
const MOST_ELEMENTS: usize = 20;

/// Adds an argument, and of an input object its fields.
fn add_inputs(name: &str, value: Value, inputs: &mut Vec<Input>) {
    match value {
        Value::Object(fields) => {
            fields.into_iter().for_each(|(name, value)| add_inputs(&name, value, inputs));
        }
        Value::Array(elements) => {
            elements
                .into_iter()
                .take(MOST_ELEMENTS)
                .for_each(|element| add_inputs(name, element, inputs));
        }
        Value::Null => {}
        value => inputs.push((name.to_owned(), value)),
    }
}

impl GraphqlProblem {
    /// The targets that one call reached.
    fn reach(
        &self,
        exchange: &Exchange<'_, GraphqlAction>,
        seen: Option<&Seen<'_>>,
        reach: &mut dyn FnMut(TargetName, Score),
    ) {
        let place = exchange.action.template.0 as usize;
        self.targets[place].reach(exchange.outcome, seen.map(|seen| seen.answer), reach);
        let has_shape = exchange.action.form.has_shape();
        if let Some(seen) = seen.filter(|_| self.scope.is_black_box && has_shape) {
            reach_response(&self.scope.templates, seen, reach);
        }
    }

    /// What a call selects, as its plain form does; nothing where the answer has another shape.
    fn selections(&self, exchange: &Exchange<'_, GraphqlAction>) -> Vec<Selection> {
        let GraphqlAction { template, gene, form, .. } = exchange.action;
        if !form.has_shape() || exchange.outcome.response.is_err() {
            return Vec::new();
        }
        vec![self.scope.templates.called_field(self.scope.operation(*template), gene)]
    }

    /// The faults that one answer shows.
    fn verdicts(
        &self,
        exchange: &Exchange<'_, GraphqlAction>,
        seen: Option<&Seen<'_>>,
    ) -> Vec<Fault> {
        let case = Case {
            schema: self.scope.schema(),
            action: exchange.action,
            selections: seen.map_or(&[], |seen| seen.selections),
            outcome: exchange.outcome,
            has_guess: self.has_guess(exchange.action),
            has_other_schema: self
                .scope
                .schema_of
                .is_some_and(|reader| exchange.action.user != Some(reader)),
            is_query: self.scope.is_query(exchange.action.template),
            is_stream: self.scope.operation(exchange.action.template).kind
                == OperationKind::Subscription,
        };
        verdict::judge(&case, seen.map(|seen| seen.answer))
    }

    /// Whether a call holds a value of a custom scalar.
    fn has_guess(&self, action: &GraphqlAction) -> bool {
        let operation = self.scope.operation(action.template);
        let mut has_guess = false;
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            let (_, scalar) = self.scope.scalar_at(site.coordinate);
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
