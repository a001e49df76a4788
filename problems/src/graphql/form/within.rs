//! Answers of operations in namespaces: as if their fields were those of the root.

use serde_json::{Map, Value};

use crate::graphql::response::ResponseError;
use crate::graphql::template::OperationTemplate;

/// The body with the data of the innermost namespace as its own. Where a namespace is null, the operation
/// is not there if errors say why, and null if none does.
pub(crate) fn within(mut body: Value, operation: &OperationTemplate) -> Value {
    if operation.namespaces.is_empty() {
        return body;
    }
    if let Value::Array(answers) = body {
        return answers.into_iter().map(|answer| within(answer, operation)).collect();
    }
    let has_errors = body.get("errors").and_then(|it| it.get(0)).is_some();
    if let Some(data) = body.get_mut("data").filter(|data| data.is_object()) {
        let mut inner = data.take();
        for namespace in &operation.namespaces {
            inner = match inner.get_mut(&*namespace.name).map(Value::take) {
                Some(Value::Null) if !has_errors => {
                    inner = serde_json::json!({ &*operation.name: null });
                    break;
                }
                Some(Value::Null) | None => Value::Object(Map::new()),
                Some(inner) => inner,
            };
        }
        *data = inner;
    }
    body
}

/// Errors below the namespaces stand where those of a field of the root do, and errors of a namespace
/// at the operation.
pub(crate) fn errors_within(errors: &mut [ResponseError], operation: &OperationTemplate) {
    let mut way = String::new();
    for namespace in &operation.namespaces {
        way.push('/');
        way.push_str(&namespace.name);
    }
    for error in errors.iter_mut().filter(|error| !error.path.is_empty() && !way.is_empty()) {
        let is_above = way.strip_prefix(&*error.path);
        if is_above.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            error.path = format!("/{}", operation.name);
        } else if let Some(below) = error.path.strip_prefix(&way).filter(|it| it.starts_with('/')) {
            error.path = below.to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;

    #[test]
    fn what_namespaces_hold_is_read_as_if_it_were_of_the_root() {
        let sdl =
            "type Query { a: A } type A { b: B c(n: Int): Int } type B { list(n: Int): [Int] }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let operation = &templates.operations()[0];
        assert_eq!(&*operation.coordinate, "Query.a.b.list");
        for (data, expected) in [
            (json!({ "a": { "b": { "list": [1] } } }), json!({ "list": [1] })),
            (json!({ "a": { "b": null } }), json!({ "list": null })),
            (json!({ "a": null }), json!({ "list": null })),
            (json!({ "a": {} }), json!({})),
            (json!({ "a": { "b": 7 } }), json!(7)),
            (json!(null), json!(null)),
        ] {
            let seen = within(json!({ "data": data }), operation);
            assert_eq!(seen, json!({ "data": expected }), "{data}");
        }
        let failed = json!({ "data": { "a": { "b": null } }, "errors": [{ "message": "no" }] });
        assert_eq!(within(failed, operation)["data"], json!({}));
        for (path, expected) in [
            ("/a/b/list/*", "/list/*"),
            ("/a/b", "/list"),
            ("/a", "/list"),
            ("/ab", "/ab"),
            ("/a/bc", "/a/bc"),
            ("", ""),
        ] {
            let (message, code) = (String::new(), String::new());
            let mut errors = [ResponseError { message, path: path.to_owned(), code }];
            errors_within(&mut errors, operation);
            assert_eq!(errors[0].path, expected, "{path}");
        }
    }
}
