//! Tests of logins.

use super::*;
use crate::auth::AuthFile;
use crate::http::CallFailure;

/// Answers logins; remembers what it was sent.
#[derive(Default)]
struct Service {
    taken: Vec<String>,
    sent: Vec<(String, String)>,
    logins: usize,
}

impl Transport for Service {
    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        self.sent.push((request.path.as_str().to_owned(), body.clone()));
        let answer = |status, body: &str| HttpResponse {
            status,
            body: body.to_owned(),
            ..HttpResponse::default()
        };
        Ok(match request.path.path() {
            "/login" if body.contains("wrong") => answer(200, r#"{"errors":["hunter22"]}"#),
            "/login" => {
                self.logins += 1;
                answer(200, &format!(r#"{{"token":"secret-{}"}}"#, self.logins))
            }
            "/cookie" => HttpResponse {
                headers: ["a=1; Path=/", "b=2"]
                    .map(|cookie| ("set-cookie".into(), cookie.into()))
                    .to_vec(),
                ..answer(204, "")
            },
            "/users" if self.taken.is_empty() => {
                self.taken.push(body);
                answer(409, "taken")
            }
            "/users" => answer(201, ""),
            _ => answer(404, ""),
        })
    }
}

fn authenticator(text: &str) -> Authenticator {
    Authenticator::new(AuthFile::parse(text, &|_| None).unwrap().users, 7)
}

fn request() -> HttpRequest {
    HttpRequest {
        method: http::Method::GET,
        path: PathAndQuery::from_static("/x?y=1"),
        headers: HeaderMap::new(),
        body: bytes::Bytes::new(),
    }
}

const TOKEN: &str = r#"token: {extractFrom: body, extractSelector: /token, sendIn: header,
    sendName: Authorization, sendTemplate: "Bearer {token}"}"#;

#[test]
fn a_login_serves_until_it_is_renewed() {
    let login = format!("{{verb: POST, endpoint: /login, payloadRaw: x, {TOKEN}}}");
    let mut users = authenticator(&format!("auth: [{{name: a, loginEndpointAuth: {login}}}]"));
    let mut service = Service::default();
    let header = |users: &mut Authenticator, service: &mut Service| {
        let mut request = request();
        users.authenticate(0, &mut request, service).unwrap();
        request.headers["authorization"].to_str().unwrap().to_owned()
    };
    assert_eq!(header(&mut users, &mut service), "Bearer secret-1");
    assert_eq!(header(&mut users, &mut service), "Bearer secret-1");
    assert!(users.renew(0) && !users.renew(0));
    assert_eq!(header(&mut users, &mut service), "Bearer secret-2");
    assert_eq!(users.secrets().redact("x secret-2 y"), "x [redacted] y");
    assert!(users.authenticate(9, &mut request(), &mut service).is_ok());
}

#[test]
fn cookies_and_query_tokens_are_sent() {
    let query = "{verb: GET, endpoint: /login, token: {extractFrom: body, \
        extractSelector: /token, sendIn: query, sendName: k}}";
    let text = format!(
        "auth: [{{name: a, loginEndpointAuth: {{verb: GET, endpoint: /cookie, expectCookies: true}}}},\
         {{name: b, loginEndpointAuth: {query}}}]"
    );
    let mut users = authenticator(&text);
    let mut service = Service::default();
    let mut first = request();
    users.authenticate(0, &mut first, &mut service).unwrap();
    assert_eq!(first.headers["cookie"], "a=1; b=2");
    let mut second = request();
    users.authenticate(1, &mut second, &mut service).unwrap();
    assert_eq!(second.path.as_str(), "/x?y=1&k=secret-1");
}

#[test]
fn failures_name_what_is_missing_and_hide_secrets() {
    let login = format!(
        "{{verb: POST, endpoint: /login, {TOKEN}, payloadUserPwd: {{username: wrong, \
         password: hunter22, usernameField: u, passwordField: p}}}}"
    );
    let text = format!(
        "auth: [{{name: a, loginEndpointAuth: {login}}}, {{name: b, loginEndpointAuth: \
         {{verb: GET, endpoint: /none, expectCookies: true}}}}, {{name: c, loginEndpointAuth: \
         {{verb: GET, externalEndpointURL: 'http://other/x', expectCookies: true}}}}]"
    );
    let errors = authenticator(&text).check(&mut Service::default());
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    // What the answer holds elsewhere may be a token: only where is told.
    assert!(texts[0].contains("/token; its answer holds"), "{}", texts[0]);
    assert!(!texts[0].contains("hunter22") && !texts[0].contains("wrong"), "{}", texts[0]);
    assert!(texts[1].contains("404"));
    assert!(texts[2].contains("not allowed"));
}

#[test]
fn users_are_created_under_a_free_name() {
    let text = format!(
        "auth: [{{name: a, createUsers: {{verb: POST, endpoint: /users, contentType: text/plain, \
         payloadRaw: 'new {{$n}}', generators: [{{placeHolder: '{{$n}}', prefix: u_}}]}}, \
         loginEndpointAuth: {{verb: POST, endpoint: /login, payloadRaw: 'in {{$n}}', {TOKEN}}}}}]"
    );
    let mut users = authenticator(&text);
    let mut service = Service::default();
    users.authenticate(0, &mut request(), &mut service).unwrap();
    let sent: Vec<&str> = service.sent.iter().map(|(_, body)| body.as_str()).collect();
    assert_eq!(sent.len(), 3);
    assert_ne!(sent[0], sent[1]);
    assert_eq!(sent[1].strip_prefix("new "), sent[2].strip_prefix("in "));
    assert!(sent[1].starts_with("new u_"));
}

/// A service that says for how long its tokens are good.
struct Short(usize);

impl Transport for Short {
    fn send(&mut self, _: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        self.0 += 1;
        let body = r#"{"token":"secret","expires_in":1}"#.to_owned();
        Ok(HttpResponse { status: 200, body, ..HttpResponse::default() })
    }
}

#[test]
fn a_login_is_renewed_before_its_life_is_over() {
    let login = format!("{{verb: POST, endpoint: /login, payloadRaw: x, {TOKEN}}}");
    let mut users = authenticator(&format!("auth: [{{name: a, loginEndpointAuth: {login}}}]"));
    let mut service = Short(0);
    let start = Instant::now();
    users.authenticate(0, &mut request(), &mut service).unwrap();
    assert_eq!(service.0, 1);
    while start.elapsed() < Duration::from_millis(850) {
        std::thread::sleep(Duration::from_millis(10));
    }
    users.authenticate(0, &mut request(), &mut service).unwrap();
    assert_eq!(service.0, 2, "before the service refuses it");
    assert!(users.renew(0) && !users.has_run_out(0), "this one was young");
}
