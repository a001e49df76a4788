//! How a service writes dates and times, as its refusals tell.
//!
//! A scalar called Time may be a time of the day or a moment, and of a text nothing tells what it
//! means. Whoever refuses one mostly says how it is to be written: by the layout, by the name of a
//! standard, or by a word. What is sent there from then on is written so.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use wallace_genes::Gene;

use super::action::GraphqlAction;
use super::answer::Answer;
use super::scalar::is_custom;
use super::scope::{Scope, argument_name};
use super::site::visit_sites;

/// Most arguments of which this is remembered.
const MOST: usize = 10_000;
/// Shortest text that is told from the words around it in a message, in bytes.
const SHORTEST: usize = 3;

/// Layouts: the reference time of Go, and letters for what stands at their place.
static LAYOUT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?xi)
        (?<instant> 2006-01-02['\ t]+15:04 | y{4}-m{2}-d{2}['\ t]+h{2}:m{2} ) |
        (?<date> 2006-01-02 | y{4}-m{2}-d{2} ) |
        (?<time> \b15:04 | \bh{2}:m{2} )
        ",
    )
});

/// Names of standards, and words; the earliest in the message counts.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?xi)
        (?<instant> rfc[\ -]?3339 | iso[\ -]?8601 | iso-?format | \bdate-?time | timestamp ) |
        (?<date> \bfull-date | \bdate-string | \ba\ (valid\ )?date\b | \btype\ date\b ) |
        (?<time> \b(full|partial)-time | \btime-string | \ba\ (valid\ )?time\b | \btype\ time\b )
        ",
    )
});

/// What is said of moments with milliseconds.
static PRECISE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\bfull iso[ -]?8601|\bmilliseconds|:(05|ss)\.(s{3}|0{3})"));

/// How a date or time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Moment {
    /// Date and time with the offset (RFC 3339).
    Instant,
    /// The same with milliseconds, as JavaScript writes it (ECMA-262, 21.4.1.32).
    Precise,
    /// The date alone.
    Date,
    /// The time of the day alone.
    Time,
}

/// How dates and times are written, by the name of a custom scalar, or by the coordinate of an
/// argument that is a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Moments(BTreeMap<Box<str>, Moment>);

impl Moments {
    /// How a value is written, where that was told.
    pub(crate) fn of(&self, coordinate: &str, scalar: &str) -> Option<Moment> {
        self.0.get(key(coordinate, scalar)).copied()
    }

    /// Notes what the errors of an answer say of the texts of its call: those that they quote, or
    /// those of the argument that they are about.
    pub(crate) fn note_refusal(&mut self, scope: &Scope, action: &GraphqlAction, answer: &Answer) {
        let operation = scope.operation(action.template);
        for error in answer.response.iter().flat_map(|response| &response.errors) {
            let Some(moment) = told(&error.message) else { continue };
            let about = error.path.rsplit('/').next().unwrap_or_default();
            visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
                let (_, scalar) = scope.scalar_at(site.coordinate);
                let Gene::String(sent) = site.gene else { return };
                let is_quoted = sent.text.len() >= SHORTEST && error.message.contains(&*sent.text);
                let is_about = is_custom(scalar)
                    && (argument_name(site.coordinate) == about
                        || is_named(&error.message, scalar));
                if scalar != "ID" && (is_quoted || is_about) {
                    let key = key(site.coordinate, scalar);
                    if self.0.len() < MOST || self.0.contains_key(key) {
                        self.0.insert(key.into(), moment);
                    }
                }
            });
        }
    }
}

fn key<'a>(coordinate: &'a str, scalar: &'a str) -> &'a str {
    if is_custom(scalar) { scalar } else { coordinate }
}

/// Whether a message says a name as a word of its own.
fn is_named(message: &str, name: &str) -> bool {
    message.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// How a message says that a date or time is to be written.
fn told(message: &str) -> Option<Moment> {
    let found = LAYOUT.captures(message).or_else(|| NAMED.captures(message))?;
    Some(match () {
        () if found.name("instant").is_some() && PRECISE.is_match(message) => Moment::Precise,
        () if found.name("instant").is_some() => Moment::Instant,
        () if found.name("date").is_some() => Moment::Date,
        () => Moment::Time,
    })
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns above are valid")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use wallace_genes::{GeneSettings, TemplateId, simplest};

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    #[test]
    fn refusals_tell_layouts_standards_and_words() {
        for (message, expected) in [
            (r#"parsing time "20:44:00" as "2006-01-02T15:04:05Z07:00""#, Some(Moment::Instant)),
            (r#"parsing time "x" as "2006-01-02": cannot parse"#, Some(Moment::Date)),
            (r#"parsing time "x" as "15:04:05""#, Some(Moment::Time)),
            (
                "DateTime scalars must be in the form of a full ISO 8601 date-time string",
                Some(Moment::Precise),
            ),
            (r#"use the layout "yyyy-MM-ddTHH:mm:ss.SSSZ""#, Some(Moment::Precise)),
            ("value must be a valid rfc3339 date or start with 'now'", Some(Moment::Instant)),
            ("expected ISO-8601", Some(Moment::Instant)),
            ("an ISO 8601 date (YYYY-MM-DD)", Some(Moment::Date)),
            ("use yyyy-MM-dd'T'HH:mm:ss", Some(Moment::Instant)),
            ("must match HH:MM", Some(Moment::Time)),
            ("DateTime cannot represent an invalid date-time-string x", Some(Moment::Instant)),
            ("Date cannot represent an invalid date-string x.", Some(Moment::Date)),
            ("invalid input syntax for type timestamp with time zone", Some(Moment::Instant)),
            ("invalid input syntax for type date: \"x\"", Some(Moment::Date)),
            ("name is too long", None),
            ("it is time to update", None),
        ] {
            assert_eq!(told(message), expected, "{message}");
        }
    }

    #[test]
    fn a_refusal_is_about_the_text_that_it_quotes_or_the_argument_of_its_path() {
        let sdl = "scalar Time type Query { ranged(range: Range!): Int span(end: Time!): Int }
            input Range { from: String! to: String! name: ID! }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let scope = Scope::new(Arc::clone(&templates), vec![TemplateId(0), TemplateId(1)], 5);
        let mut moments = Moments::default();
        let mut note = |place: u32, texts: &[&str], message: &str, path: &[&str]| {
            let template = TemplateId(place);
            let spec = &templates.operations()[place as usize].spec;
            let mut gene = simplest(spec, &GeneSettings::default());
            let mut sites = Vec::new();
            visit_sites(&templates, scope.operation(template), &gene, &mut |site| {
                sites.extend(matches!(site.gene, Gene::String(_)).then(|| site.path.clone()));
            });
            for (path, text) in sites.iter().zip(texts) {
                *path.find_mut(&mut gene).unwrap() = Gene::text(*text);
            }
            let body = json!({ "errors": [{ "message": message, "path": path }], "data": null });
            let body = body.to_string();
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            moments.note_refusal(&scope, &GraphqlAction::new(template, gene), &answer);
            moments.clone()
        };
        let message = "from (Apple 382) invalid: must be a valid rfc3339 date";
        let told = note(0, &["Apple 382", "Daisy", "x"], message, &["ranged"]);
        assert_eq!(told.of("Range.from", "String"), Some(Moment::Instant));
        assert_eq!(told.of("Range.to", "String"), None);
        let message = r#"parsing time "" as "2006-01-02T15:04:05Z07:00""#;
        let told = note(1, &[""], message, &["span", "end"]);
        assert_eq!(told.of("Query.other(at:)", "Time"), Some(Moment::Instant));
    }
}
