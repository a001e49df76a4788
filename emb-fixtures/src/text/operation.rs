//! The string operations as callers see them, wrong where a behaviour switch says so.
//!
//! This code is not instrumented: with all switches off it lowers the texts where that is the
//! rule, passes arguments on, and writes answers as texts.

use super::pat::Occurrence;
use super::{calc, cookie, costfuns, date_parse, file_suffix, noty_pevar, ordered4, pat, regex};
use super::{text2txt, title};
use crate::switch::Switches;

const OPERATORS: [&str; 11] = [
    "pi", "e", "sqrt", "log", "sine", "cosine", "tangent", "plus", "subtract", "multiply", "divide",
];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thur", "fri", "sat", "sun"];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DIRECTORIES: [&str; 5] = ["text", "acrobat", "word", "bin", "lib"];

/// The eleven operations of one instance, with its switches.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextOperations {
    switches: Switches,
}

impl TextOperations {
    /// The operations, with these switches on.
    pub(crate) fn new(switches: &Switches) -> Self {
        Self { switches: switches.clone() }
    }

    /// The wrong answer of the first switch that is on, of those whose case this is.
    fn wrong(&self, cases: &[(&str, bool, &str)]) -> Option<String> {
        let mut cases = cases.iter().filter(|(_, is_case, _)| *is_case);
        let found = cases.find(|(name, ..)| self.switches.is_on(name));
        found.map(|(_, _, wrong)| (*wrong).to_owned())
    }

    /// See [`calc::calc`]; the number as Rust writes it with `{:?}`.
    pub(crate) fn calc(&self, op: &str, arg1: f64, arg2: f64) -> String {
        let on = |name| self.switches.is_on(name);
        let lowered = if on("calc-case-matters") { op.to_owned() } else { op.to_lowercase() };
        let value = match lowered.as_str() {
            "subtract" if on("calc-subtract-reversed") => arg2 - arg1,
            "cosine" if on("calc-cosine-as-sine") => calc::calc("sine", arg1, arg2),
            "divide" if on("calc-divide-whole") => calc::calc("divide", arg1, arg2).trunc(),
            "pi" if on("calc-pi-rounded") => 3.0,
            "e" if on("calc-e-as-pi") => calc::calc("pi", arg1, arg2),
            "sqrt" if on("calc-sqrt-as-log") => calc::calc("log", arg1, arg2),
            "log" if on("calc-log-as-sqrt") => calc::calc("sqrt", arg1, arg2),
            "sine" if on("calc-sine-as-cosine") => calc::calc("cosine", arg1, arg2),
            "tangent" if on("calc-tangent-as-cosine") => calc::calc("cosine", arg1, arg2),
            "plus" if on("calc-plus-off-by-one") => arg1 + arg2 + 1.0,
            "multiply" if on("calc-multiply-as-divide") => arg1 / arg2,
            operator if !OPERATORS.contains(&operator) && on("calc-unknown-as-one") => 1.0,
            operator => calc::calc(operator, arg1, arg2),
        };
        format!("{value:?}")
    }

    /// See [`cookie::cookie`].
    pub(crate) fn cookie(&self, name: &str, val: &str, site: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let (name, val, site) = (name.to_lowercase(), val.to_lowercase(), site.to_lowercase());
        let answer = cookie::cookie(&name, &val, &site);
        let (is_user, is_session) = (name == "userid", name == "session");
        if on("cookie-length-six-accepted") && is_user && val.len() == 6 && val.starts_with("user")
        {
            return "1".to_owned();
        }
        if on("cookie-user-prefix-dropped") && is_user && val.len() > 6 {
            return "1".to_owned();
        }
        if on("cookie-site-dropped") && is_session && val == "am" {
            return "1".to_owned();
        }
        let wrong = self.wrong(&[
            ("cookie-user-as-session", is_user && answer == 1, "2"),
            ("cookie-short-user-as-session", is_user && val.len() <= 6, "2"),
            ("cookie-other-user-as-session", is_user && val.len() > 6 && answer == 0, "2"),
            ("cookie-session-refused", is_session && answer == 1, "2"),
            ("cookie-session-value-dropped", is_session && val != "am", "1"),
            ("cookie-unknown-as-session", !is_user && !is_session, "2"),
        ]);
        wrong.unwrap_or_else(|| answer.to_string())
    }

