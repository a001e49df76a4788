//! Statements without their constants: the same text for all executions of one statement of the
//! code, so that what was found out about it once holds for all of them.

use rusqlite::types::Value;

use super::token::{Kind, Tokens};

/// A statement whose constants are parameters.
#[derive(Debug, PartialEq)]
pub(super) struct Template {
    /// The text, with `?1`, `?2`, … in the places of constants.
    pub(super) text: String,
    /// The constants, from `?1` on.
    pub(super) values: Vec<Value>,
}

impl Template {
    /// The statement with numbers and texts taken out; `None` where a number is more than a
    /// value, as in `ORDER BY 1`, and where there are parameters already.
    pub(super) fn of(statement: &str) -> Option<Self> {
        let mut text = String::with_capacity(statement.len());
        let mut values = Vec::new();
        let mut is_in_order = false;
        for (kind, piece) in Tokens::of(statement) {
            match constant(kind, piece) {
                // A number behind `BY` is the place of a column.
                Some(_) if is_in_order => return None,
                Some(value) => {
                    values.push(value);
                    text.push('?');
                    text.push_str(&values.len().to_string());
                }
                None if kind == Kind::Parameter => return None,
                None => text.push_str(piece),
            }
            let is = |word: &str| piece.eq_ignore_ascii_case(word);
            let ends = piece == ")" || is("limit") || is("having");
            is_in_order = is("by") || (is_in_order && !ends);
        }
        Some(Self { text, values })
    }
}

/// The value of a constant; `None` of other pieces.
fn constant(kind: Kind, piece: &str) -> Option<Value> {
    match kind {
        Kind::Text => {
            let inner = piece[1..].strip_suffix('\'').unwrap_or(&piece[1..]);
            Some(Value::Text(inner.replace("''", "'")))
        }
        Kind::Number => {
            let whole = piece.parse().map(Value::Integer);
            whole.or_else(|_| piece.parse().map(Value::Real)).ok()
        }
        Kind::Word | Kind::Parameter | Kind::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(statement: &str) -> Option<(String, Vec<Value>)> {
        Template::of(statement).map(|template| (template.text, template.values))
    }

    #[test]
    fn constants_become_parameters() {
        let statement = "SELECT a1, \"7\" FROM [t 2] -- it's 5\nWHERE x = 'it''s 6' AND y > -3.5e1 \
                         /* '9' */ AND z IN (1, .5) AND b = x'00' AND h = 0x1F LIMIT 3";
        let expected = "SELECT a1, \"7\" FROM [t 2] -- it's 5\nWHERE x = ?1 AND y > -?2 \
                        /* '9' */ AND z IN (?3, ?4) AND b = x'00' AND h = 0x1F LIMIT ?5";
        let values = [
            Value::Text("it's 6".to_owned()),
            Value::Real(35.0),
            Value::Integer(1),
            Value::Real(0.5),
            Value::Integer(3),
        ];
        assert_eq!(template(statement), Some((expected.to_owned(), values.to_vec())));
        let large = "SELECT 9223372036854775808";
        assert_eq!(template(large).unwrap().1, [Value::Real(9_223_372_036_854_775_808.0)]);
    }

    #[test]
    fn places_of_columns_stay() {
        assert_eq!(template("SELECT a FROM t WHERE b = 1 ORDER BY a, 2"), None);
        assert_eq!(template("SELECT a FROM t GROUP\nBY 1 HAVING max(b) > 2"), None);
        assert!(template("SELECT a FROM t WHERE b = 1 ORDER BY a LIMIT 7").is_some());
        assert_eq!(template("SELECT a FROM t WHERE b = ?"), None);
    }

    #[test]
    fn broken_texts_are_no_trouble() {
        for text in
            ["'", "''", "'a", "x'", "\"", "[", "--", "/*", "1e", "1.", ".", "1e+", "é'é", "5é"]
        {
            let _ = template(text);
            let _ = template(&format!("SELECT {text}"));
        }
        assert_eq!(template("1.e5").unwrap().1, [Value::Real(1e5)]);
    }
}
