//! What answers say happened: messages that tell something, and those that only say that something did.

use serde_json::Value;

/// Words of which messages are made that say nothing: no name, no number, nothing that was quoted.
const EMPTY: &str = "a administrator after again an and application are at be been bug but by caught check code complete \
     contact could developers detail details did document during effect encountered error errors exception executing execution \
     failed failure fatal find for fulfill gone handle handled handling happened has have id informed internal is issue it in \
     its later log logged logs look more not occured occurred of on oops operation our panic perform persists please problem \
     process processed processing programmatic query reported request requested response s see serious server service side \
     something sorry support system team the there this to trapped try trying unable unexpected unhandled unknown \
     unspecified was we went when while will with wrong you your";

/// Whether a message says more than that something failed.
#[must_use]
pub fn is_telling(message: &str) -> bool {
    let mut words = message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let says = |word: &str| !EMPTY.split(' ').any(|empty| word.eq_ignore_ascii_case(empty));
    message.trim().chars().count() > 3 && words.any(says)
}

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
pub(crate) const LONGEST_BODY: usize = 64 << 10;
/// Shortest word of letters alone that may be drawn, in characters.
const SHORTEST_RANDOM: usize = 16;
/// Longest message that is told apart from others, in characters.
const LONGEST: usize = 160;

/// What an error body says happened, without what changes from call to call; none where it says
/// nothing.
#[must_use]
pub fn message(body: &str) -> Option<String> {
    message_of(&told(body)?)
}

/// The same of what was told.
pub(crate) fn message_of(told: &str) -> Option<String> {
    let told = normalised(before_statement(told));
    is_telling(&told).then_some(told)
}

