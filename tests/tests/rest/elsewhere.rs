//! Users who log in at another server than the service: an identity provider.

use wallace::Settings;

use crate::service::{Request, reply, serve};
use crate::{covered, run};

const DESCRIPTION: &str = "{openapi: 3.0.0, paths: {/things: {get: {security: [{token: []}], responses: \
                           {'200': {description: d}}}}}, components: {securitySchemes: {token: {type: \
                           http, scheme: bearer}}}}";

fn service(request: &Request) -> String {
    match request.header("authorization") {
        _ if request.path == "/openapi.yaml" => reply(200, "", DESCRIPTION),
        Some("Bearer of-ann") => reply(200, "", "[]"),
        _ => reply(401, "", "{}"),
    }
}

fn provider(request: &Request) -> String {
    let is_ann = request.path == "/realms/shop/token" && request.body.contains("ann-pass");
    if is_ann { reply(200, "", r#"{"access_token": "of-ann"}"#) } else { reply(400, "", "{}") }
}

#[test]
fn a_user_logs_in_at_an_identity_provider() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings =
        Settings::rest(format!("{}/openapi.yaml", serve(service)), folder.path().join("out"));
    let file = folder.path().join("auth.yaml");
    let text = format!(
        "schemaVersion: '0.6.0'\nauth:\n- name: ann\n  loginEndpointAuth:\n    externalEndpointURL: \
         {}/realms/shop/token\n    verb: POST\n    contentType: application/x-www-form-urlencoded\n    \
         payloadRaw: username=ann&password=ann-pass\n    token: {{extractFrom: body, extractSelector: \
         /access_token, sendIn: header, sendName: Authorization, sendTemplate: 'Bearer {{token}}'}}\n",
        serve(provider)
    );
    std::fs::write(&file, text).unwrap();
    settings.auth = Some(file);
    settings.calls = Some(30);
    let summary = run(&settings).unwrap();
    assert_eq!(covered(&summary, "rest:ok:").len(), 1, "{:?}", summary.warnings);
}
