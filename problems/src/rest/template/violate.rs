//! Calls that break exactly one documented rule.

use std::sync::Arc;

use serde_json::Value;
use wallace_genes::{Gene, Rng, TemplateId, spec::is_of_format};

use super::Templates;
use super::place::{Place, apply};
use super::value::CallValues;
use crate::rest::action::{Rule, Violation};
use crate::rest::description::{Operation, ParameterPlace};
use crate::rest::render::received;
use crate::rest::schema::{Direction, Flat, Kind};

impl Templates {
    /// A rule that a valid call with these genes can break, drawn among all of them; `None` when
    /// there is none. Everything else about the call stays valid.
    #[must_use]
    pub fn violation(&self, id: TemplateId, gene: &Gene, rng: &mut Rng) -> Option<Violation> {
        let operation = self.operation(id);
        let values = self.values(id, gene);
        let mut candidates = Vec::new();
        self.missing(operation, &values, &mut candidates);
        for place in self.places(operation, &values) {
            self.wrong_at(&place, &mut candidates);
        }
        // Drawn until one breaks what it should and nothing else.
        while !candidates.is_empty() {
            let (one, other) = (rng.below(candidates.len()), rng.below(candidates.len()));
            // Readers of requests mostly see to it that all is there and of its kind.
            let index = if is_about_values(candidates[one].rule) { one } else { other };
            let violation = candidates.swap_remove(index);
            if self.breaks_one(operation, &values, &violation) {
                return Some(violation);
            }
        }
        None
    }

    /// Whether a call with these genes breaks the rule, and would not break it by itself.
    pub(crate) fn is_broken(&self, id: TemplateId, gene: &Gene, violation: &Violation) -> bool {
        let operation = self.operation(id);
        let values = self.values(id, gene);
        let is_parameter = |index: u16| usize::from(index) < values.parameters.len();
        violation.parameter.is_none_or(is_parameter)
            && self.breaks_one(operation, &values, violation)
    }

    /// Required parameters and bodies that can be left out.
    fn missing(&self, operation: &Operation, values: &CallValues, found: &mut Vec<Violation>) {
        let left_out = |parameter| Violation {
            parameter,
            pointer: String::new(),
            rule: Rule::Required,
            value: String::new(),
        };
        for (index, parameter) in operation.parameters.iter().enumerate() {
            if parameter.is_required && parameter.place != ParameterPlace::Path {
                found.push(left_out(Some(index as u16)));
            }
        }
        if operation.is_body_required && values.body.is_some() {
            found.push(left_out(None));
        }
    }

    /// Wrong values for one place.
    fn wrong_at(&self, place: &Place<'_>, found: &mut Vec<Violation>) {
        let flat = self.flat_of(&place.schemas);
        let mut push = |pointer: String, rule, value: Option<Value>| {
            let value = value.map_or_else(String::new, |value| value.to_string());
            found.push(Violation { parameter: place.parameter, pointer, rule, value });
        };
        let here = || place.pointer.clone();
        // As text, one value is a list of one, and an object is written in ways of its own.
        let is_part = place.is_text
            && (flat.kinds.allows(Kind::List) || flat.kinds.allows(Kind::Object))
            && flat.kinds.is_told();
        if let Some(value) = wrong_kind(&flat, place.is_text).filter(|_| !is_part) {
            push(here(), Rule::Type, Some(value));
        }
        if let Some(values) = &flat.values
            && values.iter().any(Value::is_string)
        {
            push(here(), Rule::Enum, Some("no-such-value".into()));
        }
        // A list of nothing cannot be told from one that is not sent.
        let is_sent =
            |value: &Value| !place.is_text || value.as_array().is_none_or(|it| !it.is_empty());
        for (rule, value) in wrong_leaf(&flat, place.value).into_iter().filter(|it| is_sent(&it.1))
        {
            push(here(), rule, Some(value));
        }
        if let Value::Object(members) = place.value {
            // A parameter whose only member is left out is not sent at all, and may be optional.
            let has_others = !place.is_text || members.len() > 1;
            let left_out = |name: &&Arc<str>| has_others && members.contains_key(&***name);
            for name in flat.required.iter().filter(left_out) {
                let step = name.replace('~', "~0").replace('/', "~1");
                push(format!("{}/{step}", place.pointer), Rule::Required, None);
            }
            if flat.is_closed && flat.choices.is_empty() {
                push(
                    format!("{}/unheardOf", place.pointer),
                    Rule::AdditionalProperties,
                    Some(true.into()),
                );
            }
        }
    }

