//! What tests show about rows, and the tests that they ask for.

use std::borrow::Cow;

use serde_json::Value;
use wallace_engine::{
    Action, ActionId, Evaluated, Individual,
    individual::{Feed, Initialisation},
};
use wallace_genes::{Draw, Gene, GenePath, PathStep, TemplateId};

use super::guess::is_lacking;
use super::maker::{Maker, Row, Taken};
use super::memory::SqlMemory;
use super::repair::row_hash;
use super::statement::skeleton;
use super::table::SqlTables;
use super::value::{is_same, text};
use crate::evaluator::HttpProblem;
use crate::http::HttpOutcome;
use crate::trial::{MOST_ROUNDS, MOST_SEEN, probability};

/// Guessed statements that are followed at once.
const MOST_GUESSES: usize = 2;
/// Tables that are tried at once for one operation, each as often.
const MOST_TABLES: usize = 8;

/// A statement whose condition no row met, or one that is guessed, and the call that executed it.
struct Miss<'a> {
    statement: Cow<'a, str>,
    action: ActionId,
    place: usize,
    /// Times that it was seen, and that rows did not help.
    seen: u32,
    tries: u32,
}

impl SqlTables {
    /// The test with rows for one of the statements that found none; now and then only, the more
    /// seldom the more often it was tried.
    pub(crate) fn initialise<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &SqlMemory,
        draw: &mut Draw,
    ) -> Option<Individual<P::Action>> {
        let misses = self.misses(problem, test, memory);
        let miss = draw.rng.pick(&misses)?;
        if !draw.rng.chance(probability(miss.tries)) {
            return None;
        }
        self.with_rows(test, miss, memory, draw)
    }

    /// Whether a test has statements for which rows were hardly tried yet.
    pub(crate) fn wants<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &SqlMemory,
    ) -> bool {
        self.misses(problem, test, memory).iter().any(|miss| miss.seen <= MOST_SEEN)
    }

    /// The test with rows, once for each statement for which rows were hardly tried yet; where all
    /// statements found some, with these at the ends of what their columns take.
    pub(crate) fn follow_ups<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &SqlMemory,
        draw: &mut Draw,
    ) -> Vec<Individual<P::Action>> {
        let misses = self.misses(problem, test, memory);
        let new = misses.iter().filter(|miss| miss.seen <= MOST_SEEN);
        let mut tests: Vec<Individual<P::Action>> =
            new.filter_map(|miss| self.with_rows(test, miss, memory, draw)).collect();
        if misses.is_empty() {
            tests.extend(self.at_ends(test, memory));
        }
        tests
    }

    /// Remembers which rows were taken, and for which statements rows were tried.
    pub(crate) fn learn<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &mut SqlMemory,
    ) {
        self.learn_ends(test, memory);
        self.learn_guesses(test, memory);
        let steps = test.individual.initialisation().iter();
        let rows: Vec<_> =
            steps.filter_map(|step| Some((self.place(step.template)?, &step.gene))).collect();
        let told = test.outcomes.first().and_then(|outcome| outcome.sql.as_deref());
        let is_inserted = told.map_or(&[][..], |sql| &sql.is_inserted);
        for ((place, gene), is_inserted) in rows.iter().zip(is_inserted) {
            let table = &self.tables[*place];
            let place = table.name.to_ascii_lowercase();
            memory.trials.count_insertion(place, row_hash(table, gene), *is_inserted);
        }
        for (place, outcome) in test.outcomes.iter().enumerate() {
            let template = test.individual.actions()[place].1.template();
            for statement in outcome.sql.iter().flat_map(|sql| &sql.failed) {
                memory.trials.count_miss(&known_as(template, statement), !rows.is_empty());
            }
        }
    }

    /// Remembers whether statements are told, and for calls that lack something, or do not lack it
    /// any more, the table whose rows were tried.
    fn learn_guesses<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &mut SqlMemory,
    ) {
        let last = test.individual.initialisation().last();
        let table = last.and_then(|step| self.place(step.template));
        for (outcome, (_, action)) in test.outcomes.iter().zip(test.individual.actions()) {
            memory.count_call(outcome.sql.as_ref().is_some_and(|sql| sql.commands > 0));
            if let Some(table) = table.filter(|_| memory.has_to_guess()) {
                let went_well = outcome.status().is_some_and(|status| status < 300);
                if went_well || is_lacking(outcome) {
                    memory.count_guess(action.template(), table, !is_lacking(outcome));
                }
            }
        }
    }

    /// Statements of a test that found no row, told or guessed.
    fn misses<'a, P: HttpProblem>(
        &self,
        problem: &P,
        test: &'a Evaluated<P::Action>,
        memory: &SqlMemory,
    ) -> Vec<Miss<'a>> {
        let mut misses = Vec::new();
        if test.individual.round() >= MOST_ROUNDS {
            return misses;
        }
        let calls = test.outcomes.iter().zip(test.individual.actions());
        for (place, (outcome, (id, action))) in calls.enumerate() {
            let template = action.template();
            for statement in outcome.sql.iter().flat_map(|sql| &sql.failed) {
                let (seen, tries) = memory.trials.of(&known_as(template, statement));
                let statement = Cow::Borrowed(statement.as_str());
                misses.push(Miss { statement, action: *id, place, seen, tries });
            }
            if !memory.has_to_guess() || !is_lacking(outcome) {
                continue;
            }
            let sent = outcome.sent(&**action);
            let guesses = self.guesses(problem.operation(action), &problem.inputs(&sent));
            let (guesses, tries) = memory.likeliest(template, guesses);
            let patience = MOST_GUESSES * self.tables.len().min(MOST_TABLES);
            let seen = if (tries as usize) < patience { 0 } else { MOST_SEEN + 1 };
            misses.extend(guesses.into_iter().take(MOST_GUESSES).map(|guess| {
                let statement = Cow::Owned(guess.statement);
                Miss { statement, action: *id, place, seen, tries }
            }));
        }
        misses
    }

    fn with_rows<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        miss: &Miss<'_>,
        memory: &SqlMemory,
        draw: &mut Draw,
    ) -> Option<Individual<A>> {
        let before = test.individual.initialisation();
        let row = |step: &Initialisation| {
            let table = self.place(step.template)?;
            Some(Row { table, gene: step.gene.clone(), is_new: false })
        };
        let rows: Vec<Row> = before.iter().filter_map(|step| row(step)).collect();
        let maker = Maker { tables: self, memory, draw, rows };
        let made = maker.for_statement(&miss.statement)?;
        let round = test.individual.round() + 1;
        let all = before.iter().map(|step| Initialisation::clone(step));
        let (mut steps, others): (Vec<Initialisation>, Vec<Initialisation>) =
            all.partition(|step| self.place(step.template).is_some());
        for (place, row) in made.rows.into_iter().enumerate() {
            match steps.get_mut(place) {
                Some(step) => step.gene = row.gene,
                None => steps.push(Initialisation {
                    template: Self::template(row.table),
                    gene: row.gene,
                    round,
                    feeds: Vec::new(),
                }),
            }
        }
        let request = test.individual.actions().get(miss.place)?.1.gene();
        feeds(&mut steps, &made.taken, miss.action, request);
        // Documents and keys stand behind the rows.
        steps.extend(others);
        let mut child = test.individual.clone();
        child.set_initialisation(steps);
        self.repair(&mut child);
        (child.initialisation().len() > before.len()).then_some(child)
    }
}

