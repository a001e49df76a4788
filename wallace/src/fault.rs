//! The faults of a run, as they are found: each cause once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wallace_engine::{Action, Evaluated, Problem, TargetName};
use wallace_problems::auth::Secrets;
use wallace_suite::{
    Fault,
    report::{cause, fault_code},
};

use crate::face::Face;
use crate::record::sent;

/// Longest part of a request or of an answer that is shown, in characters.
const LONGEST: usize = 300;

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
    /// The request as a line for a shell, without credentials.
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

    /// Notes the fault that a target stands for; tells of it where its cause is new.
    pub(crate) fn note<P: Face>(
        &mut self,
        problem: &P,
        base_url: &str,
        target: &TargetName,
        test: &Evaluated<<P as Problem>::Action>,
    ) -> Option<FoundFault> {
        let fault = Fault::of(target)?;
        let place = place_of(problem, &fault, test);
        let outcome = place.and_then(|place| test.outcomes.get(place));
        let answer = outcome.and_then(|outcome| outcome.response.as_ref().ok());
        let cause = cause(&fault, answer.map(|answer| (answer.status, &*answer.body)));
        let is_new = self.known.insert(cause.clone());
        self.causes.insert(target.as_str().to_owned(), cause);
        if !is_new {
            return None;
        }
        let known = fault_code(fault.code);
        let request = place.map(|place| {
            let action = &test.individual.actions()[place].1;
            let request = test.outcomes[place].request(problem, action);
            beginning(&sent(String::new(), &request).curl(base_url))
        });
        let failed = outcome.and_then(|outcome| outcome.response.as_ref().err());
        Some(FoundFault {
            code: fault.code,
            title: known.map_or("A rule of your own", |known| known.title).to_owned(),
            meaning: known.map(|known| known.meaning.to_owned()).unwrap_or_default(),
            advice: known.map(|known| known.advice.to_owned()).unwrap_or_default(),
            operation: fault.operation,
            context: fault.context,
            request: request.unwrap_or_default(),
            answer: match (answer, failed) {
                (Some(answer), _) => format!("{} {}", answer.status, beginning(&answer.body)),
                (None, Some(failure)) => format!("no answer ({})", failure.as_str()),
                (None, None) => String::new(),
            },
        })
    }
}

/// The call of a test that shows a fault: the one of its operation that was answered worst, the last
/// of equals.
fn place_of<P: Face>(
    problem: &P,
    fault: &Fault,
    test: &Evaluated<<P as Problem>::Action>,
) -> Option<usize> {
    let is_it = |place: &usize| {
        let action = &test.individual.actions()[*place].1;
        problem.template_name(action.template()) == fault.operation
    };
    let status = |place: &usize| test.outcomes[*place].status().unwrap_or(u16::MAX);
    let wants_worst = matches!(fault.code, 100 | 209 | 963 | 909);
    let places = (0..test.outcomes.len()).filter(is_it);
    if wants_worst { places.max_by_key(status) } else { places.last() }
}

/// The beginning of a text, on one line.
fn beginning(text: &str) -> String {
    let line: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() { line + "..." } else { line }
}
