//! What the driver server asks of a system in this process.

use std::net::{TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use tokio::runtime::Handle;
use wallace_sut_driver::{
    PlacedTarget, ProblemInfo, Recorded, RecordedOperands, SutController, Units,
    database::{DatabaseActivity, MongoDocument, RedisKey, SqlInsertions, SqlRow, SqlSchema},
};

use crate::database::{DocumentStore, SqlDatabase};
use crate::recorder::Recorder;
use crate::scope::unrecorded;
use crate::service::Service;
use crate::state::lock;

/// How long a start waits for a system that is served elsewhere.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Base URL of a system that has no socket.
const NO_ADDRESS: &str = "http://localhost";
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// Brings the state of a system back; given the runtime of its requests, if that is known.
pub(crate) type Reset = Box<dyn Fn(Option<&Handle>) -> Result<(), String> + Send + Sync>;

/// Who serves the system.
pub(crate) enum Host {
    /// Not said yet.
    Missing,
    /// This driver.
    Own { make: Box<dyn Fn() -> Router + Send + Sync>, state: Mutex<Own> },
    /// The caller, in this process and without a socket.
    InProcess { is_started: Mutex<bool> },
    /// The caller, at this URL.
    Foreign { base_url: String, is_started: Mutex<bool> },
}

/// The service of an own host.
#[derive(Debug)]
pub(crate) struct Own {
    /// Port of the next start: the free one that was found stays the same over restarts.
    port: u16,
    service: Option<Service>,
}

impl Host {
    pub(crate) fn own(port: u16, make: Box<dyn Fn() -> Router + Send + Sync>) -> Self {
        Self::Own { make, state: Mutex::new(Own { port, service: None }) }
    }

    pub(crate) fn in_process() -> Self {
        Self::InProcess { is_started: Mutex::new(false) }
    }

    pub(crate) fn foreign(base_url: &str) -> Self {
        Self::Foreign {
            base_url: base_url.trim_end_matches('/').to_owned(),
            is_started: Mutex::new(false),
        }
    }
}

/// A system in this process with its recorder.
pub(crate) struct Controller {
    pub(crate) name: String,
    pub(crate) problem: ProblemInfo,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) host: Host,
    pub(crate) reset: Reset,
    pub(crate) resets_at_once: bool,
    pub(crate) endpoints_to_skip: Vec<String>,
    pub(crate) database: Option<Box<dyn SqlDatabase>>,
    pub(crate) documents: Option<Box<dyn DocumentStore>>,
}

impl Controller {
    fn start_own(
        &self,
        make: &(dyn Fn() -> Router + Send + Sync),
        own: &mut Own,
    ) -> Result<String, String> {
        if let Some(service) = &own.service {
            return Ok(service.base_url());
        }
        let recorder = &self.recorder;
        recorder.new_test();
        let start = || Service::start(own.port, || recorder.watch(recorder.run(make)));
        let service = catch_unwind(AssertUnwindSafe(start))
            .map_err(|_| format!("{} panicked while it started", self.name))?
            .map_err(|error| format!("cannot serve {} on port {}: {error}", self.name, own.port))?;
        recorder.finish_start();
        let base_url = service.base_url();
        own.port = service.port();
        own.service = Some(service);
        Ok(base_url)
    }

    fn start_foreign(&self, base_url: &str, is_started: &mut bool) -> Result<String, String> {
        if !*is_started {
            await_answer(base_url)?;
            self.recorder.finish_start();
            *is_started = true;
        }
        Ok(base_url.to_owned())
    }
}

/// Waits until somebody listens at `base_url`.
fn await_answer(base_url: &str) -> Result<(), String> {
    let authority = base_url.split("://").last().unwrap_or(base_url);
    let authority = authority.split('/').next().unwrap_or(authority);
    let deadline = Instant::now() + ANSWER_TIMEOUT;
    loop {
        let mut addresses = authority
            .to_socket_addrs()
            .map_err(|error| format!("{base_url} has no `host:port`: {error}"))?;
        if addresses.any(|address| TcpStream::connect(address).is_ok()) {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(format!("nobody listens at {base_url}"));
        }
        thread::sleep(RETRY_PAUSE);
    }
}

fn no_database() -> String {
    "No active database connection".to_owned()
}

impl Controller {
    /// Looks at what the action that is over did with databases, while its rows are there.
    fn settle_databases(&self) {
        let statements = self.database.as_ref().map(|_| self.recorder.take_sql());
        let statements = statements.unwrap_or_default();
        let database = self.database.as_ref().filter(|_| !statements.is_empty());
        let mut activity = database.map_or_else(DatabaseActivity::default, |database| {
            unrecorded(|| database.activity(&statements))
        });
        if let Some(store) = &self.documents {
            let told = unrecorded(|| store.activity());
            activity.distances.extend(told.distances);
            activity.empty_collections.extend(told.empty_collections);
            activity.failed_redis_commands.extend(told.failed_redis_commands);
        }
        if activity != DatabaseActivity::default() || !statements.is_empty() {
            self.recorder.set_activity(activity);
        }
    }
}

