//! Suites in Kotlin: JUnit 5 on REST Assured, built by Maven. What the tests share is the class of
//! the Java suites.

use serde_json::Number;

use crate::name::{camel_case, test_class};
use crate::test_case::TestSuite;
use crate::writer::dialect::{
    Dialect, Header, Order, files, holds_json, indented, is_among, quoted, support, utf_16,
};
use crate::writer::java::{JavaWriter, SUPPORT, method_name};
use crate::writer::layout::{Instructions, project_name};
use crate::writer::literal::is_harmless;
use crate::writer::{SuiteFile, Writer};

const PROJECT: &str = include_str!("../../templates/kotlin/pom.xml");
const JSON: &str = include_str!("../../templates/kotlin/Json.kt");

/// Keywords, and names of what the tests share.
const RESERVED: &str = "\
    any_boolean any_integer any_list any_number any_object any_string anything as break by_type \
    class connect continue do each else environment false for fun if in including interface is \
    json list null nullable object package return super this throw true try typealias typeof val \
    var when while suite value linked_map_of";

/// Writes one method per test for JUnit 5; requests are sent by REST Assured.
#[derive(Debug, Clone, Copy, Default)]
pub struct KotlinWriter;

impl Writer for KotlinWriter {
    fn name(&self) -> &'static str {
        "kotlin"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        files(self, suite)
    }
}

impl Dialect for KotlinWriter {
    fn is_reserved(&self, name: &str) -> bool {
        is_among(name, RESERVED)
    }

    fn string(&self, text: &str) -> String {
        quoted(text, '"', &['$'], utf_16)
    }

    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        // Texts that begin or end with an empty line would lose it.
        let is_plain = is_harmless(text) && !text.contains("\"\"\"") && text.trim() == text;
        let escaped = text.replace('$', "${'$'}");
        let lines = indented(&escaped, indentation + self.step());
        let margin = " ".repeat(indentation);
        is_plain.then(|| format!("\"\"\"\n{lines}\n{margin}\"\"\".trimIndent()"))
    }

    fn number(&self, number: &Number) -> String {
        match (number.as_i64(), number.as_u64()) {
            (Some(i64::MIN), _) => "Long.MIN_VALUE".to_owned(),
            (Some(integer), _) => integer.to_string(),
            (None, Some(huge)) => format!("java.math.BigInteger(\"{huge}\")"),
            (None, None) => number.to_string().replace("e+", "e"),
        }
    }

    fn can_send(_: &Number) -> bool {
        true
    }

    fn function(&self, name: &str) -> String {
        camel_case(name)
    }

    fn brackets(&self) -> [(&'static str, &'static str); 2] {
        [("list(", ")"), ("json(", ")")]
    }

    fn field(&self, key: &str, value: &str) -> String {
        format!("{} to {value}", self.string(key))
    }

    fn assignment(&self, variable: &str, value: &str, order: Order) -> String {
        match order {
            Order::Only => format!("val {variable} = {value}"),
            // The next value may be of another type.
            Order::First if holds_json(variable) => format!("var {variable}: Any? = {value}"),
            Order::First => format!("var {variable} = {value}"),
            Order::Again => format!("{variable} = {value}"),
        }
    }

    fn end(&self) -> &'static str {
        ""
    }

    fn depth(&self) -> usize {
        2
    }

    fn test_name(&self, name: &str) -> String {
        method_name(name)
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}    @Test\n    fun {name}() {{\n{body}    }}\n")
    }

    fn path(&self, stem: &str) -> String {
        format!("src/test/kotlin/suite/{}.kt", test_class(stem))
    }

    fn folder(&self) -> &'static str {
        "src/test/resources/"
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = &file.about;
        format!(
            "package suite\n\nimport org.junit.jupiter.api.Test\nimport suite.Support.*\n\n\
             // {what}\n//\n// {who}\nclass {} {{\n",
            test_class(file.stem)
        )
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        let source = support(SUPPORT, suite, graphql_path, |text| JavaWriter.string(text));
        vec![
            SuiteFile::new("pom.xml", PROJECT.replace("PROJECT", &project_name(suite))),
            SuiteFile::new(".gitignore", "target/\n"),
            SuiteFile::new("src/test/java/suite/Support.java", source),
            SuiteFile::new("src/test/kotlin/suite/Json.kt", JSON),
        ]
    }

    fn instructions(&self) -> Instructions {
        Instructions::new(Some("sudo apt-get install maven"), "mvn test")
    }
}
