//! The faults of a run, as they are found: each cause once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wallace_engine::{Action, ActionId, Evaluated, Problem, Solution, TargetName};
use wallace_problems::HttpOutcome;
use wallace_problems::auth::{Secrets, User};
use wallace_suite::{
    Fault, credential_variables,
    record::CallRecord,
    report::{cause, fault_code, is_told_by_traits, traits},
};

use crate::sent::sent;
use crate::service_family::ServiceFamily;

/// Longest part of an answer that is shown, in characters.
const LONGEST: usize = 300;
/// Longest request that is shown: one that is cut cannot be sent again.
const LONGEST_REQUEST: usize = 2_000;

/// A fault that was just found, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFault {
    /// Code of the Web Fuzzing Commons, or one of Wallace's own.
    pub code: u16,
    /// What is wrong, as a headline.
    pub title: String,
    /// The operation at fault.
    pub operation: String,
    /// What tells it from others of the code; may be empty.
    pub context: String,
    /// Calls of the same test before the request: without them the answer may be another one.
    pub calls_before: usize,
    /// The request as a line for a shell; credentials are read from the environment.
    pub request: String,
    /// What came: the status, and the beginning of the body.
    pub answer: String,
    /// What is wrong with such an answer; empty for a rule of the user's own.
    pub meaning: String,
    /// What to do next; empty for a rule of the user's own.
    pub advice: String,
}

impl FoundFault {
    /// The fault as it may be shown: services repeat what they are sent.
    pub(crate) fn redacted(self, secrets: &[Secrets]) -> Self {
        let clean = |text: String| secrets.iter().fold(text, |text, it| it.redact(&text));
        let Self { context, request, answer, .. } = self;
        Self { context: clean(context), request: clean(request), answer: clean(answer), ..self }
    }
}

/// Which fault has which cause.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct FoundFaults {
    /// By name of the target.
    causes: BTreeMap<String, String>,
    /// By what faults of one cause share.
    #[serde(default)]
    traits: BTreeMap<String, String>,
    known: BTreeSet<String>,
}

impl FoundFaults {
    /// Distinct causes.
    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }

    /// The cause of the fault that a target stands for.
    pub(crate) fn cause(&self, target: &TargetName) -> Option<&str> {
        self.causes.get(target.as_str()).map(String::as_str)
    }

    /// Notes the fault that a target stands for, as shown by a call of a test; tells of it where its
    /// cause is new. The service is at `base_url`, and called by these users.
    pub(crate) fn note<P: ServiceFamily>(
        &mut self,
        problem: &P,
        (base_url, users): (&str, &[User]),
        target: &TargetName,
        (test, call): (&Evaluated<<P as Problem>::Action>, Option<ActionId>),
    ) -> Option<FoundFault> {
        let fault = Fault::of(target)?;
        let place = call
            .and_then(|call| test.individual.position(call))
            .filter(|place| *place < test.outcomes.len());
        let outcome = place.and_then(|place| test.outcomes.get(place));
        let answer = outcome.and_then(|outcome| outcome.response.as_ref().ok());
        let traits = traits(&fault);
        let known = traits.iter().find_map(|it| self.traits.get(it));
        let cause = match known.filter(|_| is_told_by_traits(&fault)) {
            Some(known) => known.clone(),
            None => cause(&fault, answer.map(|answer| (answer.status, &*answer.body))),
        };
        for it in traits {
            self.traits.entry(it).or_insert_with(|| cause.clone());
        }
        let is_new = self.known.insert(cause.clone());
        self.causes.insert(target.as_str().to_owned(), cause);
        if !is_new {
            return None;
        }
        let known = fault_code(fault.code);
        let request = place.map(|place| {
            let action = &test.individual.actions()[place].1;
            let request = test.outcomes[place].request(problem, action);
            let user = problem.caller(action).and_then(|user| users.get(user));
            let credentials = user.map(credential_variables).unwrap_or_default();
            let call = CallRecord { credentials, ..sent(String::new(), &request) };
            beginning(&call.curl(base_url), LONGEST_REQUEST)
        });
        let failed = outcome.and_then(|outcome| outcome.response.as_ref().err());
        Some(FoundFault {
            code: fault.code,
            title: known.map_or("A rule of your own", |known| known.title).to_owned(),
            meaning: fault.explanation.join(" "),
            advice: known.map(|known| known.advice.to_owned()).unwrap_or_default(),
            operation: fault.operation,
            context: fault.context,
            calls_before: place.unwrap_or_default(),
            request: request.unwrap_or_default(),
            answer: match (answer, failed) {
                (Some(answer), _) => {
                    format!("{} {}", answer.told_status(), beginning(&answer.body, LONGEST))
                }
                (None, Some(failure)) => format!("no answer ({})", failure.as_str()),
                (None, None) => String::new(),
            },
        })
    }
}

/// Faults that compare readings: what moves by itself in between looks like one.
const COMPARED: [u16; 4] = [103, 904, 905, 988];

/// Takes out the faults that came in no further run of their test, where they compare readings or tell of a
/// service that was busy or away for a while: what it was asked then did not end it. Returns how many.
pub(crate) fn leave_out_unproven<A: Action<Outcome = HttpOutcome>>(
    solution: &mut Solution<A>,
) -> usize {
    let mut count = 0;
    for test in &mut solution.tests {
        let errors = test.evaluated.outcomes.iter().filter_map(HttpOutcome::status);
        let is_busy =
            errors.filter(|status| *status >= 500).all(|status| (502..=504).contains(&status));
        let is_lucky = |name: &TargetName| {
            let flaky = test.flaky.iter().find(|flaky| flaky.name == *name);
            flaky.is_some_and(|flaky| flaky.seen <= 1)
                && Fault::of(name).is_some_and(|fault| {
                    COMPARED.contains(&fault.code)
                        || fault.code == 910
                        || is_busy && fault.code == 100
                })
        };
        let lucky: Vec<TargetName> =
            test.covers.iter().filter(|name| is_lucky(name)).cloned().collect();
        test.covers.retain(|name| !lucky.contains(name));
        count += lucky.len();
    }
    count
}

/// The beginning of a text, on one line.
fn beginning(text: &str, longest: usize) -> String {
    let line: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(longest).collect();
    if text.chars().nth(longest).is_some() { line + "..." } else { line }
}
