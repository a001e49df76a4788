//! Answers to queries that must agree.

use std::collections::BTreeSet;

use serde_json::Value;
use wallace_genes::Gene;

use super::{Found, Seen, found, identities, objects, scalar_text};
use crate::graphql::action::Form;
use crate::graphql::check::agree::{CONDITIONS, inverse_pairs};
use crate::graphql::link::Purpose;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::schema::TypeId;

/// Equal queries in a row whose lists hold the same in ever another order.
pub(super) fn repeat(calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    let answers: Vec<&Seen<'_>> =
        calls.iter().filter(|call| call.is_query() && call.gave()).collect();
    let is_same_question =
        |pair: &[&Seen<'_>]| pair[0].asks_as(pair[1]) && pair[0].action.user == pair[1].action.user;
    let changes = answers.windows(2).filter(|pair| {
        is_same_question(pair)
            && matches!((pair[0].value(), pair[1].value()), (Some(one), Some(other)) if is_reordered(one, other))
    });
    // Once may be a change by somebody else; twice in a row is the service.
    if changes.count() >= 2 {
        faults.push(found(
            answers[answers.len() - 1],
            988,
            "the order of a list changes with each request",
        ));
    }
}

/// Whether some list holds, in another order, what it shares with the same list of the other value.
/// What only one of the two holds is left out: where the order of equals changes, so does what is
/// the last on a page.
fn is_reordered(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => are_reordered(one, other),
        (Value::Object(one), Value::Object(other)) => one
            .iter()
            .any(|(key, value)| other.get(key).is_some_and(|again| is_reordered(value, again))),
        _ => false,
    }
}

fn are_reordered(one: &[Value], other: &[Value]) -> bool {
    let keyed = |list: &[Value]| -> Vec<String> {
        list.iter().map(|element| sorted(element).to_string()).collect()
    };
    let (first, second) = (keyed(one), keyed(other));
    let in_first: BTreeSet<&String> = first.iter().collect();
    let in_second: BTreeSet<&String> = second.iter().collect();
    let shared: Vec<usize> =
        (0..first.len()).filter(|place| in_second.contains(&first[*place])).collect();
    let again: Vec<usize> =
        (0..second.len()).filter(|place| in_first.contains(&second[*place])).collect();
    let keys = |keys: &[String], places: &[usize]| {
        let mut keys: Vec<String> = places.iter().map(|place| keys[*place].clone()).collect();
        keys.sort_unstable();
        keys
    };
    // Lists that hardly share anything are two lists; of some things there may be more than one.
    let is_little = shared.len() * 2 < first.len().max(second.len());
    if is_little || keys(&first, &shared) != keys(&second, &again) {
        return false;
    }
    let mut pairs = shared.into_iter().zip(again);
    pairs.any(|(place, there)| {
        first[place] != second[there] || is_reordered(&one[place], &other[there])
    })
}

/// The value with all lists in one order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.iter().map(sorted).collect();
            elements.sort_by_cached_key(Value::to_string);
            Value::Array(elements)
        }
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect()
        }
        other => other.clone(),
    }
}

/// A form that twice gives something else than the plain form gives twice.
pub(super) fn forms(calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    let of = |form: Form| calls.iter().filter(move |call| call.action.form == form);
    let plain: Vec<&Seen<'_>> = of(Form::Literals).collect();
    let [first, second] = plain[..] else { return };
    if !first.gave() || !second.gave() || first.value() != second.value() || !first.asks_as(second)
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
        let differs = |call: &Seen<'_>| call.value() != first.value();
        if !is_refused(one) && !is_refused(other) && differs(one) && differs(other) {
            let context = format!("{} gives another answer than literals", form.as_str());
            faults.push(found(other, 988, context));
        }
        let disagrees = |call: &Seen<'_>| {
            call.gave() && call.value_again().is_some_and(|again| Some(again) != call.value())
        };
        if disagrees(one) && disagrees(other) {
            let context = format!("{} gives two different answers", form.as_str());
            faults.push(found(other, 988, context));
        }
    }
}

/// A document that the service keeps gives, twice, something else than it gives by itself.
pub(super) fn persisted(calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    let [before, _, kept, again, after] = calls else { return };
    let is_stable = before.gave() && after.gave() && before.value() == after.value();
    let is_kept = kept.gave() && again.gave() && kept.value() == again.value();
    if is_stable && is_kept && kept.asks_as(before) && kept.value() != before.value() {
        faults.push(found(again, 988, "a kept document gives another answer than its text"));
    }
}

