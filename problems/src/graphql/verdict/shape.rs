//! The answer against the schema.

use super::{Case, fault};
use crate::graphql::answer::{Answer, Breach, Sight, walk};
use crate::graphql::response::ResponseData;
use crate::oracle::Fault;

/// Most faults of one answer: a list of wrong elements is one fault many times.
const MOST: usize = 50;

pub(super) fn judge(case: &Case<'_>, answer: &Answer, faults: &mut Vec<Fault>) {
    let body = answer.body.as_ref().and_then(|body| body.as_object());
    if let Some(body) = body.filter(|_| answer.response.is_ok()) {
        let known = ["data", "errors", "extensions"];
        for key in body.keys().filter(|key| !known.contains(&key.as_str())) {
            let key: String = key.chars().take(60).collect();
            faults.push(fault(974, format!("unknown key {key} beside data")));
        }
    }
    let Some(data) = answer.data() else {
        let is_present =
            answer.response.as_ref().is_ok_and(|response| response.data == ResponseData::Present);
        if is_present && answer.body.is_some() {
            faults.push(fault(972, "data is no object"));
        }
        return;
    };
    let schema = case.schema;
    let mut found = Vec::new();
    walk(schema, case.selections, data, &mut |field, sight| {
        if let Sight::Breach(breach) = sight
            && found.len() < MOST
        {
            // An error that names the place says why there is no value; the null is still wrong.
            let is_explained = breach == Breach::Missing && !answer.is_success();
            if !is_explained || !data.is_empty() {
                let coordinate = schema.coordinate(field);
                found.push(fault(breach.code(), format!("{coordinate}: {}", breach.text())));
            }
        }
    });
    faults.append(&mut found);
}
