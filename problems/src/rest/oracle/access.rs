//! Faults of who may do what, which only calls by several users, or of several verbs, show.

use serde_json::Value;

use super::semantics::sent_body;
use super::{Step, fault};
use crate::oracle::Fault;
use crate::rest::description::{Operation, ParameterPlace};
use crate::rest::schema::Schemas;
use crate::word::{plain, words};

/// Words in names of what proves who somebody is.
const CREDENTIALS: [&str; 9] =
    ["password", "passwd", "passphrase", "secret", "token", "credential", "otp", "login", "signin"];

/// Words in names of operations that look at what they are given as proof.
const PROVING: [&str; 8] =
    ["validate", "verify", "check", "confirm", "redeem", "accept", "activate", "reset"];

/// Whether calls of an operation hold something that proves who somebody is, besides what proves it
/// of the caller: a login, a change of a password. Then 401 may be about that.
pub(super) fn takes_credentials(schemas: &Schemas, operation: &Operation) -> bool {
    let is_credential = |name: &str| {
        let name = plain(name);
        CREDENTIALS.iter().any(|word| name.contains(word))
    };
    let in_body = |body: &crate::rest::description::BodyContent| {
        let members = schemas.flat(&[body.schema.into()]).properties;
        members.iter().any(|(name, _)| is_credential(name))
    };
    let mut parameters = operation.parameters.iter();
    // `/login`, and `/token/refresh`, which asks for what a login gave.
    let is_asked = || operation.segments().rev().take(2).any(is_credential);
    // `validateToken`, whose token the description may leave out.
    let name = operation.operation_id.as_deref().unwrap_or_default();
    let proves = is_credential(name) && words(name).iter().any(|it| PROVING.contains(&&**it));
    proves
        || parameters.any(|it| it.place != ParameterPlace::Header && is_credential(&it.name))
        || operation.method == http::Method::POST && is_asked()
        || operation.bodies.iter().any(in_body)
}

pub(super) fn judge(steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, step) in steps.iter().enumerate() {
        unknown_user(steps, place, step, found);
        missed_check(steps, place, step, found);
        leak(steps, place, step, found);
    }
}

/// 205: a user is told to log in, whom an operation that asks for the same proof lets in right after.
/// One refusal alone may as well show a login that is over, or another kind of credentials.
fn unknown_user(
    steps: &[Step<'_>],
    place: usize,
    step: &Step<'_>,
    found: &mut dyn FnMut(usize, Fault),
) {
    let is_refused = step.status == 401 && step.action.caller.is_some() && step.is_plain();
    if !is_refused || step.takes_credentials {
        return;
    }
    let is_let_in = |other: &Step<'_>| {
        other.action.caller == step.action.caller
            && other.is_success()
            && other.operation.needs_user()
            && other.operation.shares_scheme(step.operation)
    };
    if steps[place + 1..].iter().any(is_let_in) {
        found(place, fault(205, ""));
    }
}

