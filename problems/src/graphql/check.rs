//! Checks: tests of a few calls that only together show a fault
//! (docs/reference/graphql.md#checks-of-several-calls).
//!
//! A check is an ordinary test whose calls are marked with what they shall show. The search makes
//! some of its tests so, rotating over checks and operations by how little each was tried; the
//! judge looks at marked calls only. What is reported therefore comes as a test of the suite, and
//! every call counts in the budget.

mod access;
mod agree;
mod build;
mod choice;
mod combine;
mod edge;
mod fact;
mod family;
mod inverse;
mod judge;
mod limit;
mod state;

use serde::{Deserialize, Serialize};
use wallace_engine::Learnt;
use wallace_genes::Draw;

use super::memory::GraphqlMemory;
use super::scope::Scope;

pub(crate) use choice::key;
pub(crate) use judge::{is_truthy, judge};

/// Which checks are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckSettings {
    /// Whether answers are compared: repeated queries, forms that mean the same, pages, what is
    /// read after a mutation, relations between objects. Default true.
    pub relations: bool,
    /// Whether invalid documents, mutations in forms that are not theirs, and values at the ends of
    /// what is usual are sent. Default true.
    pub violations: bool,
    /// Whether calls are repeated as other users and without credentials. Default true; needs
    /// users.
    pub access: bool,
    /// Whether texts are sent that a query language behind the service might take for its own.
    /// Default false: only for services that are one's own.
    pub injection: bool,
    /// Whether documents are sent that a service should refuse for their size: at most 100 aliases,
    /// directives or requests, 11 levels. Default false: services without such limits are common,
    /// and they are loaded.
    pub overload: bool,
    /// Whether the service is one that the public reaches, which must not tell its schema. Default
    /// false.
    pub production: bool,
}

/// Makes tests for checks.
pub(crate) struct Checks<'a, 'd> {
    pub(crate) settings: CheckSettings,
    pub(crate) scope: &'a Scope,
    pub(crate) learnt: &'a Learnt<GraphqlMemory>,
    pub(crate) draw: &'d mut Draw,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            relations: true,
            violations: true,
            access: true,
            injection: false,
            overload: false,
            production: false,
        }
    }
}

impl CheckSettings {
    /// No checks: every call stands for itself.
    pub const NONE: Self = Self {
        relations: false,
        violations: false,
        access: false,
        injection: false,
        overload: false,
        production: false,
    };
}
