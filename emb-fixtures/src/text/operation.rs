//! The string operations as callers see them, wrong where a behaviour switch says so.
//!
//! This code is not instrumented: with all switches off it lowers the texts where that is the
//! rule, passes arguments on, and writes answers as texts.

use super::pat::Occurrence;
use super::{calc, cookie, costfuns, date_parse, file_suffix, noty_pevar, ordered4, pat, regex};
use super::{text2txt, title};
use crate::switch::{Switch, Switches};

/// The eleven operations of one instance, with its switches.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextOperations {
    switches: Switches,
}

impl TextOperations {
    /// The operations, with these switches on.
    pub(crate) fn new(switches: Switches) -> Self {
        Self { switches }
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
            operator => calc::calc(operator, arg1, arg2),
        };
        format!("{value:?}")
    }

    /// See [`cookie::cookie`].
    pub(crate) fn cookie(&self, name: &str, val: &str, site: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let (name, val, site) = (name.to_lowercase(), val.to_lowercase(), site.to_lowercase());
        let answer = cookie::cookie(&name, &val, &site);
        let is_user = name == "userid";
        if on("cookie-length-six-accepted") && is_user && val.len() == 6 && val.starts_with("user")
        {
            return "1".to_owned();
        }
        if on("cookie-user-prefix-dropped") && is_user && val.len() > 6 {
            return "1".to_owned();
        }
        if on("cookie-site-dropped") && name == "session" && val == "am" {
            return "1".to_owned();
        }
        answer.to_string()
    }

    /// See [`costfuns::costfuns`].
    pub(crate) fn costfuns(&self, i: i32, s: &str) -> String {
        let on = |name| self.switches.is_on(name);
        let i = if on("costfuns-minus-four-off-by-one") && i == -3 { -4 } else { i };
        match costfuns::costfuns(i, s) {
            10 if on("costfuns-last-test-dropped") => "9".to_owned(),
            6 if on("costfuns-unequal-dropped") => "0".to_owned(),
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
        answer.to_string()
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
            answer => answer,
        }
        .to_owned()
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
            answer => answer,
        }
        .to_string()
    }
}

/// What can be made wrong in the string operations.
pub(crate) const SWITCHES: &[Switch] = &[
    Switch::new("calc-case-matters", "operators in upper case are unknown"),
    Switch::new("calc-subtract-reversed", "gives arg2 - arg1"),
    Switch::new("calc-cosine-as-sine", "the cosine gives the sine"),
    Switch::new("calc-divide-whole", "quotients lose their fraction"),
    Switch::new("calc-pi-rounded", "pi is 3"),
    Switch::new("cookie-length-six-accepted", "a user of six characters is valid"),
    Switch::new("cookie-user-prefix-dropped", "a user need not start with \"user\""),
    Switch::new("cookie-site-dropped", "a session is valid on any site"),
    Switch::new("costfuns-minus-four-off-by-one", "-3 counts as -4"),
    Switch::new("costfuns-last-test-dropped", "the last test gives 9"),
    Switch::new("costfuns-unequal-dropped", "the sixth test gives 0"),
    Switch::new("date-parse-sunday-dropped", "sun is no day"),
    Switch::new("date-parse-december-as-zero", "dec adds nothing"),
    Switch::new("date-parse-months-swapped", "jun and jul change places"),
    Switch::new("file-suffix-first-dot", "the suffix starts at the first dot and ends at the next"),
    Switch::new("file-suffix-dot-not-needed", "a file without a dot is all suffix"),
    Switch::new("file-suffix-exe-as-dll", "bin/exe gives 5"),
    Switch::new("file-suffix-pdf-dropped", "acrobat/pdf gives 0"),
    Switch::new("noty-pevar-limit-included", "i = 5 counts as above 5"),
    Switch::new("noty-pevar-order-dropped", "texts after \"hello\" give 0"),
    Switch::new("ordered4-arguments-swapped", "y and z change places"),
    Switch::new("ordered4-directions-swapped", "increasing and decreasing change places"),
    Switch::new("ordered4-six-excluded", "a first word of length 6 is unordered"),
    Switch::new("pat-position-off-by-one", "positions count from 1"),
    Switch::new("pat-reverse-dropped", "the reverse alone gives 0"),
    Switch::new("pat-pattern-as-reverse", "the pattern alone gives 2"),
    Switch::new("regex-url-as-none", "urls are not recognised"),
    Switch::new("regex-date-as-url", "dates are called urls"),
    Switch::new("regex-minus-dropped", "negative exponents are not recognised"),
    Switch::new("text2txt-second-word-dropped", "see gives cu whatever follows"),
    Switch::new("text2txt-two-as-to", "two gives to"),
    Switch::new("text2txt-for-dropped", "for has no short form"),
    Switch::new("title-sexes-swapped", "male and female answers change places"),
    Switch::new("title-lady-dropped", "lady is no title"),
    Switch::new("title-none-as-male", "none gives 1"),
    Switch::new("title-unknown-as-zero", "what is no title gives 0"),
];
