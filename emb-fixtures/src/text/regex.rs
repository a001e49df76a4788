//! Texts that match a pattern as a whole.

use regex::Regex;
use std::sync::LazyLock;
use wallace_instrument::white_box;

static URL: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"^(http|ftp|afs|gopher)//:[A-Za-z_-][A-Za-z0-9]*/[A-Za-z_-][A-Za-z0-9]*$")
});
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        "^(mon|tue|wed|thur|fri|sat|sun)[0-9][0-9]\
         (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$",
    )
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| compile(r"^[0-9]+\.[0-9]+e[+-][0-9][0-9]$"));

/// Compiles one of the patterns above.
fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are valid, see the tests")
}

/// "url", "date" or "fpe" (a float with exponent), or "none".
#[white_box]
pub(super) fn regex(txt: &str) -> &'static str {
    if URL.is_match(txt) {
        return "url";
    }
    if DATE.is_match(txt) {
        return "date";
    }
    if FLOAT.is_match(txt) {
        return "fpe";
    }
    "none"
}

#[cfg(test)]
mod tests {
    use super::regex;

    #[test]
    fn whole_text_must_match() {
        for (text, expected) in [
            ("http//:abc/d1", "url"),
            ("gopher//:_a/-b", "url"),
            ("http://abc/d1", "none"),
            ("ftp//:1a/b", "none"),
            ("thur31dec", "date"),
            ("mon1jan", "none"),
            ("xmon01jan", "none"),
            ("1.5e+10", "fpe"),
            ("12.25e-01\n", "none"),
            ("1.e+10", "none"),
            ("", "none"),
        ] {
            assert_eq!(regex(text), expected, "{text}");
        }
    }
}
