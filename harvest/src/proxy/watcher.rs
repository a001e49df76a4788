//! Requests of one connection and their answers, from a copy of its bytes.

use std::collections::VecDeque;

use super::message::{Message, MessageReader};

/// Requests that wait for their answers, at most; clients that send more ahead are not recorded.
const MOST_WAITING: usize = 1000;

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Request,
    Response,
}

/// A request and its answer, where there is one.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) request: Message,
    pub(super) response: Option<Message>,
}

/// Pairs requests with answers, which come in the same order.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    requests: MessageReader,
    responses: MessageReader,
    waiting: VecDeque<Message>,
}

impl Watcher {
    pub(super) fn see(
        &mut self,
        direction: Direction,
        bytes: &[u8],
        record: &mut dyn FnMut(Exchange),
    ) {
        match direction {
            Direction::Request => {
                for request in self.requests.read(bytes, |_| false) {
                    // Without answers to pair with, a request is all there is.
                    if self.responses.is_off() || self.waiting.len() == MOST_WAITING {
                        record(Exchange { request, response: None });
                    } else {
                        self.waiting.push_back(request);
                    }
                }
            }
            Direction::Response => {
                let is_head = self.waiting.front().is_some_and(|it| it.start.starts_with("HEAD "));
                let has_no_body = |start: &str| {
                    let status = start.split(' ').nth(1).unwrap_or_default();
                    is_head || status.starts_with('1') || status == "204" || status == "304"
                };
                for response in self.responses.read(bytes, has_no_body) {
                    let is_interim =
                        response.start.split(' ').nth(1).is_some_and(|it| it.starts_with('1'));
                    if let Some(request) = (!is_interim).then(|| self.waiting.pop_front()).flatten()
                    {
                        record(Exchange { request, response: Some(response) });
                    }
                }
                if self.responses.is_off() {
                    self.end(record);
                }
            }
        }
    }

    /// The connection is over: what waits gets no answer.
    pub(super) fn end(&mut self, record: &mut dyn FnMut(Exchange)) {
        for request in self.waiting.drain(..) {
            record(Exchange { request, response: None });
        }
    }
}
