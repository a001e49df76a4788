//! Answers to queries that must agree.

use std::collections::BTreeSet;

use serde_json::Value;
use wallace_genes::Gene;

use super::Judge;
use crate::graphql::action::Form;
use crate::graphql::answer::Seen;
use crate::graphql::check::agree::CONDITIONS;
use crate::graphql::check::inverse::inverse_pairs;
use crate::graphql::document::{Literal, Selection};
use crate::graphql::link::Purpose;
use crate::graphql::verdict::without_traces;
use crate::kind::scalar;

impl Judge<'_> {
    /// A form that twice gives something else than the plain form gives twice.
    pub(super) fn forms(&mut self) {
        let calls = self.calls;
        let of = |form: Form| calls.iter().filter(move |call| call.action.form == form);
        let plain: Vec<&Seen<'_>> = of(Form::Literals).collect();
        let [first, second] = plain[..] else { return };
        if !first.gave()
            || !second.gave()
            || first.value() != second.value()
            || !first.asks_as(second)
        {
            return;
        }
        let mut forms: Vec<Form> = calls.iter().map(|call| call.action.form).collect();
        forms.sort_unstable();
        forms.dedup();
        for form in forms.into_iter().filter(|form| *form != Form::Literals) {
            let others: Vec<&Seen<'_>> = of(form).filter(|call| call.asks_as(first)).collect();
            let [one, other] = others[..] else { continue };
            // What the service does not support at all it may refuse.
            let is_refused = |call: &Seen<'_>| !call.answer.has_data();
            let shown = |call: &Seen<'_>| call.value().map(without_traces);
            let differs =
                |call: &Seen<'_>| call.value() != first.value() && shown(call) != shown(first);
            if !is_refused(one) && !is_refused(other) && differs(one) && differs(other) {
                let context = format!("{} gives another answer than literals", form.as_str());
                self.report(other, 988, context);
            }
            let disagrees = |call: &Seen<'_>| {
                call.gave() && call.value_again().is_some_and(|again| Some(again) != call.value())
            };
            if disagrees(one) && disagrees(other) {
                let context = format!("{} gives two different answers", form.as_str());
                self.report(other, 988, context);
            }
        }
    }

    /// A document that the service keeps gives, twice, something else than it gives by itself.
    pub(super) fn persisted(&mut self) {
        let calls = self.calls;
        let [before, _, kept, again, after] = calls else { return };
        let is_stable = before.gave() && after.gave() && before.value() == after.value();
        let is_kept = kept.gave() && again.gave() && kept.value() == again.value();
        if is_stable && is_kept && kept.asks_as(before) && kept.value() != before.value() {
            self.report(again, 988, "a kept document gives another answer than its text");
        }
    }

    /// A page that holds what the page before it held, twice.
    pub(super) fn pages(&mut self) {
        let calls = self.calls;
        let overlaps = calls.windows(2).filter_map(|pair| {
            let cursor = self.cursor_of(&pair[1])?;
            let is_next = leaves(pair[0].value()?).contains(&cursor)
                && pair[0].action.template == pair[1].action.template
                && !goes_back(&pair[1]);
            let (before, after) = (list_ids(&pair[0]), list_ids(&pair[1]));
            (is_next && pair[0].gave() && pair[1].gave() && !before.is_disjoint(&after))
                .then_some(&pair[1])
        });
        let overlaps: Vec<&Seen<'_>> = overlaps.collect();
        if let [_, .., last] = overlaps[..] {
            self.report(last, 988, "a page repeats what the page before it held");
        }
    }

    /// Something that was seen to exist is not found under its id, or something else is.
    pub(super) fn echo(&mut self) {
        let calls = self.calls;
        if calls.iter().any(|call| !call.is_query()) {
            return;
        }
        let mut misses = 0;
        for (place, call) in calls.iter().enumerate().skip(1) {
            let asked = self.identities(call.action);
            let [(key, id)] = &asked[..] else { continue };
            let Some((owner, name)) = key.split_once('.') else { continue };
            let owner = self.scope.schema().type_named(owner);
            let is_known = calls[..place]
                .iter()
                .filter(|before| before.action.template != call.action.template)
                .any(|before| {
                    self.objects(before).iter().any(|(of, object)| {
                        Some(*of) == owner && object.get(name).and_then(scalar).as_ref() == Some(id)
                    })
                });
            if !is_known || !call.answer.is_success() {
                continue;
            }
            let echoed = match call.value() {
                Some(Value::Object(object)) => object.get(name).and_then(scalar),
                Some(Value::Null) => None,
                _ => continue,
            };
            let has_key =
                call.value().is_some_and(|value| value.is_null() || value.get(name).is_some());
            misses += usize::from(has_key && echoed.as_ref() != Some(id));
            if misses == 2 {
                self.report(call, 988, "what exists is not found under its id");
            }
        }
    }

    /// Something refers to a thing that does not refer back.
    pub(super) fn inverse(&mut self) {
        let calls = self.calls;
        let schema = self.scope.schema();
        let [first, second, ..] = calls else { return };
        if !first.gave() || first.value() != second.value() {
            return;
        }
        for (owner, object) in self.objects(second) {
            for pair in inverse_pairs(schema, owner) {
                let name = |field| &*schema.field(field).name;
                let (Some(id), Some(Value::Array(elements))) =
                    (object.get(name(pair.id)).and_then(scalar), object.get(name(pair.forth)))
                else {
                    continue;
                };
                for element in elements.iter().filter(|element| element.is_object()) {
                    let back: Option<Vec<&Value>> = pair
                        .back
                        .iter()
                        .map(|back| element.get(name(*back)).filter(|it| !it.is_null()))
                        .collect();
                    // What was not asked for or not told says nothing.
                    let Some(back) = back else { continue };
                    let is_told = back.iter().all(|it| has_ids(it));
                    if is_told && !back.iter().any(|it| ids(it).contains(&id)) {
                        let coordinate = schema.coordinate(pair.forth);
                        self.report(
                            second,
                            988,
                            format!("{coordinate} holds what does not refer back"),
                        );
                        return;
                    }
                }
            }
        }
    }

    /// An open quote breaks the query, twice, and a closed one does not.
    pub(super) fn quote(&mut self) {
        let calls = self.calls;
        let [open, closed, again, closed_again] = calls else { return };
        let breaks = |call: &Seen<'_>| {
            call.answer.status >= 500
                || call.answer.response.as_ref().is_ok_and(|top| {
                    top.errors.iter().any(|error| {
                        let code = error.code.to_ascii_uppercase();
                        code.is_empty() || code.contains("INTERNAL") || code.contains("EXCEPTION")
                    })
                })
        };
        let is_fine = |call: &Seen<'_>| call.gave() && !breaks(call);
        if breaks(open) && breaks(again) && is_fine(closed) && is_fine(closed_again) {
            self.report(open, 200, "a quote in a text breaks the query behind it");
        }
    }

    /// A condition in a text decides what is found: whatever is compared, true ones find one thing and
    /// false ones another, and without quotes nothing is decided.
    pub(super) fn condition(&mut self) {
        let calls = self.calls;
        let [yes, no, other_yes, other_no, third_yes, third_no, plain_yes, plain_no] = calls else {
            return;
        };
        let has_endings = CONDITIONS.iter().any(|endings| {
            calls.iter().zip(endings).all(|(call, ending)| {
                let mut has = false;
                call.action.gene.visit_texts(&mut |_, string| has |= string.text.ends_with(ending));
                has && call.gave()
            })
        });
        let are_alike = |one: &Seen<'_>, other: &Seen<'_>, third: &Seen<'_>| {
            one.value() == other.value() && one.value() == third.value()
        };
        if has_endings
            && are_alike(yes, other_yes, third_yes)
            && are_alike(no, other_no, third_no)
            && yes.value() != no.value()
            && plain_yes.value() == plain_no.value()
        {
            self.report(third_yes, 200, "a condition in a text decides what is found");
        }
    }

    /// The cursor that a call gives.
    fn cursor_of(&self, call: &Seen<'_>) -> Option<String> {
        let needs = self.scope.needs(call.action).into_iter();
        let cursor =
            needs.filter(|need| need.source.purpose == Purpose::Cursor).find_map(|need| match need
                .path
                .find(&call.action.gene)
            {
                Some(Gene::String(string)) => Some(string.text.to_string()),
                _ => None,
            });
        cursor.filter(|cursor| !cursor.is_empty())
    }
}

