//! Verbs that a path does not document.

use std::sync::Arc;

use http::Method;
use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::build::{Build, Test};
use super::{Check, Checker};
use crate::rest::action::{Deviation, RestAction};
use crate::rest::operations::Operations;

/// Most verbs that are tried although they are not documented.
const MOST_VERBS: usize = 400;

impl Checker<'_> {
    /// A verb that a path does not document, after whatever the path needs.
    pub(in crate::rest) fn at_other_verb(
        &mut self,
        number: usize,
    ) -> Option<Individual<RestAction>> {
        let (id, _) = self.checks.other_verbs.get(number)?;
        let plan = self.planner.plan(*id);
        self.checked(plan, Check::Verb(number as u32), None)
    }
}

impl Build<'_, '_> {
    /// The last call, and a verb that its path does not document.
    pub(super) fn verb(&mut self, number: u32) -> Option<Test> {
        let (_, verb) = self.checks.other_verbs.get(number as usize)?;
        let deviation = Some(Box::new(Deviation::Verb((*verb).to_owned())));
        self.once_more(RestAction { deviation, ..self.action.clone() })
    }
}

/// The verbs that each path does not document; those that may change something only where that is
/// wanted. Each with the operation that reads the path, or else any of it.
pub(super) fn other_verbs(
    operations: &Operations,
    has_changes: bool,
) -> Vec<(TemplateId, &'static str)> {
    let callable = &operations.callable;
    let mut found = Vec::new();
    let mut seen: Vec<Arc<str>> = Vec::new();
    for id in callable {
        let path = &operations.get(*id).path;
        if seen.contains(path) {
            continue;
        }
        seen.push(Arc::clone(path));
        let all = &operations.templates.description().operations;
        let known: Vec<&str> = all
            .iter()
            .filter(|other| other.path == *path)
            .map(|other| other.method.as_str())
            .collect();
        let here = callable.iter().filter(|id| operations.get(**id).path == *path);
        let read = here.copied().find(|id| operations.is(*id, &Method::GET));
        let mut verbs = vec!["OPTIONS"];
        if has_changes {
            verbs.extend(["POST", "PUT", "PATCH", "DELETE"]);
        }
        let verbs = verbs.into_iter().filter(|verb| !known.contains(verb));
        found.extend(verbs.map(|verb| (read.unwrap_or(*id), verb)));
        if found.len() > MOST_VERBS {
            break;
        }
    }
    found
}
