//! One cause, one fault: what tells that faults of several operations come of the same mistake.
//!
//! A middleware without a header, an error body that is not documented, one function behind ten
//! operations: whoever mends it mends it once, so that it is told once, with all operations it shows
//! itself at. Where an answer does not say what happened, each operation stands for itself.

use serde_json::Value;
use wallace_problems::is_telling;

use crate::test_case::Fault;

/// Members of error bodies that say what happened, most telling first.
const MESSAGES: [&str; 9] = [
    "message",
    "detail",
    "error",
    "errorDescription",
    "exception_message",
    "title",
    "errors",
    "msg",
    "reason",
];
/// Longest body that is read for what happened, in bytes.
const LONGEST_BODY: usize = 64 << 10;
/// Longest text of a cause, in characters.
const LONGEST: usize = 160;

/// The cause of a fault, as far as its code, its context, and status and body of the answer that
/// shows it tell: equal texts mean one cause.
#[must_use]
pub fn cause(fault: &Fault, answer: Option<(u16, &str)>) -> String {
    let Fault { code, operation, context, .. } = fault;
    let alone = || format!("{operation} {context}");
    let about = match code {
        // What answers for all operations.
        957 | 961 | 962 | 965 | 966 => String::new(),
        100 => match answer {
            _ if !context.is_empty() => context.clone(),
            // Whoever is busy or away is so for all.
            Some((status @ (502..=504), _)) => status.to_string(),
            Some((status, body)) => match frame(body).or_else(|| message(body)) {
                Some(message) => format!("{status} {message}"),
                None => alone(),
            },
            None => alone(),
        },
        // Status, place and keyword. A schema with a name is mended once, whatever answers follow it;
        // a place below one without is of one operation.
        101 => {
            let context = without_member(context);
            match context.split_once(' ') {
                // Whatever writes times does so for all members of all answers.
                None if TIMES.contains(&&*context) => context,
                Some((_, place)) if !place.starts_with(['/', ' ']) => place.to_owned(),
                _ if context.starts_with(['4', '5']) => context,
                _ => format!("{operation} {context}"),
            }
        }
        // What reads bodies does so for all operations: whether there is one, and which kinds of
        // values it turns into others. A rule of a member is one wherever the member is.
        102 => match context.rsplit_once(' ') {
            Some((place, "type")) if place.starts_with("body/") => "body type".to_owned(),
            Some((place, rule)) if place.starts_with("body/") => {
                format!("body {} {rule}", place.rsplit('/').next().unwrap_or_default())
            }
            Some((place, "type")) if place != "body" => "parameter type".to_owned(),
            _ => context.clone(),
        },
        956 | 963 => answer.and_then(|(_, body)| message(body)).unwrap_or_else(alone),
        // The place is that of the operation; what was told is the same behind many.
        // What fails before any resolver runs has no path.
        970 if context.starts_with("request: ") => context.clone(),
        // Whatever writes errors names the class of each.
        985 if is_class(context.rsplit(": ").next().unwrap_or_default()) => "a class".to_owned(),
        // The request that a message ends in is another each time.
        970 | 985 => {
            match context.split_once(": ").map(|(_, told)| told.trim_end_matches(" for *").trim()) {
                Some(told) if is_telling(told) => told.to_owned(),
                _ if *code == 970 => inner_member(context).map_or_else(alone, str::to_owned),
                _ => alone(),
            }
        }
        971 => null_place(context).join(".").to_ascii_lowercase(),
        // An object with other members than those that were asked for lacks these.
        974 => context.split(": ").next().unwrap_or_default().to_owned(),
        // What reads requests and writes answers does so for all operations.
        976..=978 | 982..=984 | 986 => context.clone(),
        // Whatever writes errors puts all traces at the same place.
        209 => answer.and_then(|(_, body)| trace_place(body)).unwrap_or_else(alone),
        _ => alone(),
    };
    format!("{code} {about}")
}

/// Other names of the cause of a fault: what shares one with an earlier fault comes of the same mistake.
/// A null where none may be has two, its object and its member: one row without a translation lacks all
/// its texts, and one way to write dates lacks them everywhere. So has a format: whatever writes links
/// does so in all objects. HEAD fails where GET does.
#[must_use]
pub fn traits(fault: &Fault) -> Vec<String> {
    let Fault { code, operation, context, .. } = fault;
    let (object, member) = match code {
        100 if context.is_empty() => {
            let path = operation.strip_prefix("GET:").or_else(|| operation.strip_prefix("HEAD:"));
            return path.map(|path| format!("100 reading {path}")).into_iter().collect();
        }
        971 => match &null_place(context)[..] {
            [object, member] => ((*object).to_owned(), (*member).to_owned()),
            _ => return Vec::new(),
        },
        101 => {
            let place = [" null", " format"].iter().find_map(|rule| context.strip_suffix(rule));
            let place = place.and_then(|it| it.split_once(' '));
            match place.and_then(|(_, place)| place.split_once('/')) {
                Some((object, member)) if !object.is_empty() && !member.contains('/') => {
                    (object.to_owned(), member.to_owned())
                }
                _ => return Vec::new(),
            }
        }
        _ => return Vec::new(),
    };
    vec![format!("{code} object {object}"), format!("{code} member {member}")]
}

