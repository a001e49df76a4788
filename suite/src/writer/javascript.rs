//! Suites in JavaScript and TypeScript: Jest or Vitest run them, without any further package.

use serde_json::{Number, json};

use crate::name::camel_case;
use crate::test_case::TestSuite;
use crate::writer::dialect::{
    Dialect, Header, Order, files, holds_json, indented, is_among, quoted, support,
};
use crate::writer::layout::{Instructions, project_name};
use crate::writer::literal::is_harmless;
use crate::writer::{SuiteFile, Writer};

/// The module that the tests share, as CommonJS, and its types.
const SUPPORT: &str = include_str!("../../templates/javascript/support.js");
const TYPES: &str = include_str!("../../templates/javascript/support.d.ts");

/// The largest integer up to which all integers are told apart.
const LARGEST_EXACT: u64 = 1 << 53;

/// Keywords, and names of the support module and of the runners.
const RESERVED: &str = "\
    any_boolean any_integer any_list any_number any_object any_string anything arguments async \
    await break by_type case catch class connect const continue debugger default delete do each \
    else enum environment eval export extends false finally for function if implements import in \
    including instanceof interface json_file json_text let list_starting_with new non_null null \
    nullable one_of package path_segment plain_text private protected public return static super \
    switch test text_file this throw true try typeof var void while yield";

/// What runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    Jest,
    Vitest,
}

/// Writes one test per test for Jest or Vitest, in JavaScript or TypeScript.
#[derive(Debug, Clone, Copy)]
pub struct JavaScriptWriter {
    runner: Runner,
    is_typed: bool,
}

impl JavaScriptWriter {
    /// JavaScript for Jest.
    #[must_use]
    pub fn jest() -> Self {
        Self { runner: Runner::Jest, is_typed: false }
    }

    /// JavaScript for Vitest.
    #[must_use]
    pub fn vitest() -> Self {
        Self { runner: Runner::Vitest, is_typed: false }
    }

    /// The same for the same runner, in TypeScript.
    #[must_use]
    pub fn typed(self) -> Self {
        Self { is_typed: true, ..self }
    }

    fn ending(self) -> &'static str {
        if self.is_typed { "ts" } else { "js" }
    }

    /// `package.json` with what the runner needs.
    fn package(self, suite: &TestSuite) -> String {
        let mut packages = match self.runner {
            Runner::Jest => json!({ "jest": "^29.7.0" }),
            Runner::Vitest => json!({ "vitest": "^3.0.0" }),
        };
        if self.is_typed {
            packages["typescript"] = json!("^5.4.0");
            packages["@types/node"] = json!("^20.0.0");
        }
        if self.is_typed && self.runner == Runner::Jest {
            packages["@types/jest"] = json!("^29.5.0");
            packages["ts-jest"] = json!("^29.1.0");
        }
        let mut package = json!({
            "name": project_name(suite),
            "private": true,
            "scripts": { "test": if self.runner == Runner::Jest { "jest" } else { "vitest run" } },
            "devDependencies": packages,
        });
        match self.runner {
            // Files run one after the other: the service has one state.
            Runner::Jest => {
                package["jest"] = json!({ "maxWorkers": 1, "testTimeout": 120_000 });
                if self.is_typed {
                    package["jest"]["preset"] = json!("ts-jest");
                }
            }
            Runner::Vitest => package["type"] = json!("module"),
        }
        serde_json::to_string_pretty(&package).expect("a value is always JSON") + "\n"
    }

    /// The support module for the module system of the runner.
    fn support(self, suite: &TestSuite, graphql_path: &str) -> String {
        let source = support(SUPPORT, suite, graphql_path, |text| self.string(text));
        if self.runner == Runner::Jest {
            return source;
        }
        let mut source = source
            .replace("module.exports = {", "export {")
            .replace("path.join(__dirname, name)", "new URL(name, import.meta.url)")
            .replace("const path = require(\"node:path\");\n", "");
        for module in ["fs", "http", "https"] {
            let required = format!("const {module} = require(\"node:{module}\");");
            source = source.replace(&required, &format!("import {module} from \"node:{module}\";"));
        }
        source
    }
}

impl Writer for JavaScriptWriter {
    fn name(&self) -> &'static str {
        match (self.runner, self.is_typed) {
            (Runner::Jest, false) => "jest",
            (Runner::Jest, true) => "jest-ts",
            (Runner::Vitest, false) => "vitest",
            (Runner::Vitest, true) => "vitest-ts",
        }
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        files(self, suite)
    }
}

