//! How one language writes a test down: its literals, its names, its punctuation.

use serde_json::Number;

use crate::name::free_name;
use crate::test_case::TestSuite;
use crate::writer::layout::{self, Chunk, Instructions};
use crate::writer::literal::is_hidden;
use crate::writer::printer::Printer;
use crate::writer::program::{self, Function, Rules, Statement};
use crate::writer::{SuiteFile, TestLocation};

/// A language whose tests are printed from [`Function`]s.
pub(crate) trait Dialect {
    /// Whether no variable may have this name, in `snake_case`: keywords, and what the support
    /// library has.
    fn is_reserved(&self, name: &str) -> bool;

    /// The lines of a statement that the language lays out by rules of its own.
    fn laid_out(&self, _statement: &Statement) -> Option<String> {
        None
    }

    /// A text as a literal on one line.
    fn string(&self, text: &str) -> String;

    /// A text of several lines as a literal on lines of its own, which stands in a statement that
    /// is indented so far; `None` where that would not give the same text.
    fn block(&self, text: &str, indentation: usize) -> Option<String>;

    /// A number as a literal.
    fn number(&self, number: &Number) -> String {
        number.to_string().replace("e+", "e")
    }

    /// Whether a number arrives at the service as it is.
    fn can_send(number: &Number) -> bool;

    /// Null, false and true.
    fn constants(&self) -> [&'static str; 3] {
        ["null", "false", "true"]
    }

    /// A function or method by its neutral name.
    fn function(&self, name: &str) -> String;

    /// A variable by its neutral name.
    fn variable(&self, name: &str) -> String {
        self.function(name)
    }

    /// What stands around the elements of a list, and around the fields of an object.
    fn brackets(&self) -> [(&'static str, &'static str); 2] {
        [("[", "]"), ("{", "}")]
    }

    /// What stands around an object without fields.
    fn empty_object(&self) -> String {
        let [_, (open, close)] = self.brackets();
        format!("{open}{close}")
    }

    /// A field of an object.
    fn field(&self, key: &str, value: &str) -> String {
        format!("{}: {value}", self.string(key))
    }

    /// Whether short objects have a space inside of their brackets.
    fn pads_objects(&self) -> bool {
        false
    }

    /// Whether a comma may follow the last line of several.
    fn has_last_comma(&self) -> bool {
        true
    }

    /// What stands between a value and its method.
    fn access(&self) -> &'static str {
        "."
    }

    /// A value that has to be waited for.
    fn awaited(&self, value: &str) -> String {
        value.to_owned()
    }

    /// A chain of calls that is too long for a line, each call on a line of its own that is
    /// indented already.
    fn chain(&self, head: &str, lines: &str, _indentation: usize) -> String {
        format!("{head}{}", lines.trim_end())
    }

    /// A statement that gives a variable a value.
    fn assignment(&self, variable: &str, value: &str, order: Order) -> String;

    /// What ends a statement.
    fn end(&self) -> &'static str {
        ";"
    }

    /// What begins a comment.
    fn comment(&self) -> &'static str {
        "//"
    }

    /// A text inside of a comment, which must not end there.
    fn comment_text(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Columns of one level of indentation.
    fn step(&self) -> usize {
        4
    }

    /// Levels of indentation of a statement in a test.
    fn depth(&self) -> usize {
        1
    }

    /// The name of a test from its neutral name, the same for no other test of a file.
    fn test_name(&self, name: &str) -> String;

    /// A test from its name, the printed lines of its comments, and the printed statements.
    fn test(&self, name: &str, comments: &str, body: &str) -> String;

    /// The path of a file of tests; `stem` as in [`Chunk`].
    fn path(&self, stem: &str) -> String;

    /// Folder of the tests, to which paths of bodies are relative; empty or with a final slash.
    fn folder(&self) -> &'static str {
        ""
    }

    /// What stands before the tests of a file, with an empty line at its end.
    fn header(&self, file: &Header<'_>) -> String;

    /// What stands behind the tests of a file.
    fn footer(&self) -> &'static str {
        ""
    }

    /// The files besides those with tests.
    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile>;

    /// How the tests are run.
    fn instructions(&self) -> Instructions;
}

/// When a variable gets a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Once, here.
    Only,
    /// Here for the first time.
    First,
    /// Here again.
    Again,
}