/// The object and the member of a null, or what a field of a root type is about: a list, and what makes,
/// changes and deletes its elements, lack the same.
fn null_place(context: &str) -> Vec<&str> {
    let place = context.split(':').next().unwrap_or_default();
    let names = place.split(['.', '/']).filter(|step| !step.is_empty() && *step != "*");
    let mut named: Vec<&str> = names.filter(|step| step.parse::<u32>().is_err()).collect();
    named.drain(..named.len().saturating_sub(2));
    if let [root, field] = named[..]
        && ["query", "mutation"].iter().any(|it| root.to_ascii_lowercase().starts_with(it))
    {
        let word = field.rfind(char::is_uppercase).map_or(field, |start| &field[start..]);
        let word = word.strip_suffix('s').unwrap_or(word);
        return vec![word];
    }
    named
}

/// The member that an error without words is about, where it is one inside of what was asked for: whatever
/// leads there, the same function fails.
fn inner_member(context: &str) -> Option<&str> {
    let place = context.split(':').next().unwrap_or_default();
    let mut names = place.split(['.', '/']).filter(|step| !step.is_empty() && *step != "*");
    let (last, above) = (names.next_back()?, names.next_back()?);
    let is_root = ["query", "mutation"].iter().any(|it| above.eq_ignore_ascii_case(it));
    (!is_root).then_some(last)
}

/// Rules of a 101 about how times are written.
const TIMES: [&str; 3] = ["date-time", "date", "time"];

/// The context of a 101 for the object whose members miss what all members of one answer may miss at
/// once: to be there and documented, to be no null, to be written as the description says.
fn without_member(context: &str) -> String {
    let Some((place, rule)) = context.rsplit_once(' ') else { return context.to_owned() };
    match place.rsplit_once('/') {
        // Another object than the one described lacks the members of that, and has its own.
        Some((object, _)) if matches!(rule, "required" | "additionalProperties") => {
            format!("{object} members")
        }
        Some((object, _)) if matches!(rule, "null" | "format") => format!("{object} {rule}"),
        _ if TIMES.contains(&rule) => rule.to_owned(),
        _ => context.to_owned(),
    }
}

/// What an error body says happened, without what changes from call to call; none where it says
/// nothing.
#[must_use]
pub fn message(body: &str) -> Option<String> {
    let told = normalised(&told(body)?);
    is_telling(&told).then_some(told)
}

/// What an error body says happened, in its words.
#[must_use]
pub fn told(body: &str) -> Option<String> {
    if body.len() > LONGEST_BODY {
        return None;
    }
    let told = match serde_json::from_str::<Value>(body) {
        Ok(value) => said(&value)?,
        // A page for people says the same whatever happened.
        Err(_) => {
            let line = body.lines().map(str::trim).find(|line| !line.is_empty())?;
            Some(line).filter(|line| !line.starts_with('<'))?.to_owned()
        }
    };
    Some(["&quot;", "&apos;", "&#39;"].iter().fold(told, |told, it| told.replace(it, "'")))
}

