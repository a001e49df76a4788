//! What a run would do, without doing it.

use std::collections::BTreeMap;
use std::sync::Arc;

use wallace_engine::{
    Action, Budget, Evaluation, EvaluationError, Evaluator, Individual, Problem, Search, Wanted,
};
use wallace_problems::{CallFailure, HttpOutcome};
use wallace_suite::record::CallRecord;

use crate::error::RunError;
use crate::sent::sent;
use crate::service_family::ServiceFamily;
use crate::settings::Settings;
use crate::target_system::{self, Given, Opened, TargetSystem};

/// Tests that are made to have an example of each operation.
const TESTS: u64 = 2_000;

/// What a run would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Name of the service.
    pub service: String,
    /// Whether a driver observes it.
    pub is_white_box: bool,
    /// Operations that would be called.
    pub operations: Vec<PlannedOperation>,
    /// Operations and parts that would be left out, and why.
    pub left_out: Vec<String>,
    /// Names of the users that calls would be made by.
    pub users: Vec<String>,
    /// What was decided and should be known.
    pub notes: Vec<String>,
}

/// An operation of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedOperation {
    /// Its name.
    pub name: String,
    /// A call as it would be made, where the tests that were made have one.
    pub example: Option<CallRecord>,
}

/// Makes tests as a run would, and sends none of them. The service is asked for its description
/// unless that is a file, and started where it has a driver.
///
/// # Errors
/// As [`run`](crate::run).
pub fn plan(settings: &Settings) -> Result<Plan, RunError> {
    match target_system::open(settings, Given::default(), &wallace_engine::StopSignal::default())? {
        Opened::Graphql(system) => Ok(plan_of(&system)),
        Opened::Rest(system) => Ok(plan_of(&system)),
    }
}

fn plan_of<P: ServiceFamily>(system: &TargetSystem<P>) -> Plan {
    let problem = Arc::clone(&system.problem);
    let mut sketch = Sketch { problem: &*problem, examples: BTreeMap::new() };
    let budget = Budget::evaluations(TESTS.min(20 * problem.callable() as u64 + 50));
    let search = wallace_engine::SearchSettings { minimise_share: 0.0, ..system.search.clone() };
    Search::new(&*problem, search, budget).run(&mut sketch);
    let Sketch { mut examples, .. } = sketch;
    let names = problem.operations();
    let mut operations: Vec<PlannedOperation> = Vec::new();
    for name in names {
        if let Some(example) = examples.remove(&name) {
            operations.push(PlannedOperation { name, example: Some(example) });
        }
    }
    Plan {
        service: system.service.clone(),
        is_white_box: system.info.is_some(),
        operations,
        left_out: problem.left_out(),
        users: system.users.iter().map(|user| user.name.clone()).collect(),
        notes: system.notes.clone(),
    }
}

/// An evaluator that sends nothing.
struct Sketch<'a, P: ServiceFamily> {
    problem: &'a P,
    examples: BTreeMap<String, CallRecord>,
}

impl<P: ServiceFamily> Evaluator<<P as Problem>::Action> for Sketch<'_, P> {
    fn evaluate(
        &mut self,
        individual: &Individual<<P as Problem>::Action>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<<P as Problem>::Action>, EvaluationError> {
        let mut outcomes = Vec::new();
        for (_, action) in individual.actions() {
            let operation = self.problem.template_name(action.template());
            let request = self.problem.request(action);
            let example = || sent(operation.clone(), &request);
            self.examples.entry(operation.clone()).or_insert_with(example);
            outcomes.push(HttpOutcome::new(Err(CallFailure::Refused)));
        }
        Ok(Evaluation::new(Vec::new(), outcomes))
    }
}
