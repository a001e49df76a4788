//! What a refusal says, in whichever dialect: the parts that it names, and the values that it takes.

mod absent;
mod kind;
mod offer;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::word::{self, plain};
use offer::{beginning, list_begin, matching, offered};

pub(crate) use absent::{is_absent, says};
pub(crate) use offer::{listed, quoted};

/// Longest body of a refusal that is read as JSON, in bytes; of a longer one its beginning is read as
/// a text, so that each call costs little whatever a service answers.
const LONGEST_BODY: usize = 64 << 10;
/// Longest part of a refusal that is read.
const LONGEST_REFUSAL: usize = 4_000;
/// Most values of one refusal that are remembered.
const MOST_VALUES: usize = 20;
/// Most steps of an address that are read.
const MOST_STEPS: usize = 8;
/// Members that say of which kind a refusal is, or hold its words, and name no part of a call.
const ENVELOPE: [&str; 22] = [
    "body",
    "code",
    "defaultmessage",
    "description",
    "detail",
    "details",
    "error",
    "errors",
    "exception",
    "extensions",
    "instance",
    "kind",
    "message",
    "messages",
    "msg",
    "reason",
    "rule",
    "status",
    "statuscode",
    "title",
    "type",
    "url",
];
/// Members that hold the words of a refusal of the whole call, and are no part of one even where they
/// hold a list.
const OF_ALL: [&str; 7] = [
    "all",
    "errordescription",
    "errormessage",
    "errormessages",
    "errormsg",
    "globalerrors",
    "nonfielderrors",
];
/// Members that repeat what was sent, or show the code that refused it.
const ECHO: [&str; 11] = [
    "arguments",
    "codes",
    "ctx",
    "input",
    "received",
    "rejectedvalue",
    "request",
    "stack",
    "stacktrace",
    "trace",
    "value",
];
/// Members that name the part of a call which a refusal is about.
const ADDRESS: [&str; 12] = [
    "attribute",
    "datapath",
    "field",
    "instancepath",
    "key",
    "location",
    "missingproperty",
    "name",
    "param",
    "path",
    "pointer",
    "property",
];

/// What a refusal says.
pub(crate) struct Refusal {
    said: Vec<Said>,
}

/// One text of a refusal.
pub(crate) struct Said {
    /// The names around it, the innermost last: members that hold it, and an address beside it.
    pub(crate) around: Vec<String>,
    /// The text itself.
    pub(crate) text: String,
}

impl Said {
    /// Whether it says a name, or one around it is that.
    pub(crate) fn tells(&self, name: &str) -> bool {
        is_told(&format!("{} {}", self.around.join(" "), self.text), name)
    }
}

impl Refusal {
    /// Reads the body of a refusal: texts of JSON, or one text that is none.
    pub(crate) fn read(body: &str) -> Self {
        let is_short = body.len() <= LONGEST_BODY;
        match is_short.then(|| serde_json::from_str::<Value>(body)) {
            Some(Ok(body)) => Self::of(&body),
            _ => Self::cut(vec![Said { around: Vec::new(), text: body.to_owned() }]),
        }
    }

    /// Reads the texts of a value.
    pub(crate) fn of(body: &Value) -> Self {
        let mut said = Vec::new();
        texts(body, &mut Vec::new(), &mut said);
        Self::cut(said)
    }

    fn cut(mut said: Vec<Said>) -> Self {
        let mut left = LONGEST_REFUSAL;
        said.retain_mut(|said| {
            said.text = said.text.chars().take(left).collect();
            left -= said.text.chars().count();
            !said.text.is_empty()
        });
        Self { said }
    }

    /// Its texts.
    pub(crate) fn said(&self) -> &[Said] {
        &self.said
    }

    /// Positions of the parts that it names as words of their own, of those that are called the same
    /// the outermost; none where it names most of them, as one does that repeats the request. A part
    /// is told by its name and its depth.
    pub(crate) fn named(&self, parts: &[(&str, usize)]) -> Vec<usize> {
        let is_apart = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
        let told = self.said.iter().flat_map(|said| said.around.iter().chain([&said.text]));
        let told: Vec<&String> = told.collect();
        let words = told.iter().flat_map(|text| text.split(is_apart));
        let words: BTreeSet<String> = words.filter(|word| !word.is_empty()).map(plain).collect();
        let mut named: Vec<usize> = Vec::new();
        for (at, (name, depth)) in parts.iter().enumerate() {
            let of_words = word::words(name).len() > 1;
            let name = plain(name);
            // `No message name supplied` is about `messageName`.
            let in_words = || of_words && told.iter().any(|it| is_told(it, &name));
            if !(words.contains(&name) || in_words()) {
                continue;
            }
            let same = named.iter().position(|other| plain(parts[*other].0) == name);
            match same {
                Some(other) if parts[named[other]].1 > *depth => named[other] = at,
                Some(other) if parts[named[other]].1 < *depth => {}
                _ => named.push(at),
            }
        }
        if named.is_empty() {
            named.extend(by_end(&told, parts));
        }
        if named.len() > 3.max(parts.len() / 2) { Vec::new() } else { named }
    }

