//! Tests as small programs of no language yet.
//!
//! All languages write the same test: comments, the service, and for each step a request, what is
//! expected of its answer, and the values that later steps take from it. Here a [`TestCase`] becomes
//! such a [`Function`]; a [`Dialect`](crate::writer::dialect::Dialect) says how one language writes it down.

mod body;
mod request;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Number, Value, json};
use wallace_problems::AnswerPlace;

use crate::expectation::{Expectation, ExpectedError};
use crate::name::free_name;
use crate::test_case::{Step, TestCase};
use crate::usage::used_captures;
use crate::writer::SuiteFile;

pub(crate) use body::{BodyFiles, as_text};
use request::RequestBuilder;

/// Something with a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    /// A text of several lines that is read better on lines of its own.
    Block(String),
    /// A variable by its neutral name, in `snake_case`.
    Variable(String),
    List(Vec<Expression>),
    Object(Vec<(String, Expression)>),
    /// A function of the support library by its neutral name.
    Call(&'static str, Vec<Expression>),
    /// The request that these calls make; the last one sends it.
    Send(Vec<Call>),
    /// A method of the last answer.
    OfResponse(Call),
}

/// A method by its neutral name, and what it is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) arguments: Vec<Expression>,
}

impl Call {
    pub(crate) fn new<const N: usize>(method: &'static str, arguments: [Expression; N]) -> Self {
        Self { method, arguments: arguments.into() }
    }
}

/// One thing that a test does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    /// given, when, then.
    Comment(&'static str),
    Blank,
    Assign(String, Expression),
    Do(Expression),
}

/// A test as a program.
#[derive(Debug)]
pub(crate) struct Function {
    /// Lines that stand before it, without the signs of a comment.
    pub(crate) comments: Vec<String>,
    pub(crate) body: Vec<Statement>,
    /// Functions of the support library that it calls.
    pub(crate) uses: BTreeSet<&'static str>,
    /// Bodies that are too large to be looked at between statements.
    pub(crate) files: Vec<SuiteFile>,
}

impl Function {
    /// How often a variable gets a value.
    pub(crate) fn assignments(&self, variable: &str) -> usize {
        let is_one = |statement: &&Statement| matches!(statement, Statement::Assign(assigned, _) if assigned == variable);
        self.body.iter().filter(is_one).count()
    }
}

/// What the languages differ in when a test is taken apart.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// Whether the language sends this number as it is.
    pub(crate) can_send: fn(&Number) -> bool,
    /// Whether no variable may have a name, in `snake_case`.
    pub(crate) is_reserved: &'a dyn Fn(&str) -> bool,
    /// Where requests go unless they say otherwise.
    pub(crate) graphql_path: &'a str,
}

/// The program of a test.
pub(crate) fn function(test: &TestCase, rules: Rules<'_>) -> Function {
    let mut builder = Builder {
        rules,
        body: Vec::new(),
        uses: BTreeSet::from(["connect"]),
        variables: BTreeMap::new(),
        files: BodyFiles::new(&test.name),
    };
    let service = Expression::Call("connect", Vec::new());
    builder.body.push(Statement::Assign("service".to_owned(), service));
    for (index, step) in test.steps.iter().enumerate() {
        builder.body.push(Statement::Blank);
        builder.body.push(Statement::Comment(headline(index, test.steps.len())));
        builder.step(step, &test.steps[index + 1..]);
    }
    let Builder { body, uses, files, .. } = builder;
    Function { comments: test_comments(test), body, uses, files: files.into_files() }
}

/// A test while it is taken apart.
struct Builder<'a> {
    rules: Rules<'a>,
    body: Vec<Statement>,
    uses: BTreeSet<&'static str>,
    /// Variables of captured values, by the name that the neutral test gives them.
    variables: BTreeMap<String, String>,
    files: BodyFiles,
}