impl SutController for Controller {
    fn full_name(&self) -> String {
        self.name.clone()
    }

    fn start(&self) -> Result<String, String> {
        match &self.host {
            Host::Missing => Err(format!("{} has no system", self.name)),
            Host::Own { make, state } => self.start_own(make, &mut lock(state)),
            Host::InProcess { is_started } => {
                if !std::mem::replace(&mut *lock(is_started), true) {
                    self.recorder.finish_boot();
                }
                Ok(NO_ADDRESS.to_owned())
            }
            Host::Foreign { base_url, is_started } => {
                self.start_foreign(base_url, &mut lock(is_started))
            }
        }
    }

    fn stop(&self) {
        match &self.host {
            Host::Own { state, .. } => drop(lock(state).service.take()),
            // It cannot be stopped from here; a later start finds it running.
            Host::Foreign { .. } | Host::InProcess { .. } | Host::Missing => {}
        }
    }

    fn base_url(&self) -> Option<String> {
        match &self.host {
            Host::Missing => None,
            Host::Own { state, .. } => lock(state).service.as_ref().map(Service::base_url),
            Host::InProcess { is_started } => lock(is_started).then(|| NO_ADDRESS.to_owned()),
            Host::Foreign { base_url, is_started } => lock(is_started).then(|| base_url.clone()),
        }
    }

    fn problem(&self) -> ProblemInfo {
        match &self.problem {
            ProblemInfo::Rest { open_api_url } if open_api_url.starts_with('/') => {
                let base_url = self.base_url().unwrap_or_default();
                ProblemInfo::Rest { open_api_url: format!("{base_url}{open_api_url}") }
            }
            problem => problem.clone(),
        }
    }

    fn endpoints_to_skip(&self) -> Vec<String> {
        self.endpoints_to_skip.clone()
    }

    fn reset(&self) -> Result<(), String> {
        let runtime = match &self.host {
            Host::Own { state, .. } => lock(state).service.as_ref().map(|it| it.runtime().clone()),
            Host::Foreign { .. } | Host::InProcess { .. } | Host::Missing => None,
        };
        let reset = || {
            (self.reset)(runtime.as_ref())?;
            self.database.as_ref().map_or(Ok(()), |database| database.clean())?;
            self.documents.as_ref().map_or(Ok(()), |store| store.clean())
        };
        unrecorded(|| catch_unwind(AssertUnwindSafe(reset)))
            .unwrap_or_else(|_| Err(format!("the reset of {} panicked", self.name)))
    }

    fn resets_at_once(&self) -> bool {
        self.resets_at_once
    }

    fn new_search(&self) {
        self.recorder.new_search();
    }

    fn new_test(&self) {
        self.recorder.new_test();
    }

    fn begin_action(&self, index: u32, _name: &str, input_variables: &[String]) {
        self.settle_databases();
        self.recorder.begin_action(index, input_variables);
    }

    fn recorded(&self) -> Recorded {
        self.settle_databases();
        self.recorder.recorded()
    }

    fn target_name(&self, id: u32) -> Option<&'static str> {
        self.recorder.target_name(id)
    }

    fn boot_targets(&self) -> Vec<(&'static str, f64)> {
        self.recorder.boot_targets()
    }

    fn units(&self) -> Units {
        self.recorder.units()
    }

    fn placed_targets(&self) -> Vec<PlacedTarget> {
        self.recorder.placed_targets()
    }

    fn keep_operands(&self, is_on: bool) {
        self.recorder.keep_decisions(is_on);
    }

    fn operands(&self) -> Vec<RecordedOperands> {
        self.recorder.decisions()
    }

    fn set_kill_switch(&self, is_on: bool) {
        self.recorder.set_kill_switch(is_on);
    }

    fn report_sql(&self, is_on: bool) {
        self.recorder.set_keeps_sql(is_on);
    }

    fn sql_schema(&self) -> Option<SqlSchema> {
        self.base_url()?;
        self.database.as_ref().map(|database| database.schema())
    }

    fn insert_rows(&self, rows: &[SqlRow]) -> Result<SqlInsertions, String> {
        let database = self.database.as_ref().ok_or_else(no_database)?;
        Ok(unrecorded(|| database.insert(rows)))
    }

    fn insert_documents(&self, documents: &[MongoDocument]) -> Result<Vec<bool>, String> {
        let store = self.documents.as_ref().ok_or_else(no_database)?;
        unrecorded(|| store.insert_documents(documents))
    }

    fn insert_keys(&self, keys: &[RedisKey]) -> Result<Vec<bool>, String> {
        let none = || "No active Redis connection".to_owned();
        let store = self.documents.as_ref().ok_or_else(none)?;
        unrecorded(|| store.insert_keys(keys))
    }

    fn query_sql(&self, statement: &str) -> Result<Vec<Vec<String>>, String> {
        let database = self.database.as_ref().ok_or_else(no_database)?;
        unrecorded(|| database.query(statement))
    }
}
