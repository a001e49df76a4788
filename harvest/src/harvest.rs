//! A harvest: operations that are valid for a schema, alike ones merged.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;
use wallace_problems::graphql::executable::{ExecutableDocument, Operation};
use wallace_problems::graphql::{OperationKind, Schema};
use wallace_suite::TestCase;

use crate::assertion_count::AssertionCount;
use crate::coverage::CoverageReport;
use crate::document::{Validator, calls};
use crate::logged::{LoggedOperation, Reading, Rejected};
use crate::mask::Masking;
use crate::order::{Identifier, made_by};
use crate::{merge, order, test_case};

/// How operations become a harvest.
#[derive(Debug)]
pub struct HarvestSettings {
    /// Whether operations that differ in layout and values only become one test; the most frequent
    /// stands for them. Equal ones always do. Default true.
    pub merges_similar: bool,
    /// Whether recorded answers, where there are some, are what tests expect, in place of what the
    /// schema says. Answers depend on what was done before: then a test begins with all that was
    /// done to the objects it is about, and only equal operations are merged. Default false.
    pub compares_answers: bool,
    /// Path of the endpoint. Default `/graphql`.
    pub path: String,
    /// What is secret.
    pub masking: Masking,
}

impl Default for HarvestSettings {
    fn default() -> Self {
        Self {
            merges_similar: true,
            compares_answers: false,
            path: "/graphql".to_owned(),
            masking: Masking::default(),
        }
    }
}

/// An operation of a harvest.
#[derive(Debug, Clone)]
pub struct HarvestedOperation {
    /// The operation, with its secrets replaced.
    pub logged: LoggedOperation,
    /// Whether it reads or writes.
    pub kind: OperationKind,
    /// Schema coordinates of the fields it calls, such as `Query.user`.
    pub calls: Vec<String>,
    /// Everybody who sent it or one like it.
    pub consumers: BTreeSet<String>,
    /// How often it and those like it were sent.
    pub times: u64,
    /// Number of operations that were merged into it, itself included.
    pub similar: usize,
    /// Tuples that it covers, by number.
    pub(crate) tuples: Arc<BTreeSet<usize>>,
    pub(crate) document: Arc<ExecutableDocument>,
    /// Position in the source.
    pub(crate) place: usize,
    /// What it and those merged into it created, as far as answers tell, with the place in the
    /// answer.
    pub(crate) made: Vec<(Identifier, String)>,
}

/// Operations that are valid for a schema, and what came of the others.
#[derive(Debug)]
pub struct Harvest {
    schema: Arc<Schema>,
    operations: Vec<HarvestedOperation>,
    rejected: Vec<Rejected>,
    read: usize,
    compares_answers: bool,
    path: String,
}

impl Harvest {
    /// Parses, validates, masks and merges what was read. An operation that is not valid becomes
    /// one of [`Harvest::rejected`] and the rest goes on; so is one that uses what is broken in the
    /// schema.
    #[must_use]
    pub fn new(schema: Arc<Schema>, reading: Reading, settings: &mut HarvestSettings) -> Self {
        let validator = Validator::new(&schema);
        let mut gathering = Gathering {
            coverage: CoverageReport::new(&schema),
            schema: &schema,
            validator,
            tuples: HashMap::new(),
            canonical: HashMap::new(),
            known: HashMap::new(),
            operations: Vec::new(),
        };
        let Reading { operations, mut rejected } = reading;
        let read = operations.len();
        let merges_similar = settings.merges_similar && !settings.compares_answers;
        for (place, mut logged) in operations.into_iter().enumerate() {
            settings.masking.mask(&mut logged);
            let origin = logged.origin.clone();
            if let Err(reason) = gathering.add(logged, place, merges_similar) {
                rejected.push(Rejected { origin, reason });
            }
        }
        rejected.sort_by(|one, other| one.origin.cmp(&other.origin));
        let mut operations = gathering.operations;
        order::sort(&schema, &mut operations);
        let (compares_answers, path) = (settings.compares_answers, settings.path.clone());
        Self { schema, operations, rejected, read, compares_answers, path }
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The operations: queries in the order of the source, then mutations such that what creates
    /// an object stands before what uses it, and what deletes it behind.
    #[must_use]
    pub fn operations(&self) -> &[HarvestedOperation] {
        &self.operations
    }

    /// What was read and cannot be used, with its place.
    #[must_use]
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// Number of operations that were read, rejected ones included.
    #[must_use]
    pub fn read(&self) -> usize {
        self.read
    }

    /// One test for each operation, in the order of [`Harvest::operations`].
    #[must_use]
    pub fn tests(&self) -> Vec<TestCase> {
        test_case::tests(&self.schema, &self.operations, &self.path, self.compares_answers)
    }

    /// What of the schema the operations use; their tests are named as by [`Harvest::tests`].
    #[must_use]
    pub fn coverage(&self) -> CoverageReport {
        let mut report = CoverageReport::new(&self.schema);
        let names = test_case::names(&self.operations);
        for (operation, name) in self.operations.iter().zip(&names) {
            report.add(&operation.tuples, name, operation.times);
        }
        report
    }

    /// Assertions that the published tool would write for each operation.
    #[must_use]
    pub fn assertion_counts(&self) -> Vec<AssertionCount> {
        let count = |operation: &HarvestedOperation| {
            let definition = operation.definition();
            AssertionCount::of(&self.schema, &operation.document, definition)
        };
        self.operations.iter().map(count).collect()
    }
}

impl HarvestedOperation {
    pub(crate) fn definition(&self) -> &Operation {
        let name = self.logged.operation_name.as_deref();
        self.document.operation(name).expect("it was found when the operation was added")
    }

