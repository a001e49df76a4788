//! Families: values that one answer told together, with those of the path that it was asked by.
//!
//! `/dags/{dag}/runs/{run}` is about a run of that very dag: names that were seen apart rarely fit. So
//! what an object of an answer and the objects around it name is kept together.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_genes::{Draw, TemplateId};

use super::action::RestAction;
use super::learn::{CALLED, NAMES, inner_thing};
use super::operations::Operations;
use crate::sql::leaf;
use crate::word::plain;

/// Most families of one operation, and most of all.
const MOST_OF_OPERATION: usize = 20;
const MOST: usize = 1_000;
/// Elements of a list, and levels of an answer, that are looked at.
const MOST_ELEMENTS: usize = 20;
const MOST_DEPTH: usize = 8;

/// Values by name, as names of parameters are compared.
pub(super) type Family = BTreeMap<Box<str>, Value>;

/// What answers told together, by operation; the oldest go first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Families(BTreeMap<TemplateId, VecDeque<Family>>);

impl Families {
    /// Learns from a good answer to a call, given as it was sent.
    pub(super) fn learn(
        &mut self,
        operations: &Operations,
        action: &RestAction,
        thing: &str,
        body: &Value,
    ) {
        let wanted = operations.resources.family_names();
        if wanted.is_empty() {
            return;
        }
        let mut of_path = Family::new();
        for need in operations.resources.needs(action.template) {
            let value = need.path().find(&action.gene).and_then(leaf);
            let names = need.names.iter().filter(|name| wanted.contains(*name));
            let named = names.filter_map(|name| Some((name.clone(), value.clone()?)));
            of_path.extend(named);
        }
        self.collect((action.template, wanted), &of_path, thing, body, 0);
    }

    fn collect(
        &mut self,
        (template, wanted): (TemplateId, &BTreeSet<Box<str>>),
        around: &Family,
        thing: &str,
        value: &Value,
        depth: usize,
    ) {
        match value {
            Value::Object(members) if depth < MOST_DEPTH => {
                let mut family = around.clone();
                for (name, member) in
                    members.iter().filter(|(_, it)| it.is_string() || it.is_number())
                {
                    let name = plain(name);
                    let is_name = NAMES.contains(&&*name) || CALLED.contains(&&*name);
                    let full = is_name.then(|| format!("{thing}{name}"));
                    let names =
                        [Some(name), full].into_iter().flatten().map(String::into_boxed_str);
                    family.extend(
                        names.filter(|it| wanted.contains(it)).map(|it| (it, member.clone())),
                    );
                }
                if family != *around {
                    self.add(template, &family);
                }
                for (name, member) in members {
                    let inner = inner_thing(name, member);
                    let inner = inner.as_deref().unwrap_or(thing);
                    self.collect((template, wanted), &family, inner, member, depth + 1);
                }
            }
            Value::Array(elements) if depth < MOST_DEPTH => {
                for element in elements.iter().take(MOST_ELEMENTS) {
                    self.collect((template, wanted), around, thing, element, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, template: TemplateId, family: &Family) {
        let count: usize = self.0.values().map(VecDeque::len).sum();
        let of_operation = self.0.entry(template).or_default();
        if family.len() < 2 || of_operation.contains(family) {
            return;
        }
        if of_operation.len() == MOST_OF_OPERATION {
            of_operation.pop_front();
        } else if count == MOST {
            return;
        }
        of_operation.push_back(family.clone());
    }

    /// One of the families that name most of the placeholders of an operation, at least two; none where
    /// it has fewer or no answer told two of them together.
    pub(super) fn pick(
        &self,
        operations: &Operations,
        id: TemplateId,
        draw: &mut Draw,
    ) -> Option<&Family> {
        let needs = operations.resources.needs(id);
        if needs.len() < 2 {
            return None;
        }
        let names = |family: &Family| {
            let named =
                needs.iter().filter(|need| need.names.iter().any(|it| family.contains_key(it)));
            named.count()
        };
        let all = self.0.values().flatten();
        let counted: Vec<(usize, &Family)> = all.map(|family| (names(family), family)).collect();
        let most = counted.iter().map(|(count, _)| *count).max().filter(|most| *most >= 2)?;
        let best: Vec<&Family> =
            counted.into_iter().filter(|(count, _)| *count == most).map(|(_, it)| it).collect();
        draw.rng.pick(&best).copied()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use std::sync::Arc;

    use super::*;
    use crate::rest::problem::support::{named, problem};

    /// A run is asked for below the dag that has it, also where only the path of the list said so.
    #[test]
    fn names_that_were_seen_together_are_sent_together() {
        let parameter = |name: &str| {
            format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
        };
        let (dag, run) = (parameter("dag_id"), parameter("run_id"));
        let problem = problem(
            &format!(
                "{{'/dags/{{dag_id}}/runs': {{parameters: [{dag}], get: {{}}}}, \
                   '/dags/{{dag_id}}/runs/{{run_id}}': {{parameters: [{dag}, {run}], get: {{}}}}}}"
            ),
            0,
        );
        let (list, read) = (
            named(&problem, "GET:/dags/{dag_id}/runs"),
            named(&problem, "GET:/dags/{dag_id}/runs/{run_id}"),
        );
        let mut draw = Draw::new(3, 0, Arc::default());
        let mut families = Families::default();
        let operations = problem.operations();
        for dag in ["a", "b"] {
            let mut call = problem.planner(&Default::default(), &mut draw).plan_alone(list);
            let call = call.action_mut(0);
            let spec = operations.templates.template(list).spec.clone();
            assert!(spec.put(
                &mut call.gene,
                &operations.resources.needs(list)[0].path(),
                &json!(dag)
            ));
            let runs =
                json!({ "runs": [{ "id": format!("{dag}1") }, { "run_id": format!("{dag}2") }] });
            families.learn(operations, call, "dag", &runs);
        }
        let mut seen = BTreeSet::new();
        for _ in 0..100 {
            let family = families.pick(operations, read, &mut draw).unwrap();
            let (dag, run) = (&family["dagid"], &family["runid"]);
            assert!(run.as_str().unwrap().starts_with(dag.as_str().unwrap()));
            seen.insert(run.to_string());
        }
        assert_eq!(seen.len(), 4);
        assert!(families.pick(operations, list, &mut draw).is_none(), "it names one thing only");
    }
}
