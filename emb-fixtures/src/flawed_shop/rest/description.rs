//! The OpenAPI 3.1 description, made from the operations.

use serde_json::{Map, Value, json};

use super::operation::{Access, OPERATIONS, Operation, Parameter};
use super::schema::schemas;

/// The whole document.
pub(super) fn description() -> Value {
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.to_lowercase()] = describe(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Flawed shop", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn describe(operation: &Operation) -> Value {
    let in_path = path_parameters(operation).map(|name| {
        let schema = if name == "code" { "Code" } else { "Id" };
        parameter("path", &Parameter { name, schema, is_required: true })
    });
    let in_query = operation.query.iter().map(|query| parameter("query", query));
    let mut described = json!({
        "operationId": operation_id(operation),
        "summary": operation.summary,
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": responses(operation),
    });
    if let Some(schema) = operation.body {
        described["requestBody"] =
            json!({ "required": true, "content": content(operation, schema) });
    }
    match operation.access {
        Access::Ignored => {}
        Access::Public => described["security"] = json!([{}, { "bearer": [] }]),
        Access::Known | Access::Customer | Access::Admin => {
            described["security"] = json!([{ "bearer": [] }]);
        }
    }
    described
}

/// The method and the constant and variable segments of the path, in one word.
fn operation_id(operation: &Operation) -> String {
    let segments = operation.path.replace(['{', '}'], "").replace('/', "_");
    format!("{}{segments}", operation.method.to_lowercase())
}

fn path_parameters(operation: &Operation) -> impl Iterator<Item = &'static str> + use<> {
    operation.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn parameter(place: &str, parameter: &Parameter) -> Value {
    let mut described = json!({
        "name": parameter.name, "in": place, "required": parameter.is_required,
        "schema": schema(parameter.schema),
    });
    if parameter.schema == "Code" {
        described["example"] = json!("SAVE10");
    }
    described
}

fn content(operation: &Operation, name: &str) -> Value {
    let mut content = json!({ "application/json": { "schema": schema(name) } });
    if operation.is_patch() {
        content["application/merge-patch+json"] = json!({ "schema": schema(name) });
    }
    content
}

fn responses(operation: &Operation) -> Value {
    let mut responses = Map::new();
    for (status, name) in operation.success {
        responses.insert(status.to_string(), success(*status, *name));
    }
    for status in refusals(operation) {
        let problem = json!({ "application/json": { "schema": schema("Problem") } });
        let mut response = json!({ "description": meaning(status), "content": problem });
        if status == 401 {
            let bearer = json!({ "schema": { "type": "string" } });
            response["headers"] = json!({ "WWW-Authenticate": bearer });
        }
        responses.insert(status.to_string(), response);
    }
    Value::Object(responses)
}

fn success(status: u16, name: Option<&str>) -> Value {
    let mut response = json!({ "description": meaning(status) });
    if let Some(name) = name {
        response["content"] = json!({ "application/json": { "schema": schema(name) } });
    }
    // A line of a cart is created at the very path that was called.
    if status == 201 && name != Some("Cart") {
        let location = json!({ "schema": { "type": "string" }, "description": "where it is" });
        response["headers"] = json!({ "Location": location });
    }
    response
}

/// All statuses of refusal of an operation.
fn refusals(operation: &Operation) -> Vec<u16> {
    let mut statuses = operation.refusals.to_vec();
    if operation.body.is_some() {
        statuses.extend([413, 415]);
    }
    if operation.body.is_some() || operation.has_path_parameters() || !operation.query.is_empty() {
        statuses.push(400);
    }
    match operation.access {
        Access::Ignored => {}
        Access::Public | Access::Known => statuses.push(401),
        Access::Customer | Access::Admin => statuses.extend([401, 403]),
    }
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}

fn meaning(status: u16) -> &'static str {
    match status {
        200 => "done",
        201 => "created",
        202 => "accepted",
        204 => "done, nothing to say",
        400 => "the input is not as described",
        401 => "no token, or an unknown one",
        403 => "not allowed to this user",
        404 => "there is no such thing",
        409 => "against a rule of the shop",
        413 => "the body is larger than 64 kB",
        415 => "the body is of another media type",
        _ => "members contradict each other",
    }
}
