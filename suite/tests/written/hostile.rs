//! Texts that try to break out of their literal, comment or name, in every place at once.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::{Map, Value, json};
use syn::visit::Visit;
use wallace_problems::AnswerPlace;
use wallace_suite::{
    Body, Capture, CapturedForm, Expectation, ExpectedError, Fault, JsonBody, Provenance, Request,
    RequestText, Shape, Step, TestCase, TestKind, TestSuite, TextPart, Writer, writer::RustWriter,
};

/// Pieces of texts that are special to Rust, JSON, GraphQL, HTTP or people.
const PIECES: [&str; 36] = [
    "a", "Z9", " ", "\n", "\r", "\r\n", "\t", "\0", "\"", "'", "\\", "#", "\"#", "\"##", "r#\"",
    "*/", "/*", "//", "{", "}", "{{", "}}", "{{id}}", "${x}", "\u{202e}", "\u{200b}", "\u{feff}",
    "ä", "🦀", "\u{2028}", "json!", "\"\"\"", "self", "fn", "\\u{41}", "\u{7f}",
];

/// A small generator (xorshift), since these tests need variety and not quality.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn text(&mut self) -> String {
        (0..self.below(8)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn number(&mut self) -> Value {
        let numbers = [
            json!(0),
            json!(-1),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(std::f64::consts::PI),
            json!(-0.0),
            json!(5e-324),
            json!(f64::MAX),
            json!(i32::MIN),
            json!(2_147_483_648_u64),
        ];
        numbers[self.below(numbers.len())].clone()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => self.number(),
            3 => json!(self.text()),
            4 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let fields = (0..self.below(5)).map(|_| (self.text(), self.value(depth - 1)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }

    fn request_text(&mut self, variables: &[String]) -> RequestText {
        let parts = (0..self.below(4)).map(|_| match self.below(4) {
            0 => TextPart::Captured {
                variable: variables[self.below(variables.len())].clone(),
                form: [CapturedForm::Json, CapturedForm::Plain, CapturedForm::PathSegment]
                    [self.below(3)],
            },
            1 => TextPart::Environment { variable: self.text() },
            _ => TextPart::Literal(self.text()),
        });
        RequestText { parts: parts.collect() }
    }

    fn body(&mut self, variables: &[String]) -> Body {
        let json = |chance: &mut Self| JsonBody {
            value: chance.value(3),
            captured: BTreeMap::from([(
                "/0".to_owned(),
                variables[chance.below(variables.len())].clone(),
            )]),
        };
        match self.below(4) {
            0 => Body::None,
            1 => Body::Json(json(self)),
            2 => Body::Text { media_type: self.text(), text: self.request_text(variables) },
            _ => Body::GraphQl {
                document: self.request_text(variables),
                variables: (self.below(2) == 0).then(|| json(self)),
                operation_name: (self.below(2) == 0).then(|| self.text()),
            },
        }
    }

    fn expectation(&mut self, variables: &[String]) -> Expectation {
        let pointer = self.text();
        match self.below(8) {
            0 => Expectation::Status(200),
            1 => Expectation::MediaType(self.text()),
            2 => Expectation::Present(pointer),
            3 => Expectation::Absent(pointer),
            4 => Expectation::Text(self.text()),
            5 => Expectation::Errors(vec![ExpectedError {
                path: Some(self.value(2)),
                message: Some(self.text()),
                code: Some(self.text()),
            }]),
            6 => {
                let first = vec![
                    Shape::from(&self.value(2)),
                    Shape::Captured(variables[self.below(variables.len())].clone()),
                ];
                Expectation::Json { pointer, shape: Shape::List { length: self.below(9), first } }
            }
            _ => Expectation::Json { pointer, shape: Shape::from(&self.value(4)) },
        }
    }

    fn step(&mut self, variables: &[String]) -> Step {
        let request = Request {
            method: ["GET", "POST", "QUERY\"", ""][self.below(4)].to_owned(),
            path: self.request_text(variables),
            headers: vec![(self.text(), self.request_text(variables))],
            body: self.body(variables),
        };
        let captures = (0..self.below(3)).map(|index| Capture {
            variable: variables[index].clone(),
            place: AnswerPlace::Body(self.text()),
        });
        let captures = captures.collect();
        let mut expectations: Vec<Expectation> =
            (0..self.below(5)).map(|_| self.expectation(variables)).collect();
        if self.below(8) == 0 {
            expectations = vec![Expectation::NoAnswer];
        }
        Step { operation: self.text(), request, captures, expectations }
    }

    fn test(&mut self) -> TestCase {
        let variables = vec![self.text(), self.text(), "service".to_owned(), "type".to_owned()];
        let fault = Fault {
            code: 970,
            operation: self.text(),
            context: self.text(),
            explanation: vec![self.text()],
        };
        TestCase {
            name: ["connect", "json", "match", "a", &self.text()][self.below(5)].to_owned(),
            purpose: vec![self.text(), self.text()],
            kind: if self.below(2) == 0 { TestKind::Regression } else { TestKind::Fault },
            faults: vec![fault],
            steps: (0..1 + self.below(3)).map(|_| self.step(&variables)).collect(),
        }
    }
}

fn suite(seed: u64) -> TestSuite {
    let mut chance = Chance(seed * 0x9e37_79b9 + 1);
    TestSuite {
        provenance: Provenance { tool: chance.text(), version: chance.text(), seed },
        service: chance.text(),
        default_base_url: chance.text(),
        start_command: Some(chance.text()),
        tests: (0..6).map(|_| chance.test()).collect(),
    }
}

/// Whatever the texts, files parse, and names are unique.
#[test]
fn generated_sources_parse() {
    for seed in 0..1_000 {
        for file in RustWriter.write(&suite(seed)) {
            if file.path == "Cargo.toml" {
                assert!(file.content.lines().all(|line| line.matches('"').count() % 2 == 0));
            }
            if !file.path.ends_with(".rs") {
                continue;
            }
            let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| {
                panic!("seed {seed}, {}: {error}\n{}", file.path, file.content)
            });
            let mut names: Vec<&str> = file.tests.iter().map(|test| test.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), file.tests.len());
            if file.path.starts_with("tests/") {
                let functions =
                    parsed.items.iter().filter(|item| matches!(item, syn::Item::Fn(_))).count();
                assert_eq!(functions, file.tests.len(), "a text became code");
            }
        }
    }
}

