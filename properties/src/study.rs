//! The coverage study of Karlsson et al. (research question 1), on any schema.

use std::sync::Arc;

use wallace_genes::Rng;
use wallace_problems::graphql::{Schema, TupleCoverage};

use crate::generator::Generator;
use crate::query::Query;
use crate::settings::GeneratorSettings;

/// Repetitions of each combination in the paper.
pub const REPETITIONS: usize = 30;

/// Sizes that queries go through, again and again: those of the paper's test library.
const SIZES: usize = 200;

/// One combination of Table I: number of queries and most fields of one object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverageCell {
    /// Queries of one repetition.
    pub queries: usize,
    /// Most fields selected of one object (*m*).
    pub max_fields: usize,
    /// Mean coverage of a repetition, in percent.
    pub average: f64,
    /// Coverage of all repetitions together, in percent.
    pub total: f64,
}

/// One combination of Table II.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepetitionCell {
    /// Queries of one repetition.
    pub queries: usize,
    /// Most fields selected of one object (*m*).
    pub max_fields: usize,
    /// Repetitions until all tuples are covered, mean of the trials.
    pub mean: f64,
    /// Trials that ended at the cap without covering all.
    pub capped: usize,
}

/// Repeats the study on a schema.
#[derive(Debug)]
pub struct CoverageStudy<'s> {
    schema: &'s Arc<Schema>,
    settings: GeneratorSettings,
    seed: u64,
    repetition: u64,
}

/// The study on `schema` with these settings, whose [`GeneratorSettings::max_fields`] is replaced
/// by that of each combination.
#[must_use]
pub fn study(schema: &Arc<Schema>, settings: GeneratorSettings, seed: u64) -> CoverageStudy<'_> {
    CoverageStudy { schema, settings, seed, repetition: 0 }
}

impl CoverageStudy<'_> {
    /// A cell of Table I: [`REPETITIONS`] times `queries` queries. Each call draws anew.
    pub fn coverage(&mut self, queries: usize, max_fields: usize) -> CoverageCell {
        let generator = self.generator(max_fields);
        let mut total = TupleCoverage::new(generator.tuples());
        let mut sum = 0;
        for _ in 0..REPETITIONS {
            let coverage = self.repeat(&generator, queries);
            sum += coverage.covered();
            total.union(&coverage);
        }
        let tuples = generator.tuples().len().max(1) as f64;
        let average = sum as f64 * 100.0 / tuples / REPETITIONS as f64;
        let total = total.covered() as f64 * 100.0 / tuples;
        CoverageCell { queries, max_fields, average, total }
    }

    /// A cell of Table II: repetitions until all tuples are covered, at most `cap`, the mean of
    /// [`REPETITIONS`] trials.
    pub fn repetitions(&mut self, queries: usize, max_fields: usize, cap: usize) -> RepetitionCell {
        let generator = self.generator(max_fields);
        let (mut sum, mut capped) = (0, 0);
        for _ in 0..REPETITIONS {
            let mut union = TupleCoverage::new(generator.tuples());
            let mut needed = 0;
            while needed < cap && union.covered() < generator.tuples().len() {
                union.union(&self.repeat(&generator, queries));
                needed += 1;
            }
            sum += needed;
            capped += usize::from(union.covered() < generator.tuples().len());
        }
        RepetitionCell { queries, max_fields, mean: sum as f64 / REPETITIONS as f64, capped }
    }

    fn generator(&self, max_fields: usize) -> Generator {
        Generator::new(self.schema, GeneratorSettings { max_fields, ..self.settings.clone() })
    }

    fn repeat(&mut self, generator: &Generator, queries: usize) -> TupleCoverage {
        let mut rng = Rng::new(self.seed, self.repetition);
        self.repetition += 1;
        let (mut query, mut coverage) = (Query::default(), TupleCoverage::new(generator.tuples()));
        for number in 0..queries {
            generator.generate(&mut query, number % SIZES, &mut rng);
            generator.cover(&query, &mut coverage);
        }
        coverage
    }
}

/// What the paper prints.
pub mod published {
    /// Numbers of queries of the rows of Table I.
    pub const QUERIES: [usize; 4] = [10, 100, 1000, 10_000];

    /// Table I: of each row, average and total coverage in percent for *m* of 1 to 4.
    pub const TABLE_I: [[(f64, f64); 4]; 4] = [
        [(3.18, 20.58), (6.56, 38.89), (12.00, 54.94), (20.86, 77.16)],
        [(14.04, 49.59), (28.94, 85.60), (49.08, 99.59), (71.51, 99.79)],
        [(36.95, 87.24), (64.87, 100.0), (90.62, 100.0), (99.29, 100.0)],
        [(73.33, 100.0), (97.96, 100.0), (100.0, 100.0), (100.0, 100.0)],
    ];

    /// Table II: queries, *m*, mean number of repetitions, and the cap on them. Combinations that
    /// mostly ended at the cap are left out.
    pub const TABLE_II: [(usize, usize, f64, usize); 9] = [
        (100, 3, 61.43, 100),
        (100, 4, 18.0, 100),
        (1000, 2, 26.63, 30),
        (1000, 3, 6.57, 30),
        (1000, 4, 2.2, 30),
        (10_000, 1, 26.0, 30),
        (10_000, 2, 3.77, 30),
        (10_000, 3, 1.13, 30),
        (10_000, 4, 1.0, 30),
    ];

    /// Time of generation for 30 times 10,000 queries at *m* = 4, in seconds.
    pub const LONGEST_SECONDS: f64 = 931.63;
}
