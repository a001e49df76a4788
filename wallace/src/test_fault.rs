//! A fault with the requests that show it, and as a test to paste.

use std::fmt::Write;

use wallace_problems::CallFailure;

/// Longest part of a response that is shown, in characters.
const SHOWN: usize = 300;

/// A fault, with the smallest test that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFault {
    /// Name of the fault: code, operation and what tells it from others.
    pub name: String,
    /// The requests that show it, in order: method, path, headers and body, and what came of each.
    pub steps: Vec<TestStep>,
}

/// One request of a test that shows a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestStep {
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Headers, without those by which a user says who it is.
    pub headers: Vec<(String, String)>,
    /// Headers by which the user says who it is, each with the environment variable from which a test
    /// to paste reads its value.
    pub credentials: Vec<(String, String)>,
    /// Body.
    pub body: String,
    /// Parts of the request that come from earlier answers.
    pub taken: Vec<TakenValue>,
    /// Status and body of the response, or why there was none.
    pub response: Result<(u16, String), CallFailure>,
}

/// A value that a request takes from an earlier answer of its test.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenValue {
    /// Position of the step whose answer it is from.
    pub step: usize,
    /// Where in the body of that answer, as a JSON pointer.
    pub pointer: String,
    /// What it was, as it stands in the request.
    pub text: String,
}

impl std::fmt::Display for TestFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.steps {
            writeln!(formatter, "   {} {}", step.method, step.path)?;
            if !step.body.is_empty() {
                writeln!(formatter, "   {}", step.body)?;
            }
            match &step.response {
                Ok((status, body)) => {
                    let body: String = body.chars().take(SHOWN).collect();
                    writeln!(formatter, "   -> {status} {body}")?;
                }
                Err(failure) => writeln!(formatter, "   -> no response ({})", failure.as_str())?,
            }
        }
        Ok(())
    }
}

impl TestFault {
    /// A test that fails while the fault is there, to be pasted beside the others; `number` tells it
    /// from other such tests.
    #[must_use]
    pub fn test(&self, number: usize) -> String {
        let mut text = format!(
            "#[test]\nfn fault_{number}() {{\n    \
             let mut service = wallace::in_process::InProcess::new(router()).unwrap(); // your router\n"
        );
        let is_used = |place: usize| {
            self.steps.iter().any(|step| step.taken.iter().any(|taken| taken.step == place))
        };
        for (place, step) in self.steps.iter().enumerate() {
            for (number, taken) in step.taken.iter().enumerate() {
                let (from, pointer) = (taken.step, &taken.pointer);
                // Writing to a text cannot fail.
                let _ = writeln!(
                    text,
                    "    let taken_{place}_{number} = answer_{from}.text_at({pointer:?}).unwrap();"
                );
            }
            let call = call(place, step);
            if place + 1 == self.steps.len() {
                let _ = writeln!(text, "    let answer = {call}.unwrap();");
                let _ = writeln!(text, "    {}", assertion(step));
            } else if is_used(place) {
                let _ = writeln!(text, "    let answer_{place} = {call}.unwrap();");
            } else {
                let _ = writeln!(text, "    let _ = {call};");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// The code of the call at a place.
fn call(place: usize, step: &TestStep) -> String {
    let headers = step.headers.iter().map(|(name, value)| format!("({name:?}, {value:?})"));
    let credentials = step.credentials.iter().map(|(name, variable)| {
        format!("({name:?}, std::env::var({variable:?}).unwrap().as_str())")
    });
    let headers: Vec<String> = headers.chain(credentials).collect();
    let (method, headers) = (&step.method, headers.join(", "));
    let path = put_in(place, step, &step.path, format!("{:?}", step.path));
    let body = put_in(place, step, &step.body, raw(&step.body));
    format!("service.call({method:?}, {path}, &[{headers}], {body})")
}

/// A literal of a text, in which what was taken from earlier answers is replaced by what they hold now.
fn put_in(place: usize, step: &TestStep, text: &str, literal: String) -> String {
    let mut code = literal;
    for (number, taken) in step.taken.iter().enumerate() {
        if text.contains(&taken.text) {
            code = format!("&{code}.replace({:?}, &taken_{place}_{number})", taken.text);
        }
    }
    code
}

/// A raw literal of a text.
fn raw(text: &str) -> String {
    if text.contains('\r')
        || text.chars().any(|character| character.is_control() && character != '\n')
    {
        return format!("{text:?}");
    }
    let longest =
        text.split('"').skip(1).map(|rest| rest.chars().take_while(|c| *c == '#').count());
    let hashes = "#".repeat(longest.max().map_or(0, |most| most + 1));
    format!("r{hashes}\"{text}\"{hashes}")
}

/// What must hold once the fault is mended.
fn assertion(step: &TestStep) -> String {
    match &step.response {
        Err(_) | Ok((500.., _)) => "assert!(answer.status < 500, \"{answer:?}\");".to_owned(),
        Ok((_, body)) if body.contains("\"errors\"") => {
            "assert!(!answer.body.contains(\"\\\"errors\\\"\"), \"{answer:?}\");".to_owned()
        }
        // Which part of it is wrong the name of the fault tells.
        Ok((status, body)) => {
            format!("assert_ne!((answer.status, answer.body.as_str()), ({status}, {}));", raw(body))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(method: &str, path: &str, taken: Vec<TakenValue>) -> TestStep {
        TestStep {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            credentials: Vec::new(),
            body: String::new(),
            taken,
            response: Ok((200, "\"a\"".to_owned())),
        }
    }

    #[test]
    fn who_calls_is_read_from_the_environment() {
        let credentials = vec![("Authorization".to_owned(), "WALLACE_CREDENTIALS_ANN".to_owned())];
        let steps = vec![TestStep { credentials, ..step("GET", "/me", Vec::new()) }];
        let test = TestFault { name: String::new(), steps }.test(1);
        let call = r##"service.call("GET", "/me", &[("Authorization", std::env::var("WALLACE_CREDENTIALS_ANN").unwrap().as_str())], r"")"##;
        assert!(test.contains(call), "{test}");
    }

    #[test]
    fn what_was_taken_is_taken_again() {
        let text = "f81d4fae-7dec".to_owned();
        let taken = vec![TakenValue { step: 0, pointer: "/id".to_owned(), text }];
        let steps = vec![
            step("POST", "/todos", Vec::new()),
            step("GET", "/other", Vec::new()),
            step("GET", "/todos/f81d4fae-7dec", taken),
        ];
        let test = TestFault { name: String::new(), steps }.test(3);
        let lines: Vec<&str> = test.lines().map(str::trim).collect();
        assert_eq!(
            lines[3..8],
            [
                r##"let answer_0 = service.call("POST", "/todos", &[], r"").unwrap();"##,
                r##"let _ = service.call("GET", "/other", &[], r"");"##,
                r##"let taken_2_0 = answer_0.text_at("/id").unwrap();"##,
                r##"let answer = service.call("GET", &"/todos/f81d4fae-7dec".replace("f81d4fae-7dec", &taken_2_0), &[], r"").unwrap();"##,
                r###"assert_ne!((answer.status, answer.body.as_str()), (200, r#""a""#));"###,
            ]
        );
    }
}
