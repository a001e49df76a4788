//! Suites in Python: `pytest` runs them, on requests.

use serde_json::Number;

use crate::test_case::TestSuite;
use crate::writer::dialect::{Dialect, Header, Order, files, indented, is_among, quoted, support};
use crate::writer::layout::Instructions;
use crate::writer::literal::is_harmless;
use crate::writer::{SuiteFile, Writer};

/// The module that the tests share.
const SUPPORT: &str = include_str!("../../templates/python/support.py");

/// Keywords, and names of the support module.
const RESERVED: &str = "\
    and any_boolean any_integer any_list any_number any_object any_string anything as assert \
    async await break by_type case class connect continue def del each elif else environment \
    except false finally for from global if import in including is json_file json_text lambda \
    list_starting_with match non_null none nonlocal not nullable one_of or pass path_segment \
    plain_text raise return support text_file true try type while with yield print";

/// Writes one function per test for pytest; requests are sent by requests.
#[derive(Debug, Clone, Copy, Default)]
pub struct PytestWriter;

impl Writer for PytestWriter {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        files(self, suite)
    }
}

impl Dialect for PytestWriter {
    fn is_reserved(&self, name: &str) -> bool {
        is_among(name, RESERVED)
    }

    fn string(&self, text: &str) -> String {
        quoted(text, '"', &[], |hidden| match u32::from(hidden) {
            code @ 0..=0xff => format!("\\x{code:02x}"),
            code @ 0x100..=0xffff => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        })
    }

    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        let is_plain = is_harmless(text) && !text.contains("\"\"\"") && !text.contains('\\');
        let lines = indented(text, indentation + self.step());
        is_plain.then(|| format!("\"\"\"\n{lines}\n{}\"\"\"", " ".repeat(indentation)))
    }

    fn can_send(_: &Number) -> bool {
        true
    }

    fn constants(&self) -> [&'static str; 3] {
        ["None", "False", "True"]
    }

    fn function(&self, name: &str) -> String {
        name.to_owned()
    }

    fn chain(&self, head: &str, lines: &str, indentation: usize) -> String {
        let margin = " ".repeat(indentation);
        let lines = lines.trim_start();
        format!("(\n{margin}    {head}{lines}\n{margin})")
    }

    fn assignment(&self, variable: &str, value: &str, _: Order) -> String {
        format!("{variable} = {value}")
    }

    fn end(&self) -> &'static str {
        ""
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn test_name(&self, name: &str) -> String {
        if name.starts_with("test_") { name.to_owned() } else { format!("test_{name}") }
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}def {name}():\n{body}\n")
    }

    fn path(&self, stem: &str) -> String {
        format!("test_{stem}.py")
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = file.about.clone().map(|text| text.replace(['\\', '"'], "'"));
        let inline = format!("from support import {}", file.uses.join(", "));
        let imports = if inline.len() <= 88 {
            inline
        } else {
            let names: String = file.uses.iter().map(|name| format!("    {name},\n")).collect();
            format!("from support import (\n{names})")
        };
        format!("\"\"\"{what}\n\n{who}\n\"\"\"\n\n{imports}\n\n\n")
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        vec![
            SuiteFile::new("requirements.txt", "pytest>=7\nrequests>=2.28\n"),
            SuiteFile::new("pytest.ini", "[pytest]\naddopts = -p no:cacheprovider\n"),
            SuiteFile::new(".gitignore", "__pycache__/\n"),
            SuiteFile::new(
                "support.py",
                support(SUPPORT, suite, graphql_path, |text| self.string(text)),
            ),
        ]
    }

    fn instructions(&self) -> Instructions {
        Instructions::new(Some("pip install -r requirements.txt"), "pytest")
    }
}
