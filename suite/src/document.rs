//! GraphQL documents for people: one field per line.

/// Spaces per level of nesting.
const INDENTATION: usize = 2;

/// The document with every selection on a line of its own, and arguments beside their
/// field. Meaning is kept token by token; comments go, and the commas between selections. A text that is not made
/// of GraphQL tokens comes back as it is.
///
/// # Example
/// ```
/// let pretty = wallace_suite::pretty_graphql("{user(id:4){name ...on Admin{level}}}");
/// assert_eq!(pretty, "{\n  user(id: 4) {\n    name\n    ... on Admin {\n      level\n    }\n  }\n}");
/// ```
#[must_use]
pub fn pretty_graphql(document: &str) -> String {
    let Some(tokens) = tokens(document) else { return document.to_owned() };
    let mut printer = Printer::default();
    for token in &tokens {
        printer.print(token);
    }
    printer.text
}

/// The tokens of a document and its commas, without what else is insignificant; `None` if a character starts
/// no token or a string does not end (GraphQL specification, section 2.1).
fn tokens(document: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = document;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']);
        let first = match rest.chars().next() {
            None => return Some(tokens),
            Some('#') => {
                rest = rest.find(['\n', '\r']).map_or("", |end| &rest[end..]);
                continue;
            }
            Some(first) => first,
        };
        let length = match first {
            '"' => string_length(rest)?,
            '.' => rest.starts_with("...").then_some(3)?,
            '!' | '$' | '&' | '(' | ')' | ',' | ':' | '=' | '@' | '[' | ']' | '{' | '|' | '}' => 1,
            _ => word_length(rest)?,
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
}

/// Length of the name or number at the start.
fn word_length(text: &str) -> Option<usize> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "_+-.".contains(character);
    let end = text.find(|character| !is_part(character)).unwrap_or(text.len());
    // Three dots after a name start a spread.
    let end = text[..end].find("...").unwrap_or(end);
    (end > 0).then_some(end)
}

/// Length of the string or block string at the start, with its quotes.
fn string_length(text: &str) -> Option<usize> {
    let quotes = if text.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
    let escaped = if quotes.len() == 3 { "\\\"\"\"" } else { "\\" };
    let mut end = quotes.len();
    loop {
        let rest = &text[end..];
        if rest.starts_with(escaped) {
            // A block string escapes only its quotes; a string escapes any character.
            let next = if quotes.len() == 3 { 0 } else { rest[1..].chars().next()?.len_utf8() };
            end += escaped.len() + next;
        } else if rest.starts_with(quotes) {
            return Some(end + quotes.len());
        } else {
            let next = rest.chars().next()?;
            if quotes.len() == 1 && next == '\n' {
                return None;
            }
            end += next.len_utf8();
        }
    }
}

/// Prints token after token, looking at the one before.
#[derive(Debug, Default)]
struct Printer {
    text: String,
    /// Selection sets that are open.
    level: usize,
    /// Parentheses and brackets that are open, and braces inside of them.
    values: usize,
    last: String,
    before_last: String,
}

impl Printer {
    fn print(&mut self, token: &str) {
        match token {
            "," if self.values == 0 => return,
            "{" if self.values == 0 => {
                self.space_unless_line_start();
                self.text.push('{');
                self.level += 1;
            }
            "}" if self.values == 0 => {
                self.level = self.level.saturating_sub(1);
                self.new_line();
                self.text.push('}');
            }
            "(" | "[" | "{" => {
                self.separate(token);
                self.text.push_str(token);
                self.values += 1;
            }
            ")" | "]" | "}" => {
                self.values = self.values.saturating_sub(1);
                self.text.push_str(token);
            }
            _ => {
                self.separate(token);
                self.text.push_str(token);
            }
        }
        self.before_last = std::mem::replace(&mut self.last, token.to_owned());
    }

    /// A new line before a selection or definition, else a space where words would touch.
    fn separate(&mut self, token: &str) {
        if self.values == 0 && self.starts_selection(token) {
            self.new_line();
        } else if self.needs_space(token) {
            self.space_unless_line_start();
        }
    }

    fn starts_selection(&self, token: &str) -> bool {
        if self.text.is_empty() || self.is_continued() {
            return false;
        }
        let is_word = token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let opens_line = token == "..." || is_word;
        opens_line && (self.level > 0 || self.last == "}")
    }

    /// Whether the last token asks for another one: an alias, a directive, a spread.
    fn is_continued(&self) -> bool {
        matches!(self.last.as_str(), ":" | "@" | "..." | "$" | "=")
            || (self.last == "on" && self.before_last == "...")
    }

    fn needs_space(&self, token: &str) -> bool {
        let touches_last = matches!(self.last.as_str(), "" | "(" | "[" | "{" | "$" | "@")
            || (self.last == "..." && !matches!(token, "on" | "@"));
        let touches_next = matches!(token, ":" | "(" | "!" | ",");
        !touches_last && !touches_next
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', self.level * INDENTATION));
    }

    fn space_unless_line_start(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_commas(document: &str) -> Option<Vec<&str>> {
        Some(tokens(document)?.into_iter().filter(|token| *token != ",").collect())
    }

    fn check(document: &str, expected: &[&str]) {
        let pretty = pretty_graphql(document);
        assert_eq!(pretty.lines().collect::<Vec<_>>(), expected);
        assert_eq!(without_commas(&pretty), without_commas(document), "the meaning changed");
        assert_eq!(pretty_graphql(&pretty), pretty, "a second pass changes nothing");
    }

    #[test]
    fn selections_get_lines_and_arguments_stay() {
        check("{a}", &["{", "  a", "}"]);
        check("query{a,b c}", &["query {", "  a", "  b", "  c", "}"]);
        check(
            "mutation M($id:ID!,$n:[Int!]=[1,2]){x:add(id:$id,in:{a:1,b:[{c:\"d\"}]}){id}}",
            &[
                "mutation M($id: ID!, $n: [Int!] = [1, 2]) {",
                "  x: add(id: $id, in: {a: 1, b: [{c: \"d\"}]}) {",
                "    id",
                "  }",
                "}",
            ],
        );
    }

    #[test]
    fn fragments_and_directives_stay_with_their_field() {
        check(
            "{ a @skip(if:true) b ...F ... on T @include(if: $x) { c } ... @d { e } on: on } fragment F on T { g }",
            &[
                "{",
                "  a @skip(if: true)",
                "  b",
                "  ...F",
                "  ... on T @include(if: $x) {",
                "    c",
                "  }",
                "  ... @d {",
                "    e",
                "  }",
                "  on: on",
                "}",
                "fragment F on T {",
                "  g",
                "}",
            ],
        );
    }

    #[test]
    fn strings_are_not_looked_into() {
        check(
            r#"{ f(a: "} { \" , ...", b: "", n: -1.5e3) # g { h }
            }"#,
            &["{", r#"  f(a: "} { \" , ...", b: "", n: -1.5e3)"#, "}"],
        );
        check(
            "{ f(a: \"\"\"x \\\"\"\" { y\"\"\") }",
            &["{", "  f(a: \"\"\"x \\\"\"\" { y\"\"\")", "}"],
        );
    }

    #[test]
    fn what_is_no_document_is_left_alone() {
        for text in ["{ f(a: \"open) }", "{ \u{1F980} }", "{ a . b }", "\"\\", "{ f(a: \"a\nb\") }", "\"\"\"x"] {
            assert_eq!(pretty_graphql(text), text);
        }
        assert_eq!(pretty_graphql("}}})))"), "\n}\n}\n})))");
        assert_eq!(pretty_graphql(""), "");
    }
}
