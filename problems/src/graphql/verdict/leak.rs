//! Internal text: what a message must not tell.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::trace::has_trace;

/// Words of databases, classes of exceptions, and places in source code.
static INTERNAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?x) constraint\sfailed | SQLSTATE | \bORA-\d{4,} | syntax\serror\sat\sor\snear | near\s"[^"]*":\ssyntax\serror |
        error\sin\syour\sSQL\ssyntax | duplicate\skey\svalue | no\ssuch\s(table|column) | SQLITE_[A-Z] | unrecognized\stoken |
        unterminated\squoted | violates\s\w+[\s-]key\sconstraint | \bPSQLException | SequelizeDatabaseError | PrismaClient |
        \b[a-z]\w*(\.[a-z]\w*)+\.[A-Z]\w*(Exception|Error)\b | \b(NullPointer|IndexOutOfBounds|ClassCast|IllegalState|NumberFormat)Exception\b |
        \bundefined\smethod\s | \bArgumentError\b | panicked\sat | called\s`(Option|Result)::unwrap | Cannot\sread\spropert(y|ies)\sof"#,
    )
});

/// What the message of a server that gave up says: that something of its inside failed, that nobody
/// expected it, that it is to be told to somebody.
static GAVE_UP: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?xi)
        # internal system error, INTERNAL_ERROR, internal failure
        (^|[^a-z-])internal[\ _-]*((server|system|service|application|api|graphql|unexpected|unknown|processing|execution)[\ _-]*)?
        (errors?|exceptions?|failures?|faults?)([^a-z-]|$) |
        # unexpected server error, an unhandled exception, unknown error
        (unexpected|unhandled|uncaught)[\ _-]+((server|system|service|application|internal|execution)[\ _-]+)?
        (errors?|exceptions?|failures?|conditions?)\b |
        \b(an?|some)\ unknown\ (error|exception|problem)\b | ^unknown\ (server\ )?error\W*$ |
        \b(server|system|service|application|runtime|fatal)\ (error|exception)\ (has\ )?(occurr?ed|happened) |
        ^(a\ )?(server|system|service|application)\ error\W*$ |
        # something went wrong, an error occurred while processing the request
        (something|things)\ (has\ |have\ )?(went|gone|goes)\ wrong | something\ unexpected\ happened |
        \berror\ (has\ |was\ )?(occurr?ed|happened)?\ ?(while|when|during|in)\ (processing|executing|handling|fulfill?ing|the\ processing\ of)\ (this\ |the\ |your\ |a\ )?(request|query|document|operation|mutation) |
        \berror\ occurr?ed\ \(logged | ^error\ (executing\ document|trying\ to\ resolve\ field) | ^effect\ failure\b |
        # a panic was trapped, please contact support
        \bpanic\ (was|has\ been)\b | contact\ (the\ |our\ )?support
        "#,
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns above are valid")
}

/// A value without the traces in it: where something was computed is no part of what it is.
pub(crate) fn without_traces(value: &Value) -> Value {
    let is_trace = |value: &Value| value.as_str().is_some_and(has_trace);
    match value {
        trace if is_trace(trace) => Value::Null,
        Value::Array(elements) => {
            elements.iter().filter(|it| !is_trace(it)).map(without_traces).collect()
        }
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), without_traces(member))).collect()
        }
        other => other.clone(),
    }
}

/// The words of a text that tell of the inside of the service.
pub(super) fn internal(text: &str) -> Option<&str> {
    INTERNAL.find(text).map(|found| found.as_str())
}

/// Whether the text says that the service failed.
pub(super) fn gave_up(text: &str) -> bool {
    GAVE_UP.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_something_was_computed_is_no_part_of_it() {
        let answer = |stack: Value, message: &str| {
            without_traces(&serde_json::json!({ "error": { "stack": stack, "message": message } }))
        };
        let one = serde_json::json!(["  File \"a.py\", line 3, in run\n"]);
        let other =
            serde_json::json!(["  File \"b.py\", line 7, in run\n", "  File \"a.py\", line 3\n"]);
        assert_eq!(answer(one.clone(), "no job"), answer(other.clone(), "no job"));
        assert_ne!(answer(one, "no job"), answer(other, "no run"));
        let text = Value::from("Traceback (most recent call last)\n x");
        assert_eq!(answer(text, ""), answer(Value::Null, ""));
    }

    #[test]
    fn internal_texts_are_told_from_messages_for_people() {
        for text in [
            "UNIQUE constraint failed: users.email",
            "java.lang.NullPointerException: x",
            "near \"'\": syntax error",
            "thread 'main' panicked at src/main.rs:1",
        ] {
            assert!(internal(text).is_some(), "{text}");
        }
        for fine in [
            "email is taken",
            "look at the documentation",
            "the quantity must be between 1 and 10000",
            "Error: order not found",
            "Argument error: must be positive",
        ] {
            assert!(internal(fine).is_none() && !has_trace(fine) && !gave_up(fine), "{fine}");
        }
    }

    #[test]
    fn servers_that_gave_up_are_told_in_all_their_words() {
        for told in [
            "Internal server error",
            "Internal Server Error(s) while executing query",
            "internal system error",
            "Internal error.",
            "INTERNAL_ERROR for 3b6fc9a1-1",
            "Internal Failure",
            "Unexpected error.",
            "An unexpected error occurred.",
            "Unexpected server error",
            "Unexpected Execution Error",
            "Unhandled exception",
            "An unknown error occurred",
            "Something went wrong while executing your query.",
            "A system error has occurred",
            "An error occurred while processing your request.",
            "An error occurred (logged with hash: 'x')",
            "Error trying to resolve field 'name'.",
            "Internal Server Error - a panic was trapped.",
        ] {
            assert!(gave_up(told), "{told}");
        }
        for fine in [
            "Unexpected token } in the filter",
            "the internal note may not be empty",
            "error code 7 is not used",
            "Unknown error code: E7",
            "internal-error-free",
            "the system is closed on Sundays",
            "An error occurred in the address: the street is missing",
            "Service not found",
        ] {
            assert!(!gave_up(fine), "{fine}");
        }
    }
}
