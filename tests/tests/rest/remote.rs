//! A service of remote procedures: all calls are POST, paths say what is done, bodies name things, and
//! nothing in them is required.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::{Value, json};
use wallace::Settings;

use crate::service::{Request, reply, serve};
use crate::{covered, run};

#[derive(Default)]
struct State {
    roles: BTreeSet<String>,
    users: BTreeMap<String, BTreeSet<String>>,
    leases: BTreeSet<String>,
}

/// What the operations take; all members are optional.
const OPERATIONS: [(&str, &[&str]); 9] = [
    ("/v1/role/add", &["name"]),
    ("/v1/role/list", &[]),
    ("/v1/role/get", &["role"]),
    ("/v1/role/delete", &["role"]),
    ("/v1/user/add", &["name", "password"]),
    ("/v1/user/grant", &["user", "role"]),
    ("/v1/user/changepw", &["name", "password"]),
    ("/v1/leases.create", &["ttl"]),
    ("/v1/leases.revoke", &["id"]),
];

/// The answer where the call makes sense; as servers of that kind, with a header that names nothing.
fn done(state: &mut State, path: &str, body: &Value) -> Option<Value> {
    let text = |name: &str| body[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let plain = json!({ "header": { "revision": "2" } });
    match path {
        "/v1/role/add" => state.roles.insert(text("name")?).then_some(plain),
        "/v1/role/list" => Some(json!({ "header": { "revision": "2" }, "roles": state.roles })),
        "/v1/role/get" => state.roles.contains(&text("role")?).then_some(plain),
        "/v1/role/delete" => state.roles.remove(&text("role")?).then_some(plain),
        "/v1/user/add" => {
            state.users.entry(text("name")?).or_default();
            Some(plain)
        }
        "/v1/user/grant" => {
            let role = text("role").filter(|role| state.roles.contains(role))?;
            state.users.get_mut(&text("user")?)?.insert(role);
            Some(plain)
        }
        "/v1/user/changepw" => state.users.contains_key(&text("name")?).then_some(plain),
        "/v1/leases.create" => {
            let id = format!("75878{}", 1_000_000 + state.leases.len() * 7_919);
            state.leases.insert(id.clone());
            Some(json!({ "header": { "revision": "2" }, "id": id }))
        }
        _ => state.leases.remove(&text("id")?).then_some(plain),
    }
}

fn answer(request: &Request, state: &Mutex<State>) -> String {
    let body = serde_json::from_str(&request.body).unwrap_or_default();
    match done(&mut state.lock().unwrap(), &request.path, &body) {
        Some(answer) => reply(200, "", &answer.to_string()),
        None => reply(400, "", "{\"error\": \"it is not there\"}"),
    }
}

fn description() -> String {
    let paths = OPERATIONS.map(|(path, members)| {
        let member = |name: &&str| format!("{name}: {{type: string}}");
        let members: Vec<String> = members.iter().map(member).collect();
        format!(
            "  {path}: {{post: {{requestBody: {{content: {{application/json: {{schema: {{type: \
             object, properties: {{{}}}}}}}}}}}, responses: {{'200': {{description: ok}}}}}}}}\n",
            members.join(", ")
        )
    });
    format!("openapi: 3.0.0\npaths:\n{}", paths.concat())
}

#[test]
fn what_bodies_name_is_made_before() {
    let mut missed: Vec<String> = Vec::new();
    for seed in 1..=5 {
        let folder = tempfile::tempdir().unwrap();
        let state = Mutex::<State>::default();
        let url = serve(move |request| answer(request, &state));
        let file = folder.path().join("openapi.yaml");
        std::fs::write(&file, description()).unwrap();
        let mut settings = Settings::rest(file.to_str().unwrap(), folder.path().join("out"));
        settings.rest.base_url = Some(url);
        settings.calls = Some(800);
        settings.search.seed = seed;
        let summary = run(&settings).unwrap();
        let answered = covered(&summary, "rest:ok:POST ");
        let is_missed = |path: &&&str| !answered.iter().any(|name| name.ends_with(**path));
        let paths = OPERATIONS.map(|(path, _)| path);
        missed.extend(paths.iter().filter(is_missed).map(|path| format!("{path}, seed {seed}")));
    }
    // One that needs two things may be missed now and then.
    assert!(missed.len() <= 3, "of {}: {missed:?}", 5 * OPERATIONS.len());
}
