//! One cause, one fault: what tells that faults of several operations come of the same mistake.
//!
//! A middleware without a header, an error body that is not documented, one function behind ten
//! operations: whoever mends it mends it once, so that it is told once, with all operations it shows
//! itself at. Where an answer does not say what happened, each operation stands for itself.

use wallace_problems::{is_telling, message, trace_place};

use crate::test_case::Fault;

/// Longest body that is read for what happened, in bytes.
const LONGEST_BODY: usize = 64 << 10;

/// The cause of a fault, as far as its code, its context, and status and body of the answer that
/// shows it tell: equal texts mean one cause.
#[must_use]
pub fn cause(fault: &Fault, answer: Option<(u16, &str)>) -> String {
    let Fault { code, operation, context, .. } = fault;
    let alone = || format!("{operation} {context}");
    let about = match code {
        // Whatever reads documents reads them so for all operations.
        988 if FORMS.iter().any(|end| context.ends_with(end)) => context.clone(),
        // What answers for all operations.
        957 | 961 | 962 | 965 | 966 => String::new(),
        100 => match answer {
            // Whoever is busy or away is so for all.
            Some((status @ (502..=504), _)) if context.is_empty() => status.to_string(),
            Some((_, body)) if lacks_database(body) => "no database".to_owned(),
            _ if context.is_empty() => alone(),
            // A statement, a place of a trace or a message is the same behind many operations.
            _ => context.clone(),
        },
        // What keeps one member keeps the others, and what lacks one check lacks it whatever is refused.
        904 | 206 => operation.clone(),
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
        // values it turns into others, of parameters also whether listed values are all there are. A rule of a
        // member is one wherever the member is.
        102 => match context.rsplit_once(' ') {
            Some((place, "type")) if place.starts_with("body/") => "body type".to_owned(),
            // What takes the parts of a thing takes any of them.
            Some((place, "required"))
                if place.starts_with("body/") && operation.starts_with("PATCH:") =>
            {
                "body of PATCH required".to_owned()
            }
            Some((place, rule)) if place.starts_with("body/") => {
                format!("body {} {rule}", place.rsplit('/').next().unwrap_or_default())
            }
            Some((place, rule @ ("type" | "enum"))) if place != "body" => {
                format!("parameter {rule}")
            }
            _ => context.clone(),
        },
        956 | 963 => answer.and_then(|(_, body)| message(body)).unwrap_or_else(alone),
        // The place is that of the operation; what was told is the same behind many.
        // What fails before any resolver runs has no path.
        970 if context.starts_with("request: ") => context.clone(),
        // Whatever writes errors names the class of each.
        985 if is_class(context.rsplit(": ").next().unwrap_or_default()) => "a class".to_owned(),
        // Whatever hands on what a database says of one constraint does so for all.
        985 if CONSTRAINTS.iter().any(|words| context.contains(words)) => "a constraint".to_owned(),
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
/// does so in all objects. HEAD fails where GET does, and has no body to say why.
#[must_use]
pub fn traits(fault: &Fault) -> Vec<String> {
    let Fault { code, operation, context, .. } = fault;
    let (object, member) = match code {
        100 => {
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

/// Whether a fault that shares a trait with an earlier one is the same: not where it says itself what failed.
#[must_use]
pub fn is_told_by_traits(fault: &Fault) -> bool {
    fault.code != 100 || fault.context.is_empty()
}

/// Whether an answer says that there is no database: each operation that needs it says so in its own words.
fn lacks_database(body: &str) -> bool {
    let text = if body.len() > LONGEST_BODY { String::new() } else { body.to_ascii_lowercase() };
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let is_database = |word: &&str| matches!(*word, "db" | "database");
    let is_missing = |words: &[&str]| match words {
        ["no", it, "connected"] => is_database(it),
        [it, "not", "connected" | "initialized" | "available" | "configured"] => is_database(it),
        _ => false,
    };
    words.windows(3).any(is_missing)
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

/// How a 988 ends that tells of forms of one document.
const FORMS: [&str; 2] = ["gives another answer than literals", "gives two different answers"];
/// Words of databases about constraints.
const CONSTRAINTS: [&str; 3] = ["constraint failed", "duplicate key value", "key constraint"];
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

/// Whether a text is the name of a class with its packages, and nothing else.
fn is_class(text: &str) -> bool {
    text.contains('.') && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
}

#[cfg(test)]
mod tests;
