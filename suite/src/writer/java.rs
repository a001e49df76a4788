//! Suites in Java: JUnit 5 on REST Assured, built by Maven.

use serde_json::Number;

use crate::name::{camel_case, test_class};
use crate::test_case::TestSuite;
use crate::writer::dialect::{
    Dialect, Header, Order, files, holds_json, indented, is_among, quoted, support, utf_16,
};
use crate::writer::layout::{Instructions, project_name};
use crate::writer::literal::is_harmless;
use crate::writer::{SuiteFile, Writer};

/// The class that the tests share; Kotlin uses it too.
pub(crate) const SUPPORT: &str = include_str!("../../templates/java/Support.java");
const PROJECT: &str = include_str!("../../templates/java/pom.xml");

/// Folders of a Maven project, with their final slashes.
const SOURCES: &str = "src/test/java/suite/";
const RESOURCES: &str = "src/test/resources/";

/// Keywords, and names of the support class.
const RESERVED: &str = "\
    abstract any_boolean any_integer any_list any_number any_object any_string anything assert \
    boolean break by_type byte case catch char class connect const continue default do double \
    each else enum environment extends false final finally float for goto if implements import \
    including instanceof int interface json list long native new null nullable package private \
    protected public record return sealed short static strictfp super switch synchronized this \
    throw throws transient true try var void volatile while yield suite";

/// Writes one method per test for JUnit 5; requests are sent by REST Assured.
#[derive(Debug, Clone, Copy, Default)]
pub struct JavaWriter;

impl Writer for JavaWriter {
    fn name(&self) -> &'static str {
        "java"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        files(self, suite)
    }
}

impl Dialect for JavaWriter {
    fn is_reserved(&self, name: &str) -> bool {
        is_among(name, RESERVED)
    }

    /// Escapes by number are read before anything else, so that control characters need octal ones.
    fn string(&self, text: &str) -> String {
        quoted(text, '"', &[], |hidden| match u32::from(hidden) {
            code @ 0..=0x7f => format!("\\{code:03o}"),
            _ => utf_16(hidden),
        })
    }

    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        // Spaces at the end of a line would be lost.
        let is_plain = is_harmless(text)
            && !text.contains("\"\"\"")
            && !text.ends_with('"')
            && text.split('\n').all(|line| !line.ends_with(char::is_whitespace));
        let escaped = text.replace('\\', "\\\\");
        let lines = indented(&escaped, indentation + self.step());
        let margin = " ".repeat(indentation + self.step());
        is_plain.then(|| format!("\"\"\"\n{lines}\\\n{margin}\"\"\""))
    }

    fn number(&self, number: &Number) -> String {
        match (number.as_i64(), number.as_u64()) {
            (Some(small), _) if i32::try_from(small).is_ok() => small.to_string(),
            (Some(large), _) => format!("{large}L"),
            (None, Some(huge)) => format!("new java.math.BigInteger(\"{huge}\")"),
            (None, None) => number.to_string().replace("e+", "e"),
        }
    }

    /// Java writes some floats with an exponent that GraphQL and JSON read alike.
    fn can_send(_: &Number) -> bool {
        true
    }

    fn constants(&self) -> [&'static str; 3] {
        ["NULL", "false", "true"]
    }

    fn function(&self, name: &str) -> String {
        camel_case(name)
    }

    fn brackets(&self) -> [(&'static str, &'static str); 2] {
        [("list(", ")"), ("json(", ")")]
    }

    fn field(&self, key: &str, value: &str) -> String {
        format!("{}, {value}", self.string(key))
    }

    fn has_last_comma(&self) -> bool {
        false
    }

    /// What follows a backslash and a `u` would be read as a character, even in a comment.
    fn comment_text(&self, text: &str) -> String {
        text.replace('\\', "\\\\")
    }

    fn assignment(&self, variable: &str, value: &str, order: Order) -> String {
        match order {
            Order::Again => format!("{variable} = {value}"),
            // The next value may be of another type.
            Order::First if holds_json(variable) => format!("Object {variable} = {value}"),
            Order::First | Order::Only => format!("var {variable} = {value}"),
        }
    }

    fn depth(&self) -> usize {
        2
    }

    fn test_name(&self, name: &str) -> String {
        method_name(name)
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}    @Test\n    void {name}() {{\n{body}    }}\n")
    }

    fn path(&self, stem: &str) -> String {
        format!("{SOURCES}{}.java", test_class(stem))
    }

    fn folder(&self) -> &'static str {
        RESOURCES
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = &file.about;
        format!(
            "package suite;\n\nimport static suite.Support.*;\n\nimport org.junit.jupiter.api.Test;\n\n\
             // {what}\n//\n// {who}\nclass {} {{\n",
            test_class(file.stem)
        )
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        let source = support(SUPPORT, suite, graphql_path, |text| self.string(text));
        vec![
            SuiteFile::new("pom.xml", PROJECT.replace("PROJECT", &project_name(suite))),
            SuiteFile::new(".gitignore", "target/\n"),
            SuiteFile::new(format!("{SOURCES}Support.java"), source),
        ]
    }

    fn instructions(&self) -> Instructions {
        Instructions::new(Some("sudo apt-get install maven"), "mvn test")
    }
}

/// A method in Java or Kotlin; one that is called like a method of every object gets another name.
pub(crate) fn method_name(name: &str) -> String {
    let name = camel_case(name);
    let is_taken = is_among(&name, RESERVED)
        || ["clone", "equals", "finalize", "hashCode", "notify", "toString", "wait", "getClass"]
            .contains(&name.as_str());
    if is_taken { format!("{name}Test") } else { name }
}
