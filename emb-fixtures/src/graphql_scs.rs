//! GraphQL face of the string case study.

use async_graphql::Object;
use axum::Router;
use wallace_instrument::white_box;

use crate::graphql::{self, Answer, missing};
use crate::switch::Switches;
use crate::text::{TextOperations, messages};

/// The service, with these switches on.
pub(crate) fn router(switches: Switches) -> Router {
    graphql::router(Query { operations: TextOperations::new(&switches) }, messages(switches))
}

struct Query {
    operations: TextOperations,
}

#[white_box]
#[Object]
impl Query {
    /// A calculator whose operator is a word.
    async fn calc(
        &self,
        op: Option<String>,
        arg1: Option<f64>,
        arg2: Option<f64>,
    ) -> Answer<String> {
        let Some(op) = op else { return missing("op") };
        let Some(arg1) = arg1 else { return missing("arg1") };
        let Some(arg2) = arg2 else { return missing("arg2") };
        Some(Ok(self.operations.calc(&op, arg1, arg2)))
    }

    /// Validity of a cookie.
    async fn cookie(
        &self,
        name: Option<String>,
        val: Option<String>,
        site: Option<String>,
    ) -> Answer<String> {
        let Some(name) = name else { return missing("name") };
        let Some(val) = val else { return missing("val") };
        let Some(site) = site else { return missing("site") };
        Some(Ok(self.operations.cookie(&name, &val, &site)))
    }

    /// One test of each kind of comparison.
    async fn costfuns(&self, i: Option<i32>, s: Option<String>) -> Answer<String> {
        let Some(i) = i else { return missing("i") };
        let Some(s) = s else { return missing("s") };
        Some(Ok(self.operations.costfuns(i, &s)))
    }

    /// Names of days and months.
    async fn date_parse(
        &self,
        dayname: Option<String>,
        monthname: Option<String>,
    ) -> Answer<String> {
        let Some(dayname) = dayname else { return missing("dayname") };
        let Some(monthname) = monthname else { return missing("monthname") };
        Some(Ok(self.operations.date_parse(&dayname, &monthname)))
    }

    /// The kind of a file.
    async fn file_suffix(&self, directory: Option<String>, file: Option<String>) -> Answer<String> {
        let Some(directory) = directory else { return missing("directory") };
        let Some(file) = file else { return missing("file") };
        Some(Ok(self.operations.file_suffix(&directory, &file)))
    }

    /// Sums of numbers and of texts.
    async fn noty_pevar(&self, i: Option<i32>, s: Option<String>) -> Answer<String> {
        let Some(i) = i else { return missing("i") };
        let Some(s) = s else { return missing("s") };
        Some(Ok(self.operations.noty_pevar(i, &s)))
    }

    /// The order of four words.
    async fn ordered4(
        &self,
        w: Option<String>,
        x: Option<String>,
        z: Option<String>,
        y: Option<String>,
    ) -> Answer<String> {
        let Some(w) = w else { return missing("w") };
        let Some(x) = x else { return missing("x") };
        let Some(z) = z else { return missing("z") };
        let Some(y) = y else { return missing("y") };
        Some(Ok(self.operations.ordered4(&w, &x, &z, &y)))
    }

    /// A pattern and its reverse in a text.
    async fn pat(&self, txt: Option<String>, pat: Option<String>) -> Answer<String> {
        let Some(txt) = txt else { return missing("txt") };
        let Some(pat) = pat else { return missing("pat") };
        Some(Ok(self.operations.pat(&txt, &pat)))
    }

    /// Texts that are a url, a date or a float with exponent.
    async fn regex(&self, txt: Option<String>) -> Answer<String> {
        let Some(txt) = txt else { return missing("txt") };
        Some(Ok(self.operations.regex(&txt)))
    }

    /// Short forms of words.
    #[graphql(name = "text2Txt")]
    async fn text2txt(
        &self,
        word1: Option<String>,
        word2: Option<String>,
        word3: Option<String>,
    ) -> Answer<String> {
        let Some(word1) = word1 else { return missing("word1") };
        let Some(word2) = word2 else { return missing("word2") };
        let Some(word3) = word3 else { return missing("word3") };
        Some(Ok(self.operations.text2txt(&word1, &word2, &word3)))
    }

    /// Titles that go with a sex.
    async fn title(&self, sex: Option<String>, title: Option<String>) -> Answer<String> {
        let Some(sex) = sex else { return missing("sex") };
        let Some(title) = title else { return missing("title") };
        Some(Ok(self.operations.title(&sex, &title)))
    }
}
