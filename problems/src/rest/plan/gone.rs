//! Names of things that are not there: a call is not made about them again until one goes well.
//!
//! A refusal is about the one thing that the path names, or about the one that it repeats. What a GET of
//! the thing itself does not find, and what a DELETE took away, is gone for all calls about such things.
//! Other calls are answered so too where what is asked of the thing is not there: that counts for them
//! alone.

use std::collections::{BTreeMap, VecDeque};

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::HttpOutcome;
use crate::refusal::{is_absent, says};
use crate::rest::action::RestAction;
use crate::rest::operations::Operations;
use crate::rest::resource::Need;
use crate::rest::word::shape;
use crate::sql::leaf;
use crate::word::written;

/// Most names that are remembered of one kind of thing, the oldest go first; and most kinds.
const MOST_NAMES: usize = 100;
const MOST_KINDS: usize = 1_000;

/// Names of things that are not there, by what was asked about them and by whom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gone(BTreeMap<Box<str>, VecDeque<Box<str>>>);

impl Gone {
    /// Learns from a call as it was sent.
    pub(in crate::rest) fn learn(
        &mut self,
        operations: &Operations,
        sent: &RestAction,
        outcome: &HttpOutcome,
    ) {
        let Ok(response) = &outcome.response else { return };
        let operation = operations.get(sent.template);
        let needs = operations.resources.needs(sent.template).iter();
        let named =
            needs.filter_map(|need| Some((need, written(&leaf(need.path().find(&sent.gene)?)?))));
        let mut named: Vec<(&Need, String)> = named.collect();
        let is_deleted = response.is_success() && operation.method == Method::DELETE;
        if response.is_success() && !is_deleted {
            for (need, name) in &named {
                keys(operations, sent, need).iter().for_each(|key| self.take_out(key, name));
            }
            return;
        }
        let last = named.last().map(|(need, _)| need.depth);
        match response.status {
            _ if is_deleted => named.retain(|(need, _)| Some(need.depth) == last),
            404 | 410 if named.len() == 1 => {}
            400 | 404 | 409 | 410 | 422 | 500 if is_absent(&response.body) => {
                named.retain(|(_, name)| says(&response.body, name));
            }
            _ => return,
        }
        let [(need, name)] = &named[..] else { return };
        let tells_of_all = is_deleted || operation.method == Method::GET;
        let is_whole = shape(&operation.path) == need.thing.place;
        let [of_call, of_thing] = keys(operations, sent, need);
        self.add(if tells_of_all && is_whole { of_thing } else { of_call }, name);
    }

    /// The names by which a call would ask for what is not there.
    pub(super) fn names(
        &self,
        operations: &Operations,
        call: &RestAction,
        need: &Need,
    ) -> Names<'_> {
        Names(keys(operations, call, need).map(|key| self.0.get(&key)))
    }

    fn add(&mut self, key: Box<str>, name: &str) {
        if self.0.len() >= MOST_KINDS && !self.0.contains_key(&key) {
            return;
        }
        let names = self.0.entry(key).or_default();
        if names.iter().any(|known| **known == *name) {
            return;
        }
        if names.len() == MOST_NAMES {
            names.pop_front();
        }
        names.push_back(name.into());
    }

    fn take_out(&mut self, key: &str, name: &str) {
        if let Some(names) = self.0.get_mut(key) {
            names.retain(|known| **known != *name);
        }
    }
}

/// Names of one kind of thing that are not there.
pub(super) struct Names<'g>([Option<&'g VecDeque<Box<str>>>; 2]);

impl Names<'_> {
    pub(super) fn contains(&self, name: &Value) -> bool {
        let name = written(name);
        self.0.iter().flatten().any(|names| names.iter().any(|known| **known == *name))
    }
}

