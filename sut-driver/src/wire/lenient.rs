//! Reading what drivers of many releases write: nulls for lists, texts for numbers.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A text that borrows from the message where it holds no escapes.
///
/// A plain `Cow` inside an `Option`, a list or a map would always be copied.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Reads `null` as the default value.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A number, also as a text (`"NaN"`), which is how the drivers' writer quotes the non-finite.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        // Counts are converted like any other number: precision beyond 2^53 has no meaning here.
        #[allow(clippy::cast_precision_loss)]
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_str<E>(self, value: &str) -> Result<Number, E> {
                Ok(Number(value.parse().unwrap_or(f64::NAN)))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

/// A boolean, also as the text `"true"` or `"false"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim(pub(crate) bool);

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ClaimVisitor;
        impl Visitor<'_> for ClaimVisitor {
            type Value = Claim;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("true or false")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Claim, E> {
                Ok(Claim(value))
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Claim, E> {
                let parsed = value.parse();
                parsed.map(Claim).map_err(|_| {
                    E::custom(format!(
                        "\"{value}\" is no boolean: only \"true\" or \"false\" is recognised"
                    ))
                })
            }
        }
        deserializer.deserialize_any(ClaimVisitor)
    }
}

/// A JSON object as a list of its members, in the order of the message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Members<'a, V>(pub(crate) Vec<(Text<'a>, V)>);

impl<V> Default for Members<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Members<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor<'a, V>(PhantomData<(&'a str, V)>);
        impl<'de: 'a, 'a, V: Deserialize<'de>> Visitor<'de> for MembersVisitor<'a, V> {
            type Value = Members<'a, V>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_borrow_unless_they_hold_escapes() {
        let message = r#"["plain","a\"b"]"#;
        let texts: Vec<Text<'_>> = serde_json::from_str(message).unwrap();
        assert!(matches!(texts[0].0, Cow::Borrowed("plain")));
        assert_eq!(&*texts[1], "a\"b");
        let optional: Option<Text<'_>> = serde_json::from_str("\"x\"").unwrap();
        assert!(matches!(optional.unwrap().0, Cow::Borrowed("x")));
    }

    #[test]
    fn numbers_may_be_texts_and_huge() {
        let read = |text: &str| serde_json::from_str::<Number>(text).unwrap().0;
        assert_eq!(read("1.7976931348623157E308"), f64::MAX);
        assert_eq!(read("0"), 0.0);
        assert!(read("\"NaN\"").is_nan());
        assert_eq!(read("\"-Infinity\""), f64::NEG_INFINITY);
        assert!(serde_json::from_str::<Number>("[]").is_err());
    }

    #[test]
    fn booleans_may_be_texts() {
        assert_eq!(serde_json::from_str::<Claim>("\"false\"").unwrap(), Claim(false));
        assert_eq!(serde_json::from_str::<Claim>("true").unwrap(), Claim(true));
        assert!(serde_json::from_str::<Claim>("\"maybe\"").is_err());
        assert!(serde_json::from_str::<Claim>("1").is_err());
    }

    #[test]
    fn members_keep_their_order() {
        let members: Members<'_, u8> = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
        let names: Vec<&str> = members.0.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["b", "a"]);
    }
}
