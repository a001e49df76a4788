//! What book-shop does wrong today: each of these tests fails once its fault is mended.
//!
//! Written by Wallace 0.1.0 with seed 42.

use serde_json::json;
use support::connect;

// Shows 1 fault.
// F970 at Query.remainder: range
//   An argument in range is called out of range.
#[tokio::test]
async fn remainder_shows_fault_970() {
    let service = connect().await;

    // when
    let document = r#"
        {
          remainder(a: 10000, b: 1)
        }
    "#;
    let response = service.graphql(document).await;

    // then
    response.expect_status(200);
    response.expect_media_type("application/json");
    response.expect_errors(json!([
        {
            "message": "a must be between -10000 and 10000",
            "path": ["remainder"],
        },
    ]));
    response.expect_json("/data", json!({ "remainder": null }));
}
