//! Changes that keep what is not sent: what a description says of them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use http::Method;
use regex::Regex;

use super::operation::Operation;
use crate::rest::schema::{Flat, Schemas};

/// What a description says of a change that keeps what it leaves out.
static KEEPS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix) partial | explicitly\ specified | \bare\ kept\b |
        \b(left|remain|remains|stay|stays)\ (untouched|unchanged|unmodified|as\ (it|they)) |
        \bonly\ (the\ )?((fields?|propert(y|ies)|attributes?|members?|values?|keys?)\ )?((that|which)\ )?((is|are)\ )?
        (specified|provided|included|supplied|given|present|sent|set)\b |
        \b(not\ (being|be)|without\ being)\ (changed|modified|updated|overwritten|affected|touched)\b",
    )
});
/// What it says of a deletion that leaves something in the place of what it takes.
static RESETS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\b(resets?|reverts?|restores?|defaults?|undeletes?)\b"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns above are valid")
}

/// Whether a text says of a change that what it leaves out stays as it is.
pub(super) fn keeps_rest(text: &str) -> bool {
    KEEPS.is_match(text)
}

/// Whether a text says of a deletion that what stood there before comes back.
pub(super) fn resets(text: &str) -> bool {
    RESETS.is_match(text)
}

/// Notes which PUT take a part: what must be said when the thing is made may be left out there.
pub(super) fn note_parts(schemas: &Schemas, operations: &mut [Operation]) {
    let of_json = |operation: &Operation| {
        let bodies = operation.bodies.iter();
        let mut bodies = bodies.filter(|body| body.media_type.contains("json"));
        bodies.next().map(|body| schemas.flat(&[body.schema.into()]))
    };
    let makers = operations.iter().filter(|operation| operation.method == Method::POST);
    let makers: HashMap<Arc<str>, Flat> =
        makers.filter_map(|maker| Some((Arc::clone(&maker.path), of_json(maker)?))).collect();
    for operation in operations.iter_mut().filter(|operation| operation.method == Method::PUT) {
        let Some((above, _)) = operation.path.strip_suffix('}').and_then(|it| it.rsplit_once("/{"))
        else {
            continue;
        };
        let (Some(maker), Some(own)) = (makers.get(above), of_json(operation)) else { continue };
        let is_free = |name: &&Arc<str>| {
            !own.required.contains(name) && own.properties.iter().any(|(known, _)| known == *name)
        };
        operation.keeps_rest |= maker.required.iter().any(|name| is_free(&name));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Description, Location, ReadSettings};
    use super::{keeps_rest, resets};

    #[test]
    fn words_say_that_the_rest_is_kept() {
        let kept = [
            "Any properties not specified in the request body are left untouched.",
            "Only the explicitly specified fields get updated.",
            "Only the properties included in the body will be updated.",
            "Fields not present result in them not being changed",
        ];
        assert!(kept.map(keeps_rest) == [true; 4]);
        let replaced = ["Replaces the strategy.", "Updates a user", "The name cannot be changed"];
        assert!(replaced.map(keeps_rest) == [false; 3]);
    }

    #[test]
    fn words_say_that_a_deletion_leaves_something() {
        assert!(resets("Reset a property to its default value") && resets("Restores the default"));
        assert!(!resets("Deletes a preset") && !resets("Removes the property"));
    }

    #[test]
    fn what_a_change_may_leave_out_and_a_creation_may_not_is_kept() {
        let body = |required: &str| {
            format!(
                "requestBody: {{content: {{application/json: {{schema: {{required: [{required}], \
                 properties: {{key: {{}}, label: {{}}}}}}}}}}}}"
            )
        };
        let text = format!(
            "openapi: 3.0.0\ninfo: {{title: t, version: '1'}}\npaths:\n  \
             /a: {{post: {{{whole}}}}}\n  /a/{{id}}: {{put: {{{part}}}}}\n  \
             /b: {{post: {{{whole}}}}}\n  /b/{{id}}: {{put: {{{whole}}}}}\n",
            whole = body("key, label"),
            part = body("key"),
        );
        let location = Location::Text("test".to_owned());
        let read = |_: &str| Err(String::new());
        let read = Description::from_text(&text, location, &ReadSettings::default(), &read);
        let kept = read.unwrap().operations.into_iter().filter(|it| it.keeps_rest);
        let kept: Vec<_> = kept.map(|operation| operation.id.to_string()).collect();
        assert_eq!(kept, ["PUT:/a/{id}"]);
    }
}
