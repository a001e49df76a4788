//! Instances that answer on a port.

use std::io;

use wallace_instrument::{Driver, DriverError, Recorder, RunningDriver};

use crate::database::Silent;
use crate::fixture::Fixture;
use crate::habit::{self, Habit};
use crate::interface::Interface;
use crate::server::Server;
use crate::switch::Switches;
use crate::system::System;

/// How to start an instance of a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Port of the service on the loopback address; 0 takes a free one.
    pub port: u16,
    /// Port of the driver; 0 takes a free one. `None` starts no driver: the black-box twin.
    pub driver_port: Option<u16>,
    /// What is to be wrong.
    pub switches: Switches,
    /// What the service does besides.
    pub habits: Vec<Habit>,
    /// Whether the driver tells which statements were executed. Some drivers cannot, since those of
    /// an object mapper do not pass where they look.
    pub tells_statements: bool,
}

impl Default for Options {
    /// Free ports, with a driver that tells statements, nothing wrong.
    fn default() -> Self {
        Self {
            port: 0,
            driver_port: Some(0),
            switches: Switches::default(),
            habits: Vec::new(),
            tells_statements: true,
        }
    }
}

/// A fixture could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The service has no port, and there is no driver.
    #[error("cannot serve on port {port}: {source}; choose another one, or 0 for a free one")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the operating system says.
        source: io::Error,
    },
    /// The driver did not start.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The driver could not start the service; the text says why.
    #[error("{0}; choose another port, or 0 for a free one")]
    Service(String),
}

/// Prefix of no module. A recorder of it takes what a black-box twin executes, which an instance
/// of the same fixture with a driver, in the same process, would else take for its own.
const NO_MODULE: &str = "emb_fixtures::none";

/// An instance of a fixture; it stops when this is dropped.
#[derive(Debug)]
pub struct Running {
    /// Where the service answers, without a path.
    pub base_url: String,
    /// Where the driver answers; `None` for a black-box twin.
    pub driver_url: Option<String>,
    system: System,
    _host: Host,
}

/// Whoever serves the instance and stops when dropped.
#[derive(Debug)]
enum Host {
    Plain(#[expect(dead_code, reason = "kept for its drop")] Server),
    Driven(#[expect(dead_code, reason = "kept for its drop")] RunningDriver),
}

impl Running {
    /// Brings the state back to what it was at the start, as a driver does before each test.
    ///
    /// # Errors
    /// What the store says, in words, when it cannot be reset.
    pub fn reset(&self) -> Result<(), String> {
        self.system.reset()
    }
}

/// What is needed to start one instance of a service.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) interface: Interface,
    pub(crate) unit_prefixes: &'a [&'a str],
    pub(crate) system: System,
    pub(crate) tells_statements: bool,
    /// Paths that engines are asked not to call.
    pub(crate) skipped: &'a [&'a str],
}

impl Subject<'_> {
    /// The same service with these habits.
    pub(crate) fn surrounded(self, habits: &[Habit]) -> Self {
        Self { system: habit::surround(self.system, habits), ..self }
    }

    /// Starts the instance; its ports answer when this returns. Switches are the system's matter.
    pub(crate) fn start(self, port: u16, driver_port: Option<u16>) -> Result<Running, StartError> {
        match driver_port {
            Some(driver_port) => self.start_driven(port, driver_port),
            None => self.start_plain(port),
        }
    }

    /// A driver for the instance.
    pub(crate) fn driver(&self, port: u16) -> Driver {
        let driver = Driver::new(self.name, self.interface.problem());
        let (service, state) = (self.system.clone(), self.system.clone());
        let driver = match self.system.database() {
            Some(database) => {
                let driver = match self.tells_statements {
                    true => driver.database(database.watched()),
                    false => driver.database(Silent(database.watched())),
                };
                driver.on_quick_reset(|| Ok(()))
            }
            None => driver.on_reset(move || state.reset()),
        };
        let driver = match self.system.documents() {
            Some(store) => driver.documents(store.clone()),
            None => driver,
        };
        let driver = self.skipped.iter().fold(driver, |driver, path| driver.skip_endpoint(path));
        let with_prefix = |driver: Driver, prefix: &&str| driver.unit_prefix(prefix);
        self.unit_prefixes.iter().fold(driver, with_prefix).service(port, move || service.router())
    }

    fn start_driven(self, port: u16, driver_port: u16) -> Result<Running, StartError> {
        let driver = self.driver(port).start(driver_port)?;
        let base_url = driver.controller().start().map_err(StartError::Service)?;
        let (driver_url, system) = (Some(driver.url()), self.system);
        Ok(Running { base_url, driver_url, system, _host: Host::Driven(driver) })
    }

    fn start_plain(self, port: u16) -> Result<Running, StartError> {
        let router = Recorder::new(&[NO_MODULE]).watch(self.system.router());
        let server =
            Server::start(router, port).map_err(|source| StartError::Port { port, source })?;
        let base_url = server.base_url();
        Ok(Running { base_url, driver_url: None, system: self.system, _host: Host::Plain(server) })
    }
}

impl Fixture {
    /// Starts an instance; its ports answer when this returns.
    ///
    /// # Errors
    /// When a port is taken or may not be used.
    pub fn start(&self, options: Options) -> Result<Running, StartError> {
        let Options { port, driver_port, switches, habits, tells_statements } = options;
        let subject = Subject { tells_statements, ..self.subject(switches) };
        subject.surrounded(&habits).start(port, driver_port)
    }

    /// A driver for instances of this fixture, not started: for callers that want their own
    /// recorder, or no socket for the driver.
    #[must_use]
    pub fn driver(&self, port: u16, switches: Switches) -> Driver {
        self.subject(switches).driver(port)
    }

    fn subject(&self, switches: Switches) -> Subject<'static> {
        Subject {
            name: self.name(),
            interface: self.interface(),
            unit_prefixes: self.unit_prefixes(),
            system: self.system(switches),
            tells_statements: true,
            skipped: &[],
        }
    }
}