/// A message without the statement of SQL that it quotes: the same value fails in each in the same way. Some
/// begin with the statement, and tell what failed behind a dash.
fn before_statement(told: &str) -> &str {
    let statements = ["select ", "insert into ", "update ", "delete from ", "with "];
    let lower = told.get(..12).unwrap_or(told).to_ascii_lowercase();
    if statements.iter().any(|begin| lower.starts_with(begin))
        && let Some((_, failed)) = told.rsplit_once(" - ")
        && is_telling(failed)
    {
        return failed;
    }
    let begins = [
        "SQL statement",
        "[SQL:",
        "; SQL ",
        " query: ",
        "SELECT ",
        "INSERT INTO ",
        "UPDATE ",
        "DELETE FROM ",
    ];
    let begin = begins.iter().filter_map(|begin| told.find(begin)).min();
    match begin {
        Some(begin) if is_telling(&normalised(&told[..begin])) => &told[..begin],
        _ => told,
    }
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

/// What runtimes say of code: what they quote is a name in it, and no value that was sent.
const OF_CODE: [&str; 8] = [
    "constraint \"",
    "Cannot invoke",
    "Cannot read field",
    "Cannot read propert",
    "Cannot assign field",
    "Cannot set propert",
    "has no attribute",
    "undefined method",
];

/// A text without numbers, identifiers and what stands in quotes: its first line that tells something.
pub(crate) fn normalised(text: &str) -> String {
    let text = said_in_quotes(text.lines().find(|line| is_telling(line)).unwrap_or(text));
    let quotes_code = OF_CODE.iter().any(|words| text.contains(words));
    let mut plain = String::new();
    let mut rest = text.chars().take(LONGEST * 2).peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' | '`' | '\'' if !plain.ends_with(char::is_alphanumeric) => {
                let quoted: String = rest.by_ref().take_while(|inner| *inner != c).collect();
                let is_code = quotes_code && is_code(&quoted);
                plain.push_str(if is_code { &quoted } else { "*" });
            }
            _ if c.is_alphanumeric() || c == '-' || c == '_' => {
                let mut word = c.to_string();
                while let Some(more) =
                    rest.next_if(|it| it.is_alphanumeric() || matches!(it, '-' | '_'))
                {
                    word.push(more);
                }
                let is_value = word.chars().any(|it| it.is_ascii_digit()) || is_random(&word);
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
    // How many there are differs from call to call.
    for (many, one) in [("*, *", "*"), ("$*, $*", "$*"), ("($*), ($*)", "($*)")] {
        while plain.contains(many) {
            plain = plain.replace(many, one);
        }
    }
    // What is left out and what is null are read in one place.
    if plain.contains("Cannot read propert") {
        plain = plain.replace(" of null", " of undefined");
    }
    plain.chars().take(LONGEST).collect()
}

/// The message of a text that is one in quotes, or a list of such as Python prints it.
fn said_in_quotes(text: &str) -> &str {
    let is_quote = |c: &char| matches!(c, '"' | '\'');
    let inner = text.trim().trim_start_matches('[');
    let Some(quote) = inner.chars().next().filter(is_quote) else { return text };
    let (said, rest) = inner[1..].split_once(quote).unwrap_or((text, ""));
    let is_whole = rest.trim_matches(']').is_empty() || text.trim().starts_with('[');
    if is_whole && said.contains(' ') { said } else { text }
}

/// Whether a word is a name that was drawn: long, and it changes between capitals and small letters more
/// often than names in code do.
#[must_use]
pub fn is_random(word: &str) -> bool {
    let is_change = |pair: &&[u8]| {
        let [one, other] = [pair[0], pair[1]];
        one.is_ascii_alphabetic()
            && other.is_ascii_alphabetic()
            && one.is_ascii_uppercase() != other.is_ascii_uppercase()
    };
    let changes = word.as_bytes().windows(2).filter(is_change).count();
    word.len() >= SHORTEST_RANDOM && 3 * changes >= word.len()
}

/// Whether what a message quotes reads as a name in code.
fn is_code(quoted: &str) -> bool {
    let begins = quoted.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
    begins && !quoted.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_words_that_all_failures_have_says_nothing() {
        let airflow = "Serious error when handling your request. Check logs for more details";
        for nothing in [
            "Internal server error",
            "An unexpected error has occurred.",
            "Unexpected error! ID: *",
            "oops",
            "",
            airflow,
        ] {
            assert!(!is_telling(nothing), "{nothing}");
        }
        for telling in ["division by zero", "no column *", "Unhandled error: the queue is full"] {
            assert!(is_telling(telling), "{telling}");
        }
    }

    #[test]
    fn what_runtimes_quote_of_code_is_kept() {
        let null = |name: &str| {
            message(&format!(
                r#"{{"detail":"Cannot invoke \"A.b()\" because \"{name}\" is null"}}"#
            ))
        };
        assert_ne!(null("definition"), null("op"));
        assert_eq!(null("op").as_deref(), Some("Cannot invoke A.b() because op is null"));
    }

    #[test]
    fn of_a_statement_what_failed_in_it_tells() {
        let inserted = |values: &str, constraint: &str| {
            message(&format!(
                r#"insert into "tag" ("a", "b") values {values} - insert or update on table "tag" violates foreign key constraint "{constraint}""#
            ))
        };
        let one = inserted("($1, $2)", "tag_kind_fkey");
        assert_eq!(one, inserted("($1, $2), ($3, $4)", "tag_kind_fkey"));
        assert_ne!(one, inserted("($1, $2)", "tag_of_fkey"));
        let plain = |values: &str| message(&format!("insert into \"tag\" values {values}"));
        assert_eq!(plain("($1, $2)"), plain("($1, $2), ($3, $4), ($5, $6)"));
    }

    #[test]
    fn messages_of_one_kind_are_alike() {
        let list = |name: &str| normalised(&format!("['“{name}” is not a valid UUID.', 'x']"));
        assert_eq!(list("*"), "“*” is not a valid UUID.");
        assert_eq!(normalised("'a b'=x"), "*=x");
        let drawn = |id: &str| normalised(&format!("no job {id}"));
        assert_eq!(drawn("UhVddQoVJVUhCYTUQguytP"), drawn("hF7aQoVJVUhCYTUQguytPz"));
        assert_eq!(drawn("UhVddQoVJVUhCYTUQguytP"), drawn("JYLTDEoEkyCSkGhYYCFsAS"));
        assert_ne!(drawn("RepositoryLocationNotFound"), drawn("RepositoryNotFoundAnywhere"));
        assert_eq!(normalised("user 42 has no 'name'"), normalised("user 7 has no 'age'"));
        assert_ne!(normalised("user not found"), normalised("order not found"));
        let reading = |member: &str| {
            normalised(&format!("Cannot read properties of undefined (reading '{member}')"))
        };
        assert_ne!(reading("id"), reading("slug"));
        assert_eq!(reading("a value"), reading("7"));
        assert_eq!(reading("id"), normalised("Cannot read properties of null (reading 'id')"));
        for id in ["3b6fc9a1-1", "abcdefab-12f4-4a8e-9c9f-aaaaaaaaaaaa"] {
            assert_eq!(normalised(&format!("INTERNAL_ERROR for {id}")), "INTERNAL_ERROR for *");
        }
    }
}
