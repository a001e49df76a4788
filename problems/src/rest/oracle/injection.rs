//! Injected texts: what interpreters behind a service might take for their own.

use serde_json::Value;

use super::{Step, fault};
use crate::oracle::Fault;

/// Texts that are sent in a row in place of one text of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Payload {
    /// A condition that always holds, and one that never does, put into SQL.
    Sql,
    /// A script, put into a page.
    Script,
    /// Characters of one to four bytes, so that no cut at a fixed byte is between two of them.
    Wide,
}

/// What the texts that always and never hold begin with.
const PLAIN: &str = "wallace";
/// Whatever is pasted after them becomes part of the last comparison.
const ALWAYS: &str = "wallace' OR '1'='1' OR 'x'='";
const NEVER: &str = "wallace' AND '1'='2' AND 'x'='";
const WIDE: &str =
    "\u{e9}\u{20ac}\u{1f600}\u{e9}\u{20ac}\u{1f600}\u{e9}\u{20ac}\u{1f600}\u{e9}\u{20ac}\u{1f600}";
const WIDE_SHIFTED: &str =
    "a\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}";
const SCRIPT: &str = "<script>wallace(1)</script>";

impl Payload {
    pub(crate) const ALL: [Self; 3] = [Self::Sql, Self::Script, Self::Wide];

    /// The texts, one call each.
    #[must_use]
    pub(crate) fn texts(self) -> &'static [&'static str] {
        match self {
            Self::Sql => &[PLAIN, ALWAYS, NEVER, ALWAYS],
            Self::Script => &[SCRIPT],
            Self::Wide => &[WIDE, WIDE_SHIFTED],
        }
    }
}

pub(super) fn judge(steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, row) in steps.windows(4).enumerate() {
        if is_sql(row) {
            found(place + 1, fault(200, ""));
        }
    }
}

/// The script came back in a page as it was sent.
pub(super) fn is_script(step: &Step<'_>) -> bool {
    step.response.is_some_and(|response| {
        response.media_type() == "text/html" && response.body.contains(SCRIPT)
    })
}

/// The condition that holds gives more than the plain text and than the one that does not, twice.
fn is_sql(row: &[Step<'_>]) -> bool {
    let [plain, always, never, again] = row else { return false };
    let is_row = row.iter().all(|step| {
        step.operation.id == plain.operation.id
            && step.action.caller == plain.action.caller
            && step.is_success()
    });
    let texts = [PLAIN, ALWAYS, NEVER, ALWAYS];
    let has_texts = row.iter().zip(texts).all(|(step, text)| holds(step, text));
    if !is_row || !has_texts {
        return false;
    }
    let state = |step: &Step<'_>, text: &str| without(step.body.as_ref(), text);
    let (plain, always, never, again) =
        (state(plain, PLAIN), state(always, ALWAYS), state(never, NEVER), state(again, ALWAYS));
    always == again && always != never && plain == never
}

/// Whether one of the texts of the call is exactly this one.
fn holds(step: &Step<'_>, text: &str) -> bool {
    let mut is_there = false;
    step.action.gene.visit_texts(&mut |_, string| is_there |= &*string.text == text);
    is_there
}

/// The body without the text, which services may repeat.
fn without(body: Option<&Value>, text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let quoted = quoted.trim_matches('"').to_owned();
    body.map(|body| body.to_string().replace(&quoted, "")).unwrap_or_default()
}
