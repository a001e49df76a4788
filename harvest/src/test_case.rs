//! From harvested operations to neutral tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};
use wallace_problems::graphql::{OperationKind, Schema, Style};
use wallace_suite::{
    Body, Derivation, Expectation, JsonBody, RecordedBody, RecordedResponse, Request, Shape, Step,
    TestCase, TestKind,
};

use crate::harvest::HarvestedOperation;
use crate::made_up::made_up_variables;
use crate::oracle;
use crate::order::{Link, links};
use crate::selection::Selector;

/// Steps that come before the one that a test is about, at most.
const MOST_STEPS_BEFORE: usize = 10;
/// The longest name, without the number that makes it unique.
const LONGEST_NAME: usize = 80;

/// Names of the tests, in the order of the operations.
pub(crate) fn names(operations: &[HarvestedOperation]) -> Vec<String> {
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut taken = BTreeSet::new();
    let mut name = |operation: &HarvestedOperation| {
        let base = operation.logged.operation_name.as_deref();
        let call = operation.calls.first().and_then(|call| call.split('.').nth(1));
        let mut base = snake_case(base.or(call).unwrap_or("operation"));
        base.truncate(LONGEST_NAME);
        let base = format!("{}_fits_the_schema", base.trim_matches('_'));
        loop {
            let number = used.entry(base.clone()).or_default();
            *number += 1;
            let name = if *number == 1 { base.clone() } else { format!("{base}_{number}") };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    };
    operations.iter().map(&mut name).collect()
}

fn snake_case(text: &str) -> String {
    let mut name = String::with_capacity(text.len() + 8);
    let mut was_lower = false;
    for character in text.chars() {
        let is_part = character.is_ascii_alphanumeric();
        if (character.is_ascii_uppercase() && was_lower) || !is_part {
            name.push('_');
        }
        name.extend(is_part.then(|| character.to_ascii_lowercase()));
        was_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("operation_{name}")
    } else {
        name
    }
}

/// One test for each operation. Shapes are made once for all operations of one document.
pub(crate) fn tests(
    schema: &Schema,
    operations: &[HarvestedOperation],
    path: &str,
    compares_answers: bool,
) -> Vec<TestCase> {
    let links = links(operations);
    let changes = if compares_answers { changes(&links, operations) } else { HashMap::new() };
    let shapes = HashMap::new();
    let mut maker = Maker { schema, operations, path, compares_answers, changes, shapes };
    let names = names(operations);
    let each = names.into_iter().enumerate();
    each.map(|(index, name)| maker.test(index, name, &links)).collect()
}

struct Maker<'o> {
    schema: &'o Schema,
    operations: &'o [HarvestedOperation],
    path: &'o str,
    compares_answers: bool,
    /// Where answers are compared: the mutations that take something from each operation.
    changes: HashMap<usize, Vec<usize>>,
    /// By document, name, and truth values of the variables.
    shapes: HashMap<(Arc<str>, Option<String>, String), Arc<Shape>>,
}

