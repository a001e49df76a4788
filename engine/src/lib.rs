//! MIO: Many Independent Objective search.
//!
//! A test suite is evolved for many targets at once: for each target the engine keeps a small
//! population of the tests that come nearest to it, picks a target, mutates one of its tests, and
//! offers every evaluated test to all populations. A covered target keeps one test and is worked
//! on no more. The algorithm is Arcuri's (Many Independent Objective, 2017/2019); where this engine
//! differs, the settings say so.
//!
//! To be read in this order, since each room knows only those before it: `individual` (a test, its
//! actions and bindings), `target` (what is to be covered), `problem` (what a user brings, and what
//! comes back), `archive` (the tests kept for each target), `operator` (how one test becomes
//! another), `baseline` (what MIO is compared with), `worker` (threads that evaluate), `solution`
//! (a small set of tests), `search` (proposals, commits, snapshots, and the way to the end).
//!
//! The engine knows no HTTP and no file, and no clock but for the wait for instances that are away.
//! A problem brings two sides: [`Problem`] makes tests and learns from them, [`Evaluator`] runs one.
//! Here is OneMax: one target for each of ten digits, covered when the digit is 9.
//!
//! ```
//! use wallace_engine::*;
//! use wallace_genes::{spec::*, *};
//! type Digits = PlainAction;
//! struct OneMax(SpecRef);
//! impl Problem for OneMax {
//!     type Action = Digits;
//!     type Memory = ();
//!     fn spec(&self, _: TemplateId) -> SpecRef { self.0.clone() }
//!     fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Digits> {
//!         let digits = sample(&self.0, TemplateId(0), &learnt.knowledge, draw);
//!         Individual::new([Digits::new(TemplateId(0), digits)])
//!     }
//! }
//! struct Count;
//! impl Evaluator<Digits> for Count {
//!     fn evaluate(&mut self, test: &Individual<Digits>, _: &Wanted) -> Result<Evaluation<Digits>, EvaluationError> {
//!         let (id, digits) = &test.actions()[0];
//!         let score = |(target, digit): (usize, &Gene)| TargetScore {
//!             name: format!("digit {target}").into(),
//!             score: Score::new(if let Gene::Integer(digit) = digit { f64::from(*digit) / 9.0 } else { 0.0 }),
//!             action: Some(*id),
//!         };
//!         Ok(Evaluation::new(digits.gene().parts().enumerate().map(score).collect(), vec![()]))
//!     }
//! }
//! let mut specs = SpecBuilder::new();
//! let digit = specs.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 9 }));
//! let digits = specs.add(GeneSpec::Array(ArraySpec { element: digit, min: 10, max: 10 }));
//! let problem = OneMax(SpecRef::new(specs.build(), digits));
//! let search = Search::new(&problem, SearchSettings::default(), Budget::evaluations(2_000));
//! assert_eq!(search.run(&mut Count).covered(), 10);
//! ```

mod algorithm;
pub mod archive;
mod baseline;
mod binding;
pub mod budget;
pub mod individual;
mod operator;
mod problem;
pub mod search;
mod settings;
pub mod solution;
pub mod target;
#[cfg(test)]
mod testing;
mod worker;

pub use algorithm::{Algorithm, Attribution};
pub use binding::{Binding, BindingSource};
pub use budget::{Budget, StopReason, StopSignal};
pub use individual::Individual;
pub use individual::action::{Action, ActionId, PlainAction};
pub use problem::evaluated::{Evaluated, Fitness, Reach};
pub use problem::evaluator::{
    Evaluation, EvaluationError, Evaluator, TargetScore, TargetSource, Wanted,
};
pub use problem::fit::Fit;
pub use problem::{Learnt, Problem};
pub use search::Search;
pub use search::event::{Observer, SearchEvent};
pub use settings::{SearchSettings, TargetChoice};
pub use solution::Solution;
pub use target::{Score, TargetKind, TargetName};
pub use worker::Workers;