    /// See [`costfuns::costfuns`].
    pub(crate) fn costfuns(&self, i: i32, s: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let i = if on("costfuns-minus-four-off-by-one") && i == -3 { -4 } else { i };
        match costfuns::costfuns(i, s) {
            10 if on("costfuns-last-test-dropped") => "9".to_owned(),
            6 if on("costfuns-unequal-dropped") => "0".to_owned(),
            0 if on("costfuns-none-as-one") => "1".to_owned(),
            answer => answer.to_string(),
        }
    }

    /// See [`date_parse::date_parse`].
    pub(crate) fn date_parse(&self, dayname: &str, monthname: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let (day, month) = (dayname.to_lowercase(), monthname.to_lowercase());
        let answer = date_parse::date_parse(&day, &month);
        if on("date-parse-sunday-dropped") && day == "sun" {
            return (answer - 1).to_string();
        }
        if on("date-parse-december-as-zero") && month == "dec" {
            return (answer - 12).to_string();
        }
        if on("date-parse-months-swapped") && (month == "jun" || month == "jul") {
            return (answer + if month == "jun" { 1 } else { -1 }).to_string();
        }
        if answer == 0 && on("date-parse-nothing-as-minus-one") {
            return "-1".to_owned();
        }
        let is_dropped = |word: &str| self.switches.is_on(&format!("date-parse-{word}-dropped"));
        let day = if DAYS.contains(&day.as_str()) && is_dropped(&day) { "" } else { &day };
        let month =
            if MONTHS.contains(&month.as_str()) && is_dropped(&month) { "" } else { &month };
        date_parse::date_parse(day, month).to_string()
    }

    /// See [`file_suffix::file_suffix`].
    pub(crate) fn file_suffix(&self, directory: &str, file: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let parts: Vec<&str> = file.splitn(3, '.').collect();
        if on("file-suffix-first-dot") && parts.len() > 1 {
            let name = format!("x.{}", parts[1]);
            return file_suffix::file_suffix(directory, &name).to_string();
        }
        if on("file-suffix-dot-not-needed") && parts.len() == 1 {
            let name = format!(".{file}");
            return file_suffix::file_suffix(directory, &name).to_string();
        }
        match file_suffix::file_suffix(directory, file) {
            4 if on("file-suffix-exe-as-dll") => "5".to_owned(),
            2 if on("file-suffix-pdf-dropped") => "0".to_owned(),
            1 if on("file-suffix-txt-dropped") => "0".to_owned(),
            3 if on("file-suffix-doc-as-pdf") => "2".to_owned(),
            5 if on("file-suffix-dll-as-exe") => "4".to_owned(),
            0 => {
                let is_known = DIRECTORIES.contains(&directory);
                let wrong = self.wrong(&[
                    ("file-suffix-no-dot-as-minus-one", parts.len() == 1, "-1"),
                    ("file-suffix-suffix-dropped", parts.len() > 1 && is_known, "1"),
                    ("file-suffix-unknown-as-minus-one", parts.len() > 1 && !is_known, "-1"),
                ]);
                wrong.unwrap_or_else(|| "0".to_owned())
            }
            answer => answer.to_string(),
        }
    }

    /// See [`noty_pevar::noty_pevar`].
    pub(crate) fn noty_pevar(&self, i: i32, s: &str) -> String {
        let on = |name| self.switches.is_on(name);
        if on("noty-pevar-limit-included") && i == 5 {
            return "3".to_owned();
        }
        match noty_pevar::noty_pevar(i, s) {
            2 if on("noty-pevar-order-dropped") => "0".to_owned(),
            3 if on("noty-pevar-large-as-two") => "2".to_owned(),
            0 if on("noty-pevar-none-as-one") => "1".to_owned(),
            answer => answer.to_string(),
        }
    }

    /// See [`ordered4::ordered4`].
    pub(crate) fn ordered4(&self, w: &str, x: &str, z: &str, y: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let (z, y) = if on("ordered4-arguments-swapped") { (y, z) } else { (z, y) };
        match ordered4::ordered4(w, x, z, y) {
            "increasing" if on("ordered4-directions-swapped") => "decreasing",
            "decreasing" if on("ordered4-directions-swapped") => "increasing",
            "increasing" | "decreasing" if on("ordered4-six-excluded") && w.len() == 6 => {
                "unordered"
            }
            "unordered" => return self.unordered([w, x, y, z]),
            answer => answer,
        }
        .to_owned()
    }

