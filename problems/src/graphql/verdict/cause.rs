//! What an error message says of its cause.
//!
//! Codes are of little help: frameworks put `INTERNAL_SERVER_ERROR` on whatever a resolver throws,
//! refusals included, and none on a failed cast. Messages of runtimes and databases are few and known.
//! Each family below was read from the messages of one platform: graphql-js, Apollo, Yoga and
//! PostGraphile; Graphene and Strawberry; Spring and graphql-java; Hot Chocolate; Absinthe;
//! graphql-ruby; gqlgen; Juniper and async-graphql.

use std::sync::LazyLock;

use regex::Regex;

use super::database;

/// What caused an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The service failed, whatever code it gives.
    Failure,
    /// The service refused what it was asked, whatever code it gives.
    Refusal,
    /// The message does not tell.
    Unknown,
}

/// Messages that only a failure gives.
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?xi)
        # JavaScript
        cannot\ read\ propert(y|ies)\ of | cannot\ set\ propert(y|ies)\ of | \bis\ not\ a\ function\b |
        \bis\ not\ iterable\b | ^[a-z_$][\w$]*\ is\ not\ defined$ | cannot\ destructure | cannot\ convert\ undefined |
        cannot\ (assign\ to\ read[\ -]only|delete|create)\ property\ '.*\ (of|on)\b | cannot\ redefine\ property:\  |
        object\ is\ not\ extensible |
        cannot\ set\ property\ .*\ which\ has\ only\ a\ getter | cannot\ use\ 'in'\ operator | \bis\ not\ a\ constructor\b |
        cannot\ convert\ (object\ to\ primitive|a\ (symbol|bigint)\ value) | assignment\ to\ constant\ variable |
        class\ constructor\ .*\ cannot\ be\ invoked | reduce\ of\ empty\ array | (undefined|null)\ is\ not\ an\ object\b |
        the\ ".*"\ argument\ must\ be\ .*\ received\b | argument\ must\ be\ of\ type\ .*\ received\ undefined |
        maximum\ call\ stack | invalid\ (array(\ buffer)?|string)\ length | invalid\ time\ value | converting\ circular |
        unexpected\ (token|end)\ .*\bin\ json | cannot\ mix\ bigint | cannot\ access\ '.*'\ before |
        # Python
        object\ has\ no\ attribute | object\ is\ not\ (subscriptable|iterable|callable|an\ iterator) |
        unsupported\ operand\ type | \bnonetype\b | list\ index\ out\ of\ range | string\ index\ out\ of\ range |
        \b(float\ |integer\ )?division\ (or\ modulo\ )?by\ zero | maximum\ recursion\ depth |
        invalid\ literal\ for\ int | unhashable\ type | not\ supported\ between\ instances |
        positional\ arguments?\b | unexpected\ keyword\ argument | referenced\ before\ assignment |
        cannot\ convert\ float | int\ too\ (large|big)\ to | codec\ can't\ (en|de)code | \bkeyerror\b |
        # Java, Kotlin, Scala
        nullpointerexception | cannot\ invoke\ ".*"\ because | out\ of\ bounds\ for\ length | /\ by\ zero |
        cannot\ be\ cast\ to\ class | \bno\ value\ present\b | classcastexception | illegalstateexception |
        could\ not\ (extract\ resultset|execute\ (statement|query)) |
        # .NET
        object\ reference\ not\ set | sequence\ contains\ (no|more) | index\ was\ out(side)?\ | unexpected\ execution\ error |
        nullable\ object\ must\ have | attempted\ to\ divide\ by\ zero | unable\ to\ cast\ object |
        # Ruby, Elixir, Go, Rust
        undefined\ (local\ variable\ or\ )?method | divided\ by\ 0 | no\ implicit\ conversion | wrong\ number\ of\ arguments |
        no\ function\ clause\ matching | arithmeticerror | bad\ argument\ in\ | \bmatcherror\b |
        runtime\ error: | nil\ pointer\ dereference | invalid\ memory\ address | interface\ conversion: |
        stack\ ?overflow | resulted\ in\ an\ overflow | integer\ overflow |
        panicked\ at | \bpanic(\ occurred|\ recovered|ked)?:\ | recovered\ from\ (a\ )?panic | called\ `(option|result)::unwrap | attempt\ to\ \w+\ with\ overflow |
        # Whoever wrote it
        \bassertion(\ |error|failed) | invariant\ (violation|failed) | \bunreachable\b |
        \bnot\ (yet\ )?implemented\b | notimplementederror | unimplemented | \btodo!?\(
        "#,
    )
});

/// Messages that refuse the values of a call.
static BAD_VALUE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?xi)
        # Constraints
        violates\ .*\bconstraint | duplicate\ (key|entry) | constraint\ failed | (has|must)\ (to\ )?be\ unique |
        already\ (exists|taken|in\ use|been) | foreign\ key | unique\ constraint | not-null\ constraint |
        # Not valid
        invalid\ input\ syntax | (value|number)\ too\ long | out\ of\ range | overflow | \bmust\ (not\ )?(be|have|contain|match|provide)\b |
        \b(is|are)\ required\b | required\ (field|argument|value|variable) | can(\ ?not|'t)\ be\ (blank|empty|null|negative|zero) |
        is\ not\ (a\ )?(valid|allowed|permitted|supported) | \binvalid\b | malformed | \bexpected\ (type|value|a|an|one|non-null)\b |
        validation | cannot\ represent | too\ (short|long|many|few|large|small) | bad\ (request|user\ input)
        "#,
    )
});

/// Messages that say why a call was refused otherwise.
static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?xi)
        # Not there
        not\ found | (does|do)\ not\ exist | doesn'?t\ exist | could\ ?n[o']t\ (be\ )?f(i|ou)nd | no\ such\b |
        no\ (values?|rows?|records?|results?)\ (was|were|matched|to)\b | \bunknown\ (id|user|type|field|argument)\b |
        # Not allowed
        permission | (not|un)\ ?-?authori[sz]ed | unauthenticated | not\ authenticated | forbidden | access\ denied |
        can(\ ?not|'t)\ (delete|remove|change|update|modify|edit|rename|move|disable|create|add|assign|revoke)\ (an?|the|this|that|your|own|last|only|default|system)\b |
        not\ allowed | not\ registered\b | can(\ ?not|'t)\ be\ (deleted|removed|changed|updated|modified)\b |
        (must|need\ to|please)\ (be\ )?log(ged)?\ ?in | rate\ limit | read[-\ ]only
        "#,
    )
});

/// What servers say of null at a place that may not have it.
static NULL_INSIDE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)cannot return null for non-null|declared as a non.?null type|null value was returned for non-null|non-nullable field .* (returned|resolved to) null|element is null which the schema does not allow",
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns above are valid")
}

/// What a message tells of the cause of its error. `is_of_result` says that the error has a path,
/// that of a part of the result.
pub(super) fn of(message: &str, is_of_result: bool) -> Cause {
    if is_of_result && is_bad_scalar(message)
        || is_value_of_result(message)
        || (FAILURE.is_match(message) || database::has_failed(message))
            && !is_constraint(message)
            && !is_literal(message)
    {
        Cause::Failure
    } else if BAD_VALUE.is_match(message) || REFUSAL.is_match(message) {
        Cause::Refusal
    } else {
        Cause::Unknown
    }
}

/// Whether a message refuses a call for its values, and not for who makes it or what is not there.
pub(crate) fn is_bad_value(message: &str) -> bool {
    of(message, false) == Cause::Refusal
        && BAD_VALUE.is_match(message)
        && !REFUSAL.is_match(message)
}

/// Whether a message says that null came where it may not.
pub(super) fn is_null_inside(message: &str) -> bool {
    NULL_INSIDE.is_match(message)
}

/// A constraint of a database may be told by words of its driver.
fn is_constraint(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("constraint failed") || message.contains("violates")
}

/// Whether a message refuses a value that was sent, in whatever words of its runtime.
fn is_literal(message: &str) -> bool {
    let message = message.trim_start().to_ascii_lowercase();
    message.starts_with("value cannot represent")
        || message.starts_with("invalid ")
            && message.split(':').next().is_some_and(|it| it.ends_with(" id"))
}

/// Whether a value did not fit a scalar; in an argument the caller's, in a result the service's.
fn is_bad_scalar(message: &str) -> bool {
    ["Int", "Float", "String", "Boolean", "ID"]
        .iter()
        .filter_map(|scalar| message.strip_prefix(scalar))
        .any(|rest| rest.starts_with(" cannot represent"))
}

/// Whether a value of the result did not fit its own schema.
fn is_value_of_result(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    (message.starts_with("enum ") && message.contains("cannot represent value"))
        || message.starts_with("expected iterable")
        || message.starts_with("abstract type ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_by_their_messages() {
        for message in [
            "Cannot read properties of undefined (reading 'id')",
            "'NoneType' object has no attribute 'name'",
            "division by zero",
            "LIMIT must not be negative",
            "invalid byte sequence for encoding \"UTF8\": 0x00",
            "Cannot invoke \"String.length()\" because \"x\" is null",
            "Object reference not set to an instance of an object.",
            "runtime error: index out of range [3] with length 3",
            "column \"x\" does not exist",
            "Assertion failed: order has items",
            "This is not implemented yet: not implemented",
            "SQLITE_ERROR: no such column: a",
            "Enum 'Status' cannot represent value: 7",
            "total is not defined",
            "Arithmetic operation resulted in an overflow.",
            "panic occurred: assignment to entry in nil map",
            "Cannot assign to read only property '0' of string '100'",
            "Cannot create property 'code' on string 'x'",
            "Cannot add property 3, object is not extensible",
            "Cannot use 'in' operator to search for 'id' in 7",
            "The \"path\" argument must be of type string. Received undefined",
            "Cannot set property name of #<Order> which has only a getter",
        ] {
            assert_eq!(of(message, false), Cause::Failure, "{message}");
        }
    }

    #[test]
    fn refusals_are_told_by_their_messages() {
        for message in [
            "duplicate key value violates unique constraint \"users_email_key\"",
            "insert or update on table \"a\" violates foreign key constraint \"b\"",
            "UNIQUE constraint failed: users.email",
            "SQLITE_CONSTRAINT: FOREIGN KEY constraint failed",
            "No values were deleted in collection 'orders' because no values you can delete were found",
            "order 7 not found",
            "Could not find pipeline run",
            "invalid input syntax for type uuid: \"x\"",
            "value too long for type character varying(3)",
            "permission denied for table users",
            "You must be logged in",
            "quantity must be positive",
            "The default channel cannot be deleted",
            "Role can't be modified",
            "Cannot delete this group.",
            "Name can't be blank",
            "The e-mail address is not registered",
        ] {
            assert_eq!(of(message, false), Cause::Refusal, "{message}");
        }
    }

    #[test]
    fn other_messages_tell_nothing() {
        let variable = "Variable \"$a\" is not defined";
        for message in ["Internal server error", "Unexpected error", variable, "oops", ""] {
            assert_eq!(of(message, false), Cause::Unknown, "{message}");
        }
        assert_eq!(of("unexpected error: order 7 not found", false), Cause::Refusal);
        let number = "Int cannot represent non 32-bit signed integer value: 1e10";
        assert_eq!((of(number, true), of(number, false)), (Cause::Failure, Cause::Refusal));
        assert!(is_null_inside("Cannot return null for non-nullable field User.name."));
    }
}
