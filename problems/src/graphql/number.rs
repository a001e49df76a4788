//! Custom scalars that are numbers.
//!
//! A schema does not tell of which kind the values of a custom scalar are, so that they are texts,
//! until answers hold them as numbers, or a refusal says so. What reads as a number is then sent as
//! one. The action names these scalars, since how it is written must not change with what is learnt
//! later.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::Individual;
use wallace_genes::Gene;

use super::action::GraphqlAction;
use super::answer::Answer;
use super::schema::{Schema, TypeKind};
use super::scope::Scope;
use super::site::visit_sites;

/// What refusals say of a text where a number is wanted, and the other way round.
static WANTED: LazyLock<Regex> = LazyLock::new(|| {
    let wanted = r"(?i)(non[- ]?|expect(s|ed)? (a |an )?|must be (a |an )?|is not (a |an )?)";
    let pattern =
        format!(r"{wanted}((?<number>number|numeric|integer|float|decimal)|string|text)\b");
    Regex::new(&pattern).expect("the pattern is valid")
});

/// Which custom scalars are numbers, as far as that was seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScalarNumbers {
    /// Whether all values in answers were numbers, by name of the scalar.
    answered: BTreeMap<Box<str>, bool>,
    /// Whether a refusal asked for a number, or for a text.
    refused: BTreeMap<Box<str>, bool>,
}

impl ScalarNumbers {
    /// Notes a value of an answer.
    pub(crate) fn note_value(&mut self, scalar: &str, value: &Value) {
        if is_custom(scalar) {
            let all = self.answered.entry(scalar.into()).or_insert(true);
            *all &= value.is_number();
        }
    }

    /// Notes what the errors of an answer say of scalars that they name.
    pub(crate) fn note_refusal(&mut self, schema: &Schema, answer: &Answer) {
        for error in answer.response.iter().flat_map(|response| &response.errors) {
            let Some(wanted) = WANTED.captures(&error.message) else { continue };
            let is_apart = |c: char| !c.is_alphanumeric() && c != '_';
            for name in error.message.split(is_apart).filter(|name| is_custom(name)) {
                let named = schema.type_named(name).map(|id| &schema.definition(id).kind);
                if matches!(named, Some(TypeKind::Scalar { .. })) {
                    self.refused.insert(name.into(), wanted.name("number").is_some());
                }
            }
        }
    }

    /// Whether the values of a scalar are numbers.
    pub(crate) fn is_number(&self, scalar: &str) -> bool {
        let known = self.refused.get(scalar).or_else(|| self.answered.get(scalar));
        known.copied().unwrap_or(false)
    }

    /// Names the scalars that are numbers in the calls of a test.
    pub(crate) fn put(&self, test: &mut Individual<GraphqlAction>) {
        let names = self.answered.keys().chain(self.refused.keys());
        let numbers: BTreeSet<Box<str>> = names.filter(|it| self.is_number(it)).cloned().collect();
        for place in 0..test.actions().len() {
            if test.actions()[place].1.numbers != numbers {
                test.action_mut(place).numbers.clone_from(&numbers);
            }
        }
    }
}

impl Scope {
    /// The call with numbers in the place of texts that are written as such.
    pub(crate) fn with_numbers<'a>(&self, action: &'a GraphqlAction) -> Cow<'a, GraphqlAction> {
        let mut found = Vec::new();
        if !action.numbers.is_empty() {
            let operation = self.operation(action.template);
            visit_sites(&self.templates, operation, &action.gene, &mut |site| {
                let (_, scalar) = self.scalar_at(site.coordinate);
                if let (Gene::String(string), true) = (site.gene, action.numbers.contains(scalar)) {
                    found.extend(number(&string.text).map(|number| (site.path.clone(), number)));
                }
            });
        }
        let mut action = Cow::Borrowed(action);
        for (path, number) in found {
            if let Some(place) = path.find_mut(&mut action.to_mut().gene) {
                *place = number;
            }
        }
        action
    }
}