impl Dialect for JavaScriptWriter {
    fn is_reserved(&self, name: &str) -> bool {
        is_among(name, RESERVED)
    }

    fn string(&self, text: &str) -> String {
        quoted(text, '"', &[], |hidden| format!("\\u{{{:x}}}", u32::from(hidden)))
    }

    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        let escaped = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
        let lines = indented(&escaped, indentation + self.step());
        is_harmless(text).then(|| format!("`\n{lines}\n{}`", " ".repeat(indentation)))
    }

    /// Floats without fraction would become integers, and large integers lose digits.
    fn can_send(number: &Number) -> bool {
        match (number.as_i64().map(i64::unsigned_abs).or(number.as_u64()), number.as_f64()) {
            (Some(integer), _) => integer <= LARGEST_EXACT,
            (None, Some(float)) => float.fract() != 0.0,
            (None, None) => false,
        }
    }

    fn function(&self, name: &str) -> String {
        camel_case(name)
    }

    fn field(&self, key: &str, value: &str) -> String {
        let is_name = !key.is_empty()
            && !key.starts_with(|first: char| first.is_ascii_digit())
            && key.chars().all(|one| one.is_ascii_alphanumeric() || one == '_' || one == '$')
            && key != "__proto__";
        match (is_name, key) {
            (true, _) => format!("{key}: {value}"),
            // Without brackets it would set the prototype.
            (false, "__proto__") => format!("[\"__proto__\"]: {value}"),
            (false, _) => format!("{}: {value}", self.string(key)),
        }
    }

    fn pads_objects(&self) -> bool {
        true
    }

    fn awaited(&self, value: &str) -> String {
        format!("await {value}")
    }

    fn assignment(&self, variable: &str, value: &str, order: Order) -> String {
        match order {
            Order::Only => format!("const {variable} = {value}"),
            // The next value may be of another type.
            Order::First if self.is_typed && holds_json(variable) => {
                format!("let {variable}: unknown = {value}")
            }
            Order::First => format!("let {variable} = {value}"),
            Order::Again => format!("{variable} = {value}"),
        }
    }

    fn step(&self) -> usize {
        2
    }

    fn test_name(&self, name: &str) -> String {
        name.replace('_', " ")
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}test({}, async () => {{\n{body}}});\n", self.string(name))
    }

    fn path(&self, stem: &str) -> String {
        format!("{stem}.test.{}", self.ending())
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = &file.about;
        let names: Vec<String> = file.uses.iter().map(|name| camel_case(name)).collect();
        let is_module = self.is_typed || self.runner == Runner::Vitest;
        let (open, close) = match is_module {
            true => ("import {", "} from \"./support.js\";"),
            false => ("const {", "} = require(\"./support\");"),
        };
        let line = format!("{open} {} {close}", names.join(", "));
        let import = if line.len() <= 100 {
            line
        } else {
            let names: String = names.iter().map(|name| format!("  {name},\n")).collect();
            format!("{open}\n{names}{close}")
        };
        let runner = match self.runner {
            Runner::Jest => "",
            Runner::Vitest => "import { test } from \"vitest\";\n",
        };
        format!("// {what}\n//\n// {who}\n\n{runner}{import}\n\n")
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        let mut files = vec![
            SuiteFile::new("package.json", self.package(suite)),
            SuiteFile::new(".gitignore", "node_modules/\n"),
            SuiteFile::new("support.js", self.support(suite, graphql_path)),
        ];
        if self.runner == Runner::Vitest {
            let settings = "import { defineConfig } from \"vitest/config\";\n\n\
                 // Files run one after the other: the service has one state.\n\
                 export default defineConfig({\n\
                 \x20 test: { fileParallelism: false, testTimeout: 120_000 },\n\
                 });\n";
            files.push(SuiteFile::new("vitest.config.js", settings));
        }
        if self.is_typed {
            files.push(SuiteFile::new("support.d.ts", TYPES));
            let module = if self.runner == Runner::Jest { "commonjs" } else { "es2022" };
            let resolution = if self.runner == Runner::Jest { "node" } else { "bundler" };
            let settings = json!({ "compilerOptions": {
                "target": "es2022", "module": module, "moduleResolution": resolution,
                "strict": true, "noEmit": true, "esModuleInterop": true, "skipLibCheck": true,
            }});
            let settings = serde_json::to_string_pretty(&settings).expect("a value is always JSON");
            files.push(SuiteFile::new("tsconfig.json", settings + "\n"));
        }
        files
    }

    fn instructions(&self) -> Instructions {
        Instructions::new(Some("npm install"), "npm test")
    }
}