fn known_as(template: TemplateId, statement: &str) -> String {
    format!("{} {}", template.0, skeleton(statement))
}

/// Constants that came from the request feed it from now on, where one gene alone holds them.
fn feeds(steps: &mut [Initialisation], taken: &[Taken], action: ActionId, request: &Gene) {
    for (row, column, value) in taken {
        let (Some(path), Some(step)) = (holder(request, value), steps.get_mut(*row)) else {
            continue;
        };
        let Ok(column) = u32::try_from(*column) else { continue };
        let feed = Feed { from: GenePath(vec![PathStep::Field(column)]), action, path };
        if !step.feeds.contains(&feed) {
            step.feeds.push(feed);
        }
    }
}

/// The gene of a request that alone holds a value.
pub(crate) fn holder(request: &Gene, value: &Value) -> Option<GenePath> {
    let wanted = text(value);
    let mut holders = Vec::new();
    request.visit_leaves(&mut |path, gene| {
        let is_it = match gene {
            Gene::String(string) => string.text.trim() == wanted && !wanted.is_empty(),
            Gene::Integer(number) => is_same(&(*number).into(), value),
            Gene::Long(number) => is_same(&(*number).into(), value),
            _ => false,
        };
        if is_it {
            holders.push(path.clone());
        }
    });
    let is_one = holders.len() == 1;
    holders.pop().filter(|_| is_one)
}
