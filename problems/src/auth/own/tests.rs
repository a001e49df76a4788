//! Which calls threaten what is the users' own.

use http::{HeaderMap, Method};

use super::*;

fn request(method: Method, path: &str) -> HttpRequest {
    let (headers, body) = (HeaderMap::new(), bytes::Bytes::new());
    HttpRequest { method, path: path.parse().unwrap(), headers, body }
}

fn learnt(header: &str, path: &str, body: &str) -> OwnThings {
    let headers = vec![("authorization".to_owned(), header.to_owned())];
    let mut own = OwnThings::of(&[User::with_headers("admin", headers)]);
    learn(&mut own, &request(Method::GET, path), body);
    own
}

fn learn(own: &mut OwnThings, request: &HttpRequest, body: &str) {
    own.learn(request, body, &serde_json::from_str(body).unwrap());
}

fn threatens(own: &OwnThings, method: Method, path: &str) -> bool {
    Touch::of_request(&request(method, path)).is_some_and(|touch| own.is_threatened(&touch))
}

#[test]
fn the_own_token_is_not_deleted() {
    let body = r#"[{"id": 1, "token": "C1"}, {"id": 3, "token": "Cx81mPQ"}]"#;
    let own = learnt("Bearer Cx81mPQ", "/client", body);
    assert!(threatens(&own, Method::DELETE, "/client/3"));
    assert!(threatens(&own, Method::PUT, "/api/clients/3?x=1"));
    assert!(!threatens(&own, Method::DELETE, "/client/1"));
    assert!(!threatens(&own, Method::GET, "/client/3"));
    assert!(!threatens(&own, Method::DELETE, "/message/3"));
}

