//! Settings of the search.

use serde::{Deserialize, Serialize};
use wallace_genes::GeneSettings;

use crate::algorithm::{Algorithm, Attribution};

/// How the next target to work on is chosen (search-mio.md 2.2 and 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetChoice {
    /// Stay on a target while it may still improve, then the one that improved quickest, then the
    /// one worked on least.
    #[default]
    FocusedQuickest,
    /// The target worked on least since its last improvement: the rule of the MIO paper.
    LowestCounter,
    /// The target that needed the least work for its last improvement.
    Last,
    /// Any open target.
    Uniform,
}

/// Parameters of MIO. Those with `_start` and `_end` move linearly with the used share of the
/// budget until `focus`, and keep their end value from there on (search-mio.md 4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// Seed of the run. Default 42.
    pub seed: u64,
    /// The algorithm. Default MIO; the settings from `focus` on are those of MIO, of which the
    /// others use only `structure` and what concerns the genes.
    pub algorithm: Algorithm,
    /// Lineages that evolve side by side (design D4); part of what a seed repeats. Default 1; 0
    /// counts as 1, and more than [`SearchSettings::MOST_LINEAGES`] as that many.
    pub lineages: u32,
    /// Of which tests it is told which action reached what. Default all: only with a driver that
    /// takes longer for that than for the calls themselves is it worth running some tests twice.
    pub attribution: Attribution,
    /// Most main actions of a test. Default 10, as the field's reference.
    pub max_size: usize,
    /// Used share of the budget at which focused search begins. Default 0.8.
    pub focus: f64,
    /// Probability of sampling a new test at the start. Default 0.5, the value of the MIO paper.
    pub sampling_start: f64,
    /// Probability of sampling in focused search. Default 0.
    pub sampling_end: f64,
    /// Probability that a sampled test of a REST service is a plan that brings the service into a
    /// state in which its last call makes sense; otherwise it is a random number of random calls.
    /// The P of smart sampling of Arcuri 2019. Default 1: single calls are among the plans.
    pub smart_sampling: f64,
    /// Tests kept for each target at the start. Default 10.
    pub population_start: f64,
    /// Tests kept for each target in focused search. Default 1.
    pub population_end: f64,
    /// Mutations for each test picked, at the start. Default 1.
    pub mutations_start: f64,
    /// Mutations for each test picked, in focused search. Default 10.
    pub mutations_end: f64,
    /// Expected share of genes changed by a mutation at the start; in focused search one gene.
    /// Default 0.2: the reference's 0.5 leaves little of a test to climb from.
    pub mutated_share: f64,
    /// Probability that a mutation changes only genes of the action that came nearest to the
    /// target. Default 0.8.
    pub focus_on_action: f64,
    /// Probability that a mutation changes the structure. Default 0.2; the reference's 0.5 spends
    /// half of all calls on it.
    pub structure: f64,
    /// Probability that a waiting follow-up comes before anything else. Default 0.9. Follow-ups try
    /// constants in the very test that showed them, which opens nested comparisons one by one; the
    /// rest keeps the search going where a service shows ever more of them.
    pub follow_up: f64,
    /// Probability that a mutation of values changes the initialisation of a test that has one, and
    /// not its actions. Default 0.3.
    pub initialisation: f64,
    /// Probability that a mutation of a test of several actions only cuts it down to the action that
    /// came nearest to the target. Default 0.3. A test that needs no other action then costs one
    /// call from there on; where it does need them, a call is lost.
    pub trim: f64,
    /// Probability that a test picked for mutation is one of a covered target, where MIO would pick
    /// for an open one. Default 0.1. What lies behind a covered target is often reached by no test
    /// yet, so nothing else leads there; open targets that are infeasible must not bar the way.
    pub revisit: f64,
    /// Probability that a mutation follows what earlier scores say about a value, where they say
    /// something, and that targets of which something new is known come first. Default 0.8; 0
    /// infers nothing. It falls for targets where it does not help.
    pub hints: f64,
    /// Probability that genes are chosen by their impact on the target. Default 0.5
    /// (search-mio.md 8); 0 never.
    pub impact: f64,
    /// Share of the expected number of changed genes that all genes have alike where impact counts;
    /// the rest goes by weight. Default 0.2: the reference's 0.8 leaves impact little to say.
    pub equal_share: f64,
    /// Probability that a mutation of values changes one gene only. Default 0.5: what one change
    /// did can be told, what several did hardly.
    pub single_gene: f64,
    /// Whether genes with more to decide are chosen more often (search-mio.md 8). Default true.
    pub weigh_by_size: bool,
    /// Whether the probabilities of `structure` and `trim` follow what both did on the way to the
    /// same target: up to twice the setting. Default true.
    pub adaptive_structure: bool,
    /// How far the probability of sampling follows the yield of sampling, in newly covered targets
    /// for each call, against that of mutation: 0 as scheduled, 1 as the yields are. Default 1.
    pub adaptive_sampling: f64,
    /// Whether a mutant that came nearer to the target does not count as one of the mutations for
    /// each test picked. Default true.
    pub stays_while_improving: bool,
    /// How targets are chosen.
    pub target_choice: TargetChoice,
    /// Evaluations that a target which has not improved yet may take before others come first, and
    /// the least for any target. Default 20 (search-mio.md 14.4).
    pub patience: u32,
    /// Equally good mutants in a row after which a lineage returns to the best test of its target.
    /// Default 20 (search-mio.md 14.2).
    pub neutral_patience: u32,
    /// Evaluations without progress after which the search explores for 5 % of the budget, if they
    /// took 10 % of it at least: it samples half of the time, drifts twice as long and splices
    /// tests. Default 2,000 (search-mio.md 14.7); 0 never.
    pub stagnation: u64,
    /// Probability that a mutation on the way to a target that has not come nearer for `patience`
    /// evaluations joins the test with one of a covered target, or with itself: what it waits for may
    /// be a state that other calls bring about. Default 0.3, as long as every tenth such test helps;
    /// with fewer it falls in proportion, to a tenth at least (search-mio.md 14.8). At least 0.2 on
    /// the way to any target while stagnating.
    pub splice: f64,
    /// Whether texts may be tainted.
    pub is_tainting: bool,
    /// Share of the budget that minimising the result may take on top. Default 0.1.
    pub minimise_share: f64,
    /// Share of the budget that making the tests of the result notice more may take on top, where a
    /// driver resets the service: wider selections, reads after writes, values at limits. Default
    /// 0.25; 0 leaves the smallest tests that cover the same.
    pub sharpen_share: f64,
    /// How often each test of the result is run again, to tell the targets that do not come every
    /// time. Default 2, so that a target counts as reproduced when it came three times of three
    /// (search-mio.md 14.12). The calls come on top of the budget.
    pub repeats: u32,
    /// Limits and probabilities of gene operators.
    pub genes: GeneSettings,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            seed: 42,
            algorithm: Algorithm::Mio,
            lineages: 1,
            attribution: Attribution::default(),
            max_size: 10,
            focus: 0.8,
            sampling_start: 0.5,
            sampling_end: 0.0,
            smart_sampling: 1.0,
            population_start: 10.0,
            population_end: 1.0,
            mutations_start: 1.0,
            mutations_end: 10.0,
            mutated_share: 0.2,
            focus_on_action: 0.8,
            structure: 0.2,
            follow_up: 0.9,
            initialisation: 0.3,
            trim: 0.3,
            revisit: 0.1,
            hints: 0.8,
            impact: 0.5,
            equal_share: 0.2,
            single_gene: 0.5,
            weigh_by_size: true,
            adaptive_structure: true,
            adaptive_sampling: 1.0,
            stays_while_improving: true,
            target_choice: TargetChoice::default(),
            patience: 20,
            neutral_patience: 20,
            stagnation: 2_000,
            splice: 0.3,
            is_tainting: true,
            minimise_share: 0.1,
            sharpen_share: 0.25,
            repeats: 2,
            genes: GeneSettings::default(),
        }
    }
}

impl SearchSettings {
    /// Most lineages. Far more than any service answers at once; each holds a test.
    pub const MOST_LINEAGES: u32 = 4_096;

    /// Random search as a baseline: the same sampler, never a mutation (search-mio.md 16).
    #[must_use]
    pub fn random(self) -> Self {
        Self { algorithm: Algorithm::Random, is_tainting: false, ..self }
    }
}
