//! Early detection of wrong set-ups (docs/reference/search.md#wrong-set-ups): what the first calls
//! of each operation tell about addresses, logins and instrumentation.

use std::collections::{BTreeMap, BTreeSet};

use wallace_engine::{
    Action, Evaluated, TargetKind, TargetName, archive::Archive, individual::Role,
};
use wallace_problems::HttpOutcome;

use crate::tally::refusal_in_words;

/// First calls of an operation that must all have gone wrong in one way.
const CALLS: u32 = 10;

/// Tests after which the search as a whole is looked at.
const TESTS: u64 = 50;

/// Most operations that one warning names.
const MOST_NAMES: usize = 3;

/// What is told of refusals that say different things.
const DIFFERENT: &str = "see what the answers say in report.html";

/// What the first calls of one operation have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum First {
    #[default]
    Unknown,
    /// All of them ended in this way.
    Same(String, u32),
    /// They differ, or some went well.
    Fine,
}

/// Operations whose first calls ended alike.
#[derive(Debug, Default)]
struct Alike {
    names: BTreeSet<String>,
    /// What the answers said, if they said something.
    told: Option<String>,
}

/// Looks at tests as they come.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    operations: Vec<First>,
    tests: u64,
    has_answer: bool,
    /// Operations by how all of their first calls ended.
    refused: BTreeMap<String, Alike>,
    warnings: BTreeSet<String>,
}

impl Setup {
    /// Looks at a test; returns what should be told now, each warning once, and of operations that are
    /// refused alike the first. Only the first main call after the reset counts: later ones suffer from
    /// what earlier ones did.
    pub(crate) fn look<A: Action<Outcome = HttpOutcome>>(
        &mut self,
        test: &Evaluated<A>,
        archive: &Archive<A>,
        name: impl Fn(usize) -> String,
        is_white_box: bool,
    ) -> Vec<String> {
        self.tests += 1;
        let mut news = Vec::new();
        let calls = || test.individual.actions().iter().zip(&test.outcomes);
        for ((_, action), _) in calls().filter(|(_, outcome)| went_wrong(outcome).is_none()) {
            // It goes well after all.
            if !self.refused.is_empty() && action.role() == Role::Main {
                let good = name(action.template().0 as usize);
                self.refused.values_mut().for_each(|alike| _ = alike.names.remove(&good));
            }
        }
        let calls = calls();
        let mut main = calls.filter(|((_, action), _)| action.role() == Role::Main);
        if let Some(((_, action), outcome)) = main.next() {
            let operation = action.template().0 as usize;
            self.has_answer |= went_wrong(outcome).is_none();
            if let Some(how) = self.count(operation, outcome) {
                let told = outcome.response.as_ref().ok();
                let told = told.and_then(|it| refusal_in_words(&it.body));
                let told = told.map(|told| format!("\"{told}\""));
                let alike = self.refused.entry(how.clone()).or_default();
                let is_other = !alike.names.is_empty() && alike.told != told;
                alike.told = if is_other { Some(DIFFERENT.to_owned()) } else { told };
                alike.names.insert(name(operation));
                if alike.names.len() == 1 {
                    news.push(refused(&how, alike));
                }
            }
        }
        if self.tests == TESTS {
            let told = self.look_at_all(archive, is_white_box);
            self.warnings.extend(told.iter().cloned());
            news.extend(told);
        }
        news
    }

    /// Everything that was told, operations that are refused alike together.
    pub(crate) fn into_warnings(self) -> impl Iterator<Item = String> {
        let alike = self.refused.into_iter().filter(|(_, alike)| !alike.names.is_empty());
        let refused = alike.map(|(how, alike)| refused(&how, &alike));
        self.warnings.into_iter().chain(refused)
    }

    /// Counts a first call; how all of them ended, when enough ended wrongly in one way.
    fn count(&mut self, operation: usize, outcome: &HttpOutcome) -> Option<String> {
        if self.operations.len() <= operation {
            self.operations.resize(operation + 1, First::Unknown);
        }
        let first = &mut self.operations[operation];
        *first = match (std::mem::take(first), went_wrong(outcome)) {
            (First::Unknown, Some(how)) => First::Same(how, 1),
            (First::Same(how, calls), Some(other)) if how == other => {
                First::Same(how, calls.saturating_add(1))
            }
            _ => First::Fine,
        };
        match first {
            First::Same(how, CALLS) => Some(how.clone()),
            _ => None,
        }
    }

