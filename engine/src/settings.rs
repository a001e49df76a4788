//! Settings of the search.

use serde::{Deserialize, Serialize};
use wallace_genes::{GeneSettings, settings};

use crate::algorithm::{Algorithm, Attribution};

/// How the next target to work on is chosen.
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

settings! {
    /// Parameters of MIO. Those with `_start` and `_end` move linearly with the used share of the
    /// budget until `focus`, and keep their end value from there on.
    pub struct SearchSettings {
        /// Seed of the run.
        seed: u64 = 42;
        /// The algorithm. The settings from `focus` on are those of MIO, of which the others use
        /// only `structure` and what concerns the genes.
        algorithm: Algorithm = Algorithm::Mio;
        /// Lineages that evolve side by side; part of what a seed repeats. 0 counts as 1, and more
        /// than 4,096 as that many.
        lineages: u32 = 1;
        /// Of which tests the driver tells which action reached what: only with a driver that takes
        /// longer for that than for the calls themselves is it worth running some tests twice.
        attribution: Attribution = Attribution::default();
        /// Most main actions of a test, as the field's reference.
        max_size: usize = 10;
        /// Used share of the budget at which focused search begins.
        focus: f64 = 0.8, from 0.0 to 1.0;
        /// Probability of sampling a new test at the start, as in the MIO paper.
        sampling_start: f64 = 0.5, from 0.0 to 1.0;
        /// Probability of sampling in focused search.
        sampling_end: f64 = 0.0, from 0.0 to 1.0;
        /// Tests kept for each target at the start.
        population_start: f64 = 10.0, from 0.0 to 1e6;
        /// Tests kept for each target in focused search.
        population_end: f64 = 1.0, from 0.0 to 1e6;
        /// Mutations for each test picked, at the start.
        mutations_start: f64 = 1.0, from 0.0 to 1e6;
        /// Mutations for each test picked, in focused search.
        mutations_end: f64 = 10.0, from 0.0 to 1e6;
        /// Expected share of genes changed by a mutation at the start; in focused search one gene.
        /// The reference's 0.5 leaves little of a test to climb from.
        mutated_share: f64 = 0.2, from 0.0 to 1.0;
        /// Probability that a mutation changes only genes of the action that came nearest to the
        /// target.
        focus_on_action: f64 = 0.8, from 0.0 to 1.0;
        /// Probability that a mutation changes the structure. The reference's 0.5 spends half of
        /// all calls on it.
        structure: f64 = 0.2, from 0.0 to 1.0;
        /// Probability that a waiting follow-up comes before anything else. Follow-ups try constants in
        /// the very test that showed them, which opens nested comparisons one by one.
        follow_up: f64 = 0.9, from 0.0 to 1.0;
        /// Whether what calls cover decides what they are spent on, with a driver: follow-ups (rows
        /// aside), sampling and mutation compete by the squares of their yields, follow-ups that cost few
        /// calls and try what was tried seldom come first, long tests are cut down the rather the longer
        /// they are, and targets that improve without end make room. Small budgets cover more
        /// (benches/runs). Otherwise follow-ups count as samples, and come in their order as `follow_up` says.
        by_yield: bool = true;
        /// How many times the average of the calls an operation may take and still be followed up when
        /// it has earned nothing for long, no target covered or come nearer to: it may show ever more
        /// constants. 0 sets no limit.
        idle_follow_ups: f64 = 3.0, from 0.0 to 1e6;
        /// Share of changes of the structure that put before a test one call that is known to do
        /// something: one of its own, one that brought any target nearer in this way, or one that
        /// covered a target. Where no value ever moved a target, most mutations change the structure. 0
        /// does neither.
        prepared: f64 = 0.6, from 0.0 to 1.0;
        /// Probability that a mutation of values changes the initialisation of a test that has one,
        /// and not its actions.
        initialisation: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that a mutation of a test of several actions only cuts it down to the action
        /// that came nearest to the target. A test that needs no other action then costs one call
        /// from there on; where it does need them, a call is lost.
        trim: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that a test picked for mutation is one of a covered target, where MIO would
        /// pick for an open one. What lies behind a covered target is often reached by no test yet,
        /// so nothing else leads there; open targets that are infeasible must not bar the way.
        revisit: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that a mutation follows what earlier scores say about a value, where they
        /// say something, and that targets of which something new is known come first; 0 infers
        /// nothing. It falls for targets where it does not help.
        hints: f64 = 0.8, from 0.0 to 1.0;
        /// Probability that genes are chosen by their impact on the target; 0 never.
        impact: f64 = 0.5, from 0.0 to 1.0;
        /// Share of the expected number of changed genes that all genes have alike where impact
        /// counts; the rest goes by weight. The reference's 0.8 leaves impact little to say.
        equal_share: f64 = 0.2, from 0.0 to 1.0;
        /// Probability that a mutation of values changes one gene only: the effect of one change is
        /// clear, that of several hardly.
        single_gene: f64 = 0.5, from 0.0 to 1.0;
        /// Whether genes with more to decide are chosen more often.
        weigh_by_size: bool = true;
        /// Whether the probabilities of `structure` and `trim` follow what both did on the way to
        /// the same target: up to twice the setting.
        adaptive_structure: bool = true;
        /// How far the probability of sampling follows the yield of sampling, in newly covered
        /// targets for each call, against that of mutation: 0 as scheduled, 1 as the yields are.
        adaptive_sampling: f64 = 1.0, from 0.0 to 1.0;
        /// Whether a mutant that came nearer to the target does not count as one of the mutations
        /// for each test picked.
        stays_while_improving: bool = true;
        /// How targets are chosen.
        target_choice: TargetChoice = TargetChoice::default();
        /// Evaluations that a target which has not improved yet may take before others come first,
        /// and the least for any target.
        patience: u32 = 20;
        /// Equally good mutants in a row after which a lineage returns to the best test of its
        /// target.
        neutral_patience: u32 = 20;
        /// Evaluations without progress after which the search explores for 5 % of the budget, if
        /// they took 10 % of it at least: it samples half of the time, drifts twice as long and
        /// splices tests; 0 never.
        stagnation: u64 = 2_000;
        /// Probability that a mutation on the way to a target that has not come nearer for
        /// `patience` evaluations joins the test with one of a covered target, or with itself: what
        /// it waits for may be a state that other calls bring about. The probability holds as long
        /// as every tenth such test helps; with fewer it falls in proportion, to a tenth at least.
        /// At least 0.2 on the way to any target while stagnating.
        splice: f64 = 0.3, from 0.0 to 1.0;
        /// Whether texts may be tainted.
        is_tainting: bool = true;
        /// Share of the budget that minimising the result may take on top.
        minimise_share: f64 = 0.1, from 0.0 to 10.0;
        /// How often each test of the result is run again, to tell the targets that do not come
        /// every time: with 2, a target counts as reproduced when it came three times of three. The
        /// calls come on top of the budget.
        repeats: u32 = 2;
        /// Limits and probabilities of gene operators.
        genes: GeneSettings = GeneSettings::default() => check;
    }
}

impl SearchSettings {
    /// Most lineages. Far more than any service answers at once; each holds a test.
    pub const MOST_LINEAGES: u32 = 4_096;

    /// Random search as a baseline: the same sampler, never a mutation.
    #[must_use]
    pub fn random(self) -> Self {
        Self { algorithm: Algorithm::Random, is_tainting: false, ..self }
    }
}
