//! The engine's side: a blocking client of one driver.

mod activity;
mod authentication;
mod channel;
mod database;
mod epoch;
mod error;
mod in_process;
mod info;
mod insight;
mod options;
mod recovery;
mod remote;
mod results;
mod specialisation;
mod store;

use std::sync::Arc;

pub use authentication::{
    Authentication, CreateUsers, Login, LoginEndpoint, LoginProof, LoginToken, TokenPlace,
    TokenSource, UserGenerator,
};
pub use error::DriverError;
pub use info::SutInfo;
pub use insight::{DecisionValues, KnownTarget};
pub use options::DriverOptions;
pub use recovery::DriverRecoveries;
pub use results::{
    ActionFeedback, ResultsQuery, SqlSummary, StringSpecialisation, TargetReach, TestResults,
};
pub use specialisation::SpecialisationKind;

use crate::controller::{SutController, Units};
use crate::runtime::BlockingRuntime;
use crate::sql::{SqlInsertions, SqlRow};
use crate::store::{MongoDocument, RedisKey};
use in_process::InProcessDriver;
use remote::RemoteDriver;

/// A connection to a driver, and what the engine has to remember of its answers.
///
/// The order of calls: [`connect`](Self::connect), [`start_sut`](Self::start_sut),
/// [`new_search`](Self::new_search); then for each test [`reset`](Self::reset), for each of its
/// actions [`begin_action`](Self::begin_action) and the call of the system itself, and
/// [`results`](Self::results). The system must not be called between `results` and the next
/// `reset`: the kill switch would make it fail.
///
/// Exchanges that find the connection broken are sent once more; all of them are safe to repeat.
#[derive(Debug)]
pub struct DriverClient(Peer);

#[derive(Debug)]
enum Peer {
    Remote(Box<RemoteDriver>),
    InProcess(Box<InProcessDriver>),
}

impl DriverClient {
    /// Connects with default [`DriverOptions`]; see [`connect_with`](Self::connect_with).
    ///
    /// # Errors
    /// As `connect_with`.
    pub fn connect(address: &str, runtime: &BlockingRuntime) -> Result<Self, DriverError> {
        Self::connect_with(address, runtime, DriverOptions::default())
    }

    /// Connects to the driver at `address` and makes sure that it is one.
    ///
    /// `address` is `http://localhost:40100`, the same without `http://`, with `/controller/api`
    /// at the end, or the port alone.
    ///
    /// # Errors
    /// [`DriverError::Address`], [`DriverError::Unreachable`] when nothing listens,
    /// [`DriverError::NotADriver`] when something else does, [`DriverError::TimedOut`].
    pub fn connect_with(
        address: &str,
        runtime: &BlockingRuntime,
        options: DriverOptions,
    ) -> Result<Self, DriverError> {
        let remote = RemoteDriver::connect_with(address, runtime, options)?;
        Ok(Self(Peer::Remote(Box::new(remote))))
    }

    /// The client of a system in this process: the same results, without sockets.
    #[must_use]
    pub fn in_process(controller: Arc<dyn SutController>) -> Self {
        Self(Peer::InProcess(Box::new(InProcessDriver::new(controller))))
    }

