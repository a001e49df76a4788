//! What mutations say and leave.

use serde_json::{Map, Value};

use super::Judge;
use crate::graphql::link::Effect;
use crate::kind::scalar;
use crate::word::words;

impl Judge<'_> {
    /// What a mutation answered is not what is read twice afterwards.
    pub(super) fn read_back(&mut self) {
        let calls = self.calls;
        for window in calls.windows(3) {
            let [mutation, read, again] = window else { continue };
            let is_case = !mutation.is_query()
                && mutation.gave()
                && read.asks_as(again)
                && read.is_query()
                && read.answer.is_success()
                && read.value() == again.value()
                && self.scope.links.effect(mutation.action.template) != Effect::Delete;
            let asked = self.identities(read.action);
            let ([(key, id)], true) = (&asked[..], is_case) else { continue };
            let Some((owner, name)) = key.split_once('.') else { continue };
            let Some(owner) = self.scope.schema().type_named(owner) else { continue };
            let is_it = |object: &Map<String, Value>| {
                object.get(name).and_then(scalar).as_ref() == Some(id)
            };
            let told = self.objects(mutation);
            let Some((_, told)) = told.iter().find(|(of, object)| *of == owner && is_it(object))
            else {
                continue;
            };
            let Some(Value::Object(stored)) = read.value() else { continue };
            if let Some(field) = difference(told, stored) {
                let context = format!("the mutation tells another {field} than is read afterwards");
                self.report(mutation, 988, context);
            }
        }
    }

    /// A thing is read after it was deleted.
    pub(super) fn after_delete(&mut self) {
        let calls = self.calls;
        let [before, delete, after, again] = calls else { return };
        let schema = self.scope.schema();
        let Some(ended) = self.scope.links.ended(delete.action.template) else { return };
        let owner = format!("{}.", schema.definition(ended).name);
        let read = self.identities(before.action);
        let things = self.identities(delete.action);
        let is_it = things.iter().any(|thing| thing.0.starts_with(&owner) && read.contains(thing));
        let is_case = is_it
            && before.gave()
            && !delete.is_query()
            && delete.gave()
            && before.asks_as(after)
            && before.asks_as(again);
        if is_case && after.gave() && again.gave() && is_truthy(delete.value()) {
            self.report(delete, 103, "what was deleted is still read");
        }
    }

    /// A thing changed although the mutation failed.
    pub(super) fn failed(&mut self) {
        let calls = self.calls;
        let [before, same, mutation, after, again] = calls else { return };
        let has_failed =
            !mutation.is_query() && !mutation.answer.has_data() && mutation.answer.response.is_ok();
        let is_stable =
            before.gave() && before.value() == same.value() && after.value() == again.value();
        let is_one = before.asks_as(after);
        if has_failed
            && is_stable
            && is_one
            && after.answer.is_success()
            && before.value() != after.value()
        {
            self.report(mutation, 988, "a mutation that failed changed what is read");
        }
    }
}

/// The first field with a plain value that differs between two views of one object.
fn difference(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<String> {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let mut fields = one.iter().filter(|(_, value)| is_plain(value));
    let differs = |(name, value): &(&String, &Value)| {
        other.get(*name).is_some_and(|stored| is_plain(stored) && stored != *value)
    };
    fields.find(differs).map(|(name, _)| name.clone())
}

/// Whether the answer of a deletion says that it was done: it says something beside its type, and
/// none of its plain members says no.
pub(crate) fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_true)) => *is_true,
        // Of several deletions nobody knows which one was not done.
        Some(Value::Array(elements)) => {
            !elements.is_empty() && elements.iter().all(|element| is_truthy(Some(element)))
        }
        Some(Value::Object(members)) => {
            let mut told = members.iter().filter(|(name, _)| *name != "__typename").peekable();
            told.peek().is_some()
                && told.all(|(name, member)| match member {
                    Value::Bool(is_true) => *is_true,
                    Value::String(text) => !says_no(text),
                    Value::Array(elements) => {
                        !name.to_lowercase().contains("error") || elements.is_empty()
                    }
                    _ => true,
                })
        }
        Some(Value::String(text)) => !says_no(text),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
    }
}

fn says_no(text: &str) -> bool {
    let refusals = ["not", "failed", "failure", "error", "denied", "refused", "no", "false"];
    words(text).iter().any(|word| refusals.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_deletion_is_done_where_its_answer_says_so() {
        for (answer, is_done) in [
            (json!({ "__typename": "Deletion" }), false),
            (json!({ "__typename": "Deletion", "result": "NOT_DELETED", "message": "x" }), false),
            (json!({ "__typename": "Deletion", "result": "FAILED" }), false),
            (json!({ "__typename": "Deletion", "result": "DELETED", "message": null }), true),
            (json!([{ "result": "DELETED" }, { "result": "NOT_DELETED" }]), false),
            (json!([{ "result": "DELETED" }]), true),
            (json!([]), false),
            (json!({ "userErrors": [{ "message": "x" }], "id": null }), false),
            (json!({ "id": "1" }), true),
            (json!("1"), true),
            (json!(false), false),
        ] {
            assert_eq!(is_truthy(Some(&answer)), is_done, "{answer}");
        }
    }
}