fn said(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| is_telling(text)),
        Value::Array(elements) => elements.iter().find_map(said),
        Value::Object(members) => {
            let mut known = MESSAGES.iter().filter_map(|name| members.get(*name));
            known.find_map(said)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Whether a text is the name of a class with its packages, and nothing else.
fn is_class(text: &str) -> bool {
    text.contains('.') && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
}

/// Where a body holds a stack trace: the names of the members that lead there, the last two of them
/// since the first may be those of the operation.
fn trace_place(body: &str) -> Option<String> {
    if body.len() > LONGEST_BODY {
        return None;
    }
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return is_trace(body).then(|| "a text".to_owned());
    };
    let mut open = vec![(&value, Vec::new())];
    while let Some((value, way)) = open.pop() {
        match value {
            Value::String(text) if is_trace(text) => {
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

fn is_trace(text: &str) -> bool {
    trace_lines(text).next().is_some()
}

/// The lines of a stack trace.
fn trace_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_frame = |line: &&str| {
        (line.starts_with("File \"") && line.contains(", line "))
            || line.starts_with("at ")
            || line.contains("panicked at ")
    };
    text.lines().map(str::trim).filter(is_frame)
}

/// The innermost place of a stack trace: in Python the last, elsewhere the first.
fn frame(body: &str) -> Option<String> {
    if body.len() > LONGEST_BODY {
        return None;
    }
    // Some send a trace as a list of its lines.
    let text = body.replace("\",\"", "\n").replace("\\n", "\n").replace("\\\"", "\"");
    let lines: Vec<&str> = trace_lines(&text).collect();
    let python = lines.iter().rfind(|line| line.starts_with("File \""));
    let other = lines.iter().find(|line| !line.starts_with("File \""));
    // The name of the file tells; where in it changes with each version.
    python.or(other).map(|line| normalised(&line.replace('"', "")))
}

/// What runtimes say of code: what they quote is a name in it, and no value that was sent.
const OF_CODE: [&str; 7] = [
    "Cannot invoke",
    "Cannot read field",
    "Cannot read propert",
    "Cannot assign field",
    "Cannot set propert",
    "has no attribute",
    "undefined method",
];

/// A text without numbers, identifiers and what stands in quotes.
fn normalised(text: &str) -> String {
    let quotes_code = OF_CODE.iter().any(|words| text.contains(words));
    let mut plain = String::new();
    let mut rest = text.chars().take(LONGEST * 2).peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' | '`' | '\'' if quotes_code => {}
            '"' | '`' | '\'' if !plain.ends_with(char::is_alphanumeric) => {
                while rest.next().is_some_and(|inner| inner != c) {}
                plain.push('*');
            }
            _ if c.is_alphanumeric() || c == '-' || c == '_' => {
                let mut word = c.to_string();
                while let Some(more) =
                    rest.next_if(|it| it.is_alphanumeric() || matches!(it, '-' | '_'))
                {
                    word.push(more);
                }
                let is_value = word.chars().any(|it| it.is_ascii_digit());
                plain.push_str(if is_value { "*" } else { &word });
            }
            _ if c.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            _ => plain.push(c),
        }
    }
    plain.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: u16, operation: &str, context: &str, answer: Option<(u16, &str)>) -> String {
        let (operation, context) = (operation.to_owned(), context.to_owned());
        cause(&Fault { code, operation, context, explanation: Vec::new() }, answer)
    }

    #[test]
    fn one_middleware_is_one_cause() {
        assert_eq!(of(961, "GET:/a", "", None), of(961, "POST:/b", "", None));
        let busy = Some((503, "{}"));
        assert_eq!(of(100, "GET:/a", "", busy), of(100, "POST:/b", "", busy));
        let error = "422 HTTPValidationError/detail type";
        assert_eq!(of(101, "GET:/a", error, None), of(101, "POST:/b", error, None));
        let thing = |status: u16| of(101, "GET:/a", &format!("{status} Thing/name type"), None);
        assert_eq!(thing(200), thing(201));
        let missing = |name: &str| of(101, "GET:/a", &format!("200 /*/{name} required"), None);
        assert_eq!(missing("version"), missing("position"));
        let extra = "200 /*/more additionalProperties";
        assert_eq!(missing("version"), of(101, "GET:/a", extra, None));
        let told = Some((415, r#"{"message":"no content type was given"}"#));
        assert_eq!(of(956, "POST:/a", "", told), of(956, "DELETE:/b", "", told));
        let null = |name: &str| of(101, "GET:/a", &format!("200 User/{name} null"), None);
        assert_eq!(null("email"), null("phone"));
        assert_ne!(null("email"), missing("email"));
        let time =
            |place: &str, rule: &str| of(101, "GET:/a", &format!("200 {place} {rule}"), None);
        assert_eq!(time("Task/due", "date-time"), time("/*/made", "date-time"));
        assert_ne!(time("Task/due", "date-time"), time("Task/due", "date"));
        assert_ne!(time("Task/mail", "format"), time("User/mail", "format"));
        let other = |wrong: &str| of(974, "Query.a", &format!("Query.a: {wrong}"), None);
        assert_eq!(other("a selected key is missing"), other("unasked key b"));
        assert_ne!(
            of(101, "GET:/a", "200 /id type", None),
            of(101, "GET:/b", "200 /id type", None)
        );
    }

    #[test]
    fn errors_that_say_the_same_are_one_cause() {
        let body =
            |name: &str, id: u32| format!(r#"{{"detail":"no column '{name}' in row {id}"}}"#);
        let (one, two) = (body("a", 1), body("b", 22));
        let (one, two) = (Some((500, &*one)), Some((500, &*two)));
        assert_eq!(of(100, "GET:/a", "", one), of(100, "POST:/b", "", two));
        let null = |name: &str| {
            format!(r#"{{"detail":"Cannot invoke \"A.b()\" because \"{name}\" is null"}}"#)
        };
        let (one, two) = (null("definition"), null("op"));
        let (one, two) = (Some((500, &*one)), Some((500, &*two)));
        assert_ne!(of(100, "GET:/a", "", one), of(100, "POST:/b", "", two));
        assert_eq!(of(100, "GET:/a", "", one), of(100, "POST:/b", "", one));
        for nothing in [
            r#"{"error":"Internal Server Error"}"#,
            r#"{"message":"A programmatic error occurred, developers have been informed."}"#,
        ] {
            let nothing = Some((500, nothing));
            assert_ne!(of(100, "GET:/a", "", nothing), of(100, "POST:/b", "", nothing));
        }
        let told = |place: &str| of(970, place, &format!("{place}: division by zero"), None);
        assert_eq!(told("a.b"), told("c"));
        let silent = |place: &str| of(970, place, &format!("{place}: Internal server error"), None);
        assert_ne!(silent("a.b"), silent("c"));
        assert_eq!(silent("/createPage/email"), silent("/Page/email"));
        assert_ne!(silent("Mutation.createPage"), silent("Query.createPage.email"));
        for nothing in ["internal system error", "INTERNAL_ERROR for *", "Unexpected error."] {
            let told = |place: &str| of(970, place, &format!("{place}: {nothing}"), None);
            assert_ne!(told("a.b"), told("c"), "{nothing}");
        }
    }

    #[test]
    fn failures_are_told_apart_by_the_innermost_place_of_their_trace() {
        let trace = |path: &str| {
            format!("Traceback (most recent call last):\\n  File \\\"{path}\\\", line 3, in go\\nX")
        };
        let body = |path: &str| format!(r#"{{"error":{{"trace":"{}"}}}}"#, trace(path));
        let (one, other) = (body("a.py"), body("b.py"));
        let cause = |operation: &str, body: &str| of(100, operation, "", Some((500, body)));
        assert_ne!(cause("GET:/a", &one), cause("GET:/a", &other));
        assert_eq!(cause("GET:/a", &one), cause("GET:/z", &one));
        let page = Some((500, "<!DOCTYPE html><title>Error</title>"));
        assert_ne!(of(100, "GET:/a", "", page), of(100, "GET:/b", "", page));
    }

    #[test]
    fn a_null_has_an_object_and_a_member() {
        let fault = |code: u16, context: &str| {
            let (operation, context) = ("o".to_owned(), context.to_owned());
            Fault { code, operation, context, explanation: Vec::new() }
        };
        let null = |place: &str| fault(971, &format!("{place}: null at a non-null position"));
        assert_eq!(traits(&null("Product.slug")), ["971 object Product", "971 member slug"]);
        assert_eq!(
            traits(&fault(101, "200 User/seen null")),
            ["101 object User", "101 member seen"]
        );
        let link = |object: &str| traits(&fault(101, &format!("200 {object}/href format")));
        assert_eq!(link("User")[1], link("Group")[1]);
        assert!(traits(&fault(101, "200 /seen null")).is_empty(), "an object without a name");
        assert!(traits(&null("Query.me")).is_empty(), "a root is no object");
        let root = |place: &str| cause(&null(place), None).to_ascii_lowercase();
        assert_eq!(root("Query.provinces"), root("Mutation.createProvince"));
        assert_ne!(root("Query.provinces"), root("Query.users"));
    }

    #[test]
    fn a_head_fails_where_its_get_does() {
        let fault = |operation: &str| {
            let operation = operation.to_owned();
            Fault { code: 100, operation, context: String::new(), explanation: Vec::new() }
        };
        assert_eq!(traits(&fault("GET:/a")), traits(&fault("HEAD:/a")));
        assert_ne!(traits(&fault("GET:/a")), traits(&fault("HEAD:/b")));
        assert!(traits(&fault("POST:/a")).is_empty());
    }

    #[test]
    fn what_writes_errors_is_one_cause() {
        let body = |place: &str, frame: &str| {
            format!(r#"{{"errors":[{{"path":["a"],"{place}":{{"stack":["{frame}"]}}}}]}}"#)
        };
        let cause = |body: &str| of(209, "GET:/a", "/a: a stack trace", Some((500, body)));
        let one = body("extensions", "  at Shop.find (shop.js:1:2)");
        assert_eq!(cause(&one), cause(&body("extensions", "  at Shop.sell (shop.js:9:9)")));
        assert_ne!(cause(&one), cause(&body("debug", "  at Shop.find (shop.js:1:2)")));
        assert_ne!(cause(&one), cause("oops\n  at Shop.find (shop.js:1:2)"));
        let class = |name: &str| of(985, name, &format!("body: {name}"), None);
        assert_eq!(class("json.decoder.JSONDecodeError"), class("a.b.CheckError"));
        assert_ne!(class("a.b.CheckError"), of(985, "x", "body: SQLSTATE", None));
    }
}