#[test]
fn the_own_account_is_not_renamed() {
    let own = learnt("Cx81mPQ", "/v1/auth/user", r#"{"pk": 1, "username": "admin"}"#);
    let changes = |method: Method, path: &str, body: &'static str| {
        let request = HttpRequest { body: body.into(), ..request(method, path) };
        own.is_threatened(&Touch::of_request(&request).unwrap())
    };
    assert!(changes(Method::PUT, "/v1/auth/user/", r#"{"username":"b"}"#));
    assert!(changes(Method::DELETE, "/v1/auth/user", ""));
    assert!(changes(Method::PATCH, "/v1/users/1", r#"{"username":"b"}"#));
    assert!(!changes(Method::PATCH, "/v1/auth/user", r#"{"first_name":"b"}"#));
    assert!(!changes(Method::PATCH, "/v1/auth/group", r#"{"username":"b"}"#));
    assert!(changes(Method::POST, "/auth/password/change/", r#"{"new_password1":"b"}"#));
    assert!(!changes(Method::POST, "/auth/password/strength", r#"{"password":"b"}"#));
}

#[test]
fn a_login_of_graphql_says_whose_it_is() {
    let query = r#"{"query": "mutation { authenticate(email: \"ann@shop.test\", password: \"pw-of-ann\") { token } }"}"#;
    let texts = scalars(query);
    let expected = [(false, "ann@shop.test"), (true, "pw-of-ann")];
    assert_eq!(texts, expected.map(|(is_secret, text)| (is_secret, text.to_owned())));
    let mut own = OwnThings::default();
    let body =
        r#"{"data": {"authenticateUserWithPassword": {"item": {"id": "cmx12ict900000d7"}}}}"#;
    own.learn_login(&HttpResponse { status: 200, body: body.into(), ..Default::default() });
    assert!(threatens(&own, Method::DELETE, "/users/cmx12ict900000d7"));
    assert!(own.is_shown(r#"{"deleteUser":{"id":"cmx12ict900000d7"}}"#) && !own.is_shown("{}"));
}

#[test]
fn no_account_is_taken_away_that_is_not_named() {
    let own = learnt("Bearer Cx81mPQ", "/client", "[]");
    let any = |kind: &str| {
        let (subject, is_deletion) = (vec!["delete".to_owned(), kind.to_owned()], true);
        own.is_threatened(&Touch { subject, is_deletion, ..Touch::default() })
    };
    assert!(any("user") && !any("post"));
}

#[test]
fn the_account_that_a_login_tells_is_the_users() {
    let mut own = OwnThings::default();
    let told = |body: &str| HttpResponse { status: 200, body: body.into(), ..Default::default() };
    own.learn_login(&told(r#"{"token": "t", "userId": 7, "role": "user"}"#));
    own.learn_login(&told(r#"{"data": {"key": "k9", "user": {"id": 8, "order": {"id": 9}}}}"#));
    assert!(threatens(&own, Method::DELETE, "/accounts/7"));
    assert!(threatens(&own, Method::DELETE, "/members/8"));
    assert!(!threatens(&own, Method::DELETE, "/accounts/9"));
    assert!(!threatens(&own, Method::DELETE, "/orders/7"));
}

#[test]
fn short_names_are_names_and_short_numbers_are_not() {
    // bob:x and 25:x
    let body = r#"{"data": {"id": "bob"}}"#;
    let own = learnt("Basic Ym9iOng=", "/accounts/bob", body);
    assert!(threatens(&own, Method::PUT, "/accounts/bob"));
    let own = learnt("Basic MjU6eA==", "/things", "{}");
    assert!(!threatens(&own, Method::PUT, "/things/25"));
}

#[test]
fn what_is_done_and_where_is_no_kind() {
    let body =
        r#"{"data": {"updateActiveAdministrator": {"id": "1"}, "activeChannel": {"id": "2"}}}"#;
    let mut own = learnt("Cx81mPQ", "/admin-api", body);
    let body = r#"{"data": {"activeUser": {"id": "3"}}}"#;
    learn(&mut own, &request(Method::POST, "/admin-api"), body);
    let touches = |kinds: &[&str], id: &str| {
        let kinds = kinds.iter().map(|it| (*it).to_owned()).collect();
        own.is_threatened(&Touch { kinds, ids: vec![id.to_owned()], ..Touch::default() })
    };
    assert!(touches(&["delete", "administrator"], "1") && touches(&["user"], "3"));
    assert!(!touches(&["update", "tag"], "1") && !touches(&["rotate", "api", "key"], "1"));
    assert!(!touches(&["assign", "channel"], "2"));
    let update = Touch {
        subject: vec!["update".to_owned(), "channel".to_owned()],
        ids: vec!["2".to_owned()],
        ..Touch::default()
    };
    assert!(own.is_threatened(&update), "calls stand on it");
}

#[test]
fn a_session_that_no_login_gives_again_is_not_ended() {
    let fixed = learnt("Bearer Cx81mPQ", "/client", "[]");
    assert!(threatens(&fixed, Method::GET, "/auth/logout?next=x"));
    assert!(threatens(&fixed, Method::POST, "/auth/sign-out"));
    assert!(!threatens(&fixed, Method::GET, "/logouts/today"));
    assert!(!threatens(&OwnThings::default(), Method::GET, "/auth/logout"));
}

#[test]
fn nor_is_the_own_account() {
    let body = r#"{"data": {"id": "9f-1", "name": "root", "email": "admin@example.org"}}"#;
    // admin@example.org:secret
    let own = learnt("Basic YWRtaW5AZXhhbXBsZS5vcmc6c2VjcmV0", "/users/me", body);
    assert!(threatens(&own, Method::DELETE, "/users/9f-1"));
    assert!(!threatens(&own, Method::DELETE, "/users/9f-2"));
}

#[test]
fn whoever_asks_for_itself_is_told_of_itself() {
    let own = learnt("Cx81mPQ", "/current/user", r#"{"id": 1, "name": "root"}"#);
    assert!(threatens(&own, Method::DELETE, "/user/1"));
    assert!(!threatens(&own, Method::DELETE, "/user/2"));
    let list =
        learnt("Cx81mPQ", "/user", r#"[{"id": 1, "name": "admin"}, {"id": 2, "name": "x"}]"#);
    assert!(threatens(&list, Method::DELETE, "/user/1"), "it has the user's name");
    assert!(!threatens(&list, Method::DELETE, "/user/2"));
}

#[test]
fn nor_is_what_the_account_depends_on() {
    let body = r#"{"id": 7, "role": {"id": 2}, "groups": [{"id": 5}], "articles": [{"id": 9}]}"#;
    let own = learnt("Cx81mPQ", "/users/me", body);
    assert!(threatens(&own, Method::DELETE, "/roles/2"));
    assert!(threatens(&own, Method::DELETE, "/groups/5"));
    assert!(!threatens(&own, Method::DELETE, "/articles/9"), "what a user made is no login");
    assert!(threatens(&own, Method::POST, "/users/7/deactivate"));
    assert!(!threatens(&own, Method::POST, "/users/7/articles"));
    assert!(threatens(&own, Method::DELETE, "/api/users"), "all of them, the own one too");
    assert!(!threatens(&own, Method::DELETE, "/api/articles"));
}

#[test]
fn whoever_asks_is_not_changed() {
    let own = OwnThings::default();
    let changes = |method, path: &str, body: &'static str| {
        let request = HttpRequest { body: body.into(), ..request(method, path) };
        Touch::of_request(&request).is_some_and(|touch| own.is_threatened(&touch))
    };
    assert!(changes(Method::DELETE, "/users/me", ""));
    assert!(changes(Method::PATCH, "/users/me", r#"{"newPassword": "x"}"#));
    assert!(changes(Method::POST, "/auth/change-password", r#"{"password": "x"}"#));
    assert!(!changes(Method::PATCH, "/users/me", r#"{"nickname": "x"}"#));
    assert!(!changes(Method::PUT, "/users/12/password", r#"{"password": "x"}"#));
}

#[test]
fn answers_of_graphql_tell_own_things_by_members_and_types() {
    let body = r#"{"data": {"me": {"__typename": "UsersPermissionsMe", "id": "2"},
        "users": {"edges": [{"node": {"id": "X1VzZXI6OEdxaUw", "username": "alice"}}]}}}"#;
    let mut own = OwnThings::default();
    own.texts.push("alice".to_owned());
    learn(&mut own, &request(Method::POST, "/graphql"), body);
    let touches = |kinds: &[&str], id: &str| {
        let kinds = kinds.iter().map(|it| (*it).to_owned()).collect();
        own.is_threatened(&Touch { kinds, ids: vec![id.to_owned()], ..Touch::default() })
    };
    assert!(touches(&["delete", "user", "permission"], "2"));
    assert!(!touches(&["delete", "article"], "2"));
    assert!(touches(&["delete", "object"], "X1VzZXI6OEdxaUw"), "it is told from all others");
}

#[test]
fn what_a_user_issued_is_another_thing() {
    let body = r#"{"id": "c4510912-77aa", "issuer_login": "admin", "name": ""}"#;
    // admin:x
    let own = learnt("Basic YWRtaW46eA==", "/user/bob/keys", body);
    assert!(!threatens(&own, Method::DELETE, "/keys/c4510912-77aa"));
    let own =
        learnt("Basic YWRtaW46eA==", "/user", r#"{"id": "c4510912-77aa", "user_name": "admin"}"#);
    assert!(threatens(&own, Method::DELETE, "/user/c4510912-77aa"));
}

#[test]
fn passwords_of_the_users_are_not_guessed() {
    // admin:x
    let own = learnt("Basic YWRtaW46eA==", "/things", "[]");
    let guesses = |path: &str, body: &'static str| {
        let request = HttpRequest { body: body.into(), ..request(Method::POST, path) };
        Touch::of_request(&request).is_some_and(|touch| own.is_threatened(&touch))
    };
    assert!(guesses("/login", r#"{"user": "admin", "password": "guess"}"#));
    assert!(guesses("/login", "user=admin&password=guess"));
    assert!(guesses("/user/admin/check", r#"{"authenticatedUserPassword": "guess"}"#));
    assert!(!guesses("/login", r#"{"user": "somebody", "password": "guess"}"#));
    assert!(!guesses("/login", r#"{"user": "admin", "note": "guess"}"#));
}

#[test]
fn whoever_asks_may_be_told_in_an_envelope() {
    let own = learnt("Cx81mPQ", "/users/me", r#"{"data": {"id": "5f3c", "email": "a@b.c"}}"#);
    assert!(threatens(&own, Method::PATCH, "/users/5f3c"));
    assert!(!threatens(&own, Method::PATCH, "/users/5f3d"));
}

#[test]
fn the_token_of_whoever_asks_is_not_renewed() {
    let own = OwnThings::of(&[]);
    assert!(threatens(&own, Method::POST, "/api/current-user/reset-token/"));
    assert!(threatens(&own, Method::POST, "/me/api-keys/rotate-key"));
    assert!(!threatens(&own, Method::POST, "/api/token/refresh"));
    assert!(!threatens(&own, Method::POST, "/api/invite/reset-token"));
}

#[test]
fn what_a_service_makes_things_within_is_what_all_calls_stand_on() {
    let mut own = OwnThings::default();
    let body = r#"{"id": "tool-1", "organization_id": "org-00000000-0000", "created_by_id": 9,
        "folder_id": 7, "workspace_id": 3}"#;
    let tree = serde_json::from_str(body).unwrap();
    let sent = r#"{"name": "x", "workspace_id": 3}"#.into();
    own.learn_owner(&HttpRequest { body: sent, ..request(Method::POST, "/v1/tools") }, &tree);
    assert!(threatens(&own, Method::DELETE, "/v1/admin/orgs/?org_id=org-00000000-0000"));
    assert!(threatens(&own, Method::DELETE, "/v1/admin/orgs/org-00000000-0000"));
    assert!(threatens(&own, Method::DELETE, "/users?user_id=9"));
    assert!(threatens(&own, Method::PUT, "/users/9?team_id=2"), "the path names it all the same");
    assert!(!threatens(&own, Method::DELETE, "/v1/admin/orgs/?org_id=org-00000000-0001"));
    assert!(!threatens(&own, Method::DELETE, "/folders/7"), "that is no place of all calls");
    assert!(!threatens(&own, Method::DELETE, "/workspaces/3"), "the request chose it");
}

#[test]
fn a_member_of_a_project_is_no_project() {
    let body = r#"[{"id": 1, "user": 4, "role": 2, "username": "admin"}]"#;
    let own = learnt("Cx81mPQ", "/v1/projects/1/members", body);
    assert!(threatens(&own, Method::DELETE, "/v1/projects/1/members/1"));
    assert!(threatens(&own, Method::DELETE, "/v1/roles/2"));
    assert!(threatens(&own, Method::DELETE, "/v1/users/4"), "it says whose account it is");
    assert!(!threatens(&own, Method::DELETE, "/v1/projects/1"));
    assert!(!threatens(&own, Method::DELETE, "/v1/projects"));
    let body = r#"{"results": [{"id": 7, "author": {"id": 3, "username": "admin"}}]}"#;
    let own = learnt("Cx81mPQ", "/articles", body);
    assert!(threatens(&own, Method::DELETE, "/authors/3"));
    assert!(!threatens(&own, Method::DELETE, "/articles/3"));
    assert!(!threatens(&own, Method::DELETE, "/articles/7"));
    let own = learnt("Cx81mPQ", "/me", r#"{"id": 5}"#);
    assert!(threatens(&own, Method::DELETE, "/users/5"));
    assert!(!threatens(&own, Method::DELETE, "/articles/5"));
}

#[test]
fn a_fixed_token_may_be_any_that_was_there_before() {
    let mut own = OwnThings::of(&[User::with_headers(
        "admin",
        vec![("authorization".to_owned(), "Bearer Cx81mPQ".to_owned())],
    )]);
    let mut shows = |method: Method, path: &str, body: &str| {
        let tree = serde_json::from_str(body).unwrap();
        own.learn_credentials(&request(method.clone(), path), method == Method::GET, &tree);
    };
    shows(Method::GET, "/v1/user/api_keys", r#"{"data": [{"id": "VXNlckFwaUtleTox"}]}"#);
    shows(Method::POST, "/v1/user/api_keys", r#"{"data": {"id": "VXNlckFwaUtleToy"}}"#);
    shows(Method::POST, "/graphql", r#"{"data": {"createApiKey": {"apiKey": {"id": "77"}}}}"#);
    shows(Method::GET, "/v1/things", r#"[{"id": "VXNlckFwaUtleTo5"}]"#);
    let deletes = |path: &str| threatens(&own, Method::DELETE, path);
    assert!(deletes("/v1/user/api_keys/VXNlckFwaUtleTox") && deletes("/v1/user/api_keys/76"));
    assert!(deletes("/v1/user/api_keys") && threatens(&own, Method::PATCH, "/tokens/3"));
    assert!(!deletes("/v1/user/api_keys/VXNlckFwaUtleToy") && !deletes("/v1/user/api_keys/77"));
    assert!(!deletes("/v1/user/api_keys/nobody-showed-this") && !deletes("/v1/keys/76"));
    // Who logs in has another token at once.
    own.has_fixed = false;
    assert!(!threatens(&own, Method::DELETE, "/v1/user/api_keys/76"));
}
