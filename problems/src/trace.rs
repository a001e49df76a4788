//! Stack traces in answers: whether there is one, where in the body it stands, and what its innermost
//! place is.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::telling::{LONGEST_BODY, normalised};

/// Traces of the call stack, as common platforms print them.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?x)
        # Java, Kotlin, Scala, .NET
        \n\s+at\s[\w$.<>/@]+\( | \bat\s[\w$.<>/]+\([\w$]+\.(java|kt|scala|cs):\d+\) | \(\w+\.(java|kt):\d+\) |
        \n\s+at\s[^\n]+\sin\s[^\n]+:line\s\d+ | \bSystem\.\w*Exception\b |
        # JavaScript
        \n\s+at\s[^\n]+:\d+:\d+\)?(\n|\W|$) | \bat\s/\S+\.(js|ts):\d+:\d+ |
        # Python, Ruby, PHP
        Traceback\s\(most\srecent\scall | File\s"[^"]+",\sline\s\d+ | \.rb:\d+:in\s | \.php\(\d+\) |
        # Rust, Go
        panicked\sat\s | stack\sbacktrace: | goroutine\s\d+\s\["#;
    Regex::new(pattern).expect("the pattern is valid")
});

/// Whether the text holds a stack trace.
pub(crate) fn has_trace(text: &str) -> bool {
    TRACE.is_match(&unescaped(text))
}

/// The innermost place of the stack trace in a body, without what changes from call to call: in Python
/// the last, elsewhere the first. None where there is no trace.
pub(crate) fn frame(body: &str) -> Option<String> {
    if body.len() > LONGEST_BODY || !has_trace(body) {
        return None;
    }
    // Some send a trace as a list of its lines.
    let text = body.replace("\",\"", "\n");
    let text = unescaped(&text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| is_frame(line)).collect();
    let python = lines.iter().rfind(|line| line.starts_with("File \""));
    let other = lines.iter().find(|line| !line.starts_with("File \""));
    // The name of the file tells; where in it changes with each version.
    python.or(other).map(|line| normalised(&line.replace('"', "")))
}

fn is_frame(line: &str) -> bool {
    (line.starts_with("File \"") && line.contains(", line "))
        || line.starts_with("at ")
        || line.contains("panicked at ")
}

/// Where a body holds a stack trace: the names of the members that lead there, the last two of them
/// since the first may be those of the operation, as the one below `data` is.
#[must_use]
pub fn trace_place(body: &str) -> Option<String> {
    if body.len() > LONGEST_BODY {
        return None;
    }
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return has_trace(body).then(|| "a text".to_owned());
    };
    let mut open = vec![(&value, Vec::new())];
    while let Some((value, way)) = open.pop() {
        match value {
            Value::String(text) if has_trace(text) || is_frame(text.trim()) => {
                let own = if way.first().is_some_and(|it| it == "data") { 2 } else { 0 };
                let way = &way[own.min(way.len().saturating_sub(1))..];
                return Some(way[way.len().saturating_sub(2)..].join("/"));
            }
            Value::Array(elements) => {
                open.extend(elements.iter().rev().map(|it| (it, way.clone())));
            }
            Value::Object(members) => {
                let below = |name: &String| way.iter().cloned().chain([name.clone()]).collect();
                open.extend(members.iter().rev().map(|(name, it)| (it, below(name))));
            }
            _ => {}
        }
    }
    None
}

/// JSON writes the ends of lines, and quotes, in its own way.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_told_from_texts_about_them() {
        for trace in [
            "java.lang.X: y\n\tat a.b(C.java:1)",
            "oops\n    at com.acme.Shop.find(Shop.java:12)",
            r#"{"message":"thread 'main' panicked at src/a.rs:1:2\nstack backtrace:"}"#,
            r#"{"stack":"TypeError: x\n    at f (/srv/bundle.js:2109:2)\n    at g (node:x:1:2)"}"#,
            "Traceback (most recent call last):\n  File \"a.py\", line 3",
            r#"{"trace":"  File \"a.py\", line 3, in go\n"}"#,
            "thread 'main' panicked at src/main.rs:1:2",
            "System.NullReferenceException: x",
            "x\n   at Shop.Find(Int32 id) in /src/Shop.cs:line 7",
            "#0 /srv/index.php(12): f()",
        ] {
            assert!(has_trace(trace), "{trace}");
        }
        for text in [
            "it failed\n  at 12:30 it was tried again",
            "Exception in thread main",
            "look at the stack",
        ] {
            assert!(!has_trace(text), "{text}");
        }
    }

    #[test]
    fn a_frame_is_the_innermost_place() {
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n  File \"b.py\", line 4, in g";
        assert_eq!(frame(python).as_deref(), Some("File b.py, line *, in g"));
        let java = r#"{"stack":["x","  at a.b(C.java:1)","  at d.e(F.java:2)"],"m":"\n\tat a.b(C.java:1)"}"#;
        assert!(frame(java).is_some_and(|it| it.starts_with("at a.b(C.java")));
        assert_eq!(frame("at last nothing"), None);
    }
}
