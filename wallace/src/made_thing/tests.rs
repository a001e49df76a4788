//! Zones and their keys, as calls make them, take them away and ask for them.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::{HeaderMap, Method};
use serde_json::json;
use wallace_engine::{Problem, SearchSettings};
use wallace_genes::{Draw, Knowledge, sample};
use wallace_problems::rest::{
    Description, Location, ReadSettings, RestAction, RestProblem, RestSettings, Templates,
};

use super::*;
use crate::made_name::made_in_path;

pub(crate) fn service() -> RestProblem {
    let parameter = |name: &str| {
        format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
    };
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  \
         /zones: {{post: {{}}, get: {{}}}}\n  \
         /zones/{{zone_id}}: {{parameters: [{zone}], get: {{}}, put: {{}}, delete: {{}}}}\n  \
         /zones/{{zone_id}}/keys: {{parameters: [{zone}], post: {{}}}}\n  \
         /zones/{{zone_id}}/keys/{{key_id}}: {{parameters: [{zone}, {key}], get: {{}}, delete: {{}}}}\n",
        zone = parameter("zone_id"),
        key = parameter("key_id"),
    );
    let (location, settings) = (Location::Text("test".to_owned()), ReadSettings::default());
    let read = Description::from_text(&text, location, &settings, &|_| Err(String::new()));
    let templates = Arc::new(Templates::new(Arc::new(read.unwrap())).unwrap());
    let settings = RestSettings { may_change: true, ..RestSettings::default() };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

/// What tests of a run did, one call each.
#[derive(Default)]
struct Run {
    things: MadeThings,
    tests: u64,
}

impl Run {
    /// Does something with a call of an operation on these ids.
    fn call<R>(
        &mut self,
        (operation, ids): (&str, &[&str]),
        went_well: bool,
        act: impl FnOnce(&mut MadeThings, &RestProblem, &Called<'_, RestProblem>) -> R,
    ) -> R {
        let problem = service();
        let templates = problem.templates();
        let mut all = templates.operations().iter();
        let template = all.find(|it| problem.template_name(it.id) == operation).unwrap();
        let mut draw = Draw::new(1, 0, Arc::default());
        let mut gene = sample(&template.spec, template.id, &Knowledge::default(), &mut draw);
        let (verb, mut path) = operation.split_once(':').unwrap();
        let mut filled = String::new();
        for ((place, _), id) in templates.named_values(template.id, &gene.clone()).iter().zip(ids) {
            assert!(template.spec.put(&mut gene, place, &json!(id)));
            let (before, rest) = path.split_once('{').unwrap();
            filled += &format!("{before}{id}");
            path = rest.split_once('}').unwrap().1;
        }
        let request = HttpRequest {
            method: Method::from_bytes(verb.as_bytes()).unwrap(),
            path: format!("{filled}{path}").parse().unwrap(),
            headers: HeaderMap::new(),
            body: "".into(),
        };
        self.tests += 1;
        let action = RestAction::new(template.id, gene);
        let evaluation = self.tests;
        let call = Called { action: &action, request: &request, went_well, evaluation };
        act(&mut self.things, &problem, &call)
    }

    fn changes(&mut self, call: (&str, &[&str]), answer: &Value) {
        self.call(call, true, |things, problem, call| things.learn(problem, call, Some(answer)));
    }

    fn leans(&mut self, call: (&str, &[&str]), went_well: bool) -> bool {
        let known = BTreeSet::new();
        self.call(call, went_well, |things, problem, call| {
            things.are_used_by(problem, call, &known)
        })
    }
}

const ZONE: &str = "GET:/zones/{zone_id}";
const KEY: &str = "GET:/zones/{zone_id}/keys/{key_id}";

#[test]
fn what_was_made_is_of_the_run_also_when_it_was_taken_away_again() {
    let mut run = Run::default();
    assert!(!run.leans((ZONE, &["z1"]), true));
    run.changes(("POST:/zones", &[]), &json!({ "id": "z1" }));
    assert!(run.leans((ZONE, &["z1"]), true));
    assert!(!run.leans((ZONE, &["z2"]), true), "that was there");
    run.changes(("DELETE:/zones/{zone_id}", &["z1"]), &json!({}));
    assert!(run.leans((ZONE, &["z1"]), false));
}

#[test]
fn what_a_deletion_names_besides_stays() {
    let mut run = Run::default();
    run.changes(("DELETE:/zones/{zone_id}/keys/{key_id}", &["z1", "k1"]), &json!({}));
    assert!(!run.leans((ZONE, &["z1"]), false), "the zone of the key is still there");
    assert!(run.leans((KEY, &["z1", "k1"]), false));
    assert!(run.leans(("DELETE:/zones/{zone_id}", &["z1"]), true), "others may need it");
}

#[test]
fn what_was_asked_before_something_was_taken_away_leans_on_nobody() {
    let mut run = Run { tests: 10, ..Run::default() };
    run.changes(("DELETE:/zones/{zone_id}", &["z1"]), &json!({}));
    run.tests = 5;
    assert!(!run.leans((ZONE, &["z1"]), true));
    run.tests = 15;
    assert!(run.leans((ZONE, &["z1"]), false));
}

#[test]
fn an_id_that_nobody_told_is_of_what_was_made_before() {
    let mut run = Run::default();
    let told = |things: &mut MadeThings, problem: &RestProblem, call: &Called<'_, RestProblem>| {
        things.learn_told(problem, call.action, &json!([{ "id": "z1" }]), call.evaluation);
    };
    run.call(("GET:/zones", &[]), true, told);
    run.changes(("POST:/zones", &[]), &json!({ "name": "n" }));
    assert!(!run.leans((ZONE, &["z1"]), true), "it was told before");
    assert!(run.leans((ZONE, &["z2"]), true));
    assert!(!run.leans((ZONE, &["z2"]), false), "what is not there is not on a fresh start either");
    assert!(run.leans((ZONE, &["2"]), false), "others may have made it, where things are counted");
    assert!(!run.leans((ZONE, &["20000"]), false));
}

