//! Values that go from one step of a test to a later one.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::Evaluated;
use wallace_problems::{AnswerPlace, Found, Gene, GenePath};

use super::SuiteProblem;
use super::repeat::json;
use crate::name::{free_name, snake_case};
use crate::test_case::Capture;

/// A value that a call takes from the body of an earlier answer.
#[derive(Debug, Clone)]
pub struct Link {
    /// Name of the value in the test.
    pub variable: String,
    /// The gene of the call that it fills.
    pub path: GenePath,
    /// Where the request holds it.
    pub slot: Slot,
    from: usize,
    place: AnswerPlace,
    to: usize,
    value: Value,
}

/// Where a request holds a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// In its path, as the segment at this position.
    Segment(usize),
    /// In its query, as the parameter of this name.
    Query(String),
    /// In its JSON body, at this pointer.
    Body(String),
    /// In its document.
    Document,
}

/// The links of one test, as they were when it was recorded.
#[derive(Debug, Default)]
pub(super) struct Links(Vec<Link>);

impl Links {
    pub(super) fn of<P: SuiteProblem>(problem: &P, test: &Evaluated<P::Action>) -> Self {
        let mut links = Self::default();
        for (to, ((_, action), outcome)) in
            test.individual.actions().iter().zip(&test.outcomes).enumerate()
        {
            for filled in &outcome.filled {
                let Some(Found { action: source, place }) = &filled.from else { continue };
                let from = test.individual.position(*source);
                let answer = from.and_then(|from| test.outcomes.get(from)?.response.as_ref().ok());
                let value = answer.and_then(|answer| place.value(answer, json(answer).as_ref()));
                let slot = problem.slot(&outcome.sent(&**action), &filled.path);
                let (Some(from), Some(value), Some((name, slot))) = (from, value, slot) else {
                    continue;
                };
                let has_kind = matches!(slot, Slot::Body(_) | Slot::Document);
                if has_kind && !is_of_kind(&filled.value, &value) {
                    continue;
                }
                let variable = links.variable(from, place, &name);
                let (path, place) = (filled.path.clone(), place.clone());
                links.0.push(Link { variable, path, slot, from, place, to, value });
            }
        }
        links
    }

    /// What the step at a position takes.
    pub(super) fn into(&self, place: usize) -> Vec<&Link> {
        self.0.iter().filter(|link| link.to == place).collect()
    }

    /// What the step at a position captures.
    pub(super) fn captures(&self, place: usize) -> Vec<Capture> {
        let mut captures: Vec<Capture> = Vec::new();
        for link in self.0.iter().filter(|link| link.from == place) {
            if captures.iter().all(|known| known.variable != link.variable) {
                let (variable, place) = (link.variable.clone(), link.place.clone());
                captures.push(Capture { variable, place });
            }
        }
        captures
    }

    /// Values that the steps before a position captured.
    pub(super) fn known_before(&self, place: usize) -> BTreeMap<String, Value> {
        let links = self.0.iter().filter(|link| link.from < place);
        links.map(|link| (link.variable.clone(), link.value.clone())).collect()
    }

    /// The name of a part of an answer: that of its links, or a new one after the last two names of
    /// its pointer, or after what it fills where there are no two.
    fn variable(&self, from: usize, place: &AnswerPlace, filled: &str) -> String {
        let mut known = self.0.iter();
        if let Some(link) = known.find(|link| link.from == from && link.place == *place) {
            return link.variable.clone();
        }
        let pointer = match place {
            AnswerPlace::Body(pointer) => pointer.as_str(),
            AnswerPlace::Header(_) | AnswerPlace::Segment { .. } => "",
        };
        let is_name = |part: &&str| {
            !part.is_empty() && *part != "data" && !part.bytes().all(|one| one.is_ascii_digit())
        };
        let parts: Vec<&str> = pointer.split('/').filter(is_name).collect();
        let name = match parts[..] {
            [.., of, name] => snake_case(&format!("{of}_{name}")),
            _ => snake_case(filled),
        };
        free_name(&name, |name| self.0.iter().any(|link| link.variable == name))
    }
}

/// Whether a value of an answer, put in the place of a gene, is written as the gene was.
fn is_of_kind(gene: &Gene, value: &Value) -> bool {
    match gene {
        Gene::String(_) => value.is_string(),
        Gene::Integer(_) | Gene::Long(_) => value.is_i64(),
        Gene::Float(_) => value.is_number(),
        Gene::Boolean(_) => value.is_boolean(),
        _ => false,
    }
}
