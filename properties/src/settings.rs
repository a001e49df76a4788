//! How queries are made, and how a service is checked with them.

use http::HeaderMap;
use http::uri::PathAndQuery;
use serde_json::Value;
use wallace_problems::Oracle;

use crate::failure::Failure;

/// Which fields are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// That of Karlsson et al.: of each object, 1 to *m* different fields, uniformly.
    #[default]
    Paper,
    /// As the paper's, but every object that is selected asks first for a field that no query
    /// asked for yet, or else for one on the shortest way to such a field.
    CoverageDirected,
}

/// Which values arguments get.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ArgumentFamily {
    /// Values of the declared type, texts of letters and digits.
    #[default]
    Alphanumeric,
    /// Texts of characters 0 to 255 wherever the paper gives them: for numbers and truth values
    /// too, so that many calls are ill-typed on purpose.
    Hostile,
    /// Identifiers are one third letters and digits, one third small integers, one third taken
    /// from answers and from this list; all else as [`ArgumentFamily::Alphanumeric`].
    Mixed {
        /// Identifiers known beforehand.
        ids: Vec<String>,
    },
}

/// Parameters of a [`Generator`](crate::Generator).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorSettings {
    /// Which fields are selected.
    pub strategy: Strategy,
    /// Which values arguments get.
    pub arguments: ArgumentFamily,
    /// Most fields selected of one object, at least 1 (*m* in the paper). Default 3.
    pub max_fields: usize,
    /// Fields of a query from which nothing more is expanded. The paper has no such bound;
    /// default 65,536, which none of its queries reaches.
    pub max_nodes: usize,
    /// Whether an object of which nothing is selected stays in the text, without a selection. The
    /// paper's tree builder does that, and such a query is not valid. Default false.
    pub keeps_empty_objects: bool,
}

impl Default for GeneratorSettings {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            arguments: ArgumentFamily::default(),
            max_fields: 3,
            max_nodes: 65_536,
            keeps_empty_objects: false,
        }
    }
}

/// How a service is checked.
#[derive(Debug, Clone)]
pub struct CheckSettings {
    /// Path of the endpoint.
    pub path: PathAndQuery,
    /// Headers besides those of every request.
    pub headers: HeaderMap,
    /// Random queries. Default 100, as in the paper.
    pub queries: usize,
    /// Seed of the queries.
    pub seed: u64,
    /// How they are made.
    pub generator: GeneratorSettings,
    /// Replays for making one failing query small, at most. Default 200.
    pub most_replays: usize,
    /// Whether answers are checked for echoed identifiers and inverse relations, with queries of
    /// their own. Default true.
    pub follows_relations: bool,
    /// Queries with the answers they had before.
    pub recorded: Vec<RecordedQuery>,
    /// Failures of an earlier run; their queries are sent first.
    pub saved: Vec<Failure>,
}

/// A query and the answer it had before.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedQuery {
    /// The document.
    pub document: String,
    /// Values of its variables.
    pub variables: Option<Value>,
    /// The body of the answer.
    pub answer: Value,
}

impl CheckSettings {
    /// 100 queries, as in the paper, to this path.
    #[must_use]
    pub fn new(path: PathAndQuery) -> Self {
        Self {
            path,
            headers: HeaderMap::new(),
            queries: 100,
            seed: 42,
            generator: GeneratorSettings::default(),
            most_replays: 200,
            follows_relations: true,
            recorded: Vec::new(),
            saved: Vec::new(),
        }
    }
}

/// An oracle with a name to report under.
pub struct UserOracle {
    /// The name.
    pub name: String,
    /// The oracle.
    pub oracle: Box<dyn Oracle>,
}

impl std::fmt::Debug for UserOracle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("UserOracle").field("name", &self.name).finish_non_exhaustive()
    }
}
