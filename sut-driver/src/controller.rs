//! What a driver server needs from the system it controls.
//!
//! [`SutController`] is the seam between the protocol server of this crate and whoever owns the
//! system under test and its recorder (the `wallace-instrument` crate for Rust systems).
//! Methods take `&self`: the server calls them from one request at a time, but instrumented code
//! records concurrently.

use std::io;
use std::path::Path;

use crate::activity::DatabaseActivity;
use crate::sql::{SqlInsertions, SqlRow, SqlSchema};
use crate::store::{MongoDocument, RedisKey};

/// Which kind of API the system offers, and where its description is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemInfo {
    /// A GraphQL endpoint, as a path below the base URL (for example `/graphql`).
    GraphQl {
        /// Path of the endpoint, with its leading slash.
        endpoint: String,
    },
    /// A REST service described by OpenAPI.
    Rest {
        /// Full URL of the OpenAPI description.
        open_api_url: String,
    },
    /// A REST service whose driver hands its OpenAPI description over.
    RestInline {
        /// The description, as JSON or YAML.
        open_api: String,
    },
}

impl ProblemInfo {
    /// A GraphQL endpoint, as a path below the base URL (for example `/graphql`).
    #[must_use]
    pub fn graphql(endpoint: &str) -> Self {
        Self::GraphQl { endpoint: endpoint.to_owned() }
    }

    /// A REST service whose OpenAPI description is served at `url`, which may be a path of the
    /// service.
    #[must_use]
    pub fn open_api_at(url: &str) -> Self {
        Self::Rest { open_api_url: url.to_owned() }
    }

    /// A REST service described by this text, JSON or YAML.
    #[must_use]
    pub fn open_api(text: &str) -> Self {
        Self::RestInline { open_api: text.to_owned() }
    }

    /// A REST service described by a file, JSON or YAML, which the driver hands over.
    ///
    /// # Errors
    /// When the file cannot be read; the message names it.
    pub fn open_api_file(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("the description {}: {error}", path.display()))
        };
        Ok(Self::open_api(&std::fs::read_to_string(path).map_err(named)?))
    }
}

/// Best score of one target, as recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedTarget {
    /// Descriptive name, stable over runs.
    pub name: &'static str,
    /// Small number of the target inside one search epoch (see [`SutController::new_search`]).
    pub id: u32,
    /// Best score in `[0, 1]` since the last new test; 1 is covered.
    pub score: f64,
    /// Action in which the score was first reached; `None` before the first action of the test.
    pub action: Option<u32>,
    /// Whether this is the first report of the target since [`SutController::new_search`].
    pub is_first_seen: bool,
}

/// How instrumented code used a tainted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringUse {
    /// The tainted text as it was seen by the code.
    pub tainted: String,
    /// Protocol name of the specialisation: `CONSTANT`, `REGEX_WHOLE`, `INTEGER`, `EQUAL` ...
    pub specialisation: &'static str,
    /// The constant, pattern or partner; empty where the specialisation has no value.
    pub value: Option<String>,
    /// Whether the whole text was the tainted value, and not only a part of it.
    pub is_full_match: bool,
}

/// What was seen while one action ran, besides targets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedAction {
    /// Uses of tainted texts.
    pub string_uses: Vec<StringUse>,
    /// Innermost statement reached last, `<unit>_<line>_<function>`.
    pub last_statement: Option<String>,
    /// Names of query parameters that the system asked for.
    pub query_parameters: Vec<String>,
    /// Names of headers that the system asked for.
    pub headers: Vec<String>,
    /// Work on databases; `None` where there was none, or nobody looks.
    pub database: Option<Box<DatabaseActivity>>,
}

/// Everything recorded since the last new test.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recorded {
    /// Targets touched in this test, in ascending id.
    pub targets: Vec<RecordedTarget>,
    /// One entry per announced action; one entry before the first announcement.
    pub actions: Vec<RecordedAction>,
}

/// A target and its place, whether it was reached or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedTarget {
    /// Descriptive name.
    pub name: &'static str,
    /// Path of the source file, as the compiler was given it.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
}

/// The values that decided against a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedOperands {
    /// Descriptive name of the target.
    pub target: &'static str,
    /// The value on the left, or the one that was looked at.
    pub left: String,
    /// How they were compared.
    pub relation: &'static str,
    /// The value on the right, or what was asked for.
    pub right: String,
    /// Whether a distance is defined on them.
    pub has_distance: bool,
}

impl RecordedOperands {
    /// The relation of two values that were compared by order.
    pub const ORDER: &str = "should be on the other side of";
}

/// Sizes of the instrumented code, for coverage numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Units {
    /// Instrumented modules.
    pub names: Vec<String>,
    /// Number of line targets registered.
    pub lines: usize,
    /// Number of branch sides registered.
    pub branches: usize,
}