/// A page that holds what the page before it held, twice.
pub(super) fn pages(problem: &GraphqlProblem, calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    let overlaps = calls.windows(2).filter_map(|pair| {
        let cursor = cursor_of(problem, &pair[1])?;
        let is_next = leaves(pair[0].value()?).contains(&cursor)
            && pair[0].action.template == pair[1].action.template;
        let (before, after) = (list_ids(problem, &pair[0]), list_ids(problem, &pair[1]));
        (is_next && pair[0].gave() && pair[1].gave() && !before.is_disjoint(&after))
            .then_some(&pair[1])
    });
    let overlaps: Vec<&Seen<'_>> = overlaps.collect();
    if let [_, .., last] = overlaps[..] {
        faults.push(found(last, 988, "a page repeats what the page before it held"));
    }
}

/// The cursor that a call gives.
fn cursor_of(problem: &GraphqlProblem, call: &Seen<'_>) -> Option<String> {
    let needs = problem.needs(call.action).into_iter();
    let cursor = needs.filter(|need| need.source.purpose == Purpose::Cursor).find_map(|need| {
        match need.path.find(&call.action.gene) {
            Some(Gene::String(string)) => Some(string.text.to_string()),
            _ => None,
        }
    });
    cursor.filter(|cursor| !cursor.is_empty())
}

fn leaves(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        other => scalar_text(other).into_iter().collect(),
    }
}

/// Ids of the elements of the first list of objects in a page.
fn list_ids(problem: &GraphqlProblem, call: &Seen<'_>) -> BTreeSet<String> {
    let _ = problem;
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
            scalar_text(element.get("id")?)
        })
        .collect()
}

/// Something that was seen to exist is not found under its id, or something else is.
pub(super) fn echo(problem: &GraphqlProblem, calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    if calls.iter().any(|call| !call.is_query()) {
        return;
    }
    let mut misses = 0;
    for (place, call) in calls.iter().enumerate().skip(1) {
        let asked = identities(problem, call.action);
        let [(key, id)] = &asked[..] else { continue };
        let Some((owner, name)) = key.split_once('.') else { continue };
        let owner = problem.templates.schema().type_named(owner);
        let is_known = calls[..place]
            .iter()
            .filter(|before| before.action.template != call.action.template)
            .any(|before| {
                objects(problem, before).iter().any(|(of, object)| {
                    Some(*of) == owner
                        && object.get(name).and_then(scalar_text).as_ref() == Some(id)
                })
            });
        if !is_known || !call.answer.is_success() {
            continue;
        }
        let echoed = match call.value() {
            Some(Value::Object(object)) => object.get(name).and_then(scalar_text),
            Some(Value::Null) => None,
            _ => continue,
        };
        let has_key =
            call.value().is_some_and(|value| value.is_null() || value.get(name).is_some());
        misses += usize::from(has_key && echoed.as_ref() != Some(id));
        if misses == 2 {
            faults.push(found(call, 988, "what exists is not found under its id"));
        }
    }
}

/// Something refers to a thing that does not refer back.
pub(super) fn inverse(problem: &GraphqlProblem, calls: &[Seen<'_>], faults: &mut Vec<Found>) {
    let schema = problem.templates.schema();
    let [first, second, ..] = calls else { return };
    if !first.gave() || first.value() != second.value() {
        return;
    }
    for (owner, object) in objects(problem, second) {
        for pair in inverse_pairs(schema, owner) {
            let name = |field| &*schema.field(field).name;
            let (Some(id), Some(Value::Array(elements))) =
                (object.get(name(pair.id)).and_then(scalar_text), object.get(name(pair.forth)))
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
                    faults.push(found(
                        second,
                        988,
                        format!("{coordinate} holds what does not refer back"),
                    ));
                    return;
                }
            }
        }
    }
}

fn as_list(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |list| list.iter().collect())
}

fn has_ids(value: &Value) -> bool {
    as_list(value).iter().all(|it| it.get("id").is_some_and(|id| !id.is_null()))
}

fn ids(value: &Value) -> BTreeSet<String> {
    as_list(value).into_iter().filter_map(|it| scalar_text(it.get("id")?)).collect()
}

