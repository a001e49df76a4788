//! Parts of which a service takes only one.
//!
//! `Exactly one of run_id, partition_key must be provided`, says a service, of what its description shows
//! beside each other. Such a refusal is about no part alone: what is sent holds one of them, any one.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

use super::Part;
use crate::part::put;
use crate::refusal::{Refusal, is_told};
use crate::rest::memory::RestMemory;
use crate::rest::plan::Planner;
use crate::word::plain;

/// Words before the names of parts of which one may be there.
const ONE_OF: [&str; 8] = [
    "at most one of",
    "both",
    "exactly one of",
    "just one of",
    "mutually exclusive",
    "no more than one of",
    "one and only one of",
    "only one of",
];
/// Words of a refusal that wants one of them, and has no more to say of two.
const NEEDED: [&str; 5] = ["exactly", "provided", "required", "must specify", "one and only one"];
/// Words by which `both` is what is not wanted.
const NOT_BOTH: [&str; 6] = ["not both", "cannot", "can't", "can not", "must not", "may not"];
/// Most such rules of one operation.
const MOST_RULES: usize = 20;

/// Parts that exclude each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternatives {
    /// What tells the parts from others.
    keys: Vec<Box<str>>,
    /// Whether one of them must be there.
    is_needed: bool,
}

/// Learns of parts that exclude each other; whether the refusal tells of such.
pub(super) fn learn(
    id: TemplateId,
    parts: &[Part],
    refusal: &Refusal,
    memory: &mut RestMemory,
) -> bool {
    let mut is_told = false;
    for sentence in refusal.said().iter().flat_map(|said| said.text.split(['\n', ';'])) {
        let Some(rule) = rule(sentence, id, parts) else { continue };
        is_told = true;
        let known = memory.alternatives.entry(id).or_default();
        if let Some(known) = known.iter_mut().find(|known| known.keys == rule.keys) {
            known.is_needed |= rule.is_needed;
        } else if known.len() < MOST_RULES {
            known.push(rule);
        }
    }
    is_told
}

/// The rule that a sentence tells.
fn rule(sentence: &str, id: TemplateId, parts: &[Part]) -> Option<Alternatives> {
    let lower = sentence.to_ascii_lowercase();
    let begin = ONE_OF.iter().find_map(|words| Some((*words, lower.find(words)?)));
    let (words, begin) = begin?;
    let rest = match words {
        "both" if !NOT_BOTH.iter().any(|not| lower.contains(not)) => return None,
        // `a and b are mutually exclusive`, `a or b, but not both`
        "both" | "mutually exclusive" => sentence,
        _ => sentence.get(begin..)?,
    };
    let named = parts.iter().filter(|part| is_told(rest, &plain(&part.name)));
    let keys: Vec<Box<str>> = named.map(|part| part.key(id)).collect();
    let is_needed = NEEDED.iter().any(|words| lower.contains(words));
    (keys.len() > 1).then_some(Alternatives { keys, is_needed })
}

impl Planner<'_> {
    /// Leaves one of the parts that exclude each other, and puts one in where one must be there.
    pub(super) fn choose_one(&mut self, id: TemplateId, gene: &mut Gene) {
        let learnt = self.learnt;
        for rule in learnt.memory.alternatives.get(&id).into_iter().flatten() {
            let mut parts = self.operations.templates.parts(id, gene);
            parts.retain(|part| rule.keys.contains(&part.key(id)));
            let sent = parts.iter().filter(|part| part.is_sent).count();
            if parts.is_empty() || sent == 1 || sent == 0 && !rule.is_needed {
                continue;
            }
            parts.retain(|part| sent == 0 || part.is_sent);
            let chosen = parts.swap_remove(self.draw.rng.below(parts.len()));
            for other in parts.iter().filter(|other| other.is_sent) {
                put(gene, &other.path, Gene::Absent);
            }
            if !chosen.is_sent {
                self.put_value(id, &chosen, gene);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GeneSettings, simplest};

    use super::*;
    use crate::rest::problem::support::{named, problem};

    /// The parts of a call with these parameters, and its operation.
    fn parts(names: &[&str]) -> (TemplateId, Vec<Part>) {
        let parameter =
            |name: &&str| format!("{{name: {name}, in: query, schema: {{type: string}}}}");
        let parameters = names.iter().map(parameter).collect::<Vec<_>>().join(", ");
        let problem = problem(&format!("{{/a: {{get: {{parameters: [{parameters}]}}}}}}"), 0);
        let id = named(&problem, "GET:/a");
        let spec = &problem.templates().template(id).spec;
        let gene = simplest(spec, &GeneSettings::default());
        (id, problem.templates().parts(id, &gene))
    }

    #[test]
    fn parts_that_exclude_each_other_are_told_in_many_words() {
        let (id, parts) = parts(&["run_id", "jobId", "window", "limit"]);
        let told = |text: &str| {
            let keys = |rule: Alternatives| (rule.keys.len(), rule.is_needed);
            rule(text, id, &parts).map(keys)
        };
        assert_eq!(
            told("Exactly one of run_id, jobId, or a window must be provided"),
            Some((3, true))
        );
        assert_eq!(told("Only one of jobId or window should be set"), Some((2, false)));
        assert_eq!(told("Cannot set both the job id and the window."), Some((2, false)));
        assert_eq!(told("run_id and jobId are mutually exclusive"), Some((2, false)));
        assert_eq!(told("both run_id and jobId are required"), None);
        assert_eq!(told("run_id must be one of a, b"), None);
    }

    #[test]
    fn a_refusal_of_a_choice_is_about_no_part_alone() {
        let mut memory = RestMemory::default();
        let (id, parts) = parts(&["run_id", "jobId"]);
        let mut told = |text: &str| learn(id, &parts, &Refusal::read(text), &mut memory);
        assert!(told("only one of run_id, jobId") && !told("run_id is no number"));
        assert!(told("exactly one of run_id, jobId"));
        let rules = &memory.alternatives[&id];
        assert!(rules.len() == 1 && rules[0].is_needed);
    }
}
