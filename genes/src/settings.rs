//! Settings of sampling and mutation.

use serde::{Deserialize, Serialize};

/// Limits and probabilities of gene operators. Defaults cite where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneSettings {
    /// Most object levels of a selection below the root. Default 4, as the field's reference.
    pub selection_depth: u32,
    /// Most object levels of an input value. Default 3; the reference has no limit and recurses.
    pub input_depth: u32,
    /// How often a type may occur on one path. Default 2, so that `friend { friend { name } }` can
    /// be asked.
    pub same_type: u32,
    /// Genes of one action above which only what must be there is sampled. Default 200.
    pub nodes: u32,
    /// Most elements sampled for a list without a bound of its own. Default 5, as the reference.
    pub elements: u32,
    /// Most fields sampled for one selection. Default 6: operations of about ten fields.
    pub selected_fields: u32,
    /// Longest text sampled, in characters. Default 16, as the reference.
    pub text_length: u32,
    /// Probability that an optional value is left out when sampled. Default 0.15: most handlers
    /// reject a missing argument at once, so that little is seen behind it.
    pub absent: f64,
    /// Probability that a nullable value is null when sampled. Default 0.05.
    pub null: f64,
    /// Probability that a mutated optional value is switched off. Default 0.05.
    pub switch_off: f64,
    /// Probability of a tainted text at the start of the search. Default 0.5, as the reference.
    pub taint_start: f64,
    /// Probability of a tainted text when focused search begins; none afterwards. Default 0.1.
    pub taint_end: f64,
    /// Probability that a sampled text is made from what was learnt of its position. Default 0.5.
    pub specialise_sample: f64,
    /// Probability that a mutated text is made anew from what was learnt. Default 0.5.
    pub specialise_mutation: f64,
    /// Probability that a mutated number or text is copied from the same test. Default 0.1.
    pub copy: f64,
    /// Probability that a number is one of its boundaries. Default 0.05.
    pub boundary: f64,
    /// Probability that a number or text whose last change is known to have helped or harmed is
    /// changed by what that says; see [`History`](crate::History). Default 0.5. It does nothing
    /// where nobody carries the history along and reports how tests did.
    pub guided: f64,
    /// Probability that a mutation that chose a disruptive value happens. Default 0.1.
    pub disruptive: f64,
    /// Probability that a mutation of a list changes its length; the rest move, copy and swap
    /// elements. Default 0.8.
    pub length_change: f64,
}

impl Default for GeneSettings {
    fn default() -> Self {
        Self {
            selection_depth: 4,
            input_depth: 3,
            same_type: 2,
            nodes: 200,
            elements: 5,
            selected_fields: 6,
            text_length: 16,
            absent: 0.15,
            null: 0.05,
            switch_off: 0.05,
            taint_start: 0.5,
            taint_end: 0.1,
            specialise_sample: 0.5,
            specialise_mutation: 0.5,
            copy: 0.1,
            boundary: 0.05,
            guided: 0.5,
            disruptive: 0.1,
            length_change: 0.8,
        }
    }
}
