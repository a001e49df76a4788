//! A service whose operations lie in namespaces: they are called, linked and left out one by one.

#![allow(clippy::unwrap_used, missing_docs)]

mod served;

use std::sync::{Arc, Mutex};

use async_graphql::{Context, EmptySubscription, Object, Schema, SimpleObject};
use axum::{Json, Router, routing::post};
use served::served;
use wallace::{Settings, StopSignal, Summary};

/// Names of pages by id, which only grows.
type Pages = Arc<Mutex<Vec<Option<String>>>>;

#[derive(SimpleObject)]
struct Page {
    id: usize,
    name: String,
}

struct Query;

#[Object]
impl Query {
    async fn pages(&self) -> PageQuery {
        PageQuery
    }
}

struct PageQuery;

#[Object]
impl PageQuery {
    async fn list(&self, context: &Context<'_>, most: Option<usize>) -> Vec<Page> {
        let pages = context.data_unchecked::<Pages>().lock().unwrap();
        let there = pages.iter().enumerate();
        let there =
            there.filter_map(|(id, name)| Some(Page { id: id + 70_000, name: name.clone()? }));
        there.take(most.unwrap_or(20)).collect()
    }

    async fn single(&self, context: &Context<'_>, id: usize) -> Result<Page, &'static str> {
        let pages = context.data_unchecked::<Pages>().lock().unwrap();
        let name = pages.get(id.wrapping_sub(70_000)).cloned().flatten();
        name.map(|name| Page { id, name }).ok_or("there is no such page")
    }
}

struct Mutation;

#[Object]
impl Mutation {
    async fn pages(&self) -> PageMutation {
        PageMutation
    }
}

struct PageMutation;

#[Object]
impl PageMutation {
    async fn create(&self, context: &Context<'_>, name: String) -> Page {
        let mut pages = context.data_unchecked::<Pages>().lock().unwrap();
        pages.push(Some(name.clone()));
        Page { id: pages.len() - 1 + 70_000, name }
    }

    async fn delete(&self, context: &Context<'_>, id: usize) -> Result<bool, &'static str> {
        let mut pages = context.data_unchecked::<Pages>().lock().unwrap();
        let page = pages.get_mut(id.wrapping_sub(70_000)).and_then(Option::take);
        page.map(|_| true).ok_or("there is no such page")
    }
}

/// Starts the service; returns its address.
fn service() -> String {
    let schema = Schema::build(Query, Mutation, EmptySubscription).data(Pages::default()).finish();
    let answer = move |Json(request): Json<async_graphql::Request>| {
        let schema = schema.clone();
        async move { Json(schema.execute(request).await) }
    };
    format!("http://{}/graphql", served(Router::new().route("/graphql", post(answer))))
}

fn run(exclude: &[&str]) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::black_box(service(), folder.path().join("out"));
    settings.calls = Some(400);
    settings.exclude = exclude.iter().map(|it| (*it).to_owned()).collect();
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap()
}

#[test]
fn what_a_namespace_makes_is_read_and_deleted_in_it() {
    let summary = run(&[]);
    assert_eq!(summary.operations, 4);
    for name in
        ["Query.pages.list", "Query.pages.single", "Mutation.pages.create", "Mutation.pages.delete"]
    {
        let ok = format!("gql:ok:{name}");
        let mut targets = summary.targets.iter();
        let target = targets.find(|it| it.name.as_str() == ok).unwrap_or_else(|| panic!("{ok}"));
        assert!(target.score.is_covered(), "{ok}");
    }
    let is_fault = |name: &str| name.starts_with("fault:");
    let faults: Vec<_> = summary.targets.iter().filter(|it| is_fault(it.name.as_str())).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn operations_of_a_namespace_are_left_out_by_their_names() {
    assert_eq!(run(&["Mutation.pages.*"]).operations, 2);
    assert_eq!(run(&["PageMutation.delete"]).operations, 3);
}