/// An open quote breaks the query, twice, and a closed one does not.
pub(super) fn quote(calls: &[Seen<'_>], faults: &mut Vec<Found>) {
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
    if breaks(open) && breaks(again) && closed.gave() && closed_again.gave() {
        faults.push(found(open, 200, "a quote in a text breaks the query behind it"));
    }
}

/// A condition in a text decides what is found: whatever is compared, true ones find one thing and
/// false ones another, and without quotes nothing is decided.
pub(super) fn condition(calls: &[Seen<'_>], faults: &mut Vec<Found>) {
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
        faults.push(found(third_yes, 200, "a condition in a text decides what is found"));
    }
}

/// Elements of a list that contradict the filter they were asked for with: an enum argument of the
/// name and type of one of their fields.
pub(crate) fn filtered(problem: &GraphqlProblem, call: &Seen<'_>) -> Option<Found> {
    use crate::graphql::site::visit_sites;
    use wallace_genes::GeneSpec;
    if !call.is_query() || !call.gave() {
        return None;
    }
    let schema = problem.templates.schema();
    let graph = call.operation.spec.graph();
    let mut filters: Vec<(String, TypeId, String)> = Vec::new();
    visit_sites(&problem.templates, call.operation, &call.action.gene, &mut |site| {
        // Arguments of the operation, and of one input object among them.
        let is_own = site.path.0.len() <= 2 && site.is_whole;
        if let (GeneSpec::Enum(names), Gene::Enum(index), true) =
            (graph.spec(site.spec), site.gene, is_own)
            && let Some(value) = names.name(*index)
        {
            let name = site.coordinate.rsplit(['.', '(']).next().unwrap_or_default();
            let type_name = problem.argument_types.get(site.coordinate);
            if let Some(of) = type_name.and_then(|name| schema.type_named(name)) {
                filters.push((name.trim_end_matches(":)").to_owned(), of, value.to_string()));
            }
        }
    });
    let element = |owner: TypeId, name: &str, of: TypeId| {
        schema.fields(owner).any(|field| {
            let definition = schema.field(field);
            &*definition.name == name && definition.type_ref.named() == of
        })
    };
    let mut listed = Vec::new();
    if let Some(value) = call.value() {
        collect_listed(value, 2, &mut listed);
    }
    for (name, of, wanted) in filters {
        for (owner, object) in objects(problem, call) {
            let is_listed = listed.iter().any(|it| std::ptr::eq(*it, object));
            if !is_listed || !element(owner, &name, of) {
                continue;
            }
            if let Some(Value::String(value)) = object.get(&name)
                && *value != wanted
            {
                return Some(found(call, 988, format!("elements do not match the filter {name}")));
            }
        }
    }
    None
}

/// The objects in the lists of a value that are not inside other lists.
fn collect_listed<'v>(
    value: &'v Value,
    depth: u32,
    listed: &mut Vec<&'v serde_json::Map<String, Value>>,
) {
    match value {
        Value::Array(elements) => listed.extend(elements.iter().filter_map(Value::as_object)),
        Value::Object(fields) if depth > 0 => {
            for below in fields.values() {
                collect_listed(below, depth - 1, listed);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_another_order_of_the_same_is_another_order() {
        let page = |ids: &[u32], last: u32| {
            let nodes: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
            json!({"nodes": nodes, "end": last})
        };
        let is = |one: &[u32], other: &[u32]| is_reordered(&page(one, 0), &page(other, 1));
        assert!(is(&[1, 2, 3], &[2, 1, 3]));
        // Equals at the end of a page push each other out of it.
        assert!(is(&[1, 2, 3, 4], &[2, 1, 3, 5]));
        assert!(!is(&[1, 2, 3, 4], &[1, 2, 3, 5]));
        assert!(
            !is(&[1, 1, 2], &[1, 2, 2])
                && !is(&[1, 2, 3], &[1, 2])
                && !is(&[], &[1])
                && !is(&[1, 2, 3], &[3, 4, 5])
        );
        let nested = |tags: &[&str]| json!([{"id": 1, "tags": tags}, {"id": 2}]);
        assert!(is_reordered(&nested(&["a", "b"]), &nested(&["b", "a"])));
        assert!(!is_reordered(&nested(&["a", "b"]), &nested(&["a", "c"])));
        assert!(!is_reordered(&nested(&["a"]), &nested(&["a"])));
    }
}