#[cfg(feature = "client")]
impl Units {
    /// Takes over what of two is larger: sizes only grow while code is loaded, by one instance of a
    /// system sooner than by another.
    pub fn grow(&mut self, other: &Self) {
        if other.names.len() > self.names.len() {
            self.names.clone_from(&other.names);
        }
        self.lines = self.lines.max(other.lines);
        self.branches = self.branches.max(other.branches);
    }
}

/// A system under test together with its recorder, as the driver server sees it.
pub trait SutController: Send + Sync + 'static {
    /// Name of the driver, shown by engines; never blank.
    fn full_name(&self) -> String;
    /// Starts the system, blocking until it answers. Returns its base URL.
    ///
    /// # Errors
    /// A message for the engine when the system cannot start.
    fn start(&self) -> Result<String, String>;
    /// Stops the system. Does nothing when it is stopped.
    fn stop(&self);
    /// Base URL while the system runs.
    fn base_url(&self) -> Option<String>;
    /// Kind of API.
    fn problem(&self) -> ProblemInfo;
    /// Paths of a REST service that shall not be called, as its description writes them. None by
    /// default.
    fn endpoints_to_skip(&self) -> Vec<String> {
        Vec::new()
    }

    /// Brings the state of the system back to what it was after the start.
    ///
    /// # Errors
    /// A message for the engine when the state cannot be reset.
    fn reset(&self) -> Result<(), String>;

    /// Whether [`reset`](Self::reset) never blocks for longer than it takes to wake another thread:
    /// the driver then calls it where it is, which saves most of the exchange. Default false.
    fn resets_at_once(&self) -> bool {
        false
    }

    /// Forgets ids and first-seen marks; keeps what was recorded at boot.
    fn new_search(&self);
    /// Forgets everything recorded since the last test; the kill switch goes off.
    fn new_test(&self);
    /// Announces action `index`; `input_variables` are further texts to treat as tainted.
    fn begin_action(&self, index: u32, name: &str, input_variables: &[String]);
    /// What was recorded since [`SutController::new_test`].
    fn recorded(&self) -> Recorded;
    /// Name of a target by its id in this epoch, reached in this test or not.
    fn target_name(&self, id: u32) -> Option<&'static str>;
    /// Targets reached while the system started, with their score.
    fn boot_targets(&self) -> Vec<(&'static str, f64)>;
    /// Sizes of the instrumented code.
    fn units(&self) -> Units;
    /// Every target with its place. None by default: nothing is known before it is reached.
    fn placed_targets(&self) -> Vec<PlacedTarget> {
        Vec::new()
    }
    /// Whether the values of decisions are kept from now on, which costs time. Never by default.
    fn keep_operands(&self, _is_on: bool) {}
    /// The values that decided against each target that the test reached and did not cover, where
    /// they are kept: those of the evaluation that came nearest, the last of equal ones.
    fn operands(&self) -> Vec<RecordedOperands> {
        Vec::new()
    }
    /// Makes handlers end early, until the next test or action.
    fn set_kill_switch(&self, is_on: bool);

    /// Whether work on databases shall be reported from now on. Default: there is none to report.
    fn report_sql(&self, _is_on: bool) {}

    /// Schema of the system's SQL database while the system runs; `None` without one, which is the
    /// default.
    fn sql_schema(&self) -> Option<SqlSchema> {
        None
    }

    /// Inserts rows, one by one in their order; a row that is refused does not hold up the others.
    /// The next reset removes them. Rows name tables by
    /// [`SqlTable::insertion_name`](crate::database::SqlTable::insertion_name) or their bare names.
    ///
    /// # Errors
    /// When there is no database, which is the default; in the words of the protocol's drivers.
    fn insert_rows(&self, _rows: &[SqlRow]) -> Result<SqlInsertions, String> {
        Err(NO_DATABASE.to_owned())
    }

    /// Executes any SQL; gives the rows as texts, SQL's null as `NULL`.
    ///
    /// # Errors
    /// When there is no database, which is the default, or the database refuses the statement.
    fn query_sql(&self, _statement: &str) -> Result<Vec<Vec<String>>, String> {
        Err(NO_DATABASE.to_owned())
    }

    /// Inserts documents in their order, up to the first that is refused; says of each whether it
    /// was inserted. The next reset removes them. Without any it is asked whether there is a place
    /// for documents.
    ///
    /// # Errors
    /// When there is none, which is the default; in the words of the protocol's drivers.
    fn insert_documents(&self, _documents: &[MongoDocument]) -> Result<Vec<bool>, String> {
        Err(NO_DATABASE.to_owned())
    }

    /// Puts values under keys, likewise.
    ///
    /// # Errors
    /// As [`insert_documents`](Self::insert_documents).
    fn insert_keys(&self, _keys: &[RedisKey]) -> Result<Vec<bool>, String> {
        Err(NO_REDIS.to_owned())
    }
}

/// What drivers say without a database.
pub(crate) const NO_DATABASE: &str = "No active database connection";

/// What they say without Redis.
pub(crate) const NO_REDIS: &str = "No active Redis connection";
