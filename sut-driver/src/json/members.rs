//! The members of an object, as strictly as the protocol's drivers read them.

use super::Value;

/// The members of an object of which only some are known.
#[derive(Debug)]
pub(crate) struct Members(Vec<(String, Value)>);

impl Members {
    /// The members of `value`.
    ///
    /// # Errors
    /// When it is no object, or has a member that is not among `known`, or one twice.
    pub(crate) fn of(value: Value, known: &[&str]) -> Result<Self, String> {
        let Value::Object(members) = value else { return Err(value.instead_of("an object")) };
        for (place, (name, _)) in members.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let known = known.join("`, `");
                return Err(format!("unknown field `{name}`, expected one of `{known}`"));
            }
            if members[..place].iter().any(|(other, _)| other == name) {
                return Err(format!("field `{name}` stands there twice"));
            }
        }
        Ok(Self(members))
    }

    /// A member; a missing one is null.
    ///
    /// # Errors
    /// When it is not null, and not what `read` wants.
    pub(crate) fn take<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Value) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        self.take_or(name, None, read)
    }

    /// A member; a missing one is `missing`, and null is `None`.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub(crate) fn take_or<T>(
        &mut self,
        name: &str,
        missing: Option<T>,
        read: impl FnOnce(Value) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let Some(place) = self.0.iter().position(|(known, _)| known == name) else {
            return Ok(missing);
        };
        match self.0.swap_remove(place).1 {
            Value::Null => Ok(None),
            value => read(value).map(Some).map_err(|reason| format!("{name}: {reason}")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn members_are_strict() {
        let object = |text: &str| Members::of(Value::parse(text.as_bytes()).unwrap(), &["a", "b"]);
        let error = object(r#"{"a":1,"c":2}"#).unwrap_err();
        assert!(error.contains("`c`") && error.contains("`b`"), "{error}");
        assert!(object(r#"{"a":1,"a":2}"#).is_err() && object("[]").is_err());
        let mut members = object(r#"{"a":12}"#).unwrap();
        assert_eq!(members.take("a", Value::into_integer::<i32>), Ok(Some(12)));
        assert_eq!(members.take_or("b", Some(7), Value::into_integer::<i32>), Ok(Some(7)));
        assert!(object(r#"{"a":1.5}"#).unwrap().take("a", Value::into_integer::<i32>).is_err());
        assert_eq!(object(r#"{"a":"true"}"#).unwrap().take("a", Value::into_claim), Ok(Some(true)));
    }
}
