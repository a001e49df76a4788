//! Custom scalars that are numbers or objects.
//!
//! A schema does not tell of which kind the values of a custom scalar are, so that they are texts,
//! until answers hold them otherwise, or a refusal says so; what is called JSON or a map is an object
//! from the beginning. What reads as a number or as a JSON object is then sent as one. The action names
//! these scalars, since how it is written must not change with what is learnt later.

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
use crate::word::words;

/// What refusals say of a text where a number or an object is wanted, and the other way round.
static WANTED: LazyLock<Regex> = LazyLock::new(|| {
    let wanted = r"(?i)(non[- ]?|expect(s|ed)? (a |an )?|must be (a |an )?|is not (a |an )?|values as )(valid )?";
    let pattern = format!(
        r"{wanted}(object[ -]?id|(?<number>number|numeric|integer|float|decimal)|(?<object>(json |plain )?object|map|dict(ionary)?)|string|text)s?\b"
    );
    Regex::new(&pattern).expect("the pattern is valid")
});

/// Of which kind the values of a scalar are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScalarKind {
    Text,
    Number,
    Object,
}

/// Of which kind the values of custom scalars are, as far as that was seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScalarKinds {
    /// What all values in answers were, by name of the scalar; texts where they differed.
    answered: BTreeMap<Box<str>, ScalarKind>,
    /// What a refusal asked for.
    refused: BTreeMap<Box<str>, ScalarKind>,
}

impl ScalarKinds {
    /// Notes a value of an answer.
    pub(crate) fn note_value(&mut self, scalar: &str, value: &Value) {
        if is_custom(scalar) {
            let kind = match value {
                Value::Number(_) => ScalarKind::Number,
                Value::Object(_) => ScalarKind::Object,
                _ => ScalarKind::Text,
            };
            let all = self.answered.entry(scalar.into()).or_insert(kind);
            if *all != kind {
                *all = ScalarKind::Text;
            }
        }
    }

    /// Notes what the errors of an answer say of scalars that they name.
    pub(crate) fn note_refusal(&mut self, schema: &Schema, answer: &Answer) {
        for error in answer.response.iter().flat_map(|response| &response.errors) {
            let Some(wanted) = WANTED.captures(&error.message) else { continue };
            let kind = match () {
                () if wanted.name("number").is_some() => ScalarKind::Number,
                () if wanted.name("object").is_some() => ScalarKind::Object,
                () => ScalarKind::Text,
            };
            let is_apart = |c: char| !c.is_alphanumeric() && c != '_';
            for name in error.message.split(is_apart).filter(|name| is_custom(name)) {
                let named = schema.type_named(name).map(|id| &schema.definition(id).kind);
                if matches!(named, Some(TypeKind::Scalar { .. })) {
                    self.refused.insert(name.into(), kind);
                }
            }
        }
    }

    /// Of which kind the values of a scalar are.
    pub(crate) fn of(&self, scalar: &str) -> ScalarKind {
        if let Some(refused) = self.refused.get(scalar) {
            return *refused;
        }
        match self.answered.get(scalar) {
            Some(ScalarKind::Number) => ScalarKind::Number,
            // What takes anything answers texts too.
            _ if is_json(scalar) => ScalarKind::Object,
            answered => answered.copied().unwrap_or(ScalarKind::Text),
        }
    }

    /// Names the scalars that are no texts in the calls of a test; `custom` are those of the schema.
    pub(crate) fn put(&self, test: &mut Individual<GraphqlAction>, custom: &[Box<str>]) {
        let of_kind = |kind: ScalarKind| {
            let names = custom.iter().filter(|name| self.of(name) == kind);
            names.cloned().collect::<BTreeSet<Box<str>>>()
        };
        let (numbers, objects) = (of_kind(ScalarKind::Number), of_kind(ScalarKind::Object));
        let texts: BTreeSet<Box<str>> =
            custom.iter().filter(|name| self.is_told_text(name)).cloned().collect();
        for place in 0..test.actions().len() {
            let action = &test.actions()[place].1;
            if action.numbers != numbers || action.objects != objects || action.texts != texts {
                let action = test.action_mut(place);
                action.numbers.clone_from(&numbers);
                action.objects.clone_from(&objects);
                action.texts.clone_from(&texts);
            }
        }
    }

