//! The toy service of Karlsson, Causevic and Sundmark, "Automatic Property-based Testing of GraphQL
//! APIs" (AST 2021), with its 15 seeded faults as switches.
//!
//! Two projects and two users refer to each other. The faults keep the paper's names: the resolver
//! (`p` projects, `o` owner, `m` members, `u` projects of a user) and a number. A fault that made a
//! resolver crash there makes the request end with status 500 here, as there.

mod fault;

use async_graphql::{ID, Object, Response};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use wallace_instrument::white_box;

use crate::graphql::ENDPOINT;
use crate::switch::Switches;
use fault::{Answer, CRASH, wrong_type};

pub(crate) use fault::SWITCHES;

/// Largest request body in bytes.
const BODY_LIMIT: usize = 64 * 1024;

type Schema = async_graphql::Schema<
    QueryRoot,
    async_graphql::EmptyMutation,
    async_graphql::EmptySubscription,
>;

/// The service, with these switches on.
pub(crate) fn router(switches: Switches) -> Router {
    let query = QueryRoot { switches };
    let schema =
        Schema::build(query, async_graphql::EmptyMutation, async_graphql::EmptySubscription);
    Router::new()
        .route(ENDPOINT, post(answer))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(schema.finish())
}

async fn answer(
    State(schema): State<Schema>,
    Json(request): Json<async_graphql::Request>,
) -> axum::response::Response {
    let response: Response = schema.execute(request).await;
    if response.errors.iter().any(|error| error.message == CRASH) {
        let body = serde_json::json!({ "type": "exception", "class": "ArityException" });
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response();
    }
    Json(response).into_response()
}

/// A project of the store.
struct ProjectRecord {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    owner: &'static str,
    members: &'static [&'static str],
}

/// A user of the store.
struct UserRecord {
    id: &'static str,
    name: &'static str,
    age: i32,
    projects: &'static [&'static str],
}

static PROJECTS: [ProjectRecord; 2] = [
    ProjectRecord {
        id: "1",
        name: "Project 1",
        description: "Awesome project!",
        owner: "100",
        members: &["100", "200"],
    },
    ProjectRecord {
        id: "2",
        name: "Project 2",
        description: "Not an awesome project!",
        owner: "200",
        members: &["200"],
    },
];

static USERS: [UserRecord; 2] = [
    UserRecord { id: "100", name: "Burt", age: 23, projects: &["1", "2"] },
    UserRecord { id: "200", name: "Earnie", age: 32, projects: &["2"] },
];

/// The first project whose key is this text. Which key is looked at is for the caller to say, so
/// that the fault in it shows to the instrumentation.
#[white_box]
fn project_of(
    key: fn(&ProjectRecord) -> &'static str,
    text: &str,
) -> Option<&'static ProjectRecord> {
    for project in &PROJECTS {
        if text == key(project) {
            return Some(project);
        }
    }
    None
}

struct QueryRoot {
    switches: Switches,
}

#[Object]
impl QueryRoot {
    async fn projects(&self, id: ID) -> Answer<Project> {
        let found = fault::project(&self.switches, &id)?;
        Some(found.map(|record| Project { record, switches: self.switches.clone() }))
    }
}

/// What a project is read from; nothing for the empty record that a fault makes.
struct Project {
    record: Option<&'static ProjectRecord>,
    switches: Switches,
}

#[Object]
impl Project {
    async fn id(&self) -> async_graphql::Result<ID> {
        let record = self.record.ok_or("Cannot return null for non-nullable field Project.id")?;
        Ok(record.id.into())
    }

    async fn name(&self) -> Answer<&'static str> {
        if self.switches.is_on("p5") {
            return Some(Err(wrong_type()));
        }
        Some(Ok(self.record?.name))
    }

    async fn description(&self) -> Option<&'static str> {
        Some(self.record?.description)
    }

    async fn owner(&self) -> Answer<User> {
        let record = fault::owner(&self.switches, self.record?)?;
        Some(record.map(|record| User { record, switches: self.switches.clone() }))
    }

    async fn members(&self) -> Answer<Vec<User>> {
        let records = fault::members(&self.switches, self.record?);
        let user = |record| User { record: Some(record), switches: self.switches.clone() };
        Some(records.map(|records| records.into_iter().map(user).collect()))
    }
}

/// What a user is read from; nothing for the empty record that a fault makes.
struct User {
    record: Option<&'static UserRecord>,
    switches: Switches,
}

#[Object]
impl User {
    async fn id(&self) -> Option<ID> {
        Some(self.record?.id.into())
    }

    async fn name(&self) -> Answer<&'static str> {
        match self.record {
            None => Some(Err(wrong_type())),
            Some(record) => Some(Ok(record.name)),
        }
    }

    async fn age(&self) -> Option<i32> {
        Some(self.record?.age)
    }

    async fn projects(&self) -> Answer<Vec<Project>> {
        let Some(record) = self.record else { return Some(Ok(Vec::new())) };
        let records = fault::projects(&self.switches, record);
        let project = |record| Project { record: Some(record), switches: self.switches.clone() };
        Some(records.map(|records| records.into_iter().map(project).collect()))
    }
}
