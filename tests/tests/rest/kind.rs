//! An operation that wants another kind of user than the one who asks: 401, however often that logs in.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use wallace::Settings;

use crate::service::{Request, reply, serve};
use crate::{covered, run};

fn description() -> String {
    let operation = |path: &str| {
        format!(
            "{path}: {{get: {{security: [{{token: []}}], responses: {{'200': {{description: d}}}}}}}}"
        )
    };
    let machines = (0..6).map(|number| operation(&format!("/machine{number}")));
    let paths: Vec<String> = machines.chain([operation("/things")]).collect();
    format!(
        "{{openapi: 3.0.0, paths: {{{}}}, components: {{securitySchemes: {{token: {{type: http, scheme: bearer}}}}}}}}",
        paths.join(", ")
    )
}

fn answer(request: &Request, logins: &AtomicU32) -> String {
    let is_ann = request.header("authorization") == Some("Bearer of-ann");
    match request.path.as_str() {
        "/openapi.yaml" => reply(200, "", &description()),
        "/login" if logins.fetch_add(1, Ordering::Relaxed) < 5 => {
            reply(200, "", r#"{"token": "of-ann"}"#)
        }
        "/login" => reply(429, "Retry-After: 5\r\n", "{}"),
        "/things" if is_ann => reply(200, "", "[]"),
        _ => reply(401, "", r#"{"message": "this wants a token of a machine"}"#),
    }
}

#[test]
fn who_is_known_does_not_log_in_for_each_operation_that_wants_another() {
    let logins = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&logins);
    let url = serve(move |request| answer(request, &counted));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("auth.yaml");
    std::fs::write(
        &file,
        "schemaVersion: '0.6.0'\nauth:\n- name: ann\n  loginEndpointAuth:\n    endpoint: /login\n    verb: POST\n    \
         payloadRaw: '{\"name\": \"ann\"}'\n    token: {extractFrom: body, extractSelector: /token, sendIn: header, \
         sendName: Authorization, sendTemplate: 'Bearer {token}'}\n",
    )
    .unwrap();
    let mut settings = Settings::rest(format!("{url}/openapi.yaml"), folder.path().join("out"));
    settings.auth = Some(file);
    settings.calls = Some(120);
    let summary = run(&settings).unwrap();
    assert_eq!(covered(&summary, "rest:ok:").len(), 1, "{:?}", summary.warnings);
    let logins = logins.load(Ordering::Relaxed);
    assert!(logins <= 4, "{logins} logins: {:?}", summary.warnings);
}