impl Maker<'_> {
    fn test(&mut self, index: usize, name: String, links: &[Vec<Link>]) -> TestCase {
        let chain = self.chain(index, links);
        let mut steps = Vec::with_capacity(chain.len());
        for &member in &chain {
            steps.push(self.step(member, &chain, links));
        }
        let purpose = self.purpose(&self.operations[index]);
        TestCase { name, purpose, kind: TestKind::Regression, faults: Vec::new(), steps }
    }

    /// The operation and what goes before it: all that it needs, in order; where answers are
    /// compared, also what was done earlier to the objects it is about.
    fn chain(&self, index: usize, links: &[Vec<Link>]) -> Vec<usize> {
        let mut members = BTreeSet::from([index]);
        let mut open = vec![index];
        let at = |member: usize| self.operations[member].place;
        while let Some(next) = open.pop() {
            let needed = links[next].iter().map(|link| link.producer);
            let done = self.changes.get(&next).into_iter().flatten().copied();
            for member in needed.chain(done.filter(|other| at(*other) < at(index))) {
                if members.len() <= MOST_STEPS_BEFORE && members.insert(member) {
                    open.push(member);
                }
            }
        }
        members.remove(&index);
        let mut chain: Vec<usize> = members.into_iter().collect();
        if self.compares_answers {
            chain.sort_by_key(|member| at(*member));
        }
        chain.push(index);
        chain
    }

    fn purpose(&self, operation: &HarvestedOperation) -> Vec<String> {
        let consumers: Vec<&str> = operation.consumers.iter().map(String::as_str).collect();
        let mut consumers = consumers.join(", ");
        if consumers.chars().count() > 100 {
            consumers = format!("{} consumers", operation.consumers.len());
        }
        let origin = &operation.logged.origin;
        let mut purpose =
            vec![format!("Sent {} times by {consumers}; read at {origin}.", operation.times)];
        if operation.similar > 1 {
            purpose.push(format!("Stands for {} operations that are alike.", operation.similar));
        }
        let needs_values = !operation.definition().variables.is_empty();
        if operation.logged.variables.is_none() && needs_values {
            purpose.push("The values of its variables are made up.".to_owned());
        }
        purpose
    }

    fn step(&mut self, index: usize, chain: &[usize], links: &[Vec<Link>]) -> Step {
        let operation = &self.operations[index];
        let logged = &operation.logged;
        let used = |link: &&Link| chain.contains(&link.producer);
        let captured: BTreeMap<String, String> = links[index]
            .iter()
            .filter(used)
            .map(|link| (link.place.clone(), link.variable()))
            .collect();
        let made_up = made_up_variables(self.schema, operation);
        let value = logged.variables.clone().or(made_up).filter(|it| it != &json!({}));
        let request = Request {
            method: "POST".to_owned(),
            path: self.path.into(),
            headers: Vec::new(),
            body: Body::GraphQl {
                document: self.document(operation).into(),
                variables: value.map(|value| JsonBody { value, captured: captured.clone() }),
                operation_name: logged.operation_name.clone().filter(|_| is_named(operation)),
            },
        };
        let mut captures: Vec<_> = chain
            .iter()
            .flat_map(|consumer| &links[*consumer])
            .filter(|link| link.producer == index)
            .map(Link::capture)
            .collect();
        captures.sort_by(|one, other| one.variable.cmp(&other.variable));
        captures.dedup();
        let expectations = self.expectations(operation, &request, &captured);
        let call = operation.calls.first().cloned().unwrap_or_default();
        Step { operation: call, request, captures, expectations }
    }

    /// As it was logged when it is readable, on several lines otherwise.
    fn document(&self, operation: &HarvestedOperation) -> String {
        let text = &operation.logged.document;
        if text.contains('\n') || text.len() < 60 {
            return text.trim().to_owned();
        }
        operation.document.text(Style::Pretty)
    }

    fn expectations(
        &mut self,
        operation: &HarvestedOperation,
        request: &Request,
        captured: &BTreeMap<String, String>,
    ) -> Vec<Expectation> {
        if let Some(answer) = operation.logged.answer.as_ref().filter(|_| self.compares_answers) {
            let values = captured.iter().filter_map(|(place, variable)| {
                let body = operation.logged.variables.as_ref()?;
                Some((variable.clone(), body.pointer(place)?.clone()))
            });
            let derivation = Derivation {
                request,
                captured: &values.collect(),
                volatile: &BTreeMap::new(),
                recorded_at: None,
            };
            return derivation.expectations(&RecordedResponse {
                status: answer.status,
                content_type: None,
                headers: &[],
                body: RecordedBody::Json(&answer.body),
            });
        }
        let shape = self.shape(operation);
        vec![
            Expectation::Status(200),
            Expectation::Absent("/errors".to_owned()),
            Expectation::Json { pointer: "/data".to_owned(), shape },
        ]
    }

    fn shape(&mut self, operation: &HarvestedOperation) -> Shape {
        let logged = &operation.logged;
        let truths = truths(logged.variables.as_ref());
        let key = (Arc::clone(&logged.document), logged.operation_name.clone(), truths);
        if let Some(known) = self.shapes.get(&key) {
            return Shape::clone(known);
        }
        let selector = Selector {
            schema: self.schema,
            document: &operation.document,
            variables: logged.variables.as_ref(),
        };
        let root = self.schema.root(operation.kind).expect("a valid operation has a root type");
        let selection = selector.select(root, &operation.definition().selections);
        let shape = oracle::shape(self.schema, root, &selection);
        self.shapes.insert(key, Arc::new(shape.clone()));
        shape
    }
}

fn is_named(operation: &HarvestedOperation) -> bool {
    operation.document.operations().count() > 1
}

/// The truth values among the variables, on which a selection may depend.
fn truths(variables: Option<&Value>) -> String {
    let fields = variables.and_then(Value::as_object).into_iter().flatten();
    let known = fields.filter_map(|(key, value)| Some(format!("{key}={};", value.as_bool()?)));
    known.collect()
}

/// The mutations that take something from each operation, in their order.
fn changes(links: &[Vec<Link>], operations: &[HarvestedOperation]) -> HashMap<usize, Vec<usize>> {
    let mut changes: HashMap<usize, Vec<usize>> = HashMap::new();
    let mutations = operations.iter().enumerate();
    for (index, _) in mutations.filter(|(_, it)| it.kind == OperationKind::Mutation) {
        for link in &links[index] {
            let known = changes.entry(link.producer).or_default();
            if known.last() != Some(&index) {
                known.push(index);
            }
        }
    }
    changes
}
