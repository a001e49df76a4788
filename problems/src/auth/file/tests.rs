//! Tests of authentication files.

use super::*;

fn parse(text: &str) -> Result<AuthFile, AuthFileError> {
    AuthFile::parse(text, &|name| (name == "PASSWORD").then(|| "s3cret".to_owned()))
}

const TEMPLATE: &str = r#"
schemaVersion: "0.6.0"
authTemplate:
  loginEndpointAuth:
    verb: POST
    endpoint: /graphql
    contentType: application/json
    token: {extractFrom: body, extractSelector: /data/login/token, sendIn: header,
            sendName: Authorization, sendTemplate: "Bearer {token}"}
auth:
  - name: alice
    loginEndpointAuth: {payloadRaw: '{"query":"a"}'}
  - name: 42
    loginEndpointAuth: {payloadRaw: '{"query":"b"}', token: {sendName: X-Token}}
"#;

#[test]
fn the_template_is_merged_deeply() {
    let file = parse(TEMPLATE).unwrap();
    assert_eq!(file.users[1].name, "42");
    let login = |index: usize| file.users[index].login.clone().unwrap();
    let token = TokenRule {
        source: TokenSource::Body("/data/login/token".to_owned()),
        place: Place::Header("Authorization".to_owned()),
        template: "Bearer {token}".to_owned(),
    };
    assert_eq!(login(0).token, Some(token.clone()));
    assert_eq!(login(0).payload, LoginPayload::Raw(r#"{"query":"a"}"#.to_owned()));
    let other = TokenRule { place: Place::Header("X-Token".to_owned()), ..token };
    assert_eq!(login(1).token, Some(other));
    assert!(file.warnings.is_empty());
}

#[test]
fn json_and_toml_say_the_same() {
    let json = r#"{"auth":[{"name":"a","fixedHeaders":[{"name":"K","value":"${PASSWORD}"}]}]}"#;
    let toml =
        "[[auth]]\nname = \"a\"\n[[auth.fixedHeaders]]\nname = \"K\"\nvalue = \"${PASSWORD}\"";
    let expected = User::with_headers("a", vec![("K".to_owned(), "s3cret".to_owned())]);
    for text in [json, toml] {
        assert_eq!(parse(text).unwrap().users, std::slice::from_ref(&expected), "{text}");
    }
}

#[test]
fn earlier_tokens_and_passwords_are_read() {
    let text = r#"
auth:
- name: a
  unheardOf: 1
  loginEndpointAuth:
    endpoint: login
    verb: post
    payloadUserPwd: {username: u, password: p w, usernameField: n, passwordField: k}
    contentType: application/x-www-form-urlencoded
    token: {extractFromField: /access, httpHeaderName: Authorization, headerPrefix: "JWT "}
"#;
    let file = parse(text).unwrap();
    let login = file.users[0].login.clone().unwrap();
    assert_eq!(login.token.unwrap().template, "JWT {token}");
    assert_eq!(login.payload.render(&login.content_type), "n=u&k=p%20w");
    assert_eq!(login.payload.render("application/json"), r#"{"k":"p w","n":"u"}"#);
    assert_eq!(login.endpoint, Endpoint::Path("/login".to_owned()));
    assert_eq!(file.warnings, ["auth[0]: \"unheardOf\" is not known and not used"]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let at = |text: &str| match parse(text) {
        Err(AuthFileError::Wrong { at, .. }) => at,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(at("auth: 5"), "auth");
    assert_eq!(at("auth: [{}]"), "auth[0]");
    assert_eq!(at("auth: [{name: a}, {name: a}]"), "auth[1].name");
    let login =
        "auth: [{name: a, loginEndpointAuth: {verb: SEND, endpoint: /l, expectCookies: true}}]";
    assert_eq!(at(login), "auth[0].loginEndpointAuth.verb");
    let none = "auth: [{name: a, loginEndpointAuth: {verb: GET, endpoint: /l}}]";
    assert_eq!(at(none), "auth[0].loginEndpointAuth");
    let missing = parse("auth: [{name: \"${NOBODY}\"}]");
    assert_eq!(missing, Err(AuthFileError::NoVariable("NOBODY".to_owned())));
    assert!(matches!(parse("]["), Err(AuthFileError::Unreadable(_))));
}
