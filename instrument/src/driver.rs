//! The driver of a system in this process: what a user adds to a service.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use axum::Router;
use tokio::runtime::{Builder, Handle};
use wallace_sut_driver::{DriverServer, ProblemInfo, SutController};

use crate::controller::{Controller, Host, Reset};
use crate::database::{DocumentStore, SqlDatabase};
use crate::recorder::Recorder;

/// A driver before it is started.
///
/// Say where the system is with [`Driver::service`] (the driver serves it) or
/// [`Driver::running_at`] (it is served elsewhere in this process), then start.
pub struct Driver {
    name: String,
    problem: ProblemInfo,
    prefixes: Vec<String>,
    recorder: Option<Arc<Recorder>>,
    host: Host,
    reset: Reset,
    resets_at_once: bool,
    endpoints_to_skip: Vec<String>,
    database: Option<Box<dyn SqlDatabase>>,
    documents: Option<Box<dyn DocumentStore>>,
}

/// A driver could not be started.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// Neither [`Driver::service`] nor [`Driver::running_at`] was called.
    #[error("cannot start the driver of {name}: it has no system; call `service` or `running_at`")]
    NoSystem {
        /// Name of the driver.
        name: String,
    },
    /// The port of the driver cannot be served.
    #[error(
        "cannot serve the driver of {name} on port {port}: {source}; choose another port, or 0 for a free one"
    )]
    Port {
        /// Name of the driver.
        name: String,
        /// The port that was asked for.
        port: u16,
        /// What the operating system says.
        source: io::Error,
    },
}

impl Driver {
    /// A driver called `name` for a system of this kind. The name must not be blank.
    ///
    /// The URL of an OpenAPI description may be a path: it is completed with the base URL.
    #[must_use]
    pub fn new(name: &str, problem: ProblemInfo) -> Self {
        Self {
            name: name.to_owned(),
            problem,
            prefixes: Vec::new(),
            recorder: None,
            host: Host::Missing,
            reset: Box::new(|_| Ok(())),
            resets_at_once: true,
            endpoints_to_skip: Vec::new(),
            database: None,
            documents: None,
        }
    }

    /// Records the module `prefix` and all below it, for example `"my_service::handlers"`. May be
    /// called several times; without any, everything marked in the process is recorded.
    #[must_use]
    pub fn unit_prefix(mut self, prefix: &str) -> Self {
        self.prefixes.push(prefix.to_owned());
        self
    }

    /// Serves the router that `make` gives, anew at each start, on `port` of the loopback
    /// address; 0 takes a free one.
    #[must_use]
    pub fn service(mut self, port: u16, make: impl Fn() -> Router + Send + Sync + 'static) -> Self {
        self.host = Host::own(port, Box::new(make));
        self
    }

    /// Leaves the serving to the caller, who answers at `base_url` and never restarts.
    ///
    /// Requests are recorded apart from other instances in the process if the caller's router is
    /// wrapped by [`Recorder::watch`] of the recorder given to [`Driver::recorder`].
    #[must_use]
    pub fn running_at(mut self, base_url: &str) -> Self {
        self.host = Host::foreign(base_url);
        self
    }

    /// Leaves the serving to the caller, who calls the service in this process without any socket,
    /// through [`Recorder::layer`] of the recorder given to [`Driver::recorder`].
    #[must_use]
    pub fn in_process(mut self) -> Self {
        self.host = Host::in_process();
        self
    }

    /// Records with this recorder instead of one of its own.
    #[must_use]
    pub fn recorder(mut self, recorder: Arc<Recorder>) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Calls `reset` before each test: it must bring the state back to that after the start. What
    /// it executes is not recorded. A message says why it could not.
    #[must_use]
    pub fn on_reset(
        mut self,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.reset = Box::new(move |_| reset());
        self.resets_at_once = false;
        self
    }

    /// As [`Driver::on_reset`], of a reset that waits: a database that is emptied, say.
    ///
    /// It runs where the requests of the service run if this driver serves it, otherwise in the
    /// runtime from which this is called, or without one in a runtime of its own.
    #[must_use]
    pub fn on_async_reset<F: Future<Output = Result<(), String>>>(
        mut self,
        reset: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        let around = Handle::try_current().ok();
        self.reset = Box::new(move |service| match service.or(around.as_ref()) {
            Some(runtime) => runtime.block_on(reset()),
            None => {
                let runtime = Builder::new_current_thread().enable_all().build();
                runtime.map_err(|error| error.to_string())?.block_on(reset())
            }
        });
        self.resets_at_once = false;
        self
    }

