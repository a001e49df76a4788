//! What a started service prints: shown while it starts, kept for when it ends, and to a file where
//! one is named.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::error::StartError;
use crate::console::note;

/// How drivers say where they listen.
const DRIVER: &str = "Started controller server on: ";
/// How lines of the driver itself begin.
const OWN: [&str; 2] = ["wallace: ", "wallace_driver: "];
/// Last lines that are told of a service that ended.
const TAIL: usize = 12;
/// Bytes after which a line is cut in two.
const LONGEST: u64 = 65_536;

/// The output of a service. Clones are the same output.
#[derive(Debug, Clone)]
pub(super) struct Output(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    /// Whether the lines of the service are shown.
    is_shown: bool,
    /// Whether those of the driver are.
    is_quiet: bool,
    /// Whether the last line was the driver's own.
    was_own: bool,
    last: VecDeque<String>,
    log: Option<File>,
    driver: Option<Sender<String>>,
}

impl Output {
    /// The output of a service that is about to be started, and where its driver will be told.
    pub(super) fn new(
        is_quiet: bool,
        log: Option<&Path>,
    ) -> Result<(Self, Receiver<String>), StartError> {
        let open = |path: &Path| {
            File::create(path).map_err(|reason| StartError::Log { path: path.into(), reason })
        };
        let log = log.map(open).transpose()?;
        let (sender, driver) = channel();
        let kept = Kept {
            is_shown: !is_quiet,
            is_quiet,
            was_own: false,
            last: VecDeque::new(),
            log,
            driver: Some(sender),
        };
        Ok((Self(Arc::new(Mutex::new(kept))), driver))
    }

    /// Reads a stream to its end, in a thread.
    pub(super) fn follow(&self, stream: impl Read + Send + 'static) -> JoinHandle<()> {
        let output = self.clone();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stream);
            let mut line = Vec::new();
            // A service may print without an end of line for ever.
            let mut next = |line: &mut Vec<u8>| {
                (&mut reader).take(LONGEST).read_until(b'\n', line).is_ok_and(|count| count > 0)
            };
            while next(&mut line) {
                output.hear(String::from_utf8_lossy(&line).trim_end());
                line.clear();
            }
        })
    }

    fn hear(&self, line: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(url) = line.strip_prefix(DRIVER) {
            let address = url.trim_end_matches("/controller/api").to_owned();
            // Who asked may have given up meanwhile.
            let _ = kept.driver.take().map(|sender| sender.send(address));
            return;
        }
        if let Some(log) = &mut kept.log {
            // A disk that is full is no reason to end a search.
            let _ = writeln!(log, "{line}");
        }
        // A stack that the driver tells goes on in the lines after the first.
        let goes_on = kept.was_own && line.starts_with("    at ");
        let is_own = goes_on || OWN.iter().any(|own| line.starts_with(own));
        kept.was_own = is_own;
        if kept.is_shown || (is_own && !kept.is_quiet) {
            show(line, is_own);
        }
        if kept.last.len() == TAIL {
            kept.last.pop_front();
        }
        kept.last.push_back(line.to_owned());
    }

    /// From now on only the driver is shown: the search has begun.
    pub(super) fn quieten(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_shown = false;
    }

    /// The last lines, where they were not shown; each on a line of its own.
    pub(super) fn tail(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_shown {
            return String::new();
        }
        kept.last.iter().map(|line| format!("\n  | {line}")).collect()
    }
}

fn show(line: &str, is_own: bool) {
    let mark = if is_own { "" } else { "  | " };
    note(&format!("{mark}{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_is_told_once_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("service.log");
        let (output, driver) = Output::new(true, Some(&log)).unwrap();
        let printed = "one\nStarted controller server on: http://localhost:7/controller/api\ntwo\n";
        output.follow(printed.as_bytes()).join().unwrap();
        assert_eq!(driver.recv().unwrap(), "http://localhost:7");
        assert!(driver.recv().is_err());
        assert_eq!(output.tail(), "\n  | one\n  | two");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "one\ntwo\n");
        let own = "wallace: blocked";
        for (line, is_own) in [("x", false), ("    at y", false), (own, true), ("    at z", true)] {
            output.hear(line);
            assert_eq!(output.0.lock().unwrap().was_own, is_own, "{line}");
        }
        output.follow(std::io::repeat(b'x').take(3 * LONGEST)).join().unwrap();
        assert_eq!(output.tail().lines().last().unwrap().len(), "  | ".len() + LONGEST as usize);
        for number in 0..100 {
            output.hear(&number.to_string());
        }
        assert_eq!(output.tail().lines().count(), 1 + TAIL);
    }
}