impl Builder<'_> {
    fn step(&mut self, step: &Step, later: &[Step]) {
        let captures = used_captures(step, later);
        let mut calls = RequestBuilder::new(self, &step.request).calls(&step.request);
        if step.expects_no_answer() {
            calls.push(self.expectation(&Expectation::NoAnswer));
            return self.body.push(Statement::Do(Expression::Send(calls)));
        }
        calls.push(Call::new("send", []));
        let sent = Expression::Send(calls);
        self.body.push(if step.expectations.is_empty() && captures.is_empty() {
            Statement::Do(sent)
        } else {
            Statement::Assign("response".to_owned(), sent)
        });
        if later.is_empty() && !step.expectations.is_empty() {
            self.body.extend([Statement::Blank, Statement::Comment("then")]);
        }
        for expectation in &step.expectations {
            let call = self.expectation(expectation);
            self.body.push(Statement::Do(Expression::OfResponse(call)));
        }
        for capture in captures {
            let value = Expression::OfResponse(captured(&capture.place));
            let variable = self.define(&capture.variable);
            self.body.push(Statement::Assign(variable, value));
        }
    }

    /// Gives a captured value its variable.
    fn define(&mut self, name: &str) -> String {
        let (known, rules) = (&self.variables, self.rules);
        let usual = ["service", "response", "document", "variables", "body", "text"];
        let variable = free_name(name, |name| {
            (rules.is_reserved)(name)
                || usual.contains(&name)
                || known.values().any(|other| other == name)
        });
        self.variables.insert(name.to_owned(), variable.clone());
        variable
    }

    fn call(&mut self, function: &'static str, arguments: Vec<Expression>) -> Expression {
        self.uses.insert(function);
        Expression::Call(function, arguments)
    }

    fn expectation(&mut self, expectation: &Expectation) -> Call {
        let text = |text: &String| Expression::Text(text.clone());
        match expectation {
            Expectation::Status(status) => {
                Call::new("expect_status", [Expression::Number((*status).into())])
            }
            Expectation::MediaType(media_type) => {
                Call::new("expect_media_type", [text(media_type)])
            }
            Expectation::Header(name) => Call::new("expect_header", [text(name)]),
            Expectation::Errors(errors) => {
                let errors = errors.iter().map(|error| self.value(&error_value(error)));
                let errors = Expression::List(errors.collect());
                Call::new("expect_errors", [errors])
            }
            Expectation::Json { pointer, shape } => {
                let shape = self.shape(shape);
                Call::new("expect_json", [text(pointer), shape])
            }
            Expectation::Present(pointer) => Call::new("expect_present", [text(pointer)]),
            Expectation::Absent(pointer) => Call::new("expect_absent", [text(pointer)]),
            Expectation::Text(body) => Call::new("expect_text", [text(body)]),
            Expectation::EmptyBody => Call::new("expect_empty_body", []),
            Expectation::NoAnswer => Call::new("expect_no_answer", []),
        }
    }
}

/// What reads a place of an answer.
fn captured(place: &AnswerPlace) -> Call {
    let text = |text: &String| Expression::Text(text.clone());
    let number = |number: &usize| Expression::Number((*number).into());
    match place {
        AnswerPlace::Body(pointer) => Call::new("value", [text(pointer)]),
        AnswerPlace::Header(name) => Call::new("header", [text(name)]),
        AnswerPlace::Segment { address: Some(pointer), from_end } => {
            Call::new("part_of_address", [text(pointer), number(from_end)])
        }
        AnswerPlace::Segment { address: None, from_end } => {
            Call::new("part_of_location", [number(from_end)])
        }
    }
}

/// What a step is to the test: the last one is what it is about.
pub(crate) fn headline(index: usize, steps: usize) -> &'static str {
    match (index + 1 == steps, index) {
        (true, _) => "when",
        (false, 0) => "given",
        (false, _) => "and",
    }
}

/// What stands above a test: why it is there, and the faults that it shows. One line each.
pub(crate) fn test_comments(test: &TestCase) -> Vec<String> {
    let mut lines: Vec<String> = test.purpose.clone();
    for fault in &test.faults {
        let context = if fault.context.is_empty() { "" } else { ": " };
        lines.push(format!("F{} at {}{context}{}", fault.code, fault.operation, fault.context));
        lines.extend(fault.explanation.iter().map(|sentence| format!("  {sentence}")));
    }
    let margin = |line: &str| if line.starts_with("  ") { "  " } else { "" };
    let lines = lines.iter().map(|line| (margin(line), crate::writer::literal::comment_text(line)));
    lines
        .map(|(margin, text)| if text.is_empty() { text } else { margin.to_owned() + &text })
        .collect()
}

/// An expected entry of `errors`: only what is compared.
pub(crate) fn error_value(error: &ExpectedError) -> Value {
    let mut value = json!({});
    if let Some(path) = &error.path {
        value["path"] = path.clone();
    }
    if let Some(message) = &error.message {
        value["message"] = json!(message);
    }
    if let Some(code) = &error.code {
        value["extensions"] = json!({ "code": code });
    }
    value
}
