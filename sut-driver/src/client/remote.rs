//! A driver behind a socket.

use std::thread;
use std::time::Instant;

use hyper::body::Bytes;
use hyper::http::uri::PathAndQuery;

use super::channel::{self, Call, Channel, Paths};
use super::epoch::Epoch;
use super::insight::{Operands, Places};
use super::{
    DecisionValues, DriverError, DriverOptions, DriverRecoveries, KnownTarget, ResultsQuery,
    SutInfo, TestResults, database, info, recovery, results,
};
use crate::runtime::BlockingRuntime;
use crate::sql::{SqlInsertions, SqlRow, SqlSchema};
use crate::wire::answer::{ControllerInfo, InfoSut};
use crate::wire::database::{DatabaseCommand, InsertionResultsDto, QueryResultDto};
use crate::wire::request::NewAction;
use crate::wire::results::TestResultsAnswer;

/// The most numbers asked for in one request: the servers accept 8 KiB of request head.
const IDS_PER_REQUEST: usize = 600;

/// A connection to a driver, and what the engine has to remember of its answers. The calls are those
/// of [`DriverClient`](super::DriverClient).
#[derive(Debug)]
pub(super) struct RemoteDriver {
    channel: Channel,
    options: DriverOptions,
    paths: Paths,
    run_body: Bytes,
    driver_name: String,
    executable: Option<String>,
    epoch: Epoch,
    next_action: usize,
    /// Whether the system may have been started anew, so that its numbers may be others.
    is_doubtful: bool,
    recoveries: DriverRecoveries,
    base_url: Option<String>,
    sql_schema: Option<SqlSchema>,
    insertions: i64,
}

impl RemoteDriver {
    pub(super) fn connect_with(
        address: &str,
        runtime: &BlockingRuntime,
        options: DriverOptions,
    ) -> Result<Self, DriverError> {
        let channel = Channel::open(address, runtime, &options)?;
        let mut client = Self {
            paths: channel.paths(&options.encoded_categories())?,
            channel,
            run_body: options.run_body(),
            options,
            driver_name: String::new(),
            executable: None,
            epoch: Epoch::default(),
            next_action: 0,
            is_doubtful: false,
            recoveries: DriverRecoveries::default(),
            base_url: None,
            sql_schema: None,
            insertions: 0,
        };
        client.probe()?;
        Ok(client)
    }

    pub(super) fn start_sut(&mut self) -> Result<SutInfo, DriverError> {
        self.epoch.clear();
        let started = self.run();
        if matches!(&started, Err(error) if error.is_premature_start()) {
            // A stop returns before the system has gone; the next try works.
            tracing::debug!("the driver was not ready to start the system again: trying once more");
            self.recoveries.repeated_starts += 1;
            thread::sleep(self.options.restart_pause);
            self.run()?;
        } else {
            started?;
        }
        self.is_doubtful = false;
        let info = self.info()?;
        self.check_instrumentation()?;
        Ok(info)
    }

    pub(super) fn new_search(&mut self) -> Result<(), DriverError> {
        self.epoch.clear();
        self.is_doubtful = false;
        self.next_action = 0;
        let body = Bytes::from_static(b"{\"newSearch\":true}");
        let path = &self.paths.new_search;
        self.channel.send(Call::NewSearch, path, &body).map(drop)
    }

    pub(super) fn begin_reset(&mut self) {
        self.channel.begin(Call::RunSut, &self.paths.run_sut, &self.run_body);
    }

    pub(super) fn reset(&mut self) -> Result<(), DriverError> {
        let begin = self.channel.begun().unwrap_or_else(Instant::now);
        self.next_action = 0;
        let path = &self.paths.run_sut;
        let mut reset = self.channel.finish(Call::RunSut, path, &self.run_body).map(drop);
        if let Err(error) = &reset
            && error.is_crashed_reset()
        {
            tracing::debug!("a reset failed: trying once more");
            self.recoveries.repeated_resets += 1;
            if error.is_premature_start() {
                thread::sleep(self.options.restart_pause);
            }
            reset = self.run();
        }
        self.is_doubtful |= begin.elapsed() >= self.options.slow_reset;
        reset
    }

    pub(super) fn insert(&mut self, rows: &[SqlRow]) -> Result<SqlInsertions, DriverError> {
        // A repeated request is known by its number, and skipped.
        let command = database::insertion(rows, self.sql_schema.as_ref(), self.insertions + 1)?;
        self.insertions += 1;
        let body = channel::render(&command);
        let path = &self.paths.database_command;
        let answer = self.channel.send(Call::DatabaseCommand, path, &body)?;
        if answer.is_empty() {
            return Ok(SqlInsertions::default());
        }
        let answer: InsertionResultsDto = channel::read(Call::DatabaseCommand, &answer)?;
        Ok(database::insertions(answer))
    }

