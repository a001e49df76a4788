//! What refusals of many dialects say.

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
    let url = Refusal::read(r#"{"detail":"server_url must start with 'http://' or 'https://'"}"#);
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