/// The number that a text reads as.
pub(crate) fn number(text: &str) -> Option<Gene> {
    let whole = text.parse().ok().map(Gene::Long);
    whole.or_else(|| text.parse().ok().filter(|it: &f64| it.is_finite()).map(Gene::float))
}

fn is_custom(scalar: &str) -> bool {
    !matches!(scalar, "Int" | "Float" | "Boolean" | "String" | "ID")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::uri::PathAndQuery;
    use serde_json::json;
    use wallace_engine::{Learnt, Problem, SearchSettings};
    use wallace_genes::{Draw, GeneSettings, TemplateId};

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::problem::GraphqlProblem;
    use crate::graphql::render::Style;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    fn schema() -> Schema {
        let sdl = "scalar Money type Query { priced(from: Money!, all: [Money!]!, name: String!): Money }";
        Schema::from_sdl(sdl).unwrap()
    }

    fn problem() -> GraphqlProblem {
        let templates = Arc::new(Templates::new(Arc::new(schema())).unwrap());
        let path = PathAndQuery::from_static("/graphql");
        GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap().black_box()
    }

    #[test]
    fn scalars_that_are_numbers_are_written_as_such() {
        let text = |text: &str| Gene::text(text);
        let all = Gene::Array(vec![text("1"), text("x")]);
        let gene = Gene::Tuple(vec![text("12.50"), all, text("7")]);
        let mut action = GraphqlAction::new(TemplateId(0), gene);
        let written = |action: &GraphqlAction, form: Form| {
            problem().document(&action.clone().written(form), Style::Compact)
        };
        let plain = r#"query{priced(from:"12.50",all:["1","x"],name:"7")}"#;
        assert_eq!(written(&action, Form::Literals).0, plain);
        action.numbers.insert("Money".into());
        let numbers = r#"query{priced(from:12.5,all:[1,"x"],name:"7")}"#;
        assert_eq!(written(&action, Form::Literals).0, numbers);
        let (_, variables) = written(&action, Form::Variables);
        assert_eq!(Value::from(variables), json!({ "v1": 12.5, "v2": [1, "x"], "v3": "7" }));
    }

    #[test]
    fn answers_and_refusals_tell_of_which_kind_a_scalar_is() {
        let told = |message: &str| {
            let body = json!({ "errors": [{ "message": message }] }).to_string();
            let response = HttpResponse { status: 400, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals).unwrap();
            let mut numbers = ScalarNumbers::default();
            numbers.note_value("Money", &json!("1"));
            numbers.note_refusal(&schema(), &answer);
            numbers.is_number("Money")
        };
        assert!(told("Money cannot represent non numeric value: \"12480\""));
        assert!(told("Expected value of type \"Money!\", found \"1\": must be a number"));
        assert!(!told("Money cannot represent non string value: 1"));
        assert!(!told("Int cannot represent non-integer value: \"1\""));
        let mut numbers = ScalarNumbers::default();
        numbers.note_value("Money", &json!(12));
        assert!(numbers.is_number("Money"));
        numbers.note_value("Money", &json!("12"));
        assert!(!numbers.is_number("Money"));
    }

    #[test]
    fn once_a_scalar_is_known_to_be_a_number_calls_give_numbers() {
        let problem = problem();
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let mut texts = |learnt: &Learnt<GraphqlMemory>| {
            let tests = (0..50).map(|_| problem.initial(0, learnt, &mut draw).unwrap());
            let documents = tests.map(|test| {
                let action = &test.actions()[0].1;
                problem.document(action, Style::Compact).0
            });
            documents.filter(|document| document.contains("from:\"")).count()
        };
        assert_eq!(texts(&learnt), 50);
        learnt.memory.numbers.note_value("Money", &json!(12));
        assert_eq!(texts(&learnt), 0);
    }
}