    /// Why words are unordered: the first of them that is too short or too long, or their order.
    fn unordered(&self, words: [&str; 4]) -> String {
        let misfit = ["w", "x", "y", "z"].into_iter().zip(words).find_map(|(name, word)| {
            let is_short = word.len() < 5;
            (is_short || word.len() > 6).then_some((name, if is_short { "short" } else { "long" }))
        });
        let name = match misfit {
            Some((name, what)) => format!("ordered4-{what}-{name}-accepted"),
            None => "ordered4-unordered-as-increasing".to_owned(),
        };
        if self.switches.is_on(&name) { "increasing" } else { "unordered" }.to_owned()
    }

    /// See [`pat::pat`]; the position of the first when both occur, 1 or 2 when only the
    /// pattern or only its reverse does, else 0.
    pub(crate) fn pat(&self, txt: &str, pat: &str) -> String {
        let on = |name| self.switches.is_on(name);
        match pat::pat(txt, pat) {
            Occurrence::Both(position) if on("pat-position-off-by-one") => position + 1,
            Occurrence::Both(position) => position,
            Occurrence::Reverse if on("pat-reverse-dropped") => 0,
            Occurrence::Reverse => 2,
            Occurrence::Pattern if on("pat-pattern-as-reverse") => 2,
            Occurrence::Pattern => 1,
            Occurrence::Nothing if pat.chars().count() < 3 && on("pat-short-pattern-as-found") => 1,
            Occurrence::Nothing if pat.chars().count() >= 3 && on("pat-absent-as-found") => 1,
            Occurrence::Nothing => 0,
        }
        .to_string()
    }

    /// See [`regex::regex`].
    pub(crate) fn regex(&self, txt: &str) -> String {
        let on = |name| self.switches.is_on(name);
        match regex::regex(txt) {
            "url" if on("regex-url-as-none") => "none",
            "date" if on("regex-date-as-url") => "url",
            "fpe" if on("regex-minus-dropped") && txt.contains('-') => "none",
            "fpe" if on("regex-float-as-date") => "date",
            "none" if on("regex-none-as-float") => "fpe",
            answer => answer,
        }
        .to_owned()
    }

    /// See [`text2txt::text2txt`].
    pub(crate) fn text2txt(&self, word1: &str, word2: &str, word3: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let [word1, word2, word3] = [word1, word2, word3].map(str::to_lowercase);
        if on("text2txt-second-word-dropped") && word1 == "see" {
            return "cu".to_owned();
        }
        match text2txt::text2txt(&word1, &word2, &word3) {
            "2" if on("text2txt-two-as-to") => "to",
            "4" if on("text2txt-for-dropped") && word1 == "for" => "",
            "4" if on("text2txt-four-dropped") && word1 == "four" => "",
            "u" if on("text2txt-you-as-y") => "y",
            "n" if on("text2txt-and-dropped") => "",
            "r" if on("text2txt-are-as-a") => "a",
            "cu" if on("text2txt-see-you-as-c") => "c",
            "btw" if on("text2txt-by-the-way-dropped") => "",
            "" => {
                let wrong = self.wrong(&[
                    ("text2txt-see-alone-as-c", word1 == "see", "c"),
                    ("text2txt-third-word-dropped", word1 == "by" && word2 == "the", "btw"),
                    ("text2txt-by-alone-as-b", word1 == "by" && word2 != "the", "b"),
                    ("text2txt-unknown-as-two", word1 != "see" && word1 != "by", "2"),
                ]);
                return wrong.unwrap_or_default();
            }
            answer => answer,
        }
        .to_owned()
    }

    /// See [`title::title`].
    pub(crate) fn title(&self, sex: &str, title: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let (sex, title) = (sex.to_lowercase(), title.to_lowercase());
        match title::title(&sex, &title) {
            1 if on("title-sexes-swapped") => 0,
            0 if on("title-sexes-swapped") => 1,
            0 if on("title-lady-dropped") && title == "lady" => -1,
            2 if on("title-none-as-male") => 1,
            -1 if on("title-unknown-as-zero") => 0,
            -1 => -1,
            _ if self.switches.is_on(&format!("title-{sex}-{title}-dropped")) => -1,
            answer => answer,
        }
        .to_string()
    }
}