    /// Number of tuples that it covers.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.tuples.len()
    }
}

struct Gathering<'s> {
    schema: &'s Arc<Schema>,
    validator: Validator<'s>,
    coverage: CoverageReport,
    tuples: HashMap<Arc<str>, Arc<BTreeSet<usize>>>,
    canonical: HashMap<Arc<str>, Arc<str>>,
    /// Key of alike operations, and the position of the one that stands for them.
    known: HashMap<String, usize>,
    operations: Vec<HarvestedOperation>,
}

impl Gathering<'_> {
    fn add(
        &mut self,
        mut logged: LoggedOperation,
        place: usize,
        merges_similar: bool,
    ) -> Result<(), String> {
        let document = self.validator.document(&logged.document)?;
        // Some clients send names that the document does not have, and mean its only operation.
        if document.operation(logged.operation_name.as_deref()).is_none() {
            logged.operation_name = None;
        }
        let Some(definition) = document.operation(logged.operation_name.as_deref()) else {
            return Err("the document has several operations and none is named".to_owned());
        };
        logged.operation_name =
            logged.operation_name.or_else(|| definition.name.as_ref().map(ToString::to_string));
        let key = self.key(&logged, merges_similar);
        if let Some(&known) = self.known.get(&key) {
            self.operations[known].merge(logged, place, &document);
            return Ok(());
        }
        let (kind, calls) = (definition.kind, calls(self.schema, definition));
        let tuples = self.tuples.entry(Arc::clone(&logged.document));
        let tuples = tuples.or_insert_with(|| Arc::new(self.coverage.tuples_of(&document)));
        self.known.insert(key, self.operations.len());
        let mut operation = HarvestedOperation {
            kind,
            calls,
            consumers: BTreeSet::from([logged.consumer.clone()]),
            times: logged.times,
            similar: 1,
            tuples: Arc::clone(tuples),
            document: Arc::clone(&document),
            logged,
            place,
            made: Vec::new(),
        };
        operation.made = made_by(&operation);
        self.operations.push(operation);
        Ok(())
    }

    fn key(&mut self, logged: &LoggedOperation, merges_similar: bool) -> String {
        let mut key = if merges_similar {
            let text = self.canonical.entry(Arc::clone(&logged.document));
            text.or_insert_with_key(|text| merge::canonical(text).into()).to_string()
        } else {
            logged.document.to_string()
        };
        key.push('\n');
        key.push_str(logged.operation_name.as_deref().unwrap_or_default());
        match &logged.variables {
            Some(variables) if merges_similar => merge::shape(variables, &mut key),
            variables => {
                key.push_str(&variables.as_ref().map_or_else(String::new, Value::to_string))
            }
        }
        key
    }
}

impl HarvestedOperation {
    /// Takes in one that is alike; the more frequent one stands for both, and one with an answer
    /// before one without. What either created is remembered.
    fn merge(&mut self, other: LoggedOperation, place: usize, document: &Arc<ExecutableDocument>) {
        self.times += other.times;
        self.similar += 1;
        self.consumers.insert(other.consumer.clone());
        let rank = |logged: &LoggedOperation| (logged.answer.is_some(), logged.times);
        let is_better = rank(&other) > rank(&self.logged);
        let known = std::mem::replace(&mut self.logged, other);
        self.made.extend(made_by(self));
        if is_better {
            self.document = Arc::clone(document);
            self.place = place;
        } else {
            self.logged = known;
        }
    }
}
