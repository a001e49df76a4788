//! REST face of the string case study: every result is a plain text.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use serde_json::json;
use wallace_instrument::white_box;

use crate::rest::Kind::{Integer, Number, Text};
use crate::rest::{Arguments, RestService};
use crate::switch::Switches;
use crate::text::{TextOperations, statuses};

/// The service, with these switches on.
pub(crate) fn router(switches: Switches) -> Router {
    let content = json!({ "text/plain": { "schema": { "type": "string" } } });
    let service = RestService::new("String case study", &content);
    let service = with_words(with_numbers(service));
    service.router(TextOperations::new(&switches), statuses(switches))
}

/// The operations that take numbers too.
fn with_numbers(service: RestService<TextOperations>) -> RestService<TextOperations> {
    service
        .get(
            "/api/calc/{op}/{arg1}/{arg2}",
            "a calculator whose operator is a word",
            &[Text, Number, Number],
            get(calc),
        )
        .get(
            "/api/costfuns/{i}/{s}",
            "one test of each kind of comparison",
            &[Integer, Text],
            get(costfuns),
        )
        .get(
            "/api/notypevar/{i}/{s}",
            "sums of numbers and of texts",
            &[Integer, Text],
            get(noty_pevar),
        )
}

/// The operations on texts alone.
fn with_words(service: RestService<TextOperations>) -> RestService<TextOperations> {
    let [one, two, three, four]: [&[_]; 4] =
        [&[Text], &[Text, Text], &[Text, Text, Text], &[Text, Text, Text, Text]];
    service
        .get("/api/cookie/{name}/{val}/{site}", "validity of a cookie", three, get(cookie))
        .get(
            "/api/dateparse/{dayname}/{monthname}",
            "names of days and months",
            two,
            get(date_parse),
        )
        .get("/api/filesuffix/{directory}/{file}", "the kind of a file", two, get(file_suffix))
        .get("/api/ordered4/{w}/{x}/{z}/{y}", "the order of four words", four, get(ordered4))
        .get("/api/pat/{txt}/{pat}", "a pattern and its reverse in a text", two, get(pat))
        .get("/api/pat/{txt}", "texts that are a url, a date or a float", one, get(regex))
        .get("/api/text2txt/{word1}/{word2}/{word3}", "short forms of words", three, get(text2txt))
        .get("/api/title/{sex}/{title}", "titles that go with a sex", two, get(title))
}

type Operations = State<TextOperations>;
type OneText = Arguments<String>;
type TwoTexts = Arguments<(String, String)>;
type ThreeTexts = Arguments<(String, String, String)>;
type FourTexts = Arguments<(String, String, String, String)>;

#[white_box]
async fn calc(
    State(operations): Operations,
    Arguments((op, arg1, arg2)): Arguments<(String, f64, f64)>,
) -> String {
    operations.calc(&op, arg1, arg2)
}

#[white_box]
async fn cookie(State(operations): Operations, Arguments((name, val, site)): ThreeTexts) -> String {
    operations.cookie(&name, &val, &site)
}

#[white_box]
async fn costfuns(
    State(operations): Operations,
    Arguments((i, s)): Arguments<(i32, String)>,
) -> String {
    operations.costfuns(i, &s)
}

#[white_box]
async fn date_parse(
    State(operations): Operations,
    Arguments((dayname, monthname)): TwoTexts,
) -> String {
    operations.date_parse(&dayname, &monthname)
}

#[white_box]
async fn file_suffix(
    State(operations): Operations,
    Arguments((directory, file)): TwoTexts,
) -> String {
    operations.file_suffix(&directory, &file)
}

#[white_box]
async fn noty_pevar(
    State(operations): Operations,
    Arguments((i, s)): Arguments<(i32, String)>,
) -> String {
    operations.noty_pevar(i, &s)
}

#[white_box]
async fn ordered4(State(operations): Operations, Arguments((w, x, z, y)): FourTexts) -> String {
    operations.ordered4(&w, &x, &z, &y)
}

#[white_box]
async fn pat(State(operations): Operations, Arguments((txt, pat)): TwoTexts) -> String {
    operations.pat(&txt, &pat)
}

#[white_box]
async fn regex(State(operations): Operations, Arguments(txt): OneText) -> String {
    operations.regex(&txt)
}

#[white_box]
async fn text2txt(
    State(operations): Operations,
    Arguments((word1, word2, word3)): ThreeTexts,
) -> String {
    operations.text2txt(&word1, &word2, &word3)
}

#[white_box]
async fn title(State(operations): Operations, Arguments((sex, title)): TwoTexts) -> String {
    operations.title(&sex, &title)
}