/// What the start of a file tells.
#[derive(Debug)]
pub(crate) struct Header<'a> {
    /// Name of the file without ending.
    pub(crate) stem: &'a str,
    /// What the tests hold on to, and who wrote them: two sentences.
    pub(crate) about: [String; 2],
    /// Functions of the support library that the tests call, by neutral name.
    pub(crate) uses: Vec<&'static str>,
    /// The tests.
    pub(crate) functions: &'a [Function],
}

/// All files of a suite in a language.
pub(crate) fn files<D: Dialect>(dialect: &D, suite: &TestSuite) -> Vec<SuiteFile> {
    let graphql_path = layout::graphql_path(suite);
    let mut files = dialect.project(suite, &graphql_path);
    for chunk in layout::chunks(suite) {
        files.extend(test_files(dialect, suite, &chunk, &graphql_path));
    }
    files.push(SuiteFile::new("README.md", dialect.instructions().readme(suite, &files)));
    files
}

/// The file with these tests, and the bodies that they read.
fn test_files<D: Dialect>(
    dialect: &D,
    suite: &TestSuite,
    chunk: &Chunk,
    graphql_path: &str,
) -> Vec<SuiteFile> {
    let is_reserved = |name: &str| dialect.is_reserved(name);
    let rules = Rules { can_send: D::can_send, is_reserved: &is_reserved, graphql_path };
    let functions: Vec<Function> =
        chunk.tests.iter().map(|test| program::function(&suite.tests[*test], rules)).collect();
    let mut uses: Vec<&'static str> =
        functions.iter().flat_map(|function| function.uses.iter().copied()).collect();
    uses.sort_unstable();
    uses.dedup();
    let about = [layout::about(suite, chunk.kind), layout::provenance(suite)];
    let about = about.map(|sentence| dialect.comment_text(&sentence));
    let header = Header { stem: &chunk.stem, about, uses, functions: &functions };
    let mut content = dialect.header(&header);
    let mut locations: Vec<TestLocation> = Vec::new();
    let mut bodies = Vec::new();
    for (&test, function) in chunk.tests.iter().zip(functions) {
        let is_taken = |name: &str| {
            let name = dialect.test_name(name);
            locations.iter().any(|location| location.name.eq_ignore_ascii_case(&name))
        };
        let name = dialect.test_name(&free_name(&suite.tests[test].name, is_taken));
        let start_line = content.lines().count() + 1;
        content += &Printer::new(dialect, &function).test(&name);
        let end_line = content.lines().count();
        content.push('\n');
        locations.push(TestLocation { test, name, start_line, end_line });
        bodies.extend(function.files);
    }
    let content = content.trim_end().to_owned() + "\n" + dialect.footer();
    let path = dialect.path(&chunk.stem);
    let folder = dialect.folder();
    let bodies = bodies
        .into_iter()
        .map(|file| SuiteFile::new(format!("{folder}{}", file.path), file.content));
    std::iter::once(SuiteFile { path, content, tests: locations }).chain(bodies).collect()
}

/// A text between quotes, with `\` before what is special; `hidden` says how characters are written
/// that a source file should not show.
pub(crate) fn quoted(
    text: &str,
    quote: char,
    special: &[char],
    hidden: impl Fn(char) -> String,
) -> String {
    let mut literal = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            other if other == quote || special.contains(&other) => {
                literal.push('\\');
                literal.push(other);
            }
            other if is_hidden(other) => literal.push_str(&hidden(other)),
            other => literal.push(other),
        }
    }
    literal.push(quote);
    literal
}

/// Whether a name is one of these words.
pub(crate) fn is_among(name: &str, words: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

/// Whether a variable of a test holds the JSON of a request.
pub(crate) fn holds_json(variable: &str) -> bool {
    ["body", "variables"].contains(&variable)
}

/// A character as `\uXXXX`, as two of these where one does not do.
pub(crate) fn utf_16(character: char) -> String {
    let mut units = [0; 2];
    character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Lines of a text, indented; empty lines stay empty.
pub(crate) fn indented(text: &str, indentation: usize) -> String {
    let margin = " ".repeat(indentation);
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{margin}{line}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A template of a support library with its two constants replaced: the lines that hold the marks
/// `http://localhost:8080` and `/graphql` between double quotes.
pub(crate) fn support(
    template: &str,
    suite: &TestSuite,
    graphql_path: &str,
    string: impl Fn(&str) -> String,
) -> String {
    template.replacen("\"http://localhost:8080\"", &string(&suite.default_base_url), 1).replacen(
        "\"/graphql\"",
        &string(graphql_path),
        1,
    )
}
