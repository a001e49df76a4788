//! Actions: calls of GraphQL operations.

mod violation;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

pub use violation::{Overload, Rule, Violation};

/// One call of a GraphQL operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GraphqlAction {
    /// Which operation.
    pub template: TemplateId,
    /// Its arguments and what is selected of the object it returns.
    pub gene: Gene,
    /// Who calls: the position of a user among those of the problem; nobody where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u16>,
    /// How the call is written and sent.
    #[serde(default, skip_serializing_if = "Form::is_default")]
    pub form: Form,
    /// The check that the call belongs to; calls of one check are judged together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Custom scalars whose texts are written as numbers, where they read as such.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub numbers: BTreeSet<Box<str>>,
    /// Custom scalars whose texts are written as objects, where they read as such.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub objects: BTreeSet<Box<str>>,
    /// Custom scalars whose numbers are written as texts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub texts: BTreeSet<Box<str>>,
}

impl GraphqlAction {
    /// A call without credentials, written in the plain form.
    #[must_use]
    pub fn new(template: TemplateId, gene: Gene) -> Self {
        Self {
            template,
            gene,
            user: None,
            form: Form::Literals,
            check: None,
            numbers: BTreeSet::new(),
            objects: BTreeSet::new(),
            texts: BTreeSet::new(),
        }
    }

    /// The same call by someone else.
    #[must_use]
    pub fn by(self, user: Option<u16>) -> Self {
        Self { user, ..self }
    }

    /// The same call in another form.
    #[must_use]
    pub fn written(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// The same call as part of a check.
    #[must_use]
    pub fn checked(self, check: Check) -> Self {
        Self { check: Some(check), ..self }
    }
}

/// How a call is written and sent. The forms up to [`Form::Beside`] mean the same.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// By POST, arguments as literals.
    #[default]
    Literals,
    /// By POST, the arguments of the operation as typed variables.
    Variables,
    /// By GET, arguments as literals.
    Get,
    /// Every field under another name.
    Aliases,
    /// Every selection as a named fragment.
    NamedFragments,
    /// Every selection inside an inline fragment.
    InlineFragments,
    /// Every field with `@include(if: true)`.
    Included,
    /// Every field with `@skip(if: false)`, and one more beside them that is skipped.
    Skipped,
    /// As [`Form::Literals`], accepting only `application/json`.
    Legacy,
    /// The operation's field twice in one document, under two names.
    Twice,
    /// Two equal requests in one list.
    Batched,
    /// The field of another query beside it in one document; a query that needs no arguments.
    Beside(TemplateId),
    /// As [`Form::Literals`], to be kept by the service under the hash of the document.
    Persisted,
    /// Not the document, but the hash that it was kept under.
    PersistedHash,
    /// By POST, as a web page's form can send it without asking.
    FormEncoded,
    /// By POST, JSON declared as plain text.
    PlainText,
    /// Made invalid on purpose.
    Violation(Violation),
    /// Made expensive on purpose, within bounds.
    Overload(Overload),
    /// Not the call, but a question for the schema.
    Introspection,
}

impl Form {
    /// The forms that mean the same as [`Form::Literals`], but for [`Form::Beside`], of which there
    /// are as many as queries.
    pub const EQUIVALENT: [Self; 10] = [
        Self::Variables,
        Self::Get,
        Self::Aliases,
        Self::NamedFragments,
        Self::InlineFragments,
        Self::Included,
        Self::Skipped,
        Self::Legacy,
        Self::Twice,
        Self::Batched,
    ];

    fn is_default(&self) -> bool {
        *self == Self::Literals
    }

    /// Whether the call is sent as a JSON object by POST.
    #[must_use]
    pub fn is_plain_post(self) -> bool {
        let is_other = matches!(self, Self::Legacy | Self::FormEncoded | Self::PlainText);
        !is_other && !self.is_extension()
    }

    /// Whether the document is the one that the gene stands for, nothing in it changed.
    #[must_use]
    pub(crate) fn is_as_sampled(self) -> bool {
        matches!(
            self,
            Self::Literals
                | Self::Get
                | Self::Legacy
                | Self::Batched
                | Self::Persisted
                | Self::PersistedHash
                | Self::FormEncoded
                | Self::PlainText
                | Self::Overload(Overload::Batch(_) | Overload::Depth)
        )
    }

    /// Whether the form is beyond what every service must understand: whatever it says to that by
    /// its status is fine. To GET something else may answer, such as the service's streams.
    #[must_use]
    pub fn is_extension(self) -> bool {
        matches!(
            self,
            Self::Get
                | Self::Batched
                | Self::Persisted
                | Self::PersistedHash
                | Self::Overload(Overload::Batch(_))
        )
    }

    /// Whether the document is there, and valid.
    #[must_use]
    pub fn is_valid(self) -> bool {
        !matches!(self, Self::Violation(_) | Self::PersistedHash)
    }

    /// Whether the answer has the shape of the selection.
    #[must_use]
    pub fn has_shape(self) -> bool {
        !matches!(self, Self::Violation(_) | Self::Overload(_) | Self::Introspection)
    }

    /// The form as a word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Literals => "literals",
            Self::Variables => "variables",
            Self::Get => "GET",
            Self::Aliases => "aliases",
            Self::NamedFragments => "named fragments",
            Self::InlineFragments => "inline fragments",
            Self::Included => "@include",
            Self::Skipped => "@skip",
            Self::Legacy => "Accept: application/json",
            Self::Twice => "the field twice",
            Self::Batched => "a batch",
            Self::Beside(_) => "the field beside another",
            Self::Persisted => "a document to keep",
            Self::PersistedHash => "a kept document",
            Self::FormEncoded => "a form",
            Self::PlainText => "plain text",
            Self::Violation(violation) => violation.rule.as_str(),
            Self::Overload(overload) => overload.as_str(),
            Self::Introspection => "introspection",
        }
    }
}

/// What a test of several calls is made to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Answers to one query agree.
    Repeat,
    /// Forms that mean the same give the same.
    Forms,
    /// A document that the service keeps gives what it gave.
    Persisted,
    /// A mutation is not executed when it comes in this form.
    Forgery(Form),
    /// An invalid document is refused.
    Violation(Rule),
    /// A document of this size is refused.
    Overload(Overload),
    /// Text of an argument, by its position, stays text: an open quote.
    Quote(u16),
    /// Text of an argument, by its position, stays text: a condition that is true or false.
    Condition(u16),
    /// Who is refused is not let in without credentials.
    Anonymous,
    /// Who may not read a thing may not change it.
    Foreign,
    /// Who may not change a thing may not change it in another way.
    Sibling,
    /// Who may not read a thing may not read it in another way.
    Bypass,
    /// What a mutation answers is what is read afterwards.
    ReadBack,
    /// What was deleted is gone.
    AfterDelete,
    /// An argument at the end of its range, and for the largest things there are.
    Edge,
    /// Arguments of few values in every combination, on the longest page.
    Combine,
    /// Pages do not overlap.
    Pages,
    /// What is known to exist is found under its id.
    Echo,
    /// What refers to a thing is referred to by it.
    Inverse,
    /// A mutation that failed changed nothing.
    Failed,
    /// The schema is not told.
    Introspection,
}