    /// Starts the system, or resets it where it runs already, and reads what the driver tells
    /// about it. Blocks until the system is up, which can take minutes. Call
    /// [`new_search`](Self::new_search) next.
    ///
    /// # Errors
    /// [`DriverError::Rejected`] with the driver's reason when the system cannot start,
    /// [`DriverError::NotInstrumented`], [`DriverError::UnsupportedProblem`], or a broken exchange.
    pub fn start_sut(&mut self) -> Result<SutInfo, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.start_sut(),
            Peer::InProcess(driver) => driver.start_sut(),
        }
    }

    /// The users of the system, as far as the driver tells them before it starts the system. To be
    /// asked before [`start_sut`](Self::start_sut), which can take minutes.
    ///
    /// # Errors
    /// [`DriverError::UnsupportedProblem`].
    pub fn preview(&mut self) -> Result<Vec<Authentication>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.preview(),
            Peer::InProcess(_) => Ok(Vec::new()),
        }
    }

    /// Begins a search: the driver forgets what it has seen since the start of the system, and
    /// this client forgets the numbers of the targets. Call it after every start.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn new_search(&mut self) -> Result<(), DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.new_search(),
            Peer::InProcess(driver) => {
                driver.new_search();
                Ok(())
            }
        }
    }

    /// Cleans the state of the system and begins a new test. A reset that fails is tried once
    /// more: drivers fail in one after insertions that they could not place.
    ///
    /// A system that has died is started by its driver without a word. A reset that takes as long
    /// as a start ([`DriverOptions::slow_reset`]) is taken for one: the next
    /// [`results`](Self::results) asks for everything, by name.
    ///
    /// # Errors
    /// [`DriverError::Rejected`] when the reset fails twice, or a broken exchange.
    pub fn reset(&mut self) -> Result<(), DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.reset(),
            Peer::InProcess(driver) => driver.reset(),
        }
    }

    /// Lets the driver begin with the reset that [`reset`](Self::reset) ends: what the caller does
    /// in between takes no time of its own. Any other call ends it too. What the driver tells of
    /// the test that was, such as [`operands`](Self::operands), is gone.
    ///
    /// A driver in this process resets when it is asked to.
    pub fn begin_reset(&mut self) {
        if let Peer::Remote(driver) = &mut self.0 {
            driver.begin_reset();
        }
    }

    /// Inserts rows into the system's SQL database, before the first action of a test. The next
    /// reset removes them again.
    ///
    /// # Errors
    /// [`DriverError::InvalidInsertion`] for rows that are refused without asking the driver;
    /// [`DriverError::Rejected`] without a database; a broken exchange. A row that the database
    /// refuses is no error, see [`SqlInsertions`].
    pub fn insert(&mut self, rows: &[SqlRow]) -> Result<SqlInsertions, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.insert(rows),
            Peer::InProcess(driver) => driver.insert(rows),
        }
    }

    /// Inserts documents into the system's Mongo database, before the first action of a test, and
    /// says of each whether it was taken. A driver that has no such database takes none, and is not
    /// asked again ([`DriverRecoveries`]).
    ///
    /// # Errors
    /// A broken exchange.
    pub fn insert_documents(
        &mut self,
        documents: &[MongoDocument],
    ) -> Result<Vec<bool>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.insert_documents(documents),
            Peer::InProcess(driver) => driver.insert_documents(documents),
        }
    }

    /// Puts values under keys of the system's Redis, likewise.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn insert_keys(&mut self, keys: &[RedisKey]) -> Result<Vec<bool>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.insert_keys(keys),
            Peer::InProcess(driver) => driver.insert_keys(keys),
        }
    }

    /// The rows that a statement gives, as texts. What it writes is not removed by the next reset.
    ///
    /// # Errors
    /// [`DriverError::Rejected`] without a database and for wrong statements; a broken exchange.
    pub fn query(&mut self, statement: &str) -> Result<Vec<Vec<String>>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.query(statement),
            Peer::InProcess(driver) => driver.query(statement),
        }
    }

    /// How often this client had to help itself so far.
    #[must_use]
    pub fn recoveries(&self) -> DriverRecoveries {
        match &self.0 {
            Peer::Remote(driver) => driver.recoveries(),
            Peer::InProcess(_) => DriverRecoveries::default(),
        }
    }

    /// Announces that the next call of the system is action `index` of the test, named `name`.
    /// `input_variables` are further texts to treat as tainted, besides those that have the shape
    /// of a tainted value.
    ///
    /// # Errors
    /// [`DriverError::ActionOutOfOrder`] unless indices go 0, 1, 2 ... in each test;
    /// [`DriverError::SutLost`]; a broken exchange.
    pub fn begin_action(
        &mut self,
        index: usize,
        name: &str,
        input_variables: &[String],
    ) -> Result<(), DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.begin_action(index, name, input_variables),
            Peer::InProcess(driver) => driver.begin_action(index, name, input_variables),
        }
    }

    /// What was recorded since [`reset`](Self::reset). Call it for every test, also after a
    /// failed one: what is seen first in a test is told only there.
    ///
    /// # Errors
    /// [`DriverError::SutLost`] when the system has died: start it again and begin a new search.
    /// Otherwise a broken exchange, or an answer that cannot be read.
    pub fn results(&mut self, query: ResultsQuery<'_>) -> Result<TestResults, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.results(query),
            Peer::InProcess(driver) => driver.results(&query),
        }
    }

    /// What the driver tells about the system: where it listens, what kind of interface it has,
    /// how large it is (the sizes grow while the system loads code), what its start reached.
    ///
    /// # Errors
    /// [`DriverError::SutLost`] while the system does not run, [`DriverError::UnsupportedProblem`],
    /// or a broken exchange.
    pub fn info(&mut self) -> Result<SutInfo, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.info(),
            Peer::InProcess(driver) => driver.info(),
        }
    }

    /// The largest sizes of the instrumented code that were told so far; also of a driver that is lost.
    #[must_use]
    pub fn units(&self) -> Units {
        match &self.0 {
            Peer::Remote(driver) => driver.units(),
            Peer::InProcess(driver) => driver.units(),
        }
    }

    /// Every target of the system with its place, reached or not; none where the driver does not
    /// tell, as those of other projects.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn known_targets(&mut self) -> Result<Vec<KnownTarget>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => or_nothing(driver.known_targets()),
            Peer::InProcess(driver) => Ok(driver.known_targets()),
        }
    }

    /// Says whether the driver is to keep the values of decisions from now on, which costs time;
    /// drivers that cannot go on as they did.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn keep_operands(&mut self, is_on: bool) -> Result<(), DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => {
                let query = if is_on { "?keep=true" } else { "?keep=false" };
                or_nothing(driver.operands(query)).map(drop)
            }
            Peer::InProcess(driver) => {
                driver.keep_operands(is_on);
                Ok(())
            }
        }
    }

    /// The values that decided against each target that the test reached and did not cover, as far
    /// as the driver keeps them.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn operands(&mut self) -> Result<Vec<DecisionValues>, DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => or_nothing(driver.operands("")),
            Peer::InProcess(driver) => Ok(driver.operands()),
        }
    }

    /// Stops the system, and waits for a moment until nobody answers at its address any more.
    ///
    /// # Errors
    /// A broken exchange.
    pub fn stop_sut(&mut self) -> Result<(), DriverError> {
        match &mut self.0 {
            Peer::Remote(driver) => driver.stop_sut(),
            Peer::InProcess(driver) => {
                driver.stop_sut();
                Ok(())
            }
        }
    }
}

/// Nothing from drivers that do not know the call.
fn or_nothing<T>(answer: Result<Vec<T>, DriverError>) -> Result<Vec<T>, DriverError> {
    match answer {
        Err(DriverError::Rejected { .. } | DriverError::Malformed { .. }) => Ok(Vec::new()),
        other => other,
    }
}
