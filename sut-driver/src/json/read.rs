//! Reads JSON, as strictly as its standard (RFC 8259) has it.

/// Objects and lists inside each other; more are refused.
const DEEPEST: usize = 128;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    /// As it is written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a whole message.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub(crate) fn parse(message: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(message).map_err(|error| error.to_string())?;
        let mut reader = Reader { text, place: 0 };
        let value = reader.value(0)?;
        reader.skip_space();
        if reader.place < text.len() { Err(reader.error("trailing characters")) } else { Ok(value) }
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// # Errors
    /// When it is no text.
    pub(crate) fn into_text(self) -> Result<String, String> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(other.instead_of("a text")),
        }
    }

    /// # Errors
    /// When it is no list, or one of its elements is not what `read` wants.
    pub(crate) fn into_list<T>(
        self,
        read: impl FnMut(Value) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        match self {
            Value::List(list) => list.into_iter().map(read).collect(),
            other => Err(other.instead_of("a list")),
        }
    }

    /// # Errors
    /// When it is no whole number of that type.
    pub(crate) fn into_integer<T: std::str::FromStr>(self) -> Result<T, String> {
        match &self {
            Value::Number(digits) => digits.parse().map_err(|_| self.instead_of("an integer")),
            other => Err(other.instead_of("an integer")),
        }
    }

    /// A boolean, also as the text `"true"` or `"false"`.
    ///
    /// # Errors
    /// When it is neither.
    pub(crate) fn into_claim(self) -> Result<bool, String> {
        match &self {
            Value::Boolean(claim) => Ok(*claim),
            Value::Text(text) => text.parse().map_err(|_| {
                format!("\"{text}\" is no boolean: only \"true\" or \"false\" is recognised")
            }),
            other => Err(other.instead_of("true or false")),
        }
    }

    pub(crate) fn instead_of(&self, wanted: &str) -> String {
        format!("found {}, expected {wanted}", self.kind())
    }
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
}

impl Reader<'_> {
    fn error(&self, reason: &str) -> String {
        format!("{reason} at byte {}", self.place)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.place += 1;
        }
    }

    /// Goes behind `byte` and the space before it, if it is there.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(byte);
        self.place += usize::from(is_there);
        is_there
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if !self.text[self.place..].starts_with(word) {
            return Err(self.error("no value"));
        }
        self.place += word.len();
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(self.error("nested too deeply"));
        }
        self.skip_space();
        match self.peek() {
            Some(b'n') => self.word("null", Value::Null),
            Some(b't') => self.word("true", Value::Boolean(true)),
            Some(b'f') => self.word("false", Value::Boolean(false)),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.object(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("no value")),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.place += 1;
        let mut list = Vec::new();
        if self.eat(b']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value(depth + 1)?);
            if self.eat(b']') {
                return Ok(Value::List(list));
            }
            if !self.eat(b',') {
                return Err(self.error("neither `,` nor `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.place += 1;
        let mut members = Vec::new();
        if self.eat(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("no name"));
            }
            let name = self.string()?;
            if !self.eat(b':') {
                return Err(self.error("no `:`"));
            }
            members.push((name, self.value(depth + 1)?));
            if self.eat(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.eat(b',') {
                return Err(self.error("neither `,` nor `}`"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), String> {
        let start = self.place;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.place += 1;
        }
        if self.place == start { Err(self.error("no digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.place;
        self.place += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.place += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.place += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.place += 1;
            self.place += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(Value::Number(self.text[start..self.place].to_owned()))
    }

    /// A text, from its first quote on.
    fn string(&mut self) -> Result<String, String> {
        self.place += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.place..];
            let end = rest.bytes().position(|it| it < b' ' || it == b'"' || it == b'\\');
            let end = end.ok_or_else(|| self.error("a text without end"))?;
            text.push_str(&rest[..end]);
            self.place += end + 1;
            match rest.as_bytes()[end] {
                b'"' => return Ok(text),
                b'\\' => text.push(self.escape()?),
                _ => return Err(self.error("a control character in a text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let kind = self.peek();
        self.place += 1;
        Ok(match kind {
            Some(plain @ (b'"' | b'\\' | b'/')) => plain.into(),
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let first = self.unit()?;
                let second = match first {
                    0xd800..0xdc00 if self.text[self.place..].starts_with("\\u") => {
                        self.place += 2;
                        Some(self.unit()?)
                    }
                    _ => None,
                };
                let decoded = char::decode_utf16([first].into_iter().chain(second)).next();
                decoded.and_then(Result::ok).ok_or_else(|| self.error("half a surrogate pair"))?
            }
            _ => return Err(self.error("no such escape")),
        })
    }

    fn unit(&mut self) -> Result<u16, String> {
        let digits = self.text.get(self.place..self.place + 4);
        let digits = digits.filter(|it| it.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        self.place += 4;
        unit.ok_or_else(|| self.error("no four digits"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn messages_are_read_as_their_standard_has_it() {
        let read = |text: &str| Value::parse(text.as_bytes());
        let text = |text: &str| Ok(Value::Text(text.to_owned()));
        assert_eq!(read(r#" "a\"\u00e9\ud83d\ude00\/" "#), text("a\"é😀/"));
        let list = read("[1, -2.5e+3 ,null,{\"a\":[]}]").unwrap();
        let number = |text: &str| Value::Number(text.to_owned());
        let object = Value::Object(vec![("a".to_owned(), Value::List(Vec::new()))]);
        let expected = vec![number("1"), number("-2.5e+3"), Value::Null, object];
        assert_eq!(list, Value::List(expected));
        let broken =
            r#"|nul|[1,]|{"a"}|{a:1}|01|1.|-|"\x"|"\ud800"|"\ud800\u0041"|"\u12"|"|1 2|[1 2]"#;
        let more = "{\"a\":1,}|+1|\"\\|\"\\u+123\"|\"\u{1}\"";
        for text in broken.split('|').chain(more.split('|')) {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read(&"[".repeat(1_000_000)).is_err());
    }
}
