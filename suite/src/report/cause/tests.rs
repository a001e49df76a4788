//! Tests of what is one cause.

use super::*;

fn of(code: u16, operation: &str, context: &str, answer: Option<(u16, &str)>) -> String {
    let (operation, context) = (operation.to_owned(), context.to_owned());
    cause(&Fault { code, operation, context, explanation: Vec::new() }, answer)
}

#[test]
fn one_middleware_is_one_cause() {
    assert_eq!(of(961, "GET:/a", "", None), of(961, "POST:/b", "", None));
    let busy = Some((503, "{}"));
    assert_eq!(of(100, "GET:/a", "", busy), of(100, "POST:/b", "", busy));
    let error = "422 HTTPValidationError/detail type";
    assert_eq!(of(101, "GET:/a", error, None), of(101, "POST:/b", error, None));
    let thing = |status: u16| of(101, "GET:/a", &format!("{status} Thing/name type"), None);
    assert_eq!(thing(200), thing(201));
    let missing = |name: &str| of(101, "GET:/a", &format!("200 /*/{name} required"), None);
    assert_eq!(missing("version"), missing("position"));
    let extra = "200 /*/more additionalProperties";
    assert_eq!(missing("version"), of(101, "GET:/a", extra, None));
    let told = Some((415, r#"{"message":"no content type was given"}"#));
    assert_eq!(of(956, "POST:/a", "", told), of(956, "DELETE:/b", "", told));
    let null = |name: &str| of(101, "GET:/a", &format!("200 User/{name} null"), None);
    assert_eq!(null("email"), null("phone"));
    assert_ne!(null("email"), missing("email"));
    let time = |place: &str, rule: &str| of(101, "GET:/a", &format!("200 {place} {rule}"), None);
    assert_eq!(time("Task/due", "date-time"), time("/*/made", "date-time"));
    assert_ne!(time("Task/due", "date-time"), time("Task/due", "date"));
    assert_ne!(time("Task/mail", "format"), time("User/mail", "format"));
    let other = |wrong: &str| of(974, "Query.a", &format!("Query.a: {wrong}"), None);
    assert_eq!(other("a selected key is missing"), other("unasked key b"));
    assert_ne!(of(101, "GET:/a", "200 /id type", None), of(101, "GET:/b", "200 /id type", None));
}

#[test]
fn errors_that_say_the_same_are_one_cause() {
    let failed = |operation: &str, context: &str| of(100, operation, context, Some((500, "{}")));
    assert_eq!(failed("GET:/a", "no column *"), failed("POST:/b", "no column *"));
    assert_ne!(failed("GET:/a", "no column *"), failed("GET:/a", "division by zero"));
    assert_ne!(failed("GET:/a", ""), failed("POST:/b", ""), "who says nothing stands for itself");
    let told = |place: &str| of(970, place, &format!("{place}: division by zero"), None);
    assert_eq!(told("a.b"), told("c"));
    let silent = |place: &str| of(970, place, &format!("{place}: Internal server error"), None);
    assert_ne!(silent("a.b"), silent("c"));
    assert_eq!(silent("/createPage/email"), silent("/Page/email"));
    assert_ne!(silent("Mutation.createPage"), silent("Query.createPage.email"));
    for nothing in ["internal system error", "INTERNAL_ERROR for *", "Unexpected error."] {
        let told = |place: &str| of(970, place, &format!("{place}: {nothing}"), None);
        assert_ne!(told("a.b"), told("c"), "{nothing}");
    }
}

#[test]
fn a_database_that_is_not_there_is_one_cause() {
    let told = [
        r#"{"detail":{"error":"DB not connected. This endpoint needs a database"}}"#,
        r#"{"error":{"message":"{'error': \"No DB Connected. Here's how to do it\"}"}}"#,
        r#"{"detail":"Database not initialized"}"#,
    ];
    for body in told {
        assert_eq!(of(100, "GET:/a", "", Some((500, body))), "100 no database", "{body}");
    }
    let other = r#"{"detail":"the database refuses connections of not more than one"}"#;
    assert_ne!(of(100, "GET:/a", "", Some((500, other))), "100 no database");
}

#[test]
fn a_null_has_an_object_and_a_member() {
    let fault = |code: u16, context: &str| {
        let (operation, context) = ("o".to_owned(), context.to_owned());
        Fault { code, operation, context, explanation: Vec::new() }
    };
    let null = |place: &str| fault(971, &format!("{place}: null at a non-null position"));
    assert_eq!(traits(&null("Product.slug")), ["971 object Product", "971 member slug"]);
    assert_eq!(traits(&fault(101, "200 User/seen null")), ["101 object User", "101 member seen"]);
    let link = |object: &str| traits(&fault(101, &format!("200 {object}/href format")));
    assert_eq!(link("User")[1], link("Group")[1]);
    assert!(traits(&fault(101, "200 /seen null")).is_empty(), "an object without a name");
    assert!(traits(&null("Query.me")).is_empty(), "a root is no object");
    let root = |place: &str| cause(&null(place), None).to_ascii_lowercase();
    assert_eq!(root("Query.provinces"), root("Mutation.createProvince"));
    assert_ne!(root("Query.provinces"), root("Query.users"));
}

#[test]
fn a_head_fails_where_its_get_does() {
    let fault = |operation: &str, context: &str| {
        let (operation, context) = (operation.to_owned(), context.to_owned());
        Fault { code: 100, operation, context, explanation: Vec::new() }
    };
    let (get, head) = (fault("GET:/a", "division by zero"), fault("HEAD:/a", ""));
    assert_eq!(traits(&get), traits(&head));
    assert!(is_told_by_traits(&head) && !is_told_by_traits(&get));
    assert_ne!(traits(&get), traits(&fault("HEAD:/b", "")));
    assert!(traits(&fault("POST:/a", "")).is_empty());
}

#[test]
fn what_writes_errors_is_one_cause() {
    let body = |place: &str, frame: &str| {
        format!(r#"{{"errors":[{{"path":["a"],"{place}":{{"stack":["{frame}"]}}}}]}}"#)
    };
    let cause = |body: &str| of(209, "GET:/a", "/a: a stack trace", Some((500, body)));
    let one = body("extensions", "  at Shop.find (shop.js:1:2)");
    assert_eq!(cause(&one), cause(&body("extensions", "  at Shop.sell (shop.js:9:9)")));
    assert_ne!(cause(&one), cause(&body("debug", "  at Shop.find (shop.js:1:2)")));
    assert_ne!(cause(&one), cause("oops\n  at Shop.find (shop.js:1:2)"));
    let asked = |operation: &str| {
        let body = format!(r#"{{"data":{{"{operation}":{{"stack":["  at f (a.js:1:2)"]}}}}}}"#);
        cause(&body)
    };
    assert_eq!(asked("Query.a"), asked("Query.b"), "what leads there is of the operation");
    let class = |name: &str| of(985, name, &format!("body: {name}"), None);
    assert_eq!(class("json.decoder.JSONDecodeError"), class("a.b.CheckError"));
    assert_ne!(class("a.b.CheckError"), of(985, "x", "body: SQLSTATE", None));
    assert_eq!(class("duplicate key value"), class("violates foreign key constraint"));
    let form = |operation: &str, form: &str| {
        of(988, operation, &format!("{form} gives another answer than literals"), None)
    };
    assert_eq!(form("Query.a", "inline fragments"), form("Query.b", "inline fragments"));
    assert_ne!(form("Query.a", "inline fragments"), form("Query.a", "variables"));
}

#[test]
fn what_reads_inputs_is_one_cause() {
    let about = |operation: &str, context: &str| of(102, operation, context, None);
    for (one, other) in [
        ("offset type", "limit type"),
        ("sort enum", "order enum"),
        ("body/a/b type", "body/c type"),
        ("body/a/name minLength", "body/name minLength"),
    ] {
        assert_eq!(about("GET:/a", one), about("GET:/b", other), "{one}");
    }
    let missing =
        |operation: &str, member: &str| about(operation, &format!("body/{member} required"));
    assert_eq!(missing("PATCH:/a/{id}", "id"), missing("PATCH:/b/{id}", "title"));
    assert_ne!(missing("POST:/a", "id"), missing("POST:/a", "title"));
    for (one, other) in [
        ("limit maximum", "offset maximum"),
        ("sort enum", "sort type"),
        ("body/name minLength", "body/title minLength"),
    ] {
        assert_ne!(about("GET:/a", one), about("GET:/a", other), "{one}");
    }
}