    /// Whether exactly the rule is broken, at exactly its place.
    fn breaks_one(
        &self,
        operation: &Operation,
        values: &CallValues,
        violation: &Violation,
    ) -> bool {
        let (schema, value) = match (violation.parameter, &values.body) {
            (Some(index), _) => {
                let index = usize::from(index);
                (operation.parameters[index].schema, values.parameters[index].clone())
            }
            (None, Some((body, value))) => (operation.bodies[*body].schema, Some(value.clone())),
            (None, None) => return false,
        };
        let Some(mut value) = value else { return violation.rule == Rule::Required };
        if violation.pointer.is_empty() && violation.rule == Rule::Required {
            return true;
        }
        apply(&mut value, &violation.pointer, violation.wrong_value());
        let parameter = violation.parameter.map(|it| &operation.parameters[usize::from(it)]);
        let is_header = parameter.is_some_and(|it| it.place == ParameterPlace::Header);
        let Some(value) = (if is_header { arriving(value) } else { Some(value) }) else {
            return false;
        };
        let mismatches = self.schemas.mismatches(schema, &value, Direction::Sent);
        let pointer = normalised(&violation.pointer);
        let is_right = |found: &crate::rest::schema::Mismatch| {
            let keyword = if found.keyword == "null" { "type" } else { found.keyword };
            found.pointer == pointer && keyword == violation.rule.keyword()
        };
        matches!(&mismatches[..], [only] if is_right(only))
    }
}

/// What a service gets of the value of a header; nothing of an empty one: whether that is there at all
/// is up to the service.
fn arriving(value: Value) -> Option<Value> {
    let Value::String(text) = value else { return Some(value) };
    Some(received(&text)).filter(|text| !text.is_empty()).map(Value::String)
}

/// Whether the rule is about values, and not about what there is and of which kind.
fn is_about_values(rule: Rule) -> bool {
    !matches!(rule, Rule::Required | Rule::Type | Rule::AdditionalProperties)
}

/// The pointer with positions in lists replaced by stars.
fn normalised(pointer: &str) -> String {
    let steps = pointer.split('/');
    let steps = steps.map(|step| {
        let is_index = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        if is_index { "*" } else { step }
    });
    steps.collect::<Vec<_>>().join("/")
}

/// A value of a kind that is not allowed.
fn wrong_kind(flat: &Flat, is_text: bool) -> Option<Value> {
    if !flat.kinds.is_told() || flat.kinds.allows(Kind::Text) {
        // What is sent as text is always a text.
        let candidates = [Value::Bool(true), 7.into()];
        let is_free = flat.values.is_none() && flat.choices.is_empty() && flat.kinds.is_told();
        return candidates
            .into_iter()
            .find(|value| !is_text && is_free && !flat.kinds.allows(Kind::of(value)));
    }
    Some("not-of-this-kind".into())
}

