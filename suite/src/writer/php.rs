//! Suites in PHP: PHPUnit runs them, on the curl extension and nothing else.

use serde_json::Number;

use crate::name::{camel_case, test_class};
use crate::test_case::TestSuite;
use crate::writer::dialect::{Dialect, Header, Order, files, indented, quoted, support};
use crate::writer::layout::Instructions;
use crate::writer::literal::is_harmless;
use crate::writer::{SuiteFile, Writer};

/// The functions and classes that the tests share.
const SUPPORT: &str = include_str!("../../templates/php/Support.php");

/// What ends a text of several lines.
const MARKER: &str = "DOCUMENT";

/// The settings of the runner.
const SETTINGS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<phpunit colors="false" cacheResult="false">
    <testsuites>
        <testsuite name="all">
            <directory>tests</directory>
        </testsuite>
    </testsuites>
</phpunit>
"#;

/// Writes one method per test for PHPUnit, from version 9 on.
#[derive(Debug, Clone, Copy, Default)]
pub struct PhpunitWriter;

impl Writer for PhpunitWriter {
    fn name(&self) -> &'static str {
        "phpunit"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        files(self, suite)
    }
}

impl Dialect for PhpunitWriter {
    fn is_reserved(&self, name: &str) -> bool {
        name == "this"
    }

    fn string(&self, text: &str) -> String {
        if is_harmless(text) && !text.contains('\n') {
            return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
        }
        quoted(text, '"', &['$'], |hidden| format!("\\u{{{:x}}}", u32::from(hidden)))
    }

    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        let indentation = indentation + self.step();
        let is_plain = is_harmless(text) && !text.contains(MARKER);
        let (lines, margin) = (indented(text, indentation), " ".repeat(indentation));
        is_plain.then(|| format!("<<<'{MARKER}'\n{lines}\n{margin}{MARKER}"))
    }

    fn number(&self, number: &Number) -> String {
        match (number.as_i64(), number.as_u64()) {
            (Some(i64::MIN), _) => "PHP_INT_MIN".to_owned(),
            (None, Some(huge)) => format!("{huge}.0"),
            _ => number.to_string().replace("e+", "e"),
        }
    }

    fn can_send(number: &Number) -> bool {
        number.is_i64() || number.is_f64()
    }

    fn function(&self, name: &str) -> String {
        camel_case(name)
    }

    fn variable(&self, name: &str) -> String {
        format!("${}", camel_case(name))
    }

    fn brackets(&self) -> [(&'static str, &'static str); 2] {
        [("[", "]"), ("(object) [", "]")]
    }

    fn field(&self, key: &str, value: &str) -> String {
        format!("{} => {value}", self.string(key))
    }

    fn access(&self) -> &'static str {
        "->"
    }

    fn comment_text(&self, text: &str) -> String {
        text.replace("?>", "? >")
    }

    fn assignment(&self, variable: &str, value: &str, _: Order) -> String {
        format!("{variable} = {value}")
    }

    fn depth(&self) -> usize {
        2
    }

    fn test_name(&self, name: &str) -> String {
        camel_case(&format!("test_{}", name.strip_prefix("test_").unwrap_or(name)))
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}    public function {name}(): void\n    {{\n{body}    }}\n")
    }

    fn path(&self, stem: &str) -> String {
        format!("tests/{}.php", test_class(stem))
    }

    fn folder(&self) -> &'static str {
        "tests/"
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = &file.about;
        let class = test_class(file.stem);
        format!(
            "<?php\n\n// {what}\n//\n// {who}\n\ndeclare(strict_types=1);\n\nnamespace Suite;\n\n\
             require_once __DIR__ . '/Support.php';\n\n\
             final class {class} extends \\PHPUnit\\Framework\\TestCase\n{{\n"
        )
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        let source = support(SUPPORT, suite, graphql_path, |text| self.string(text));
        vec![SuiteFile::new("phpunit.xml", SETTINGS), SuiteFile::new("tests/Support.php", source)]
    }

    fn instructions(&self) -> Instructions {
        let set_up = Some("sudo apt-get install phpunit php-cli php-curl");
        Instructions::new(set_up, "phpunit")
    }
}
