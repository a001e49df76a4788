//! Operations of exchanges, masked, each kept once, in a file of limited size.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value, json};

use super::RecordingSettings;
use super::message::Message;
use super::watcher::Exchange;
use crate::logged::{LoggedOperation, Origin, RecordedAnswer};
use crate::mask::Masking;
use crate::ndjson;

/// Operations remembered to recognise them again, at most.
const MOST_REMEMBERED: usize = 1_000_000;

/// What a proxy has recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordingStatistics {
    /// Operations seen.
    pub operations: u64,
    /// Operations written.
    pub stored: u64,
    /// Operations that were already there.
    pub repeated: u64,
    /// Operations for which the file had no room, or could not be written.
    pub dropped: u64,
}

#[derive(Debug)]
pub(super) struct Recorder {
    file: File,
    size: u64,
    limit: u64,
    keeps_answers: bool,
    masking: Masking,
    origin: Origin,
    seen: HashSet<u64>,
    statistics: RecordingStatistics,
}

impl Recorder {
    pub(super) fn open(settings: RecordingSettings) -> io::Result<Self> {
        let RecordingSettings { file: path, limit, keeps_answers, masking, .. } = settings;
        let mut seen = HashSet::new();
        // What an earlier run recorded is not recorded again.
        if let Ok(text) = std::fs::read_to_string(&path) {
            let known = ndjson::read(&path.display().to_string(), &text);
            seen.extend(known.operations.iter().map(identity));
        }
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let size = file.metadata()?.len();
        let origin = Origin { file: Arc::from(path.display().to_string()), line: 0 };
        let statistics = RecordingStatistics::default();
        Ok(Self { file, size, limit, keeps_answers, masking, origin, seen, statistics })
    }

    pub(super) fn statistics(&self) -> RecordingStatistics {
        self.statistics
    }

    /// Keeps the operations of an exchange; exchanges of other kinds are passed over.
    pub(super) fn record(&mut self, exchange: Exchange) {
        let Exchange { request, response } = exchange;
        let operations = self.operations(&request);
        let is_single = operations.len() == 1;
        for mut operation in operations {
            self.statistics.operations += 1;
            operation.consumer = consumer(&request);
            let answer = response.as_ref().filter(|_| self.keeps_answers && is_single);
            operation.answer = answer.and_then(answer_of);
            self.masking.mask(&mut operation);
            if self.seen.len() >= MOST_REMEMBERED || !self.seen.insert(identity(&operation)) {
                self.statistics.repeated += 1;
            } else {
                self.write(&operation);
            }
        }
    }

    fn operations(&self, request: &Message) -> Vec<LoggedOperation> {
        if request.start.starts_with("GET ") {
            let target = request.start.split(' ').nth(1).unwrap_or_default();
            return ndjson::from_url(target, &self.origin).into_iter().collect();
        }
        let Ok(json) = serde_json::from_slice::<Value>(&request.body) else { return Vec::new() };
        let entries = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
        entries.iter().filter_map(|entry| ndjson::entry(entry, &self.origin)).collect()
    }

    fn write(&mut self, operation: &LoggedOperation) {
        let mut line = json!({ "query": &*operation.document, "consumer": operation.consumer });
        if let Some(name) = &operation.operation_name {
            line["operationName"] = json!(name);
        }
        if let Some(variables) = &operation.variables {
            line["variables"] = variables.clone();
        }
        if let Some(answer) = &operation.answer {
            line["response"] = json!({ "status": answer.status, "body": answer.body });
        }
        let line = line.to_string() + "\n";
        let length = line.len() as u64;
        // One write for each line, so that a crash leaves whole lines.
        if self.size + length <= self.limit && self.file.write_all(line.as_bytes()).is_ok() {
            self.size += length;
            self.statistics.stored += 1;
        } else {
            self.statistics.dropped += 1;
        }
    }
}

fn identity(operation: &LoggedOperation) -> u64 {
    let mut hasher = DefaultHasher::new();
    operation.document.hash(&mut hasher);
    operation.operation_name.hash(&mut hasher);
    operation.variables.as_ref().map(Value::to_string).hash(&mut hasher);
    hasher.finish()
}

fn consumer(request: &Message) -> String {
    let header =
        request.header("apollographql-client-name").or_else(|| request.header("user-agent"));
    header.unwrap_or("unknown client").to_owned()
}

/// The answer, unless it is encoded or no JSON.
fn answer_of(response: &Message) -> Option<RecordedAnswer> {
    let status = response.start.split(' ').nth(1)?.parse().ok()?;
    let body: Value = serde_json::from_slice(&response.body).ok()?;
    let is_answer = body.get("data").is_some() || body.get("errors").is_some();
    is_answer.then_some(RecordedAnswer { status, body })
}
