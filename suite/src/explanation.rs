//! What fault codes mean, in a sentence for the reader of a test.

/// What the code says is wrong; nothing for codes of the user's own.
pub(crate) fn of(code: u16) -> Option<&'static str> {
    Some(match code {
        103 => "What was deleted can still be read.",
        200 => "Text of an argument reaches a query language behind the service.",
        206 => "A user does what he must not do.",
        207 => "Without credentials more can be read than by a user.",
        208 => "Without credentials more can be changed than by a user.",
        209 => "The answer holds a stack trace.",
        970 => "An error that is the service's own, by its code or message.",
        971 => "Null at a position that the schema declares non-null.",
        972 => "A value of another kind than the schema declares.",
        973 => "An enum value or type name that the schema does not declare.",
        974 => "A key is missing, or one is there that was not asked for.",
        975 => "`data` is null without any error.",
        976 => "An entry of `errors` is malformed.",
        977 => "An error of execution names no path.",
        978 => "A valid document was refused as invalid.",
        979 => "An invalid document was executed.",
        981 => "The service behaves otherwise than the schema it tells.",
        982 => "The HTTP status contradicts the body.",
        983 => "The media type is wrong, or the body is not JSON.",
        984 => "A mutation was executed in a form that other sites can send unasked.",
        985 => "A message tells of the inside of the service.",
        986 => "The size of documents is not limited.",
        987 => "The schema is told to the public.",
        988 => "Answers that must agree do not.",
        989 => "No answer came in time.",
        _ => return None,
    })
}
