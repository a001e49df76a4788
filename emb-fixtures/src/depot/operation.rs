//! What the service does.

use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::store::{Condition, Store};
use crate::resource::{Call, Refused};

type Answer = Result<Value, Refused>;

fn missing() -> Refused {
    Refused::new(404, "there is no such thing")
}

fn text<'a>(document: &'a Value, member: &str) -> &'a str {
    document.pointer(member).and_then(Value::as_str).unwrap_or_default()
}

fn number(document: &Value, member: &str) -> i64 {
    document.pointer(member).and_then(Value::as_i64).unwrap_or(0)
}

fn truth(document: &Value, member: &str) -> bool {
    document.pointer(member).and_then(Value::as_bool).unwrap_or(false)
}

#[white_box]
fn id(call: &Call) -> Result<i64, Refused> {
    match call.segment(0).parse::<i64>() {
        Ok(id) => Ok(id),
        Err(_) => Err(Refused::new(400, "an id is no whole number")),
    }
}

#[white_box]
pub(super) fn parcels(store: &Store, call: &Call) -> Answer {
    let mut conditions = Vec::new();
    if let Some(status) = call.parameter("status") {
        conditions.push(Condition::is("/status", status));
    }
    if let Some(weight) = call.parameter("minWeight") {
        let Ok(weight) = weight.parse::<i64>() else {
            return Err(Refused::new(400, "a weight is no whole number"));
        };
        conditions.push(Condition::AtLeast("/weight", weight));
    }
    let found = store.find("parcels", &conditions);
    let mut heavy = 0;
    for parcel in &found {
        if number(parcel, "/weight") > 30_000 {
            heavy += 1;
        }
        if truth(parcel, "/isFragile") {
            return Ok(json!({ "handling": "by hand" }));
        }
    }
    if found.len() > 1 {
        return Ok(json!({ "heavy": heavy, "several": true }));
    }
    Ok(json!({ "parcels": found, "heavy": heavy }))
}

#[white_box]
pub(super) fn parcel(store: &Store, call: &Call) -> Answer {
    let found = store.find("parcels", &[Condition::Equals("/_id", id(call)?)]);
    let Some(parcel) = found.first() else { return Err(missing()) };
    if text(parcel, "/status") == "LOST" {
        return Err(Refused::new(410, "the parcel was lost"));
    }
    if number(parcel, "/value") >= 500 {
        return Ok(json!({ "delivery": "insured" }));
    }
    Ok(json!({ "delivery": "plain" }))
}

#[white_box]
pub(super) fn parcel_by_code(store: &Store, call: &Call) -> Answer {
    let found = store.find("parcels", &[Condition::is("/code", call.segment(0))]);
    let Some(parcel) = found.first() else { return Err(missing()) };
    if number(parcel, "/weight") < 0 {
        return Err(Refused::new(500, "a weight is negative"));
    }
    Ok(json!({ "weight": number(parcel, "/weight") }))
}

#[white_box]
pub(super) fn couriers(store: &Store, call: &Call) -> Answer {
    let city = call.parameter("city").map(|city| Condition::is("/address/city", city));
    let found = store.find("couriers", &Vec::from_iter(city));
    if found.is_empty() {
        return Ok(json!([]));
    }
    for courier in &found {
        if text(courier, "/address/country") == "iceland" {
            return Ok(json!({ "isFar": true }));
        }
    }
    Ok(json!({ "couriers": found.len() }))
}

#[white_box]
pub(super) fn courier(store: &Store, call: &Call) -> Answer {
    let found = store.find("couriers", &[Condition::Equals("/_id", id(call)?)]);
    let Some(courier) = found.first() else { return Err(missing()) };
    if courier.pointer("/skills/0").is_none() {
        return Ok(json!({ "level": "novice" }));
    }
    let level = match text(courier, "/vehicle") {
        "TRUCK" => "heavy",
        "BIKE" => "light",
        _ => "usual",
    };
    Ok(json!({ "level": level }))
}

#[white_box]
pub(super) fn tours(store: &Store, call: &Call) -> Answer {
    let found = store.find("tours", &[Condition::Equals("/courierId", id(call)?)]);
    if found.is_empty() {
        return Err(missing());
    }
    for tour in &found {
        if number(tour, "/stops") == 0 {
            return Ok(json!({ "isEmpty": true }));
        }
    }
    Ok(json!({ "tours": found.len() }))
}

#[white_box]
pub(super) fn branch(store: &Store, call: &Call) -> Answer {
    let found = store.find("branches", &[Condition::is("/name", call.segment(0))]);
    let Some(branch) = found.first() else { return Err(missing()) };
    Ok(json!({ "name": text(branch, "/name") }))
}

#[white_box]
pub(super) fn session(store: &Store, call: &Call) -> Answer {
    let Some(role) = store.get(&format!("session:{}", call.segment(0))) else {
        return Err(Refused::new(401, "there is no such session"));
    };
    if role == "auditor" {
        return Ok(json!({ "sees": "all" }));
    }
    Ok(json!({ "sees": "own" }))
}

#[white_box]
pub(super) fn printer(store: &Store, call: &Call) -> Answer {
    let key = format!("label:{}", call.segment(0));
    let Some(printer) = store.get_field(&key, "printer") else { return Err(missing()) };
    match printer.parse::<i64>() {
        Ok(number) if number > 100 => Ok(json!({ "floor": 2 })),
        Ok(_) => Ok(json!({ "floor": 1 })),
        Err(_) => Err(Refused::new(500, "a printer has no number")),
    }
}

#[white_box]
pub(super) fn zone(store: &Store, call: &Call) -> Answer {
    let members = store.members(&format!("zone:{}", call.segment(0)));
    if members.is_empty() {
        return Ok(json!([]));
    }
    for member in &members {
        if member == "express" {
            return Ok(json!({ "isExpress": true }));
        }
    }
    Ok(json!(members))
}

#[white_box]
pub(super) fn quota(store: &Store, call: &Call) -> Answer {
    let fields = store.fields(&format!("quota:{}", call.segment(0)));
    if fields.is_empty() {
        return Err(missing());
    }
    Ok(json!({ "fields": fields.len() }))
}

#[white_box]
pub(super) fn notice(store: &Store, _call: &Call) -> Answer {
    let Some(notice) = store.get("notice") else { return Ok(json!([])) };
    let notice = match serde_json::from_str::<Value>(&notice) {
        Ok(notice) => notice,
        Err(_) => return Err(Refused::new(500, "the notice is no JSON")),
    };
    if notice.is_object() {
        return Ok(notice);
    }
    Ok(json!({ "notice": notice }))
}

#[white_box]
pub(super) fn drafts(store: &Store, _call: &Call) -> Answer {
    let keys = store.keys("draft:");
    if keys.is_empty() {
        return Ok(json!([]));
    }
    Ok(json!({ "drafts": keys }))
}
