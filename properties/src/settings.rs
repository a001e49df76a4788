//! How queries are made.

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