/// Whether a call asks for what stands before a cursor.
fn goes_back(call: &Seen<'_>) -> bool {
    let fields = call.selections.iter().filter_map(Selection::as_field);
    fields
        .flat_map(|field| &field.arguments)
        .any(|(name, value)| matches!(&**name, "before" | "last") && *value != Literal::Null)
}

fn leaves(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        other => scalar(other).into_iter().collect(),
    }
}

/// Ids of the elements of the first list of objects in a page.
fn list_ids(call: &Seen<'_>) -> BTreeSet<String> {
    let Some(value) = call.value() else { return BTreeSet::new() };
    let list = match value {
        Value::Array(_) => Some(value),
        Value::Object(fields) => fields.values().find(|value| {
            value.as_array().is_some_and(|list| list.first().is_some_and(Value::is_object))
        }),
        _ => None,
    };
    let elements = list.and_then(Value::as_array).into_iter().flatten();
    elements
        .filter_map(|element| {
            let element = element.get("node").unwrap_or(element);
            scalar(element.get("id")?)
        })
        .collect()
}

fn as_list(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |list| list.iter().collect())
}

fn has_ids(value: &Value) -> bool {
    as_list(value).iter().all(|it| it.get("id").is_some_and(|id| !id.is_null()))
}

fn ids(value: &Value) -> BTreeSet<String> {
    as_list(value).into_iter().filter_map(|it| scalar(it.get("id")?)).collect()
}
