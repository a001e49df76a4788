//! Results, and how a driver has to be asked for all of them.
//!
//! An empty list of numbers asks for everything that a test reached. Drivers of releases before 3.4,
//! and those for other languages than Java, tell only what is seen for the first time then: of a test
//! that comes nearer to a known target nothing would be heard. Which it is shows as soon as a test
//! reaches a target again: one that an earlier test came near is asked for where none is told.

use hyper::body::Bytes;
use hyper::http::uri::PathAndQuery;

use super::super::channel::{self, Call};
use super::super::epoch::{Reached, merge};
use super::super::{DriverError, ResultsQuery, TestResults, results};
use super::RemoteDriver;
use crate::wire::results::TestResultsAnswer;

/// The most numbers asked for in one request: the servers accept 8 KiB of request head.
const IDS_PER_REQUEST: usize = 600;

/// What a driver tells when it is asked for no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Listing {
    /// Not known yet.
    #[default]
    Unknown,
    /// Everything that the test reached.
    Everything,
    /// What is seen for the first time; the rest is asked for by number.
    SeenFirst,
}

impl RemoteDriver {
    pub(in crate::client) fn results(
        &mut self,
        query: ResultsQuery<'_>,
    ) -> Result<TestResults, DriverError> {
        let body = self.fetch_results(&query)?;
        let answer: TestResultsAnswer<'_> = channel::read(Call::TestResults, &body)?;
        let mut reached = self.epoch.learn(&answer.targets)?;
        if query.wanted.is_empty() {
            self.ask_for_rest(&query, &mut reached)?;
        }
        let nameless = self.epoch.nameless(&reached);
        for ids in nameless.chunks(IDS_PER_REQUEST) {
            self.ask_names(ids)?;
        }
        Ok(TestResults {
            targets: self.epoch.resolve(&reached),
            actions: results::feedback(&answer),
        })
    }

    /// Asks by number for what an answer to an empty list leaves out, or finds out whether it leaves
    /// anything out.
    fn ask_for_rest(
        &mut self,
        query: &ResultsQuery<'_>,
        reached: &mut Vec<Reached>,
    ) -> Result<(), DriverError> {
        if self.listing == Listing::Unknown {
            let near = self.epoch.near();
            if self.epoch.tells_again(reached) {
                self.listing = Listing::Everything;
            } else if !query.fully_covered
                && !near.is_empty()
                && !self.ask_by_number(query, &near)?.is_empty()
            {
                tracing::debug!("the driver tells what is seen first: asking for numbers");
                self.listing = Listing::SeenFirst;
            }
            self.epoch.note_near(reached);
        }
        if self.listing == Listing::SeenFirst {
            let mut ids = self.epoch.ids();
            ids.retain(|id| !reached.iter().any(|target| target.id == *id));
            reached.extend(self.ask_by_number(query, &ids)?);
            *reached = merge(std::mem::take(reached));
        }
        Ok(())
    }

    /// What the test reached of these.
    fn ask_by_number(
        &mut self,
        query: &ResultsQuery<'_>,
        ids: &[u32],
    ) -> Result<Vec<Reached>, DriverError> {
        let mut found = Vec::new();
        for ids in ids.chunks(IDS_PER_REQUEST) {
            let path = self.path_of(query, &results::listed(ids), false)?;
            let body = self.exchange_results(&path)?;
            let answer: TestResultsAnswer<'_> = channel::read(Call::TestResults, &body)?;
            let reached = self.epoch.learn(&answer.targets)?;
            // What is seen first comes along each time.
            found.extend(reached.into_iter().filter(|target| ids.contains(&target.id)));
        }
        Ok(found)
    }

    /// The results, asked for by number where numbers are to be trusted. A number that the driver
    /// does not know costs 20 s; then everything is asked for, once.
    fn fetch_results(&mut self, query: &ResultsQuery<'_>) -> Result<Bytes, DriverError> {
        if !std::mem::take(&mut self.is_doubtful) {
            let path = self.results_path(query)?;
            match self.exchange_results(&path) {
                Err(error) if error.is_stale_number() && !query.wanted.is_empty() => {}
                other => return other,
            }
        }
        tracing::debug!("numbers of targets may have lost their meaning: asking for names");
        self.recoveries.lost_numbers += 1;
        self.epoch.clear();
        let path = self.path_of(query, "", true)?;
        self.exchange_results(&path)
    }

    fn results_path(&self, query: &ResultsQuery<'_>) -> Result<PathAndQuery, DriverError> {
        let ids = query.wanted.iter().filter_map(|name| self.epoch.id(name));
        let ids: Vec<u32> = ids.collect();
        let ids = if query.wanted.is_empty() || ids.len() > IDS_PER_REQUEST {
            String::new()
        } else if ids.is_empty() {
            // "Nothing but what is seen first", while an empty list asks for everything.
            "%2C".to_owned()
        } else {
            results::listed(&ids)
        };
        self.path_of(query, &ids, false)
    }

    fn path_of(
        &self,
        query: &ResultsQuery<'_>,
        ids: &str,
        is_named: bool,
    ) -> Result<PathAndQuery, DriverError> {
        let ResultsQuery { kill_switch, fully_covered, query_from_database, .. } = query;
        let query = format!(
            "?ids={ids}&killSwitch={kill_switch}&fullyCovered={fully_covered}\
             &descriptiveIds={is_named}&queryFromDatabase={query_from_database}"
        );
        self.channel.path(Call::TestResults, &query)
    }

    /// Learns the names of numbers that came without one and are not known.
    fn ask_names(&mut self, ids: &[u32]) -> Result<(), DriverError> {
        let query = format!("?ids={}&descriptiveIds=true", results::listed(ids));
        let path = self.channel.path(Call::TestResults, &query)?;
        let body = self.exchange_results(&path)?;
        let answer: TestResultsAnswer<'_> = channel::read(Call::TestResults, &body)?;
        self.epoch.learn(&answer.targets).map(drop)
    }

    fn exchange_results(&mut self, path: &PathAndQuery) -> Result<Bytes, DriverError> {
        let sent = self.channel.send(Call::TestResults, path, &Bytes::new());
        if matches!(sent, Err(DriverError::SutLost { .. })) {
            // The numbers die with the system, and an old one costs 20 s.
            self.epoch.clear();
        }
        sent
    }
}