/// What names are remembered by: for the operation, and for all that is done with the thing.
fn keys(operations: &Operations, call: &RestAction, need: &Need) -> [Box<str>; 2] {
    let user = call.caller.map_or(-1, i32::from);
    let operation = operations.get(call.template);
    let of_call = format!("{user} {} {}", operation.id, need.name);
    [of_call.into(), format!("{user} {}", need.thing.place).into()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use serde_json::json;
    use wallace_engine::Learnt;
    use wallace_genes::{Draw, Gene, GeneSettings, simplest};

    use super::*;
    use crate::http::HttpResponse;
    use crate::rest::memory::RestMemory;
    use crate::rest::problem::RestProblem;
    use crate::rest::problem::support::{named, problem};
    use crate::rest::template::Pool;

    const GET: &str = "GET:/links/{link_id}";
    const DELETE: &str = "DELETE:/links/{link_id}";
    const OWNER: &str = "GET:/links/{link_id}/owner";
    const PUT: &str = "PUT:/links/{link_id}/owner";

    fn service() -> RestProblem {
        let parameter = "{name: link_id, in: path, required: true, schema: {type: string}}";
        problem(
            &format!(
                "{{/links: {{get: {{}}}}, '/links/{{link_id}}': {{parameters: [{parameter}], \
                   get: {{}}, delete: {{}}}}, '/links/{{link_id}}/owner': {{parameters: \
                   [{parameter}], get: {{}}, put: {{}}}}}}"
            ),
            0,
        )
    }

    /// What is remembered where an operation answered so about `a`.
    fn told(problem: &RestProblem, memory: &mut RestMemory, name: &str, status: u16, body: &str) {
        let id = named(problem, name);
        let spec = problem.templates().template(id).spec.clone();
        let path = problem.operations().resources.needs(id)[0].path();
        let mut call = RestAction::new(id, simplest(&spec, &GeneSettings::default()));
        assert!(spec.put(&mut call.gene, &path, &json!("a")));
        let response = HttpResponse { status, body: body.to_owned(), ..HttpResponse::default() };
        memory.gone.learn(problem.operations(), &call, &HttpOutcome::new(Ok(response)));
    }

    /// The names that calls of an operation are about, of `a` and `b` that answers showed.
    fn asked(problem: &RestProblem, memory: &RestMemory, name: &str) -> String {
        let mut learnt = Learnt { memory: memory.clone(), ..Learnt::default() };
        let id = named(problem, name);
        for name in ["a", "b"] {
            learnt.memory.pool.add("link_id", &json!(name), id);
        }
        let texts = (0..60).flat_map(|number| {
            let mut draw = Draw::new(3, number, Arc::default());
            let mut planner = problem.planner(&learnt, &mut draw);
            let need = &problem.operations().resources.needs(id)[0];
            let mut call = RestAction::new(id, Gene::Constant);
            call.gene =
                problem.templates().sample(id, &learnt.knowledge, &Pool::default(), planner.draw);
            planner.put_seen(&mut call, need, None);
            problem.templates().texts(id, &call.gene)
        });
        texts
            .filter(|text| ["a", "b"].contains(&&**text))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    #[test]
    fn what_was_not_found_is_not_asked_for_again() {
        let (problem, mut memory) = (service(), RestMemory::default());
        assert_eq!(asked(&problem, &memory, GET), "ab");
        told(&problem, &mut memory, GET, 404, "");
        assert_eq!((&*asked(&problem, &memory, GET), &*asked(&problem, &memory, PUT)), ("b", "b"));
        told(&problem, &mut memory, PUT, 200, "{}");
        assert_eq!(asked(&problem, &memory, GET), "ab", "it is there");
        told(&problem, &mut memory, DELETE, 204, "");
        assert_eq!(asked(&problem, &memory, PUT), "b", "it was taken away");
    }

    #[test]
    fn what_is_asked_of_a_thing_may_be_missing_where_the_thing_is_not() {
        let (problem, mut memory) = (service(), RestMemory::default());
        told(&problem, &mut memory, PUT, 404, "");
        assert_eq!((&*asked(&problem, &memory, GET), &*asked(&problem, &memory, PUT)), ("ab", "b"));
        told(&problem, &mut memory, OWNER, 400, "the new owner does not exist");
        assert_eq!(asked(&problem, &memory, OWNER), "ab", "it is not said of the thing");
        told(&problem, &mut memory, OWNER, 400, "link a does not exist");
        assert_eq!(asked(&problem, &memory, OWNER), "b");
    }
}