/// Numbers out of range, texts of a wrong length, pattern or format, lists of a wrong size.
fn wrong_leaf(flat: &Flat, value: &Value) -> Vec<(Rule, Value)> {
    let mut wrong = Vec::new();
    match value {
        Value::Number(_) => wrong_numbers(flat, &mut wrong),
        Value::String(_) => wrong_texts(flat, &mut wrong),
        Value::Array(elements) => {
            if let Some(most) = flat.list.1.filter(|most| *most < 100)
                && let Some(element) = elements.first()
            {
                let many = vec![element.clone(); most as usize + 1];
                wrong.push((Rule::Items, Value::Array(many)));
            }
            if flat.list.0 > 0 {
                wrong.push((Rule::Items, Value::Array(Vec::new())));
            }
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => {}
    }
    wrong
}

fn wrong_numbers(flat: &Flat, wrong: &mut Vec<(Rule, Value)>) {
    if let Some((bound, _)) = &flat.minimum {
        let values = [
            bound.as_i64().map(|b| b.saturating_sub(1)),
            bound.as_i64().map(|b| b.saturating_sub(1000)),
        ];
        wrong.extend(values.into_iter().flatten().map(|value| (Rule::Minimum, value.into())));
    }
    if let Some((bound, _)) = &flat.maximum {
        let value = bound.as_i64().map(|bound| bound.saturating_add(1));
        wrong.extend(value.map(|value| (Rule::Maximum, value.into())));
    }
}

fn wrong_texts(flat: &Flat, wrong: &mut Vec<(Rule, Value)>) {
    if flat.text.0 > 0 {
        let short = "a".repeat((flat.text.0 - 1).min(1_000) as usize);
        wrong.push((Rule::Length, short.into()));
    }
    if let Some(most) = flat.text.1.filter(|most| *most < 10_000) {
        wrong.push((Rule::Length, "a".repeat(most as usize + 1).into()));
    }
    if !flat.patterns.is_empty() {
        let length = flat.text.0.max(1) as usize;
        for text in ["\u{1}".repeat(length), " ".repeat(length), "\u{20ac}".repeat(length)] {
            wrong.push((Rule::Pattern, text.into()));
        }
    }
    let has_meaning =
        flat.format.as_deref().is_some_and(|format| is_of_format(format, "").is_some());
    if has_meaning {
        wrong.push((Rule::Format, "not of this format".into()));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::{Draw, GeneSettings, Knowledge};

    use super::*;
    use crate::rest::problem::support::{named, problem};
    use crate::rest::template::Pool;

    #[test]
    fn a_parameter_without_its_only_member_is_not_sent() {
        let required = |members: &str| {
            let properties: Vec<String> =
                members.split(' ').map(|name| format!("{name}: {{type: string}}")).collect();
            let problem = problem(
                &format!(
                    "{{/a: {{get: {{parameters: [{{name: p, in: query, schema: {{type: object, \
                     required: [{}], properties: {{{}}}}}}}]}}}}}}",
                    members.replace(' ', ", "),
                    properties.join(", ")
                ),
                0,
            );
            let id = named(&problem, "GET:/a");
            let templates = problem.templates();
            let (mut draw, pool) = (Draw::new(1, 0, Arc::default()), Pool::default());
            let all = GeneSettings { absent: 0.0, ..GeneSettings::default() };
            draw.settings = all.into();
            let gene = templates.sample(id, &Knowledge::default(), &pool, &mut draw);
            let drawn =
                (0..200).filter_map(|seed| templates.violation(id, &gene, &mut Rng::new(seed, 0)));
            drawn.filter(|violation| violation.rule == Rule::Required).count()
        };
        assert!(required("a b") > 0);
        assert_eq!(required("a"), 0);
    }

    #[test]
    fn white_space_is_no_part_of_a_header() {
        let parameter = |name: &str, place: &str, rule: &str| {
            format!(
                "{{name: {name}, in: {place}, required: true, schema: {{type: string, {rule}}}}}"
            )
        };
        let pattern = "pattern: '^.?[a-z]+$'";
        let parameters = [
            parameter("q", "query", pattern),
            parameter("If-None-Match", "header", pattern),
            parameter("X-Name", "header", "minLength: 1"),
        ];
        let problem =
            problem(&format!("{{/a: {{get: {{parameters: [{}]}}}}}}", parameters.join(", ")), 0);
        let id = named(&problem, "GET:/a");
        let gene = Gene::Tuple(vec![Gene::text("ab"); 3]);
        let is_broken = |parameter, rule, value: &str| {
            let value = json!(value).to_string();
            let violation =
                Violation { parameter: Some(parameter), pointer: String::new(), rule, value };
            problem.templates().is_broken(id, &gene, &violation)
        };
        for blank in [" ", "\u{1}", " \t"] {
            assert!(!is_broken(1, Rule::Pattern, blank), "{blank:?}");
            assert!(is_broken(0, Rule::Pattern, blank), "{blank:?} in a query");
        }
        assert!(!is_broken(2, Rule::Length, ""), "whether it is there is up to the service");
        assert!(!is_broken(1, Rule::Pattern, " 7a "), "what arrives follows the pattern");
        assert!(is_broken(1, Rule::Pattern, "\u{20ac}") && is_broken(1, Rule::Pattern, " a b "));
    }
}