    /// What it quotes beside the name of a value, as one does that lists what it takes: `status must
    /// be one of 'open', 'closed'`; and the simplest text of a pattern that it shows, or of a kind that it
    /// asks for. Each with the name's position. Of several sentences each is about its own names.
    pub(crate) fn values(&self, names: &[&str]) -> Vec<(usize, String)> {
        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let mut found = Vec::new();
        for said in &self.said {
            for sentence in said.text.split(['\n', ';']) {
                let told = format!("{} {sentence}", said.around.join(" "));
                if lists_names(&said.around, sentence, &names) {
                    continue;
                }
                for (at, name) in names.iter().enumerate().filter(|(_, name)| is_told(&told, name))
                {
                    let values = offered(sentence).chain(listed(sentence)).map(str::to_owned);
                    let values = values.filter(|value| !plain(value).starts_with(&**name));
                    let values = values.chain(beginning(sentence));
                    let simplest = matching(sentence);
                    let asked = || kind::asked(sentence).map(str::to_owned);
                    found.extend(values.chain(simplest.or_else(asked)).map(|value| (at, value)));
                }
            }
        }
        found.truncate(MOST_VALUES);
        found
    }
}

/// Whether a sentence lists what must be there, or of what only one may be, by its names: those are no values.
/// Where the list is of values, what they are of stands before it.
fn lists_names(around: &[String], sentence: &str, names: &[String]) -> bool {
    let before = &sentence[..list_begin(sentence)];
    let told = format!("{} {before}", around.join(" "));
    let listed = || offered(sentence).chain(listed(sentence)).map(plain);
    sentence.contains("at least one of")
        || listed().any(|value| names.contains(&value))
            && !names.iter().any(|it| is_told(&told, it))
}

/// The only part whose name ends in a name that is told: `removalTime is null` is about
/// `absoluteRemovalTime`.
fn by_end(told: &[&String], parts: &[(&str, usize)]) -> Option<usize> {
    let is_apart = |c: char| !c.is_alphanumeric() && c != '_';
    let words = told.iter().flat_map(|text| text.split(is_apart));
    let mut of_code = words.filter(|word| word::words(word).len() > 1 && is_name(word)).map(plain);
    of_code.find_map(|word| {
        let mut ends = (0..parts.len()).filter(|at| plain(parts[*at].0).ends_with(&word));
        ends.next().filter(|_| ends.next().is_none())
    })
}

/// Whether some words of a text in a row are a name: `sort by` is `sort_by`, `invalid` is no `id`, and
/// `hashOnRef` is one name.
pub(crate) fn is_told(text: &str, name: &str) -> bool {
    let is_apart = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
    let words = text.split(is_apart).map(plain).filter(|word| !word.is_empty());
    let words: Vec<String> = words.collect();
    (0..words.len()).any(|start| {
        let mut joined = String::new();
        words[start..].iter().take(4).any(|word| {
            joined.push_str(word);
            joined == name
        })
    })
}

/// Whether a member says what kind of refusal it is, and is no name of a part.
pub(crate) fn is_envelope(name: &str) -> bool {
    ENVELOPE.contains(&&*plain(name)) || is_of_all(name)
}

fn is_of_all(name: &str) -> bool {
    OF_ALL.contains(&&*plain(name))
}

/// The texts of a value, each with the names around it.
fn texts(value: &Value, around: &mut Vec<String>, said: &mut Vec<Said>) {
    let length = around.len();
    match value {
        Value::String(text) => said.push(Said { around: around.clone(), text: text.clone() }),
        Value::Array(elements) => {
            // The steps of an address, ["body", "name"], are told around the message already.
            elements.iter().for_each(|element| texts(element, around, said));
        }
        Value::Object(members) => {
            let members = || members.iter().filter(|(name, _)| !ECHO.contains(&&*plain(name)));
            around.extend(members().flat_map(|(name, member)| address(name, member)));
            for (name, member) in members() {
                let length = around.len();
                let holds_parts = member.is_object() || member.is_array();
                let is_kind = member.as_str().is_some_and(is_class);
                let is_part = !is_kind && !is_envelope(name) || holds_parts && !is_of_all(name);
                around.extend(is_part.then(|| name.clone()));
                texts(member, around, said);
                around.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    around.truncate(length);
}

/// The steps by which a member of a refusal says what it is about: `"loc": ["body", "name"]`,
/// `"field": "name"`, `"pointer": "/data/name"`.
fn address(name: &str, member: &Value) -> Vec<String> {
    let steps: Vec<&str> = match member {
        Value::Array(steps) if !is_envelope(name) => {
            steps.iter().filter_map(Value::as_str).collect()
        }
        Value::String(step) if ADDRESS.contains(&&*plain(name)) => {
            step.split(['/', '.']).filter(|step| !step.is_empty()).collect()
        }
        _ => return Vec::new(),
    };
    let is_address = steps.iter().all(|step| is_name(step) && !is_class(step));
    let steps = steps.into_iter().filter(|_| is_address).take(MOST_STEPS);
    steps.map(str::to_owned).collect()
}

/// Whether a text is the class of what was thrown, which goes by a name too.
fn is_class(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && (text.ends_with("Exception") || text.ends_with("Error"))
}

/// Whether a text may be the name of a part.
pub(crate) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$' | '@'))
        && text.len() <= 60
        && characters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | '[' | ']'))
}

#[cfg(test)]
mod tests;
