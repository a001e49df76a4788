//! What habits add to the description of a service, and take from it.

use serde_json::{Map, Value, json};

use super::Habit;
use super::refusal::Dialect;

/// Makes a description fit these habits.
pub(super) fn adapt(description: &mut Value, habits: &[Habit]) {
    for habit in habits {
        match habit {
            Habit::Logout401 | Habit::Logout403 => {
                add(description, "/logout", "post", &json!({ "204": { "description": "done" } }));
            }
            Habit::TokenRenewed => {
                let schema = json!({ "type": "object", "required": ["token"],
                    "properties": { "token": { "type": "string" } } });
                let ok = json!({ "description": "another token",
                    "content": { "application/json": { "schema": schema } } });
                add(description, "/tokens/mine", "post", &json!({ "200": ok }));
            }
            Habit::AccountDeleted => {
                let responses = json!({ "204": { "description": "gone" },
                    "404": { "description": "there is no such account" } });
                add(description, "/accounts/{userId}", "delete", &responses);
                description["paths"]["/accounts/{userId}"]["parameters"] = json!([{
                    "name": "userId", "in": "path", "required": true,
                    "schema": { "type": "integer", "minimum": 1 },
                }]);
            }
            Habit::Tenants => move_into_shops(description, false),
            Habit::NamedTenants => move_into_shops(description, true),
            Habit::RandomValues => open(description),
            _ => {}
        }
    }
    if Dialect::of(habits).is_some() {
        description["components"]["schemas"]["Problem"] = json!({});
    }
}

/// Adds an operation for whoever has a token.
fn add(description: &mut Value, path: &str, method: &str, responses: &Value) {
    let id = format!("{method}{}", path.replace(['/', '{', '}'], "_"));
    let mut operation = json!({
        "operationId": id, "security": [{ "bearer": [] }], "responses": responses,
    });
    let challenge = json!({ "WWW-Authenticate": { "schema": { "type": "string" } } });
    operation["responses"]["401"] =
        json!({ "description": "no token, or an unknown one", "headers": challenge });
    operation["responses"]["403"] = json!({ "description": "not allowed to this user" });
    description["paths"][path] = json!({ method: operation });
}

fn move_into_shops(description: &mut Value, has_names: bool) {
    let Value::Object(paths) = description["paths"].take() else { return };
    let names: &[&str] = if has_names { &["owner", "shop"] } else { &["shopId"] };
    let placeholder = |name: &&str| {
        json!({ "name": name, "in": "path", "required": true,
            "schema": { "type": "string", "minLength": 1 } })
    };
    let placeholders: Vec<Value> = names.iter().map(placeholder).collect();
    let below: String = names.iter().map(|name| format!("/{{{name}}}")).collect();
    let mut moved: Map<String, Value> = Map::new();
    for (path, mut operations) in paths {
        if path == "/login" {
            moved.insert(path, operations);
            continue;
        }
        operations["parameters"] = Value::from(placeholders.clone());
        moved.insert(format!("/shops{below}{path}"), operations);
    }
    let made = match has_names {
        true => json!({ "type": "object", "required": ["id", "name", "owner"] }),
        false => json!({ "type": "object", "required": ["id"],
            "properties": { "id": { "type": "string" } } }),
    };
    let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
    moved.insert(
        "/shops".to_owned(),
        json!({
            "get": { "operationId": "get_shops", "responses": { "200": { "description": "all",
                "content": content(&json!({ "type": "array", "items": made })) } } },
            "post": { "operationId": "post_shops", "responses": { "201": { "description": "made",
                "content": content(&made) } } },
        }),
    );
    description["paths"] = Value::Object(moved);
}

/// Lets objects have further members.
fn open(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, value| name != "additionalProperties" || *value != json!(false));
            members.values_mut().for_each(open);
        }
        Value::Array(elements) => elements.iter_mut().for_each(open),
        _ => {}
    }
}