    /// As [`Driver::on_reset`], of a reset that takes microseconds and waits for nothing: the driver
    /// calls it where it is, which saves waking another thread for each test.
    #[must_use]
    pub fn on_quick_reset(
        self,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { resets_at_once: true, ..self.on_reset(reset) }
    }

    /// Asks engines not to call a path of a REST service, whatever the method: one that ends the
    /// service, say, or is no concern of its users. `path` is as the description writes it, with or
    /// without its base path. May be called several times.
    #[must_use]
    pub fn skip_endpoint(mut self, path: &str) -> Self {
        self.endpoints_to_skip.push(path.to_owned());
        self
    }

    /// Tells the engine of the SQL that requests execute, and lets it insert rows. Before each test,
    /// after what [`Driver::on_reset`] does, the database is [cleaned](SqlDatabase::clean).
    #[must_use]
    pub fn database(mut self, database: impl SqlDatabase + 'static) -> Self {
        self.database = Some(Box::new(database));
        self
    }

    /// Tells the engine which documents and keys requests look for in vain, and lets it insert such;
    /// [cleaned](DocumentStore::clean) as databases are.
    #[must_use]
    pub fn documents(mut self, store: impl DocumentStore + 'static) -> Self {
        self.documents = Some(Box::new(store));
        self
    }

    /// The controller, for callers that serve it themselves or need no sockets for the driver.
    ///
    /// # Errors
    /// [`DriverError::NoSystem`].
    pub fn controller(self) -> Result<Arc<dyn SutController>, DriverError> {
        Ok(self.into_controller()?)
    }

    /// Serves the driver on `driver_port` of the loopback address, 0 for any free one.
    ///
    /// The system itself is started when an engine, or [`RunningDriver::controller`], says so.
    ///
    /// # Errors
    /// [`DriverError::NoSystem`], and [`DriverError::Port`] when the port cannot be served.
    pub fn start(self, driver_port: u16) -> Result<RunningDriver, DriverError> {
        let name = self.name.clone();
        let controller: Arc<dyn SutController> = self.into_controller()?;
        let server = DriverServer::start(Arc::clone(&controller), driver_port)
            .map_err(|source| DriverError::Port { name, port: driver_port, source })?;
        Ok(RunningDriver { server, controller })
    }

    fn into_controller(self) -> Result<Arc<Controller>, DriverError> {
        if matches!(self.host, Host::Missing) {
            return Err(DriverError::NoSystem { name: self.name });
        }
        let prefixes: Vec<&str> = self.prefixes.iter().map(String::as_str).collect();
        let recorder = self.recorder.unwrap_or_else(|| Recorder::new(&prefixes));
        Ok(Arc::new(Controller {
            name: self.name,
            problem: self.problem,
            recorder,
            host: self.host,
            reset: self.reset,
            resets_at_once: self.resets_at_once,
            endpoints_to_skip: self.endpoints_to_skip,
            database: self.database,
            documents: self.documents,
        }))
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = formatter.debug_struct("Driver");
        output.field("name", &self.name).field("problem", &self.problem);
        output.field("prefixes", &self.prefixes).finish_non_exhaustive()
    }
}

/// A driver that answers until it is dropped, and with it the system that it serves.
pub struct RunningDriver {
    server: DriverServer,
    controller: Arc<dyn SutController>,
}

impl RunningDriver {
    /// What an engine is given, for example `http://127.0.0.1:40100`.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Keeps the driver, and the thread that calls this, until the process ends: the last line of a
    /// `main` that does nothing else.
    pub fn wait(&self) -> ! {
        loop {
            thread::park();
        }
    }

    /// The controller behind the driver, for example to start the system without an engine.
    #[must_use]
    pub fn controller(&self) -> &Arc<dyn SutController> {
        &self.controller
    }
}

impl fmt::Debug for RunningDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RunningDriver")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
