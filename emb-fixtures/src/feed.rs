//! A GraphQL service with subscriptions, over graphql-transport-ws and server-sent events.
//!
//! It is there for what a client makes of streams, and not for coverage: nothing is instrumented.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use async_graphql::futures_util::{SinkExt, Stream, StreamExt, stream};
use async_graphql::http::{WebSocket, WebSocketProtocols, WsMessage};
use async_graphql::{EmptyMutation, Object, Request, Schema, SimpleObject, Subscription};
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::extract::{FromRequestParts, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};

use crate::server::Server;

/// Which protocols a feed speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedProtocol {
    /// Both.
    Both,
    /// graphql-transport-ws.
    WebSocket,
    /// Server-sent events.
    EventStream,
    /// Neither.
    None,
}

/// A feed that answers on a port until it is dropped.
///
/// | subscription | events |
/// | --- | --- |
/// | `countdown(from: Int!)` | from, from - 1, ..., 0; an error below 0 |
/// | `items` | two items, then none until the end |
/// | `silence` | none |
/// | `broken` | an item, then one whose name is null at a non-null position |
#[derive(Debug)]
pub struct Feed {
    /// The endpoint.
    pub url: String,
    _server: Server,
}

impl Feed {
    /// Starts a feed on a free port of the loopback address.
    ///
    /// # Errors
    /// When no port can be taken.
    pub fn start(protocol: FeedProtocol) -> io::Result<Self> {
        let schema = Schema::build(Query, EmptyMutation, Subscriptions).finish();
        let router = Router::new()
            .route("/graphql", post(answer).get(upgrade))
            .with_state(Shared { schema, protocol });
        let server = Server::start(router, 0)?;
        Ok(Self { url: format!("{}/graphql", server.base_url()), _server: server })
    }
}

type FeedSchema = Schema<Query, EmptyMutation, Subscriptions>;

#[derive(Clone)]
struct Shared {
    schema: FeedSchema,
    protocol: FeedProtocol,
}

#[derive(SimpleObject, Clone)]
struct Item {
    id: i32,
    name: String,
}

fn item(id: i32) -> Item {
    Item { id, name: format!("item {id}") }
}

struct Query;

#[Object]
impl Query {
    async fn item(&self, id: i32) -> Option<Item> {
        (id > 0).then(|| item(id))
    }
}

struct Subscriptions;

#[Subscription]
impl Subscriptions {
    async fn countdown(&self, from: i32) -> async_graphql::Result<impl Stream<Item = i32>> {
        if from < 0 {
            return Err("from must not be below 0".into());
        }
        Ok(stream::iter((0..=from).rev()))
    }

    async fn items(&self) -> impl Stream<Item = Item> {
        stream::iter([item(1), item(2)]).chain(stream::pending())
    }

    async fn silence(&self) -> impl Stream<Item = i32> {
        stream::pending()
    }

    async fn broken(&self) -> impl Stream<Item = Item> {
        stream::iter([item(1), item(BROKEN)])
    }
}

/// The item whose name is left out of the answer.
const BROKEN: i32 = 13;

async fn answer(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Json(request): Json<Request>,
) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let has_streams = matches!(shared.protocol, FeedProtocol::Both | FeedProtocol::EventStream);
    if accepted.contains("text/event-stream") {
        if !has_streams {
            return StatusCode::NOT_ACCEPTABLE.into_response();
        }
        return Sse::new(events(&shared.schema, request)).into_response();
    }
    Json(shared.schema.execute(request).await).into_response()
}

fn events(
    schema: &FeedSchema,
    request: Request,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let results = schema.execute_stream(request).map(|response| {
        let text = serde_json::to_string(&response).unwrap_or_default();
        Ok(Event::default().event("next").data(broken(&text)))
    });
    results.chain(stream::iter([Ok(Event::default().event("complete").data(""))]))
}

/// The text of an event, wrong where the broken item is in it: a typed executor cannot be.
fn broken(text: &str) -> String {
    text.replace(&format!("\"item {BROKEN}\""), "null")
}

async fn upgrade(State(shared): State<Shared>, request: axum::extract::Request) -> Response {
    if !matches!(shared.protocol, FeedProtocol::Both | FeedProtocol::WebSocket) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let (mut parts, _) = request.into_parts();
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade
            .protocols(["graphql-transport-ws"])
            .on_upgrade(move |socket| converse(socket, shared.schema)),
        Err(rejection) => rejection.into_response(),
    }
}

async fn converse(socket: axum::extract::ws::WebSocket, schema: FeedSchema) {
    let (mut sink, source) = socket.split();
    let messages = source
        .take_while(|message| std::future::ready(message.is_ok()))
        .filter_map(|message| std::future::ready(message.ok()))
        .map(Message::into_data);
    let mut session = WebSocket::new(schema, messages, WebSocketProtocols::GraphQLWS)
        .keepalive_timeout(Duration::from_secs(10));
    while let Some(message) = session.next().await {
        let message = match message {
            WsMessage::Text(text) => Message::text(broken(&text)),
            WsMessage::Close(code, reason) => {
                Message::Close(Some(axum::extract::ws::CloseFrame { code, reason: reason.into() }))
            }
        };
        if sink.send(message).await.is_err() {
            break;
        }
    }
}
