//! A service that locks everybody out for a while: the run waits for them, and goes on.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wallace::{Settings, StopReason};

use crate::service::{Request, reply, serve};
use crate::{covered, run};

/// Longer than what follows at once on a login that is gone.
const LOCK: Duration = Duration::from_secs(4);

#[derive(Default)]
struct State {
    locked: Option<Instant>,
    /// Calls with a user's own name and a password that is not the user's.
    guesses: usize,
}

fn answer(request: &Request, state: &Mutex<State>) -> String {
    let mut state = state.lock().unwrap();
    let is_locked = state.locked.is_some_and(|since| since.elapsed() < LOCK);
    if request.header("authorization") != Some("Bearer alice-of-the-first-floor") || is_locked {
        return reply(401, "", "{\"message\": \"who are you\"}");
    }
    let path = request.path.split('?').next().unwrap();
    // What is told of alice is how the service calls her.
    if path == "/me" {
        return reply(200, "", "{\"login\": \"alice\", \"id\": \"alice\"}");
    }
    if path == "/people/alice/check" && request.body.contains("password") {
        state.guesses += 1;
    }
    if path == "/lock" {
        state.locked.get_or_insert(Instant::now());
    }
    reply(200, "", "{\"id\": 1}")
}

#[test]
fn users_who_are_locked_out_for_a_while_are_waited_for() {
    let state = Arc::<Mutex<State>>::default();
    let shared = Arc::clone(&state);
    let url = serve(move |request| answer(request, &shared));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.yaml");
    let ok = "responses: {'200': {description: ok}}";
    let who = "parameters: [{name: who, in: path, required: true, schema: {enum: [alice, bob]}}]";
    let body = "requestBody: {required: true, content: {application/json: {schema: {type: object, \
                required: [password], properties: {password: {type: string}}}}}}";
    let paths = format!(
        "  /me: {{get: {{{ok}}}}}\n  /things: {{get: {{{ok}}}, post: {{{ok}}}}}\n  \
         /lock: {{post: {{{ok}}}}}\n  /people/{{who}}/check: {{post: {{{who}, {body}, {ok}}}}}\n"
    );
    std::fs::write(&file, format!("openapi: 3.0.0\npaths:\n{paths}")).unwrap();
    let users = folder.path().join("auth.yaml");
    let header = "{name: Authorization, value: Bearer alice-of-the-first-floor}";
    let text = format!("auth:\n  - name: alice\n    fixedHeaders: [{header}]\n");
    std::fs::write(&users, text).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.path().join("out"));
    settings.rest.base_url = Some(url);
    settings.auth = Some(users);
    settings.calls = Some(300);
    let summary = run(&settings).unwrap();
    let state = state.lock().unwrap();
    assert!(state.locked.is_some(), "nobody was locked out");
    assert_eq!(summary.reason, StopReason::BudgetUsed, "{:?}", summary.warnings);
    let is_told = |note: &String| note.contains("locked out for a while");
    assert!(summary.warnings.iter().any(is_told), "{:?}", summary.warnings);
    assert!(!covered(&summary, "rest:ok:POST /things").is_empty());
    assert_eq!(state.guesses, 0, "passwords of the user's were tried");
}