#[test]
fn a_number_that_a_counting_service_may_give_is_of_others() {
    let mut run = Run::default();
    assert!(!run.leans((ZONE, &["9"]), false));
    run.changes(("POST:/zones", &[]), &json!({ "id": 7 }));
    assert!(run.leans((ZONE, &["9"]), false), "a suite may make it");
    assert!(!run.leans((ZONE, &["900"]), false), "nor so many");
    assert!(!run.leans((ZONE, &["z9"]), false));
}

#[test]
fn what_is_made_without_a_word_is_called_as_it_was_asked_for() {
    let said = |body: Value, kind: &str| {
        let (method, path) = (Method::POST, "/rules".parse().unwrap());
        let (headers, body) = (HeaderMap::new(), body.to_string().into());
        said_ids(&HttpRequest { method, path, headers, body }, kind)
    };
    assert_eq!(said(json!({ "ruleType": "VALIDITY", "config": "FULL" }), "rule"), ["VALIDITY"]);
    assert_eq!(said(json!({ "name": "x", "type": "y", "groupId": 3 }), "rule"), ["x"]);
    assert!(said(json!([1]), "rule").is_empty());
}

#[test]
fn what_changes_itself_is_not_made() {
    let mut run = Run::default();
    run.changes(("PUT:/zones/{zone_id}", &["1"]), &json!({ "id": "1" }));
    assert!(!run.leans((ZONE, &["1"]), true));
    run.changes(("POST:/zones/{zone_id}/keys", &["1"]), &json!({ "id": "1" }));
    assert!(run.leans((KEY, &["9", "1"]), true), "the key has the number of its zone");
}

#[test]
fn an_answer_is_about_what_stands_nearest_to_its_root() {
    let kinds = ["order".to_owned()];
    let answer = json!({ "data": { "createOrder": { "id": "5", "customer": { "id": 3 } } } });
    assert_eq!(first_ids(&answer, &kinds), ["5"]);
    let answer = json!([{ "order_id": 6, "customer_id": 3 }, { "order_id": 7 }]);
    assert_eq!(first_ids(&answer, &kinds), ["6", "7"]);
}

#[test]
fn the_one_thing_of_its_kind_is_what_another_operation_made() {
    let mut run = Run::default();
    run.changes(("POST:/zones", &[]), &json!({ "id": "z1" }));
    let mut shows = |operation: &str, answer: Value| {
        let answer = answer.to_string();
        run.call((operation, &[]), true, |it, problem, call| it.is_shown_by(problem, call, &answer))
    };
    assert!(shows("GET:/zones", json!({ "data": { "id": "z1" } })));
    assert!(!shows("GET:/zones", json!({ "data": { "id": "z2" } })));
    assert!(!shows("GET:/zones", json!([{ "id": "z1" }])), "lists show whatever is there");
    assert!(!shows("POST:/zones", json!({ "id": "z1" })), "it is made again");
    let drawn = json!({ "id": "6377dbb1-b6ce-40dc-a860-43f9e3de4aa1" });
    run.changes(("POST:/zones", &[]), &drawn);
    let mut shows = |operation: &str, answer: &Value| {
        let answer = answer.to_string();
        run.call((operation, &[]), true, |it, problem, call| it.is_shown_by(problem, call, &answer))
    };
    assert!(shows("POST:/zones", &drawn), "no service makes it twice");
}

#[test]
fn what_the_thing_holds_is_not_made() {
    let kinds = ["pet".to_owned()];
    let answer = json!({ "addPet": { "pet": { "name": "x", "owner": { "id": 3 } } } });
    assert!(first_ids(&answer, &kinds).is_empty());
    let answer = json!({ "addPet": { "pet": { "id": 9, "owner": { "id": 3 } }, "id": 1 } });
    assert_eq!(first_ids(&answer, &kinds), ["1"], "what stands nearest to the root comes first");
    let answer = json!({ "addPet": { "pet": { "id": 9, "owner": { "id": 3 } } } });
    assert_eq!(first_ids(&answer, &kinds), ["9"]);
}

#[test]
fn what_stands_before_the_last_part_of_a_path_was_there() {
    let mut run = Run::default();
    let mut made = |operation, ids: &[&str]| {
        run.call((operation, ids), true, |_, problem, call| {
            made_in_path(problem, call.action, call.request)
        })
    };
    assert_eq!(made("POST:/zones/{zone_id}/keys", &["z1"]), None);
    assert_eq!(made("PUT:/zones/{zone_id}", &["z1"]).as_deref(), Some("z1"));
    assert_eq!(made("DELETE:/zones/{zone_id}/keys/{key_id}", &["z1", "k1"]), None);
}