/// 206: a user may not do one thing with a resource, and may change it in another way.
fn missed_check(
    steps: &[Step<'_>],
    place: usize,
    step: &Step<'_>,
    found: &mut dyn FnMut(usize, Fault),
) {
    let is_change = matches!(step.verb, "PUT" | "PATCH" | "DELETE");
    if !is_change || !step.is_success() || !step.is_plain() || step.action.caller.is_none() {
        return;
    }
    if !has_effect(step) {
        return;
    }
    // Who did it as well as not is refused for what the call said.
    let may = |other: &Step<'_>| {
        steps.iter().any(|step| {
            step.is_success()
                && step.verb == other.verb
                && step.path == other.path
                && step.action.caller == other.action.caller
        })
    };
    let is_own = steps[..place]
        .iter()
        .any(|before| before.action.caller == step.action.caller && makes(before, step.path));
    let is_forbidden = |other: &Step<'_>| {
        // Who may change what he made need not be one who may take it away.
        if is_own && other.verb == "DELETE" && step.verb != "DELETE" {
            return false;
        }
        let is_part = step.path.strip_prefix(other.path).is_some_and(|rest| {
            rest.starts_with('/') && !rest[1..].contains('/') && is_fixed_below(other, step)
        });
        // Who may not change a thing may often add to a part of it, or mark it for himself.
        let is_told = other.verb == "GET" || names_something(step);
        let is_on_it = other.path == step.path || is_part && is_told;
        let is_verb = matches!(other.verb, "GET" | "PUT" | "PATCH" | "DELETE");
        is_on_it
            && is_verb
            && other.status == 403
            && other.is_plain()
            // What a query asks for beside may be what is refused.
            && other.path == other.whole_path
            && other.action.caller == step.action.caller
            && other.operation.path.contains('{')
            && !may(other)
    };
    // Some services say 403 of what is not there, as it is before it is made.
    let was_there = |refused: usize| is_there(&steps[..refused], step);
    let mut refused = steps.iter().enumerate().filter(|(_, other)| is_forbidden(other));
    if let Some((_, other)) = refused.find(|(refused, _)| was_there(*refused)) {
        found(place, fault(206, other.verb));
    }
}

/// Whether a call makes what is at a path: what is below it, and what it says or is told the name of.
fn makes(call: &Step<'_>, path: &str) -> bool {
    let below = path.strip_prefix(call.path.trim_end_matches('/'));
    let Some(name) = below.and_then(|rest| rest.strip_prefix('/')) else { return false };
    let name = name.split('/').next().unwrap_or_default();
    let is_told = call.response.is_some_and(|response| {
        let location = response.header("location").unwrap_or_default();
        response.body.contains(name) || location.split('/').any(|part| part == name)
    });
    let is_said = || String::from_utf8_lossy(&call.exchange.request.body).contains(name);
    call.verb == "POST" && call.is_success() && (is_told || is_said())
}

/// Whether a change has changed anything, as far as it can be told: a batch of nothing is carried out
/// for anybody.
fn has_effect(step: &Step<'_>) -> bool {
    let answer = step.response.map_or("", |response| response.body.trim());
    let is_answered = match &step.body {
        Some(body) => holds_something(body),
        None => !answer.is_empty(),
    };
    step.exchange.request.body.is_empty() || names_something(step) || is_answered
}

/// Whether the body of a call says what is to be changed.
fn names_something(step: &Step<'_>) -> bool {
    match sent_body(step) {
        Some(body) => holds_something(&body),
        // Forms and the like.
        None => !step.exchange.request.body.is_empty(),
    }
}

/// Whether a value holds anything but empty lists, objects and texts, and null.
fn holds_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(elements) => elements.iter().any(holds_something),
        Value::Object(members) => members.values().any(holds_something),
    }
}

/// Whether earlier calls show that something is at the path of a change: the last one of it did not
/// delete it, nor give it another id. What a PUT put there another one may have to make: for another
/// user, or since it went with something else.
fn is_there(earlier: &[Step<'_>], change: &Step<'_>) -> bool {
    let path = change.path;
    // A change that tells nothing may be one of nothing.
    let tells = |step: &Step<'_>| {
        let is_told = step.response.is_some_and(|response| !response.body.trim().is_empty());
        is_told || !matches!(step.verb, "PUT" | "PATCH")
    };
    let is_shown = |step: &&Step<'_>| {
        step.is_success() && step.path == path && tells(step) || makes(step, path)
    };
    let stays = |step: &Step<'_>| match step.verb {
        "DELETE" => false,
        "PUT" if change.verb == "PUT" => false,
        "PUT" | "PATCH" => !sent_body(step).is_some_and(|body| moves(&body, path)),
        _ => true,
    };
    earlier.iter().rev().find(is_shown).is_some_and(stays)
}

