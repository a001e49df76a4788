//! Every kind of source, and what is wrong in them.

use std::sync::Arc;

use serde_json::json;
use wallace_harvest::{Harvest, HarvestSettings, Reading, read, read_text};
use wallace_problems::graphql::Schema;

const SCHEMA: &str = "type Query { user(id: ID!): User } type User { id: ID! name: String }";
const QUERY: &str = "query Q($id: ID!) { user(id: $id) { name } }";

#[track_caller]
fn check(text: &str, variables: Option<serde_json::Value>, consumer: &str) -> Reading {
    let reading = read_text("source", text);
    assert_eq!(reading.rejected, [], "{text}");
    assert_eq!(reading.operations.len(), 1, "{text}");
    let operation = &reading.operations[0];
    assert!(operation.document.contains("user(id: $id)"), "{}", operation.document);
    assert_eq!(operation.variables, variables, "{text}");
    assert_eq!(operation.consumer, consumer);
    reading
}

#[test]
fn lines_of_json_in_many_nestings() {
    let variables = json!({ "id": "7" });
    let request = json!({ "query": QUERY, "variables": variables, "operationName": "Q" });
    let some = Some(variables.clone());
    check(&request.to_string(), some.clone(), "source");
    check(&json!([request]).to_string(), some.clone(), "source");
    check(
        &json!({ "client": "web", "request": { "body": request } }).to_string(),
        some.clone(),
        "web",
    );
    check(&json!({ "message": request.to_string() }).to_string(), some.clone(), "source");
    check(&format!("2026-01-01 INFO {{x}} graphql {request} took 3 ms"), some.clone(), "source");
    let text = json!({ "query": QUERY, "variables": variables.to_string() });
    check(&text.to_string(), some, "source");
    check(&json!({ "query": QUERY }).to_string(), None, "source");
}

#[test]
fn answers_are_kept() {
    let answer = json!({ "data": { "user": null } });
    for line in [
        json!({ "query": QUERY, "response": answer }),
        json!({ "request": { "query": QUERY }, "response": { "status": 200, "body": answer } }),
        json!({ "request": { "query": QUERY }, "response": { "body": answer.to_string() } }),
    ] {
        let reading = check(&line.to_string(), None, "source");
        let recorded = reading.operations[0].answer.as_ref().unwrap();
        assert_eq!((recorded.status, &recorded.body), (200, &answer));
    }
}

#[test]
fn access_logs_of_get_requests() {
    let line = "127.0.0.1 - - \"GET /graphql?query=query+Q(%24id%3A+ID%21)%7B+user(id:+%24id)%7Bname%7D%7D\
                &variables=%7B%22id%22%3A%221%22%7D HTTP/1.1\" 200 17";
    check(line, Some(json!({ "id": "1" })), "source");
}

#[test]
fn http_archives() {
    let entry = json!({
        "request": { "method": "POST", "url": "http://x/graphql",
            "headers": [{ "name": "User-Agent", "value": "app" }],
            "postData": { "text": json!({ "query": QUERY, "variables": { "id": "1" } }).to_string() } },
        "response": { "status": 200, "content": { "text": "{\"data\":{\"user\":null}}" } }
    });
    let page = json!({ "request": { "method": "GET", "url": "http://x/index.html" } });
    let archive = json!({ "log": { "version": "1.2", "entries": [page, entry] } });
    let reading = check(&archive.to_string(), Some(json!({ "id": "1" })), "app");
    assert_eq!(reading.operations[0].origin.line, 2);
    assert!(reading.operations[0].answer.is_some());
}

#[test]
fn maps_of_persisted_queries() {
    for map in [
        json!({ "abc123": QUERY }),
        json!({ QUERY: 1 }),
        json!({ "format": "apollo-persisted-query-manifest", "version": 1,
                "operations": [{ "id": "a", "name": "Q", "type": "query", "body": QUERY }] }),
    ] {
        check(&serde_json::to_string_pretty(&map).unwrap(), None, "source");
    }
}

#[test]
fn folders_of_documents_share_fragments() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.graphql", "query A { user(id: 1) { ...F } }\nquery B { user(id: 2) { id } }");
    write("f.gql", "# shared\nfragment F on User { name }");
    write("bad.graphql", "\n\nquery {");
    write("notes.txt", "query C { user }");
    let reading = read(folder.path()).unwrap();
    assert_eq!(reading.operations.len(), 2);
    assert!(reading.operations[0].document.contains("fragment F on User"));
    assert_eq!(reading.operations[1].origin.line, 2);
    assert_eq!(reading.rejected.len(), 1);
    assert!(reading.rejected[0].to_string().contains("bad.graphql:3"), "{}", reading.rejected[0]);
}

#[test]
fn what_is_wrong_is_told_by_line_and_the_rest_goes_on() {
    let good = json!({ "query": QUERY, "variables": { "id": "7" } });
    let log = [
        good.to_string(),
        json!({ "query": "query { user(id: 1) { name }" }).to_string(),
        "{\"query\": \"cut off".to_owned(),
        json!({ "query": "{ user(id: 1) { age } }" }).to_string(),
        json!({ "level": "info", "message": "started" }).to_string(),
        json!({ "query": "query A { user(id: 1) { id } } query B { user(id: 2) { id } }" })
            .to_string(),
        String::new(),
        json!({ "query": "{ user(id: 1) { name } }" }).to_string(),
    ]
    .join("\n");
    let schema = Arc::new(Schema::from_sdl(SCHEMA).unwrap());
    let reading = read_text("log", &log);
    let harvest = Harvest::new(schema, reading, &mut HarvestSettings::default());
    let lines: Vec<usize> = harvest.rejected().iter().map(|it| it.origin.line).collect();
    assert_eq!(lines, [2, 3, 4, 6]);
    assert!(harvest.rejected()[2].reason.contains("age"), "{}", harvest.rejected()[2]);
    assert_eq!(harvest.operations().len(), 2);
}

#[test]
fn hostile_texts_are_read_without_harm() {
    for text in [
        "",
        "\u{feff}",
        "{",
        "{{{{{{",
        "[",
        "null",
        "query",
        "query {",
        "%7B?query=%",
        "{\"query\": {}}",
    ] {
        let _ = read_text("hostile", text);
    }
    let deep = format!("{{\"query\": \"{}\"}}", "{a".repeat(5000));
    let schema = Arc::new(Schema::from_sdl(SCHEMA).unwrap());
    let harvest = Harvest::new(schema, read_text("deep", &deep), &mut HarvestSettings::default());
    assert_eq!(harvest.rejected().len(), 1);
}