    /// Whether answers or refusals told that the values of a scalar are texts, whatever it is called.
    fn is_told_text(&self, scalar: &str) -> bool {
        let told = self.refused.get(scalar).or_else(|| self.answered.get(scalar));
        told == Some(&ScalarKind::Text)
    }
}

impl Scope {
    /// The call with numbers and objects in the place of texts that are written as such.
    pub(crate) fn with_kinds<'a>(&self, action: &'a GraphqlAction) -> Cow<'a, GraphqlAction> {
        let mut found = Vec::new();
        if !(action.numbers.is_empty() && action.objects.is_empty() && action.texts.is_empty()) {
            let operation = self.operation(action.template);
            visit_sites(&self.templates, operation, &action.gene, &mut |site| {
                let (_, scalar) = self.scalar_at(site.coordinate);
                let value = match site.gene {
                    Gene::String(it) if action.numbers.contains(scalar) => number(&it.text),
                    Gene::String(it) if action.objects.contains(scalar) => object(&it.text),
                    Gene::Long(it) if action.texts.contains(scalar) => {
                        Some(Gene::text(it.to_string()))
                    }
                    _ => None,
                };
                found.extend(value.map(|value| (site.path.clone(), value)));
            });
        }
        let mut action = Cow::Borrowed(action);
        for (path, value) in found {
            if let Some(place) = path.find_mut(&mut action.to_mut().gene) {
                *place = value;
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

/// The JSON object or list that a text reads as, where a document can hold it.
fn object(text: &str) -> Option<Gene> {
    let value: Value = serde_json::from_str(text).ok()?;
    matches!(value, Value::Object(_) | Value::Array(_)).then(|| literal(&value))?
}

fn literal(value: &Value) -> Option<Gene> {
    Some(match value {
        Value::Null => Gene::Null,
        Value::Bool(is_true) => Gene::Boolean(*is_true),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Gene::Long(whole),
            None => Gene::float(number.as_f64()?),
        },
        Value::String(text) => Gene::text(text.as_str()),
        Value::Array(elements) => Gene::Array(elements.iter().map(literal).collect::<Option<_>>()?),
        Value::Object(members) => {
            let entries = members.iter().map(|(name, member)| {
                Some((Gene::text(is_name(name).then_some(name.as_str())?), literal(member)?))
            });
            Gene::Map(entries.collect::<Option<_>>()?)
        }
    })
}

/// Whether a literal of an object may have a field of this name.
fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Whether a scalar is called as those are that take JSON objects.
fn is_json(scalar: &str) -> bool {
    let words = words(scalar);
    let is_last = |known: &[&str]| words.last().is_some_and(|last| known.contains(&&**last));
    is_last(&["json", "jsonb", "map"])
        || ["any", "object", "jsonobject", "jsonvalue", "genericscalar", "dict"]
            .contains(&&*words.concat())
}

pub(crate) fn is_custom(scalar: &str) -> bool {
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
        let sdl = "scalar Money scalar JSON type Query {
            priced(from: Money!, all: [Money!]!, name: String!): Money kept(data: JSON!): Int }";
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
    fn a_number_that_is_wanted_as_a_text_is_written_as_one() {
        let schema =
            Schema::from_sdl("scalar BigInt type Query { at(price: BigInt!): Int }").unwrap();
        let templates = Arc::new(Templates::new(Arc::new(schema)).unwrap());
        let path = PathAndQuery::from_static("/graphql");
        let problem = GraphqlProblem::new(Arc::clone(&templates), path, &SearchSettings::default());
        let problem = problem.unwrap().black_box();
        let mut kinds = ScalarKinds::default();
        let body = json!({ "errors": [{ "message": "BigInt only accepts values as strings" }] });
        let response =
            HttpResponse { status: 400, body: body.to_string(), ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
        let action = GraphqlAction::new(TemplateId(0), Gene::Tuple(vec![Gene::Long(7)]));
        let written = |kinds: &ScalarKinds| {
            let mut test = Individual::new([action.clone()]);
            kinds.put(&mut test, &["BigInt".into()]);
            problem.document(&test.actions()[0].1, Style::Compact).0
        };
        assert_eq!(written(&kinds), "query{at(price:7)}");
        kinds.note_refusal(templates.schema(), &answer);
        assert_eq!(written(&kinds), r#"query{at(price:"7")}"#);
    }

    #[test]
    fn answers_and_refusals_tell_of_which_kind_a_scalar_is() {
        let told = |message: &str| {
            let body = json!({ "errors": [{ "message": message }] }).to_string();
            let response = HttpResponse { status: 400, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            let mut numbers = ScalarKinds::default();
            numbers.note_value("Money", &json!("1"));
            numbers.note_refusal(&schema(), &answer);
            numbers.of("Money") == ScalarKind::Number
        };
        assert!(told("Money cannot represent non numeric value: \"12480\""));
        assert!(told("Expected value of type \"Money!\", found \"1\": must be a number"));
        assert!(!told("Money cannot represent non string value: 1"));
        assert!(!told("Int cannot represent non-integer value: \"1\""));
        let mut kinds = ScalarKinds::default();
        assert_eq!(kinds.of("Settings"), ScalarKind::Text);
        kinds.note_value("Settings", &json!({ "a": 1 }));
        assert_eq!(kinds.of("Settings"), ScalarKind::Object);
        let mut numbers = ScalarKinds::default();
        numbers.note_value("Money", &json!(12));
        assert!(numbers.of("Money") == ScalarKind::Number);
        numbers.note_value("Money", &json!("12"));
        assert!(numbers.of("Money") == ScalarKind::Text);
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
        learnt.memory.scalar_kinds.note_value("Money", &json!(12));
        assert_eq!(texts(&learnt), 0);
    }

    #[test]
    fn what_is_called_json_is_written_as_an_object() {
        assert!(["JSON", "JSONObject", "Map", "Any", "EventMap"].into_iter().all(is_json));
        assert!(!["JSONString", "Money", "ObjectId", "Company"].into_iter().any(is_json));
        let problem = problem();
        let action = |text: &str| {
            let mut action = GraphqlAction::new(TemplateId(1), Gene::Tuple(vec![Gene::text(text)]));
            action.objects.insert("JSON".into());
            action
        };
        let text = r#"{"a":{"b":[1,"x",null,true]}}"#;
        let (document, _) = problem.document(&action(text), Style::Compact);
        assert_eq!(document, r#"query{kept(data:{a:{b:[1,"x",null,true]}})}"#);
        let (_, variables) =
            problem.document(&action(text).written(Form::Variables), Style::Compact);
        assert_eq!(Value::from(variables), json!({ "v1": { "a": { "b": [1, "x", null, true] } } }));
        for text in ["{{1}}", r#"{"a b":1}"#] {
            let (document, _) = problem.document(&action(text), Style::Compact);
            assert!(document.contains("data:\""), "{document}");
        }
    }

    #[test]
    fn calls_give_objects_to_what_is_called_json_until_a_refusal_wants_a_text() {
        let problem = problem();
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let mut objects = |learnt: &Learnt<GraphqlMemory>| {
            let tests = (0..400).map(|_| problem.sample(learnt, &mut draw));
            let actions = tests.map(|test| test.actions()[0].1.clone());
            let actions = actions.filter(|it| it.template == TemplateId(1) && it.check.is_none());
            let documents = actions.map(|action| problem.document(&action, Style::Compact).0);
            let documents: Vec<String> = documents.filter(|it| it.contains("data:")).collect();
            assert!(documents.len() > 20);
            let objects = documents.iter().filter(|document| document.contains("data:{")).count();
            objects * 100 / documents.len()
        };
        assert!(objects(&learnt) > 60);
        learnt.memory.scalar_kinds.refused.insert("JSON".into(), ScalarKind::Text);
        assert_eq!(objects(&learnt), 0);
    }
}