/// Whether a change gives the thing at a path another id: then it is there no more.
fn moves(body: &Value, path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    ["id", "_id", "uuid"].iter().filter_map(|name| body.get(*name)).any(|id| match id {
        Value::String(id) => id != last,
        Value::Number(id) => id.to_string() != last,
        _ => false,
    })
}

/// Whether the path of `below` is that of `above` and one fixed segment: a part of the same thing,
/// and not another thing below it.
fn is_fixed_below(above: &Step<'_>, below: &Step<'_>) -> bool {
    let last = below.operation.segments().next_back();
    above.operation.path.ends_with('}') && last.is_some_and(|last| !last.contains('{'))
}

/// 204: a user who may read neither is told which of two things exists.
fn leak(steps: &[Step<'_>], place: usize, step: &Step<'_>, found: &mut dyn FnMut(usize, Fault)) {
    if step.verb != "GET" || step.status != 403 || step.action.caller.is_none() || !step.is_plain()
    {
        return;
    }
    let is_missing = |other: &Step<'_>| {
        other.verb == "GET"
            && other.operation.id == step.operation.id
            && other.action.caller == step.action.caller
            && other.status == 404
            && other.is_plain()
    };
    if step.operation.path.contains('{') && steps.iter().any(is_missing) {
        found(place, fault(204, ""));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{moves, takes_credentials};
    use crate::rest::problem::support::{Answered, answered, has_fault, named, problem};

    /// Whether 206 is told of a user who reads a thing, is refused it, and then may do this.
    fn is_missed(refused: (&str, &str), change: (&str, &str, &str), answer: &str) -> bool {
        let problem = problem(
            "{'/dags/{id}': {get: {}, patch: {requestBody: {content: {application/json: {}}}}, \
               put: {requestBody: {content: {application/json: {}}}}, delete: {}}, \
              '/dags/{id}/runs': {patch: {requestBody: {content: {application/json: {}}}}, put: {}}, \
              /dags: {post: {}}}",
            1,
        );
        let call = |sent, answer| answered(&problem, sent, answer);
        let calls: [Answered; 3] = [
            call(("POST:/dags", "/dags", ""), (201, r#"{"id":"a"}"#)),
            call((refused.0, refused.1, ""), (403, "{}")),
            call(change, (200, answer)),
        ];
        has_fault(&problem, 206, &calls)
    }

    #[test]
    fn who_may_change_what_he_made_need_not_be_one_who_may_take_it_away() {
        let delete = ("DELETE:/dags/{id}", "/dags/a");
        let put = ("PUT:/dags/{id}", "/dags/a", r#"{"name":"x"}"#);
        assert!(!is_missed(delete, put, "{}"));
        assert!(is_missed(("PATCH:/dags/{id}", "/dags/a"), put, "{}"));
        // What was made is another one.
        let other = ("PUT:/dags/{id}", "/dags/z", r#"{"name":"x"}"#);
        assert!(!is_missed(("PATCH:/dags/{id}", "/dags/z"), other, "{}"));
    }

    #[test]
    fn what_renews_a_token_judges_what_it_is_given() {
        let problem = problem(
            "{/token/refresh: {post: {}}, '/tokens/{id}/things/{thing}': {post: {}}, /things: {post: {}}}",
            0,
        );
        let takes = |name: &str| {
            let operation = problem.operations().get(named(&problem, name));
            takes_credentials(&problem.templates().description().schemas, operation)
        };
        assert!(takes("POST:/token/refresh"));
        assert!(!takes("POST:/things") && !takes("POST:/tokens/{id}/things/{thing}"));
    }

    #[test]
    fn what_validates_a_token_refuses_that_token() {
        let safe = "security: [{k: []}]";
        let problem = problem(
            &format!(
                "{{/reset/validate: {{get: {{operationId: validateToken, {safe}}}}}, /tags: {{get: \
                 {{operationId: getTags, {safe}}}}}, /other: {{get: {{{safe}}}}}}}"
            ),
            1,
        );
        let is_unknown = |path: &str| {
            let call =
                |path: &str, answer| answered(&problem, (&format!("GET:{path}"), path, ""), answer);
            has_fault(&problem, 205, &[call(path, (401, "{}")), call("/other", (200, "{}"))])
        };
        assert!(is_unknown("/tags") && !is_unknown("/reset/validate"));
    }

    #[test]
    fn a_batch_of_nothing_is_no_change() {
        let nothing = r#"{"create":null,"update":null,"delete":null}"#;
        let refused = ("GET:/dags/{id}", "/dags/a");
        let patch = |body| ("PATCH:/dags/{id}", "/dags/a", body);
        assert!(!is_missed(refused, patch(r#"{"actions":[]}"#), nothing));
        assert!(is_missed(refused, patch(r#"{"actions":[{"id":7}]}"#), nothing));
        assert!(is_missed(refused, patch(r#"{"actions":[]}"#), r#"{"update":[7]}"#));
        assert!(is_missed(refused, ("PUT:/dags/{id}", "/dags/a", ""), ""));
    }

    #[test]
    fn a_change_that_tells_nothing_shows_nothing() {
        let problem = problem(
            "{'/fields/{id}': {get: {}, patch: {requestBody: {content: {application/json: {}}}}, delete: {}}}",
            1,
        );
        let is_told = |first: &str, answer: &str| {
            let body = r#"{"type":"x"}"#;
            let calls = [
                answered(&problem, (first, "/fields/a", body), (200, answer)),
                answered(&problem, ("GET:/fields/{id}", "/fields/a", ""), (403, "{}")),
                answered(&problem, ("PATCH:/fields/{id}", "/fields/a", body), (200, "{}")),
            ];
            has_fault(&problem, 206, &calls)
        };
        assert!(!is_told("PATCH:/fields/{id}", ""));
        assert!(is_told("PATCH:/fields/{id}", r#"{"type":"x"}"#));
    }

    #[test]
    fn what_was_put_may_be_made_again() {
        let problem =
            problem("{'/cart/{id}': {get: {}, put: {}, delete: {}}, /cart: {post: {}}}", 1);
        let call =
            |operation, status| answered(&problem, (operation, "/cart/a", ""), (status, "{}"));
        let shown = |first| {
            let calls = [first, call("GET:/cart/{id}", 403), call("PUT:/cart/{id}", 200)];
            has_fault(&problem, 206, &calls)
        };
        assert!(!shown(call("PUT:/cart/{id}", 200)));
        assert!(shown(answered(&problem, ("POST:/cart", "/cart", ""), (201, r#"{"id":"a"}"#))));
    }

    #[test]
    fn who_may_not_change_a_thing_may_mark_a_part_of_it() {
        let (read, change) = (("GET:/dags/{id}", "/dags/a"), ("PATCH:/dags/{id}", "/dags/a"));
        let (mark, runs) = (("PUT:/dags/{id}/runs", "/dags/a/runs", ""), "/dags/a/runs");
        assert!(!is_missed(change, mark, r#"{"is_marked":true}"#));
        assert!(is_missed(read, mark, r#"{"is_marked":true}"#), "not even read it");
        let told = ("PATCH:/dags/{id}/runs", runs, r#"{"owner":"bob"}"#);
        assert!(is_missed(change, told, "{}"));
    }

    #[test]
    fn a_change_of_the_id_moves_what_is_changed() {
        assert!(moves(&json!({"id": "b", "name": "x"}), "/flows/a"));
        assert!(moves(&json!({"id": 8}), "/flows/7"));
        assert!(!moves(&json!({"id": 7, "name": "x"}), "/flows/7"));
        assert!(!moves(&json!({"name": "x"}), "/flows/a") && !moves(&json!([1]), "/flows/a"));
    }
}
