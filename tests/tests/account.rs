//! GraphQL services that want more than a document: a login goes well with what an account was made
//! with, and nobody is answered who does not say for which tenant.

#![allow(clippy::unwrap_used, missing_docs)]

mod served;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_graphql::{Context, EmptySubscription, InputObject, Object, Schema};
use axum::http::{HeaderMap, StatusCode};
use axum::{Json, Router, routing::post};
use served::served;
use wallace::{Settings, StopSignal};
use wallace_suite::record::RunRecord;

/// Passwords by name.
type Accounts = Arc<Mutex<BTreeMap<String, String>>>;

struct Query;

#[Object]
impl Query {
    async fn accounts(&self, context: &Context<'_>) -> usize {
        context.data_unchecked::<Accounts>().lock().unwrap().len()
    }
}

#[derive(InputObject)]
struct Account {
    name: String,
    password: String,
    age: Option<i32>,
}

struct Mutation;

#[Object]
impl Mutation {
    async fn register(&self, context: &Context<'_>, account: Account) -> Result<bool, String> {
        let Account { name, password, age } = account;
        let mut accounts = context.data_unchecked::<Accounts>().lock().unwrap();
        if accounts.contains_key(&name) || age.is_some_and(|age| age < 0) {
            return Err("the name is already taken".to_owned());
        }
        accounts.insert(name, password);
        Ok(true)
    }

    async fn login(
        &self,
        context: &Context<'_>,
        name: String,
        password: String,
    ) -> Result<String, &'static str> {
        let accounts = context.data_unchecked::<Accounts>().lock().unwrap();
        let is_right = accounts.get(&name).is_some_and(|known| *known == password);
        if is_right { Ok("token".to_owned()) } else { Err("name or password is wrong") }
    }
}

#[test]
fn a_login_goes_well_with_what_the_test_made_an_account_with() {
    let accounts = Accounts::default();
    let schema = Schema::build(Query, Mutation, EmptySubscription).data(accounts).finish();
    let answer = move |Json(request): Json<async_graphql::Request>| {
        let schema = schema.clone();
        async move { Json(schema.execute(request).await) }
    };
    let address = served(Router::new().route("/graphql", post(answer)));
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{address}/graphql");
    let mut settings = Settings::black_box(url, folder.path().join("out"));
    settings.calls = Some(200);
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let mut targets = summary.targets.iter();
    let login = targets.find(|it| it.name.as_str() == "gql:ok:Mutation.login").unwrap();
    assert!(login.score.is_covered(), "{login:?}");
}

#[test]
fn a_suite_sends_every_header_of_the_run() {
    let schema = Schema::build(Query, Mutation, EmptySubscription).data(Accounts::default());
    let schema = schema.finish();
    let answer = move |headers: HeaderMap, Json(request): Json<async_graphql::Request>| {
        let schema = schema.clone();
        async move {
            if headers.get("x-tenant").is_none_or(|tenant| tenant != "acme") {
                return Err((StatusCode::FORBIDDEN, "which tenant"));
            }
            Ok(Json(schema.execute(request).await))
        }
    };
    let address = served(Router::new().route("/graphql", post(answer)));
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{address}/graphql");
    let mut settings = Settings::black_box(url, folder.path().join("out"));
    settings.headers = vec![("X-Tenant".to_owned(), "acme".to_owned())];
    settings.calls = Some(200);
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    let record: RunRecord = serde_json::from_str(&text).unwrap();
    let mut steps = record.suite.tests.iter().flat_map(|test| &test.steps).peekable();
    assert!(steps.peek().is_some());
    let says_tenant = |name: &str| name.eq_ignore_ascii_case("x-tenant");
    assert!(steps.all(|step| step.request.headers.iter().any(|(name, _)| says_tenant(name))));
}
