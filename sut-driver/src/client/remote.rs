//! A driver behind a socket.

mod listing;

use std::thread;
use std::time::Instant;

use hyper::body::Bytes;

use super::channel::{self, Call, Channel, Paths};
use super::epoch::Epoch;
use super::insight::{Operands, Places};
use super::store::Stores;
use super::{
    Authentication, DecisionValues, DriverError, DriverOptions, DriverRecoveries, KnownTarget,
    SutInfo, database, info, recovery,
};
use crate::controller::Units;
use crate::runtime::BlockingRuntime;
use crate::sql::{SqlInsertions, SqlRow, SqlSchema};
use crate::store::{MongoDocument, RedisKey};
use crate::wire::answer::{ControllerInfo, InfoSut};
use crate::wire::database::{DatabaseCommand, InsertionResultsDto, QueryResultDto};
use crate::wire::request::NewAction;
use listing::Listing;

/// Tests after which a driver is asked for the sizes of the code: they grow, and those of a driver that
/// is lost are never told again. One exchange in about a thousand.
const SIZES: u64 = 250;

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
    listing: Listing,
    next_action: usize,
    /// Whether the system may have been started anew, so that its numbers may be others.
    is_doubtful: bool,
    recoveries: DriverRecoveries,
    base_url: Option<String>,
    sql_schema: Option<SqlSchema>,
    insertions: i64,
    stores: Stores,
    resets: u64,
    /// The largest sizes told: a system that was started anew has not loaded all of its code yet.
    units: Units,
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
            listing: Listing::default(),
            next_action: 0,
            is_doubtful: false,
            recoveries: DriverRecoveries::default(),
            base_url: None,
            sql_schema: None,
            insertions: 0,
            stores: Stores::default(),
            resets: 0,
            units: Units::default(),
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
        self.epoch.begin_test();
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
        self.resets += 1;
        if reset.is_ok() && self.resets.is_multiple_of(SIZES) {
            // What is wrong shows in what is asked next.
            let _ = self.info();
        }
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

    pub(super) fn insert_documents(
        &mut self,
        documents: &[MongoDocument],
    ) -> Result<Vec<bool>, DriverError> {
        self.stores.insert_documents(&mut self.channel, documents)
    }

    pub(super) fn insert_keys(&mut self, keys: &[RedisKey]) -> Result<Vec<bool>, DriverError> {
        self.stores.insert_keys(&mut self.channel, keys)
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
        DriverRecoveries {
            repeated_exchanges: self.channel.reconnections(),
            asks_by_number: self.listing == Listing::SeenFirst,
            takes_no_documents: self.stores.takes_no_documents,
            takes_no_keys: self.stores.takes_no_keys,
            ..self.recoveries
        }
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

    pub(super) fn info(&mut self) -> Result<SutInfo, DriverError> {
        let path = &self.paths.info_sut;
        let body = self.channel.send(Call::InfoSut, path, &Bytes::new())?;
        let answer: InfoSut<'_> = channel::read(Call::InfoSut, &body)?;
        let mut info = info::from_answer(answer, &self.driver_name, self.executable.as_deref())?
            .seen_from(self.channel.address());
        self.units.grow(&info.units);
        info.units = self.units.clone();
        self.base_url = Some(info.base_url.clone());
        self.epoch.set_boot(&info.boot_targets);
        self.sql_schema.clone_from(&info.sql_schema);
        Ok(info)
    }

    pub(super) fn units(&self) -> Units {
        self.units.clone()
    }

    /// What the driver tells before it starts the system; drivers that know nothing yet refuse.
    pub(super) fn preview(&mut self) -> Result<Vec<Authentication>, DriverError> {
        let path = &self.paths.info_sut;
        let Ok(body) = self.channel.send(Call::InfoSut, path, &Bytes::new()) else {
            return Ok(Vec::new());
        };
        let answer: Result<InfoSut<'_>, _> = channel::read(Call::InfoSut, &body);
        answer.map_or_else(|_| Ok(Vec::new()), |answer| info::preview(&answer))
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
        self.epoch.begin_test();
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
}
