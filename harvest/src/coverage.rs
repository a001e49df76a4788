//! Which type-field tuples a harvest covers, by the rule of Zetterlund et al. (ICST 2022).
//!
//! A document is walked without its variables: a field counts for the type it is selected on, each
//! fragment definition is walked once with its own type, spread or not, and a field that the schema
//! without deprecated fields does not have is passed over with all that is selected below it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::json;
use wallace_problems::graphql::executable::{ExecutableDocument, Field, Part, Selection};
use wallace_problems::graphql::{Schema, SchemaTuples, TupleCoverage, TypeId};

/// Tests named for a tuple, at most.
const TESTS_NAMED: usize = 20;

/// Schema coverage of a harvest.
#[derive(Debug)]
pub struct CoverageReport {
    schema: Arc<Schema>,
    tuples: SchemaTuples,
    coverage: TupleCoverage,
    uses: Vec<CoveredTuple>,
}

/// How a tuple is used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredTuple {
    /// Calls that select the field.
    pub times: u64,
    /// Number of tests that select it.
    pub test_count: usize,
    /// Names of the first of them.
    pub tests: Vec<String>,
}

impl CoverageReport {
    pub(crate) fn new(schema: &Arc<Schema>) -> Self {
        let tuples = SchemaTuples::declared(schema);
        let coverage = TupleCoverage::new(&tuples);
        let uses = vec![CoveredTuple::default(); tuples.len()];
        Self { schema: Arc::clone(schema), tuples, coverage, uses }
    }

    /// Adds the tuples of a test.
    pub(crate) fn add(&mut self, tuples: &BTreeSet<usize>, test: &str, times: u64) {
        for &tuple in tuples {
            self.coverage.cover(tuple);
            let used = &mut self.uses[tuple];
            used.times += times;
            used.test_count += 1;
            if used.tests.len() < TESTS_NAMED {
                used.tests.push(test.to_owned());
            }
        }
    }

    pub(crate) fn tuples_of(&self, document: &ExecutableDocument) -> BTreeSet<usize> {
        let mut walk = Walk { schema: &self.schema, tuples: &self.tuples, found: BTreeSet::new() };
        for operation in document.operations() {
            if let Some(root) = self.schema.root(operation.kind) {
                walk.selection(root, &operation.selections);
            }
        }
        for fragment in document.fragments() {
            if let Some(on) = self.schema.type_named(&fragment.on) {
                walk.selection(on, &fragment.selections);
            }
        }
        walk.found
    }

    /// Number of covered tuples.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.coverage.covered()
    }

    /// Number of tuples of the schema.
    #[must_use]
    pub fn total(&self) -> usize {
        self.tuples.len()
    }

    /// The share of covered tuples, in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        self.covered() as f64 * 100.0 / self.total().max(1) as f64
    }

    /// Every tuple in schema order: type, field, and how it is used.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, &CoveredTuple)> {
        self.tuples.fields().iter().zip(&self.uses).map(|(field, used)| {
            let owner = &self.schema.definition(field.owner).name;
            (&**owner, &*self.schema.field(*field).name, used)
        })
    }

    /// One line for each tuple: `type,field,covered,times,tests`.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::from("type,field,covered,times,tests\n");
        for (owner, field, used) in self.rows() {
            let (is_covered, times, tests) = (used.test_count > 0, used.times, used.test_count);
            writeln!(text, "{owner},{field},{is_covered},{times},{tests}")
                .expect("a String takes any text");
        }
        text
    }

    /// The same as JSON, with the names of tests.
    #[must_use]
    pub fn to_json(&self) -> String {
        let rows: Vec<_> = self
            .rows()
            .map(|(owner, field, used)| {
                json!({ "type": owner, "field": field, "times": used.times,
                        "testCount": used.test_count, "tests": used.tests })
            })
            .collect();
        let report = json!({ "covered": self.covered(), "total": self.total(),
                             "percent": self.percent(), "tuples": rows });
        serde_json::to_string_pretty(&report).expect("a report is always JSON")
    }
}

struct Walk<'s> {
    schema: &'s Schema,
    tuples: &'s SchemaTuples,
    found: BTreeSet<usize>,
}

impl Walk<'_> {
    fn selection(&mut self, owner: TypeId, parts: &[Selection]) {
        for part in parts {
            match &part.part {
                Part::Field(field) => self.field(owner, field, &part.selections),
                Part::Inline(on) => {
                    let on = on.as_ref().map_or(Some(owner), |name| self.schema.type_named(name));
                    if let Some(on) = on {
                        self.selection(on, &part.selections);
                    }
                }
                Part::Spread(_) => {}
            }
        }
    }

    fn field(&mut self, owner: TypeId, field: &Field, below: &[Selection]) {
        let Some(id) = self.schema.field_named(owner, &field.name) else { return };
        if self.schema.field(id).deprecation.is_some() {
            return;
        }
        self.found.extend(self.tuples.position(id));
        self.selection(self.schema.returned(id), below);
    }
}
