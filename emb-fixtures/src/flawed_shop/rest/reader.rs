//! Reading JSON bodies and parameters into what the description promises.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use wallace_instrument::white_box;

use crate::flawed_shop::error::ShopError;

/// Members of an object that are read by name; what is left over is refused.
pub(super) struct Members<'a> {
    object: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

#[white_box]
impl<'a> Members<'a> {
    /// The members of an object.
    pub(super) fn of(body: &'a Value) -> Result<Self, ShopError> {
        let Value::Object(object) = body else {
            return Err(ShopError::malformed("the body", "an object"));
        };
        Ok(Self { object, known: Vec::new() })
    }

    /// A member that may be missing.
    pub(super) fn optional(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.object.get(name)
    }

    /// A member that must be there.
    pub(super) fn required(&mut self, name: &'static str) -> Result<&'a Value, ShopError> {
        let Some(value) = self.optional(name) else {
            return Err(ShopError::Malformed(format!("{name} is missing")));
        };
        Ok(value)
    }

    /// Refuses members that nobody asked for.
    pub(super) fn finish(self) -> Result<(), ShopError> {
        for name in self.object.keys() {
            if !self.known.contains(&name.as_str()) {
                return Err(ShopError::Malformed("there are unknown members".to_owned()));
            }
        }
        Ok(())
    }
}

/// A text of a length in characters.
#[white_box]
pub(super) fn text(
    name: &str,
    value: &Value,
    length: RangeInclusive<usize>,
) -> Result<String, ShopError> {
    let Value::String(text) = value else {
        return Err(ShopError::malformed(name, "a text"));
    };
    text_of_length(name, text, length)
}

/// The text if it has a length, in characters.
#[white_box]
pub(super) fn text_of_length(
    name: &str,
    text: &str,
    length: RangeInclusive<usize>,
) -> Result<String, ShopError> {
    let count = text.chars().count();
    if count < *length.start() {
        return Err(ShopError::malformed(name, "longer"));
    }
    if count > *length.end() {
        return Err(ShopError::malformed(name, "shorter"));
    }
    Ok(text.to_owned())
}

/// A text with exactly one `@`.
#[white_box]
pub(super) fn email(value: &Value) -> Result<String, ShopError> {
    let email = text("email", value, 3..=120)?;
    if email.matches('@').count() != 1 {
        return Err(ShopError::malformed("email", "a text with one @"));
    }
    Ok(email)
}

/// An integer, which JSON may write as `1.0` too.
#[white_box]
pub(super) fn integer(
    name: &str,
    value: &Value,
    range: RangeInclusive<i64>,
) -> Result<i64, ShopError> {
    let Some(number) = whole(value) else {
        return Err(ShopError::malformed(name, "an integer"));
    };
    if number < *range.start() {
        return Err(ShopError::malformed(name, "larger"));
    }
    if number > *range.end() {
        return Err(ShopError::malformed(name, "smaller"));
    }
    Ok(number)
}

/// The integer that a JSON number is, if it is one; beyond 64 bits, the nearest that has them.
fn whole(value: &Value) -> Option<i64> {
    if let Some(integer) = value.as_i64() {
        return Some(integer);
    }
    let float = value.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and is out of all ranges then")]
    (float.fract() == 0.0).then_some(float as i64)
}

/// At most five texts.
#[white_box]
pub(super) fn tags(value: &Value) -> Result<Vec<String>, ShopError> {
    let Value::Array(items) = value else {
        return Err(ShopError::malformed("tags", "a list"));
    };
    if items.len() > 5 {
        return Err(ShopError::malformed("tags", "at most 5"));
    }
    let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
    texts.collect::<Option<_>>().ok_or_else(|| ShopError::malformed("tags", "texts"))
}

/// One word of a closed set.
#[white_box]
pub(super) fn word<T>(
    name: &str,
    value: &Value,
    parse: fn(&str) -> Option<T>,
) -> Result<T, ShopError> {
    let Value::String(text) = value else {
        return Err(ShopError::malformed(name, "a text"));
    };
    parse_word(name, text, parse)
}

/// One word of a closed set, from a parameter.
pub(super) fn parse_word<T>(
    name: &str,
    text: &str,
    parse: fn(&str) -> Option<T>,
) -> Result<T, ShopError> {
    parse(text).ok_or_else(|| ShopError::malformed(name, "one of its words"))
}

/// An integer from a parameter.
#[white_box]
pub(super) fn parse_integer(
    name: &str,
    text: &str,
    range: RangeInclusive<i64>,
) -> Result<i64, ShopError> {
    let Ok(number) = text.parse::<i64>() else {
        return Err(ShopError::malformed(name, "an integer"));
    };
    if number < *range.start() {
        return Err(ShopError::malformed(name, "larger"));
    }
    if number > *range.end() {
        return Err(ShopError::malformed(name, "smaller"));
    }
    Ok(number)
}

/// The code of a coupon: 3 to 24 capital letters, digits and hyphens.
#[white_box]
pub(super) fn coupon_code(text: &str) -> Result<&str, ShopError> {
    let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
    if text.len() < 3 || text.len() > 24 {
        return Err(ShopError::malformed("code", "of 3 to 24 characters"));
    }
    if !text.bytes().all(is_allowed) {
        return Err(ShopError::malformed("code", "of capital letters, digits and hyphens"));
    }
    Ok(text)
}