    pub(super) fn query(&mut self, statement: &str) -> Result<Vec<Vec<String>>, DriverError> {
        let command =
            DatabaseCommand { id_counter: None, command: Some(statement), insertions: Vec::new() };
        let path = &self.paths.database_command;
        let body = channel::render(&command);
        let answer = self.channel.send(Call::DatabaseCommand, path, &body)?;
        let answer: QueryResultDto = channel::read(Call::DatabaseCommand, &answer)?;
        Ok(answer.rows.into_iter().map(|row| row.column_data).collect())
    }

    pub(super) fn recoveries(&self) -> DriverRecoveries {
        DriverRecoveries { repeated_exchanges: self.channel.reconnections(), ..self.recoveries }
    }

    pub(super) fn begin_action(
        &mut self,
        index: usize,
        name: &str,
        input_variables: &[String],
    ) -> Result<(), DriverError> {
        let out_of_order = DriverError::ActionOutOfOrder { expected: self.next_action, index };
        if index != self.next_action {
            return Err(out_of_order);
        }
        let number = i32::try_from(index).map_err(|_| out_of_order)?;
        let body = channel::render(&NewAction::new(number, name, input_variables));
        let path = &self.paths.new_action;
        self.channel.send(Call::NewAction, path, &body)?;
        self.next_action += 1;
        Ok(())
    }

    pub(super) fn results(&mut self, query: ResultsQuery<'_>) -> Result<TestResults, DriverError> {
        let body = self.fetch_results(&query)?;
        let answer: TestResultsAnswer<'_> = channel::read(Call::TestResults, &body)?;
        let reached = self.epoch.learn(&answer.targets)?;
        let nameless = self.epoch.nameless(&reached);
        for ids in nameless.chunks(IDS_PER_REQUEST) {
            self.ask_names(ids)?;
        }
        Ok(TestResults {
            targets: self.epoch.resolve(&reached),
            actions: results::feedback(&answer),
        })
    }

    pub(super) fn info(&mut self) -> Result<SutInfo, DriverError> {
        let path = &self.paths.info_sut;
        let body = self.channel.send(Call::InfoSut, path, &Bytes::new())?;
        let answer: InfoSut<'_> = channel::read(Call::InfoSut, &body)?;
        let info = info::from_answer(answer, &self.driver_name, self.executable.as_deref())?;
        self.base_url = Some(info.base_url.clone());
        self.sql_schema.clone_from(&info.sql_schema);
        Ok(info)
    }

    pub(super) fn known_targets(&mut self) -> Result<Vec<KnownTarget>, DriverError> {
        let path = self.channel.path(Call::PlacedTargets, "")?;
        let body = self.channel.send(Call::PlacedTargets, &path, &Bytes::new())?;
        channel::read::<Places>(Call::PlacedTargets, &body).map(Places::into_targets)
    }

    pub(super) fn operands(&mut self, query: &str) -> Result<Vec<DecisionValues>, DriverError> {
        let path = self.channel.path(Call::Operands, query)?;
        let body = self.channel.send(Call::Operands, &path, &Bytes::new())?;
        channel::read::<Operands>(Call::Operands, &body).map(|answer| answer.operands)
    }

    pub(super) fn stop_sut(&mut self) -> Result<(), DriverError> {
        self.epoch.clear();
        self.next_action = 0;
        let path = &self.paths.run_sut;
        let body = self.options.stop_body();
        self.channel.send(Call::RunSut, path, &body)?;
        if let Some(base_url) = self.base_url.take() {
            recovery::await_silence(&base_url, self.options.restart_pause);
        }
        Ok(())
    }

    /// One call starts a stopped system, resets it and begins a test.
    fn run(&mut self) -> Result<(), DriverError> {
        self.next_action = 0;
        let path = &self.paths.run_sut;
        self.channel.send(Call::RunSut, path, &self.run_body).map(drop)
    }

    /// The first exchange: tells a driver from anything else that listens.
    fn probe(&mut self) -> Result<(), DriverError> {
        let url = self.channel.url();
        let not_a_driver = |found| DriverError::NotADriver { url: url.clone(), found };
        let body =
            self.controller_info().map_err(|error| error.unless_from_a_driver(not_a_driver))?;
        let info: Result<ControllerInfo<'_>, _> = channel::read(Call::ControllerInfo, &body);
        let info = info.unwrap_or_default();
        let Some(name) = info.full_name else {
            return Err(not_a_driver(channel::describe(&body)));
        };
        self.driver_name = name.0.into_owned();
        self.executable = info.executable_full_path.map(|path| path.0.into_owned());
        Ok(())
    }

    fn check_instrumentation(&mut self) -> Result<(), DriverError> {
        let body = self.controller_info()?;
        let info: ControllerInfo<'_> = channel::read(Call::ControllerInfo, &body)?;
        if info.is_instrumentation_on == Some(false) {
            return Err(DriverError::NotInstrumented { url: self.channel.url() });
        }
        Ok(())
    }

    fn controller_info(&mut self) -> Result<Bytes, DriverError> {
        let path = &self.paths.controller_info;
        self.channel.send(Call::ControllerInfo, path, &Bytes::new())
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
