//! Verbs that a path does not document.

use std::sync::Arc;

use http::Method;
use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, TemplateId};

use super::Check;
use crate::rest::action::{RestAction, Twist};
use crate::rest::problem::{RestMemory, RestProblem};
use crate::rest::template::Templates;

/// Most verbs that are tried although they are not documented.
const MOST_VERBS: usize = 400;

impl RestProblem {
    /// A verb that a path does not document, after whatever the path needs.
    pub(in crate::rest) fn at_other_verb(
        &self,
        number: usize,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let (id, _) = self.other_verbs.get(number)?;
        let plan = self.plan(*id, learnt, draw);
        self.checked(plan, Check::Verb(number as u32), None, learnt, draw)
    }
}

impl super::build::Build<'_, '_> {
    /// The last call, and a verb that its path does not document.
    pub(super) fn verb(&mut self, number: u32) -> Option<super::build::Test> {
        let (_, verb) = self.problem.other_verbs.get(number as usize)?;
        let twist = Some(Box::new(Twist::Verb((*verb).to_owned())));
        let call = RestAction { twist, ..self.action.clone() };
        let mut test = self.base.clone();
        self.problem.push_about(&mut test, call, self.last)?;
        Some(test)
    }
}

/// The verbs that each path does not document; those that may change something only where that is
/// wanted. Each with the operation that reads the path, or else any of it.
pub(in crate::rest) fn other_verbs(
    templates: &Templates,
    callable: &[TemplateId],
    has_changes: bool,
) -> Vec<(TemplateId, &'static str)> {
    let mut found = Vec::new();
    let mut seen: Vec<Arc<str>> = Vec::new();
    for id in callable {
        let path = &templates.operation(*id).path;
        if seen.contains(path) {
            continue;
        }
        seen.push(Arc::clone(path));
        let all = &templates.description().operations;
        let known: Vec<&str> = all
            .iter()
            .filter(|other| other.path == *path)
            .map(|other| other.method.as_str())
            .collect();
        let here = callable.iter().filter(|id| templates.operation(**id).path == *path);
        let read = here.copied().find(|id| templates.operation(*id).method == Method::GET);
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
