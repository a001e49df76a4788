//! Writes JSON.

use std::collections::BTreeMap;

/// What can be written.
pub(crate) trait ToJson {
    /// Appends the value.
    fn write_json(&self, out: &mut String);
}

/// An object that is being written.
pub(crate) struct Object<'a> {
    out: &'a mut String,
    is_first: bool,
}

impl<'a> Object<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, is_first: true }
    }

    pub(crate) fn field(&mut self, name: &str, value: &(impl ToJson + ?Sized)) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
        name.write_json(self.out);
        self.out.push(':');
        value.write_json(self.out);
    }

    pub(crate) fn close(self) {
        self.out.push('}');
    }
}

/// Writes structs as objects: `to_json! { Type { field: "name in JSON" } }`.
macro_rules! to_json {
    ($($type:ident $(<$life:lifetime>)? { $($field:ident: $name:literal),* $(,)? })*) => {$(
        impl $(<$life>)? $crate::json::ToJson for $type $(<$life>)? {
            fn write_json(&self, out: &mut String) {
                #[allow(unused_mut, reason = "an object may be empty")]
                let mut object = $crate::json::Object::open(out);
                $(object.field($name, &self.$field);)*
                object.close();
            }
        }
    )*};
}
pub(crate) use to_json;

impl ToJson for bool {
    fn write_json(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn write_json(&self, out: &mut String) {
                out.push_str(itoa::Buffer::new().format(*self));
            }
        }
    )*};
}
integers!(u8 u32 u64 usize i32 i64);

impl ToJson for f64 {
    /// What is no number is null.
    fn write_json(&self, out: &mut String) {
        if self.is_finite() {
            out.push_str(zmij::Buffer::new().format_finite(*self));
        } else {
            out.push_str("null");
        }
    }
}

impl ToJson for str {
    fn write_json(&self, out: &mut String) {
        out.push('"');
        let mut rest = self;
        // Quotes, backslashes and control characters are single bytes, so that the cuts are sound.
        while let Some(place) = rest.bytes().position(|it| it < b' ' || it == b'"' || it == b'\\') {
            out.push_str(&rest[..place]);
            escape(rest.as_bytes()[place], out);
            rest = &rest[place + 1..];
        }
        out.push_str(rest);
        out.push('"');
    }
}

fn escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        other => out.push_str(&format!("\\u{other:04x}")),
    }
}

impl ToJson for String {
    fn write_json(&self, out: &mut String) {
        self.as_str().write_json(out);
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write_json(&self, out: &mut String) {
        out.push('[');
        for (place, value) in self.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            value.write_json(out);
        }
        out.push(']');
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn write_json(&self, out: &mut String) {
        self.as_slice().write_json(out);
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write_json(&self, out: &mut String) {
        self.as_slice().write_json(out);
    }
}

impl<K: AsRef<str>, V: ToJson> ToJson for BTreeMap<K, V> {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::open(out);
        self.iter().for_each(|(name, value)| object.field(name.as_ref(), value));
        object.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &(impl ToJson + ?Sized)) -> String {
        let mut out = String::new();
        value.write_json(&mut out);
        out
    }

    #[test]
    fn values_are_written_as_any_reader_wants_them() {
        assert_eq!(written("a\"b\\c\n\u{1}é"), r#""a\"b\\c\n\u0001é""#);
        assert_eq!(
            written(&[Some(1.0), Some(f64::MAX), Some(f64::NAN), None]),
            "[1.0,1.7976931348623157e+308,null,null]"
        );
        let map = BTreeMap::from([("a", vec![1u32, 2]), ("b", vec![])]);
        assert_eq!(written(&map), r#"{"a":[1,2],"b":[]}"#);
        struct Pair {
            first: bool,
            r#type: &'static str,
        }
        to_json! { Pair { first: "isFirst", r#type: "type" } }
        assert_eq!(written(&Pair { first: true, r#type: "x" }), r#"{"isFirst":true,"type":"x"}"#);
    }
}
