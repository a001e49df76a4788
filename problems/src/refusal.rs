//! What a refusal says, in whichever dialect: the parts that it names, and the values that it takes.

mod kind;
mod offer;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::word::{self, plain};
use offer::{beginning, list_begin, matching, offered};

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
mod tests {
    use super::*;

    const PARTS: [(&str, usize); 4] = [("limit", 1), ("sort_by", 1), ("filter", 1), ("tags", 1)];

    #[test]
    fn refusals_of_any_dialect_name_their_part() {
        for (refusal, place) in [
            (r#"{"detail":[{"loc":["query","sort_by"],"msg":"Input should be 'a'"}]}"#, 1),
            (r#"{"message":["limit must not be greater than 100"],"error":"Bad Request"}"#, 0),
            (r#"{"tags":["This field is required."]}"#, 3),
            (r#"{"errors":{"SortBy":["The value 'x' is not valid."]}}"#, 1),
            (r#"{"errors":[{"field":"filter","defaultMessage":"must not be null"}]}"#, 2),
            ("Required request parameter 'limit' is not present", 0),
        ] {
            assert_eq!(Refusal::read(refusal).named(&PARTS), [place], "{refusal}");
        }
        let named = |refusal| Refusal::read(refusal).named(&PARTS);
        assert!(named("Bad Request").is_empty());
        assert!(named("limit=1&sort_by=a&filter=b&tags=c").is_empty(), "an echo");
    }

    #[test]
    fn of_a_long_refusal_the_beginning_is_read() {
        let long = format!(r#"{{"limit":["too large"],"trace":"{}"}}"#, "at a.b ".repeat(20_000));
        let read = Refusal::read(&long);
        assert_eq!(read.named(&PARTS), [0]);
        assert!(read.said().iter().map(|said| said.text.len()).sum::<usize>() <= LONGEST_REFUSAL);
    }

    #[test]
    fn what_a_refusal_is_made_of_names_no_part() {
        let parts = ["key", "type", "code", "message", "name", "other"].map(|name| (name, 1));
        let directus = r#"{"errors":[{"message":"Validation failed for field \"key\". Value is required.",
            "extensions":{"field":"key","type":"required","code":"FAILED_VALIDATION"}}]}"#;
        assert_eq!(Refusal::read(directus).named(&parts), [0]);
        let pydantic = r#"{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required",
            "input":{"other":1,"code":2}}]}"#;
        assert_eq!(Refusal::read(pydantic).named(&parts), [4]);
        assert_eq!(Refusal::read(r#"{"type":["This field is required."]}"#).named(&parts), [1]);
        for refusal in [
            r#"{"errorMessage":"User name is missing"}"#,
            r#"{"non_field_errors":["One of a, b must be specified."],"__all__":["no"]}"#,
        ] {
            let said = Refusal::read(refusal);
            assert!(said.said().iter().all(|said| said.around.is_empty()), "{refusal}");
        }
    }

    #[test]
    fn what_a_text_must_begin_with_begins_one() {
        let url =
            Refusal::read(r#"{"detail":"server_url must start with 'http://' or 'https://'"}"#);
        assert!(url.values(&["server_url"]).contains(&(0, "http://localhost".to_owned())));
        let name = Refusal::read(r#"{"detail":"name must begin with \"app-\""}"#);
        assert!(name.values(&["name"]).contains(&(0, "app-a1".to_owned())));
        let other = Refusal::read(r#"{"detail":"name must not start with 'x'"}"#);
        assert!(other.values(&["name"]).is_empty());
        let form = Refusal::read(r#"{"detail":"run_id: expected format 'run-<uuid4>'"}"#);
        assert!(form.values(&["run_id"]).is_empty());
    }

    #[test]
    fn the_class_of_what_was_thrown_is_no_part() {
        let refusal = Refusal::read(
            r#"{"detail":"MissingRequiredParameterException: no ruleType","name":"MissingRequiredParameterException"}"#,
        );
        assert!(refusal.said().iter().all(|said| said.around.is_empty()));
    }

    #[test]
    fn each_sentence_of_a_refusal_is_about_its_own_names() {
        let refusal = Refusal::read(
            r#"{"message":"invalid Model.SchemaVersion: value must be in list [1.0 1.1]; invalid Model.StoreId: value does not match regex pattern \"^[A-F]{3}\\\\.x$\""}"#,
        );
        let values = refusal.values(&["schema_version", "store_id"]);
        let values: Vec<(usize, &str)> = values.iter().map(|(at, it)| (*at, &**it)).collect();
        assert_eq!(values, [(0, "1.0"), (0, "1.1"), (1, "AAA.x")]);
        let refusal = Refusal::read(r#"{"message":"alert_id must be valid integer"}"#);
        assert_eq!(refusal.values(&["name", "alert_id"]), [(1, "1".to_owned())]);
    }

    #[test]
    fn names_in_a_list_of_names_are_no_values() {
        let values = |text: &str, names: &[&str]| {
            let found = Refusal::read(text).values(names).into_iter().map(|(_, value)| value);
            found.collect::<Vec<_>>()
        };
        let exclusive = "Only one of jobId, jobType or taskKey should be set";
        assert!(values(exclusive, &["jobId", "jobType", "taskKey"]).is_empty());
        let needed = "Exactly one of run_id, partition_key, or a window must be provided";
        assert!(values(needed, &["partition_key", "run_id"]).is_empty());
        // Of a list of columns the names of other parameters are values.
        let columns = "sort must be one of name, created";
        assert!(values(columns, &["name", "sort"]).contains(&"name".to_owned()));
    }

    #[test]
    fn a_name_may_be_told_in_words_or_by_its_end() {
        let parts = [("messageName", 1), ("absoluteRemovalTime", 1), ("limit", 1)];
        let named = |text: &str| Refusal::read(text).named(&parts);
        assert_eq!(named("No message name supplied"), [0]);
        assert_eq!(named("removalTime is null"), [1]);
        assert!(named("some time is null").is_empty());
    }

    #[test]
    fn names_are_words_of_their_own() {
        assert!(is_told("sort by must be one of", "sortby") && is_told("sortBy is", "sortby"));
        assert!(is_told("at data.sort_by[0]", "sortby"));
        assert!(!is_told("invalid value", "id") && !is_told("a query", "q"));
        assert!(!is_told("getContents.hashOnRef: must be", "ref"));
    }
}
