//! What is wrong with a document on purpose.

use serde::{Deserialize, Serialize};

/// One violation of the rules on valid documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Which of the places where it can be violated.
    pub site: u16,
}

/// Rules that a document can be made to violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A name that the enum does not have.
    UnknownEnum,
    /// A literal of another kind.
    WrongKind,
    /// A required argument is left out.
    MissingArgument,
    /// Null for a non-null argument.
    NullArgument,
    /// An argument that the field does not have.
    UnknownArgument,
    /// A field that the type does not have.
    UnknownField,
    /// A directive that the schema does not have.
    UnknownDirective,
    /// A variable that is not defined.
    UndefinedVariable,
    /// A fragment that is not defined.
    UnknownFragment,
    /// An object of which nothing is selected.
    MissingSelection,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 10] = [
        Self::UnknownEnum,
        Self::WrongKind,
        Self::MissingArgument,
        Self::NullArgument,
        Self::UnknownArgument,
        Self::UnknownField,
        Self::UnknownDirective,
        Self::UndefinedVariable,
        Self::UnknownFragment,
        Self::MissingSelection,
    ];

    /// The rules that no value of an argument decides: a document that breaks one breaks it whatever
    /// the operation is.
    pub const OF_GRAMMAR: [Self; 6] = [
        Self::UnknownArgument,
        Self::UnknownField,
        Self::UnknownDirective,
        Self::UndefinedVariable,
        Self::UnknownFragment,
        Self::MissingSelection,
    ];

    /// What is violated, in a few words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownEnum => "an undeclared enum value",
            Self::WrongKind => "a literal of another kind",
            Self::MissingArgument => "a required argument left out",
            Self::NullArgument => "null for a non-null argument",
            Self::UnknownArgument => "an undeclared argument",
            Self::UnknownField => "an undeclared field",
            Self::UnknownDirective => "an undeclared directive",
            Self::UndefinedVariable => "an undefined variable",
            Self::UnknownFragment => "an undefined fragment",
            Self::MissingSelection => "an object without selection",
        }
    }
}

/// A document that a service should refuse for its size, with how many times it holds a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overload {
    /// The operation under so many names.
    Aliases(u16),
    /// So many directives.
    Directives(u16),
    /// So many requests in one list.
    Batch(u16),
    /// As deep as the gene is.
    Depth,
}

impl Overload {
    /// The overload as a word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Aliases(_) => "aliases",
            Self::Directives(_) => "directives",
            Self::Batch(_) => "batch",
            Self::Depth => "depth",
        }
    }
}
