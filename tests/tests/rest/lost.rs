//! A service that one call ends, and that somebody starts again: the next call is not blamed, and users
//! whose sessions were in its memory log in anew. No call is one that is safe to send twice.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use wallace::{Settings, Summary};

use crate::service::{Request, converse, reply};
use crate::{covered, run};

#[derive(Default)]
struct State {
    sessions: BTreeSet<String>,
    logins: usize,
    /// Set by the call that ends the service, the first one of its operation only.
    is_ending: bool,
    ends: usize,
    /// Calls with a session that is not known.
    refused: usize,
}

/// What is answered; nothing when the service ends.
fn answer(request: &Request, state: &Mutex<State>) -> Option<String> {
    let mut state = state.lock().unwrap();
    if request.path == "/login" {
        state.logins += 1;
        let token = format!("session-number-{}", state.logins);
        state.sessions.insert(token.clone());
        return Some(reply(200, "", &format!("{{\"token\": \"{token}\"}}")));
    }
    let token = request.header("authorization").unwrap_or_default();
    if !state.sessions.contains(token) {
        state.refused += usize::from(!token.is_empty());
        return Some(reply(403, "", "{\"message\": \"who are you\"}"));
    }
    if request.path.starts_with("/crash") && state.ends == 0 {
        state.is_ending = true;
        return None;
    }
    Some(reply(200, "", "[{\"id\": 1}]"))
}

/// Takes connections until the service ends, and one more, which it drops when it listens no more.
fn until_its_end(
    address: SocketAddr,
    listener: TcpListener,
    state: &Arc<Mutex<State>>,
) -> TcpListener {
    loop {
        let (stream, _) = listener.accept().unwrap();
        if state.lock().unwrap().is_ending {
            drop(listener);
            drop(stream);
            break;
        }
        let state = Arc::clone(state);
        std::thread::spawn(move || converse(stream, &|request| answer(request, &state)));
    }
    std::thread::sleep(Duration::from_secs(2));
    let mut state = state.lock().unwrap();
    state.sessions.clear();
    state.is_ending = false;
    state.ends += 1;
    TcpListener::bind(address).unwrap()
}

fn search(folder: &Path) -> (Summary, Arc<Mutex<State>>) {
    let mut listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let state = Arc::<Mutex<State>>::default();
    let shared = Arc::clone(&state);
    std::thread::spawn(move || {
        loop {
            listener = until_its_end(address, listener, &shared);
        }
    });
    let operation = "{post: {parameters: [{name: q, in: query, schema: {type: string}}], \
                     responses: {'200': {description: ok}}}}";
    let paths = ["/things", "/crash", "/others"].map(|path| format!("  {path}: {operation}\n"));
    let file = folder.join("openapi.yaml");
    std::fs::write(&file, format!("openapi: 3.0.0\npaths:\n{}", paths.concat())).unwrap();
    let users = folder.join("auth.yaml");
    let login = "{endpoint: /login, verb: POST, contentType: application/json, payloadRaw: '{}', \
                 token: {extractFrom: body, extractSelector: /token, sendIn: header, \
                 sendName: Authorization, sendTemplate: '{token}'}}";
    let text = format!("auth:\n  - name: alice\n    loginEndpointAuth: {login}\n");
    std::fs::write(&users, text).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.join("out"));
    settings.rest.base_url = Some(format!("http://{address}"));
    settings.auth = Some(users);
    settings.calls = Some(120);
    (run(&settings).unwrap(), state)
}

#[test]
fn a_service_that_one_call_ends_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, state) = search(folder.path());
    let state = state.lock().unwrap();
    assert_eq!(state.ends, 1);
    let ended = covered(&summary, "fault:910:");
    assert!(ended.len() == 1 && ended[0].contains("/crash"), "{ended:?}");
    assert_eq!(state.refused, 0, "old sessions are not sent to what was started again");
    let (things, others) =
        (covered(&summary, "rest:ok:POST /things"), covered(&summary, "rest:ok:POST /others"));
    assert!(!things.is_empty() && !others.is_empty());
}
