//! What a run has to know of the family of services that it tests.

use std::collections::BTreeSet;

use wallace_engine::{Action, Problem};
use wallace_genes::GenePath;
use wallace_problems::HttpOutcome;
use wallace_problems::graphql::SchemaCoverage;
use wallace_suite::{SuiteProblem, report::OperationFacts};

/// A problem whose tests are calls of a service, and can be written as a suite.
pub(crate) trait ServiceFamily:
    SuiteProblem<Action = <Self as Problem>::Action>
    + Problem<Action: Action<Outcome = HttpOutcome>>
    + 'static
{
    /// Names of all operations, in the order of their templates.
    fn operations(&self) -> Vec<String>;

    /// Names that the description uses, as far as people write it down: of parts of paths, parameters,
    /// fields and members.
    fn names(&self) -> BTreeSet<String>;

    /// Path below which all operations are; empty where there is none.
    fn base_path(&self) -> &str {
        ""
    }

    /// Number of operations that the search calls.
    fn callable(&self) -> usize;

    /// Operations and parts of them that are left out, and why.
    fn left_out(&self) -> Vec<String>;

    /// Whether a call gave what was asked for, and whether it told of errors.
    fn result(outcome: &HttpOutcome) -> (bool, bool);

    /// Whether a call is made to be judged, and may ask for what it must not get.
    fn is_probe(action: &<Self as Problem>::Action) -> bool;

    /// Whether a call is one of its operation, and not of another verb on the path.
    fn is_of_operation(_action: &<Self as Problem>::Action) -> bool {
        true
    }

    /// What of a schema is covered before the first call; nothing where there is no such schema.
    fn schema_coverage(&self) -> Option<SchemaCoverage> {
        None
    }

    /// Counts what a call, as it was sent, covered of the schema.
    fn cover(
        &self,
        _coverage: &mut SchemaCoverage,
        _action: &<Self as Problem>::Action,
        _outcome: &HttpOutcome,
    ) {
    }

    /// The simplest call of each operation that only reads.
    fn simplest_reads(&self) -> Vec<<Self as Problem>::Action>;

    /// What a call is about, as its operation is named.
    fn subject(&self, action: &<Self as Problem>::Action) -> String;

    /// Arguments of a call that hold one value: what each is called, and its address.
    fn arguments(&self, action: &<Self as Problem>::Action) -> Vec<(String, GenePath)>;

    /// The call with more of its answer asked for; none where nothing can be added.
    fn widened(&self, _action: &<Self as Problem>::Action) -> Option<<Self as Problem>::Action> {
        None
    }

    /// What reports call the endpoints, and what came of each GraphQL operation.
    fn endpoints(&self, calls: Vec<OperationFacts>) -> (Vec<String>, Vec<OperationFacts>);
}