    fn look_at_all<A: Action>(&self, archive: &Archive<A>, is_white_box: bool) -> Vec<String> {
        let mut news = Vec::new();
        if !self.has_answer {
            news.push(format!(
                "no call of the first {TESTS} tests went well: see whether the address, the login \
                 and the schema are those of this service"
            ));
        }
        let is_code =
            |name: &TargetName| matches!(name.kind(), TargetKind::Line | TargetKind::Branch);
        let mut names = archive.targets().filter_map(|(target, _, _)| archive.name(target));
        if is_white_box && !names.any(is_code) {
            news.push(format!(
                "the driver told of no line or branch in the first {TESTS} tests: see whether the \
                 instrumentation is on and covers the packages of the service"
            ));
        }
        news
    }
}

/// How a call went wrong; `None` when it did not.
pub(crate) fn went_wrong(outcome: &HttpOutcome) -> Option<String> {
    match &outcome.response {
        Err(failure) => Some(format!("no answer ({})", failure.as_str())),
        Ok(response) if response.status >= 400 => Some(format!("status {}", response.status)),
        Ok(_) => None,
    }
}

/// What is told of operations whose first calls all ended alike.
fn refused(how: &str, alike: &Alike) -> String {
    let are_streams = alike.names.iter().all(|name| name.starts_with("Subscription"));
    let advice = match (&alike.told, how) {
        (_, "status 404" | "status 405" | "status 406") if are_streams => {
            "the service does not stream at this path (WebSocket and server-sent events were tried)"
        }
        // A refusal in words says more than its status: a licence is no login.
        (Some(told), "status 403") => told,
        _ => advice(how),
    };
    let names = some(alike.names.iter());
    format!("all of the first {CALLS} calls of {names} ended with {how}: {advice}")
}

/// Some of the names of operations, and how many more there are.
pub(crate) fn some<'n>(mut names: impl ExactSizeIterator<Item = &'n String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let first: Vec<&str> = names.by_ref().take(MOST_NAMES).map(String::as_str).collect();
    let more = if more > 0 { format!(" and {more} more operations") } else { String::new() };
    first.join(", ") + &more
}

pub(crate) fn advice(how: &str) -> &'static str {
    match how {
        "status 401" => "see whether it needs a login",
        "status 403" => "see whether it needs a login, or a user with more rights",
        "status 404" => {
            "see whether the path is right, and whether anything exists that it could name: --seeds or \
             a corpus can give names"
        }
        "status 405" => "see whether the path is right",
        "status 429" => "see whether the service limits how often it is called",
        "status 400" | "status 409" | "status 412" | "status 422" => {
            "see what the answers say in report.html; values that exist may be missing: --seeds or a \
             corpus can give them"
        }
        _ => "see whether the service is healthy and its schema up to date",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wallace_problems::HttpResponse;

    fn outcome(status: u16) -> HttpOutcome {
        HttpOutcome::new(Ok(HttpResponse::new(status, &http::HeaderMap::new(), Vec::new())))
    }

    fn told(statuses: &[u16]) -> Vec<String> {
        let mut setup = Setup::default();
        statuses.iter().filter_map(|status| setup.count(3, &outcome(*status))).collect()
    }

    #[test]
    fn an_operation_that_is_always_refused_is_told_once() {
        assert_eq!(told(&[401; 30]), ["status 401"]);
        assert!(told(&[401; 9]).is_empty());
        assert!(advice("status 401").contains("login"));
    }

    #[test]
    fn operations_that_are_refused_alike_are_told_together() {
        let names: BTreeSet<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
        let alike = Alike { names, told: Some("\"Your license does not allow it\"".to_owned()) };
        let told = refused("status 401", &alike);
        assert!(
            told.contains("calls of a, b, c and 2 more operations ended with status 401"),
            "{told}"
        );
        assert!(refused("status 422", &alike).contains("report.html"));
        assert!(
            refused("status 403", &alike)
                .ends_with("status 403: \"Your license does not allow it\"")
        );
    }

    #[test]
    fn operations_that_sometimes_work_are_not() {
        assert!(told(&[401, 401, 401, 404, 401, 401, 401, 401, 401, 401, 401, 401]).is_empty());
        let mut late = [500; 20];
        late[8] = 200;
        assert!(told(&late).is_empty());
    }
}
