//! The protocol graphql-transport-ws: one subscription on a connection of its own.

use std::io::ErrorKind;

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HOST};
use serde_json::{Value, json};
use tungstenite::client::{ClientRequestBuilder, client_with_config};
use tungstenite::protocol::{WebSocket, WebSocketConfig};
use tungstenite::{Error, Message};

use super::deadline::Deadline;
use super::{Attempt, SubscriptionLimits, payload, refusal};
use crate::http::{CallFailure, HttpRequest};

const PROTOCOL: &str = "graphql-transport-ws";

/// Asks for the stream of a request and reads its first events.
pub(super) fn run(
    stream: Deadline,
    authority: &str,
    request: &HttpRequest,
    limits: &SubscriptionLimits,
) -> Attempt {
    let Ok(uri) = format!("ws://{authority}{}", request.path).parse() else {
        return Attempt::NotOffered;
    };
    let mut upgrade = ClientRequestBuilder::new(uri).with_sub_protocol(PROTOCOL);
    for (name, value) in credentials(&request.headers) {
        upgrade = upgrade.with_header(name, value);
    }
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits.bytes))
        .max_frame_size(Some(limits.bytes));
    match client_with_config(upgrade, stream, Some(config)) {
        Ok((socket, _)) => Session { socket, limits, events: Vec::new() }.run(request),
        // Whoever does not upgrade speaks something else, or nothing.
        Err(_) => Attempt::NotOffered,
    }
}

/// Headers besides those that only say how the body travels.
fn credentials(headers: &HeaderMap) -> Vec<(String, String)> {
    let carrying = [ACCEPT, CONTENT_TYPE, CONTENT_LENGTH, HOST];
    let own = headers.iter().filter(|(name, _)| !carrying.contains(name));
    own.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect()
}

struct Session<'a> {
    socket: WebSocket<Deadline>,
    limits: &'a SubscriptionLimits,
    events: Vec<Value>,
}

impl Session<'_> {
    fn run(mut self, request: &HttpRequest) -> Attempt {
        // Services look for credentials in either place.
        let headers: serde_json::Map<String, Value> = credentials(&request.headers)
            .into_iter()
            .map(|(name, value)| (name, Value::String(value)))
            .collect();
        let greeting = json!({ "type": "connection_init", "payload": headers });
        let ended = self.send(&greeting).err().or_else(|| self.read(request).err());
        match ended {
            None => Attempt::Events(self.events),
            Some(error) => self.ended(&error),
        }
    }

    /// Reads until there are enough events, or the stream is complete.
    fn read(&mut self, request: &HttpRequest) -> Result<(), Error> {
        let mut bytes = 0;
        while self.events.len() < self.limits.events && bytes < self.limits.bytes {
            let text = match self.socket.read()? {
                Message::Text(text) => text,
                Message::Close(frame) => {
                    if let Some(frame) = frame.filter(|frame| u16::from(frame.code) >= 4_000) {
                        self.events.push(refusal(frame.code.into(), &frame.reason));
                    }
                    return Ok(());
                }
                // Pings of the connection itself are answered by the library.
                _ => continue,
            };
            bytes += text.len();
            let message: Value = serde_json::from_str(&text).unwrap_or_default();
            match message["type"].as_str() {
                Some("connection_ack") => {
                    let ask =
                        json!({ "id": "1", "type": "subscribe", "payload": payload(request) });
                    self.send(&ask)?;
                }
                Some("ping") => self.send(&json!({ "type": "pong" }))?,
                Some("next") => self.events.push(message["payload"].clone()),
                Some("error") => {
                    self.events.push(json!({ "errors": message["payload"] }));
                    return Ok(());
                }
                Some("complete") => return Ok(()),
                _ => {}
            }
        }
        // Only politeness: what was wanted is there.
        let _ = self.send(&json!({ "id": "1", "type": "complete" }));
        let _ = self.socket.close(None);
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<(), Error> {
        self.socket.send(Message::text(message.to_string()))
    }

    /// What an end without a farewell means.
    fn ended(self, error: &Error) -> Attempt {
        match error {
            Error::Io(error) if error.kind() == ErrorKind::TimedOut => Attempt::Events(self.events),
            _ if !self.events.is_empty() => Attempt::Events(self.events),
            Error::Capacity(_) => Attempt::Failed(CallFailure::TooLarge),
            Error::Protocol(_) | Error::Utf8(_) => Attempt::Failed(CallFailure::Malformed),
            _ => Attempt::Failed(CallFailure::Closed),
        }
    }
}
