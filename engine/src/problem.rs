//! Problems: where tests come from and what can be learnt from them.

pub(crate) mod evaluated;
pub(crate) mod evaluator;
pub(crate) mod fit;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wallace_genes::{Draw, Knowledge, SpecRef, TemplateId};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluated::Evaluated;
use crate::target::{TargetKind, TargetName};

/// What the search has learnt so far: part of its state, changed only between evaluations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Learnt<M> {
    /// How the system under test uses the texts of each position.
    pub knowledge: Knowledge,
    /// The problem's own memory: pools of response values, producers of ids.
    pub memory: M,
}

/// The pure side of a problem: it makes tests and learns from them, and touches no system.
///
/// A problem never changes; what it learns goes into [`Learnt`].
pub trait Problem: Send + Sync {
    /// A step of a test.
    type Action: Action;
    /// What the problem remembers besides [`Knowledge`].
    type Memory: Clone + Default + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// What tells this problem from others of its kind, such as a hash of the schema: a search goes
    /// on only from a state of the same problem. The default is the same for all.
    fn fingerprint(&self) -> u64 {
        0
    }

    /// Specification of the genes of a template.
    fn spec(&self, template: TemplateId) -> SpecRef;

    /// Name of a template that stays the same when templates are added or removed, such as the
    /// coordinate of an operation: tests that are carried into another run find their templates
    /// by it. The default is the number.
    fn template_name(&self, template: TemplateId) -> String {
        template.0.to_string()
    }

    /// The template of a name; `None` when there is none. The default reads the number.
    fn template_named(&self, name: &str) -> Option<TemplateId> {
        name.parse().ok().map(TemplateId)
    }

    /// Specification of the genes of a template of initialisation. The default knows no templates
    /// but those of actions.
    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        self.spec(template)
    }

    /// The test with further initialisation that its outcomes ask for, such as rows for conditions
    /// that found none; `None` when they ask for nothing, or the problem leaves it at that this
    /// time. The default knows no initialisation.
    fn initialise(
        &self,
        _test: &Evaluated<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
        _draw: &mut Draw,
    ) -> Option<Individual<Self::Action>> {
        None
    }

    /// Brings the initialisation of a test in order after parts of the test changed: references
    /// between steps, values that differ, feeds. The default has nothing to do.
    fn repair_initialisation(
        &self,
        _individual: &mut Individual<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
    ) {
    }

    /// Whether what a test is about has had more than its share of the calls: its mutants and its
    /// follow-ups make room for sampled tests then. The default says no.
    fn has_had_enough(
        &self,
        _test: &Individual<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
    ) -> bool {
        false
    }

    /// Whether a test that was no progress asks for [follow-ups](Self::follow_ups) all the same.
    /// The default says no.
    fn wants_follow_ups(
        &self,
        _test: &Evaluated<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
    ) -> bool {
        false
    }

    /// A random test.
    fn sample(&self, learnt: &Learnt<Self::Memory>, draw: &mut Draw) -> Individual<Self::Action>;

    /// Tests to begin with, before any is sampled: seeds, one call of everything. `number` counts
    /// from 0; `None` when there are no more.
    fn initial(
        &self,
        _number: u64,
        _learnt: &Learnt<Self::Memory>,
        _draw: &mut Draw,
    ) -> Option<Individual<Self::Action>> {
        None
    }

    /// Adds, removes or reorders actions. Returns whether it did.
    ///
    /// The default keeps the structure, for problems of a single action.
    fn mutate_structure(
        &self,
        _individual: &mut Individual<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
        _draw: &mut Draw,
    ) -> bool {
        false
    }

    /// Tests that what a test showed asks for, each to be evaluated once and soon: the same test
    /// with the constant that one of its texts was compared with, say. Called when the test was
    /// progress or added to the knowledge. The default asks for none.
    fn follow_ups(
        &self,
        _test: &Evaluated<Self::Action>,
        _learnt: &Learnt<Self::Memory>,
        _draw: &mut Draw,
    ) -> Vec<Individual<Self::Action>> {
        Vec::new()
    }

    /// Whether a target deserves a test of its own in the result, the shortest that covers it, even
    /// where a test for something else covers it too. The default says so of faults.
    fn stands_alone(&self, target: &TargetName) -> bool {
        target.kind() == TargetKind::Fault
    }

    /// Whether a test of such a target is kept for nothing else: where nothing brings a service back, what
    /// a test does besides is in the way. It takes more tests. The default is not.
    fn keeps_apart(&self) -> bool {
        false
    }

    /// Learns from a test, before it enters the archive. The default learns nothing.
    fn learn(&self, _test: &Evaluated<Self::Action>, _learnt: &mut Learnt<Self::Memory>) {}
}
