//! Tests of the watch.

use http::Method;

use super::*;
use crate::auth::ShownEffect;

fn request(operation: &str, body: &str) -> HttpRequest {
    let (method, path) = operation.split_once(':').unwrap();
    HttpRequest {
        method: Method::from_bytes(method.as_bytes()).unwrap(),
        path: path.replace(['{', '}'], "").parse().unwrap(),
        headers: http::HeaderMap::new(),
        body: body.to_owned().into(),
    }
}

fn note(watch: &mut SpoilWatch, operation: &str, body: &str, (status, said): (u16, &str)) {
    let request = request(operation, body);
    let went_well = status < 400;
    let call = WatchedCall {
        user: None,
        operation,
        request: &request,
        is_read: operation.starts_with("GET"),
        went_well,
        is_refused: false,
        is_unknown: false,
        status,
        effect: ShownEffect::Unknown,
    };
    let response = HttpResponse { status, body: said.to_owned(), ..HttpResponse::default() };
    watch.note(&call, &response);
}

fn suspects(doubt: &Doubt) -> Vec<&str> {
    doubt.suspects.iter().map(|change| &*change.sent.operation).collect()
}

#[test]
fn changes_between_are_suspected_the_likeliest_first() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "POST:/early", "", (201, ""));
    note(&mut watch, "GET:/tags", "", (200, "[]"));
    note(&mut watch, "PUT:/mode", r#"{"on":true}"#, (200, ""));
    note(&mut watch, "PUT:/tags/{id}", r#"{"title":null}"#, (200, ""));
    note(&mut watch, "POST:/other", "", (201, ""));
    assert!(watch.doubt().is_none(), "nothing failed");
    note(&mut watch, "GET:/tags", "", (500, "line 12, id 7fa3-c0de1"));
    note(&mut watch, "POST:/late", "", (201, ""));
    let doubt = watch.doubt().unwrap();
    assert_eq!(suspects(&doubt), ["PUT:/mode", "PUT:/tags/{id}", "POST:/other"]);
    let shows = |status, said: &str| {
        let body = said.to_owned();
        doubt.is_shown_by(&HttpResponse { status, body, ..HttpResponse::default() })
    };
    assert!(shows(500, "line 7, id 0beef1-9") && !shows(500, "other") && !shows(404, "line, id"));
}

#[test]
fn a_switch_is_suspected_however_long_ago_it_was_turned() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "POST:/start", "", (200, ""));
    note(&mut watch, "PUT:/definitions/{key}/suspended", r#"{"suspended":true}"#, (204, ""));
    note(&mut watch, "PUT:/mode", r#"{"on":true}"#, (204, ""));
    (0..2 * MOST_CHANGES).for_each(|_| note(&mut watch, "POST:/other", "", (201, "")));
    note(&mut watch, "POST:/start", "", (500, "the definition with key a is suspended"));
    let doubt = watch.doubt().unwrap();
    let expected = ["PUT:/definitions/{key}/suspended", "PUT:/mode", "POST:/other"];
    assert_eq!(suspects(&doubt), expected);
}

#[test]
fn one_operation_does_not_hide_the_others() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "GET:/tags", "", (200, "[]"));
    note(&mut watch, "PUT:/tags/{id}", r#"{"title":null}"#, (200, ""));
    for on in [true, true, false, true, false, true] {
        note(&mut watch, "PUT:/mode", &format!(r#"{{"on":{on}}}"#), (200, ""));
    }
    note(&mut watch, "GET:/tags", "", (500, ""));
    let doubt = watch.doubt().unwrap();
    assert_eq!(suspects(&doubt), ["PUT:/mode", "PUT:/mode", "PUT:/tags/{id}"]);
}

#[test]
fn asking_in_vain_is_not_repeated_at_once() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "GET:/tags", "", (200, "[]"));
    note(&mut watch, "POST:/other", "", (201, ""));
    note(&mut watch, "GET:/tags", "", (500, ""));
    let doubt = watch.doubt().unwrap();
    watch.settle(&doubt, false);
    assert!(watch.doubt().is_none());
    (0..3).for_each(|_| note(&mut watch, "GET:/tags", "", (500, "")));
    assert!(watch.doubt().is_some());
}

#[test]
fn what_an_operation_did_itself_is_its_own_failure() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "POST:/users", r#"{"name":"a"}"#, (201, ""));
    note(&mut watch, "POST:/users", r#"{"name":"a"}"#, (500, "UNIQUE"));
    assert!(watch.doubt().is_none());
}

#[test]
fn many_that_never_went_well_and_say_the_same_are_a_doubt() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "POST:/maintenance", r#"{"enabled":true}"#, (204, ""));
    for operation in ["POST:/a", "PUT:/b"] {
        note(&mut watch, operation, "", (500, "it is closed"));
    }
    assert!(watch.doubt().is_none());
    note(&mut watch, "POST:/c", "", (500, "it is closed"));
    assert_eq!(suspects(&watch.doubt().unwrap()), ["POST:/maintenance"]);
    assert!(watch.doubt().is_none(), "once");
    note(&mut watch, "POST:/d", "", (503, "in maintenance"));
    assert!(watch.doubt().is_some(), "a mode");
}

#[test]
fn what_says_nothing_may_have_a_cause_of_its_own_everywhere() {
    let mut watch = SpoilWatch::default();
    note(&mut watch, "DELETE:/things/{id}", "", (204, ""));
    for operation in ["POST:/a", "PUT:/b", "GET:/c", "GET:/d"] {
        note(&mut watch, operation, "", (500, r#"{"message":"Internal server error"}"#));
    }
    assert!(watch.doubt().is_none());
}

#[test]
fn many_that_went_well_and_are_refused_in_the_same_words_are_a_doubt() {
    let watched = |said: &str, refused: &[&str]| {
        let mut watch = SpoilWatch::default();
        for operation in ["POST:/a", "PUT:/b", "POST:/c"] {
            note(&mut watch, operation, "", (200, ""));
        }
        note(&mut watch, "PUT:/settings/{name}", r#"{"value":"true"}"#, (204, ""));
        refused.iter().for_each(|it| note(&mut watch, it, "", (409, said)));
        watch
    };
    let said = r#"{"title":"the storage is read-only"}"#;
    let mut watch = watched(said, &["POST:/a", "PUT:/b", "POST:/c"]);
    let doubt = watch.doubt().unwrap();
    assert!(doubt.symptom.is_mode());
    assert_eq!(suspects(&doubt)[0], "PUT:/settings/{name}");
    assert!(watch.doubt().is_none(), "once");
    assert!(watched(said, &["POST:/a", "PUT:/b"]).doubt().is_none());
    assert!(watched(said, &["POST:/new", "PUT:/new", "PATCH:/new"]).doubt().is_some());
    let all = ["POST:/a", "PUT:/b", "POST:/c"];
    assert!(watched(r#"{"title":"it exists already"}"#, &all).doubt().is_none());
    assert!(watched("{}", &all).doubt().is_none(), "that may be anything");
}