/// Collects the values that are bound to `document`.
struct Documents(Vec<String>);

impl<'ast> Visit<'ast> for Documents {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let is_document =
            matches!(&local.pat, syn::Pat::Ident(pattern) if pattern.ident == "document");
        let literal = local.init.as_ref().map(|init| init.expr.as_ref());
        if let (true, Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }))) =
            (is_document, literal)
        {
            self.0.push(text.value());
        }
    }
}

/// What the support library does with a document that starts on a new line.
fn without_indentation(text: &str) -> String {
    let Some(block) = text.strip_prefix('\n') else { return text.to_owned() };
    let block = block.strip_suffix("\n    ").unwrap();
    block
        .split('\n')
        .map(|line| line.strip_prefix("        ").unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The document in the source is, without its indentation, the document of the request.
#[test]
fn documents_arrive_unchanged() {
    let mut chance = Chance(7);
    for _ in 0..1_000 {
        let document = format!("{{\n  f(a: \"{}\")\n\n}}", chance.text().replace('\0', ""));
        let mut suite = suite(1);
        suite.tests.truncate(1);
        suite.tests[0].steps.truncate(1);
        suite.tests[0].steps[0].request = Request::graphql("/graphql", &document);
        let files = RustWriter.write(&suite);
        let source = files.iter().find(|file| file.path.starts_with("tests/")).unwrap();
        let mut documents = Documents(Vec::new());
        documents.visit_file(&syn::parse_file(&source.content).unwrap());
        let found: Vec<String> = documents.0.iter().map(|text| without_indentation(text)).collect();
        assert_eq!(found, [document]);
    }
}

/// The layout is that of `rustfmt`; a machine without it checks nothing.
#[test]
fn generated_sources_are_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--check"]);
    for seed in 0..150 {
        for file in RustWriter.write(&suite(seed)) {
            if file.path.starts_with("tests/") {
                let path = folder.path().join(format!("{seed}_{}", file.path.replace('/', "_")));
                fs::write(&path, &file.content).unwrap();
                command.arg(path);
            }
        }
    }
    let Ok(output) = command.output() else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
