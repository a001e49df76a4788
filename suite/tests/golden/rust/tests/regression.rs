//! What book-shop does today and should go on doing.
//!
//! Written by Wallace 0.1.0 with seed 42.

// Numbers are what the service said, even if they are close to a constant.
#![allow(clippy::approx_constant, clippy::excessive_precision)]

use serde_json::json;
use support::{any_string, connect, environment, list_starting_with, path_segment};

// Covers 12 targets.
#[tokio::test]
async fn triangle_classification_returns_3() {
    let service = connect().await;

    // when
    let document = r#"
        {
          triangleClassification(a: 1, b: 1, c: 1)
        }
    "#;
    let response = service.graphql(document).await;

    // then
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_absent("/errors");
    response.expect_json("/data", json!({ "triangleClassification": 3 }));
}

// Covers 4 targets.
#[tokio::test]
async fn create_author_then_author_returns_data() {
    let service = connect().await;

    // given
    let document = r#"
        mutation {
          createAuthor(name: "Ann") {
            id
            name
          }
        }
    "#;
    let response = service.graphql(document).await;
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_absent("/errors");
    response.expect_json(
        "/data",
        json!({ "createAuthor": { "id": any_string(), "name": "Ann" } }),
    );
    let author_id = response.value("/data/createAuthor/id");

    // when
    let document = r#"
        query ($id: ID!) {
          author(id: $id) {
            id
            name
            rating
          }
        }
    "#;
    let variables = json!({ "id": author_id });
    let response = service.graphql(document).variables(variables).await;

    // then
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_absent("/errors");
    response.expect_json(
        "/data",
        json!({
            "author": { "id": author_id, "name": "Ann", "rating": 0.1 },
        }),
    );
}

// Covers 3 targets.
#[tokio::test]
async fn create_author_then_get_authors_by_id_then_delete_authors_by_id_answers_204() {
    let service = connect().await;

    // given
    let document = r#"
        mutation {
          createAuthor(name: "Ann") {
            id
            name
          }
        }
    "#;
    let response = service.graphql(document).await;
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_absent("/errors");
    response.expect_json(
        "/data",
        json!({ "createAuthor": { "id": any_string(), "name": "Ann" } }),
    );
    let author_id = response.value("/data/createAuthor/id");

    // and
    let response = service
        .get("/authors/{{author_id_segment}}")
        .header("authorization", "Bearer {{path}}")
        .with("author_id_segment", path_segment(&author_id))
        .with("path", environment("PATH"))
        .await;
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_json("", json!({ "id": author_id, "name": "Ann" }));

    // when
    let response = service
        .delete("/authors/{{author_id_segment}}")
        .header("authorization", "Bearer {{path}}")
        .with("author_id_segment", path_segment(&author_id))
        .with("path", environment("PATH"))
        .await;

    // then
    response.expect_status(204);
    response.expect_empty_body();
}

// Covers 2 targets.
#[tokio::test]
async fn pets_returns_data() {
    let service = connect().await;

    // when
    let document = r#"
        {
          pets {
            id
            name
            born
          }
          total
        }
    "#;
    let response = service.graphql(document).await;

    // then
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_absent("/errors");
    response.expect_json(
        "/data",
        json!({
            "pets": list_starting_with(5, json!([
                { "born": "1999-12-31", "id": any_string(), "name": "Rex" },
                { "born": "1999-12-31", "id": any_string(), "name": "Tom" },
                { "born": "1999-12-31", "id": any_string(), "name": "Kim" },
            ])),
            "total": 5,
        }),
    );
}

// Covers 1 target.
#[tokio::test]
async fn post_echo_answers_201() {
    let service = connect().await;

    // when
    let body = json!({
        "large": 3000000000_i64,
        "list": [1, [2.5], {}],
        "nested": { "deep": { "deeper": true } },
        "none": null,
        "pi": 3.141592653589793,
        "text": r#"a "quoted" text"#,
    });
    let response = service
        .post("/echo")
        .json(body)
        .header("x-trace", "on")
        .await;

    // then
    response.expect_status(201);
    response.expect_media_type("application/json");
    response.expect_header("location");
    response.expect_json(
        "",
        json!({
            "large": 3000000000_i64,
            "list": [1, [2.5], {}],
            "nested": { "deep": { "deeper": true } },
            "none": null,
            "pi": 3.141592653589793,
            "text": r#"a "quoted" text"#,
        }),
    );
}

// Covers 1 target.
#[tokio::test]
async fn get_health_answers_200() {
    let service = connect().await;

    // when
    let response = service.get("/health").await;

    // then
    response.expect_status(200);
    response.expect_media_type("text/plain");
    response.expect_text(r#"all is "well""#);
}

// Covers "1" target.
#[tokio::test]
async fn x_returns_an_error() {
    let service = connect().await;

    // when
    let document = "{\n  x(text: \"a\\\"#b {{id}} \u{202e}\")\n}";
    let response = service.graphql(document).await;

    // then
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_errors(json!([{}]));
    response.expect_absent("/data");
}
