//! Injected texts: what interpreters behind a service might take for their own.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Step, fault};
use crate::oracle::Fault;

/// Texts that are sent in a row in place of one text of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Payload {
    /// A condition that always holds, and one that never does, put into SQL.
    Sql,
    /// Waiting, put into SQL of MySQL or SQLite: not at all, a little, not at all, twice as long.
    Sleep,
    /// The same for PostgreSQL.
    PgSleep,
    /// The same for SQL Server.
    WaitFor,
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
const SLEEP: [&str; 4] = [
    "wallace' OR (SELECT sleep(0)) IS NULL OR 'x'='",
    "wallace' OR (SELECT sleep(0.6)) IS NULL OR 'x'='",
    "wallace' OR (SELECT sleep(0)) IS NULL OR 'x'='",
    "wallace' OR (SELECT sleep(1.2)) IS NULL OR 'x'='",
];
const PG_SLEEP: [&str; 4] = [
    "wallace' OR (SELECT pg_sleep(0)) IS NULL OR 'x'='",
    "wallace' OR (SELECT pg_sleep(0.6)) IS NULL OR 'x'='",
    "wallace' OR (SELECT pg_sleep(0)) IS NULL OR 'x'='",
    "wallace' OR (SELECT pg_sleep(1.2)) IS NULL OR 'x'='",
];
const WAIT_FOR: [&str; 4] = [
    "wallace'; WAITFOR DELAY '0:0:0'; --",
    "wallace'; WAITFOR DELAY '0:0:0.6'; --",
    "wallace'; WAITFOR DELAY '0:0:0'; --",
    "wallace'; WAITFOR DELAY '0:0:1.2'; --",
];
/// What the second and the fourth of them ask for.
const SHORT: Duration = Duration::from_millis(600);
const LONG: Duration = Duration::from_millis(1_200);
const SCRIPT: &str = "<script>wallace(1)</script>";

impl Payload {
    pub(crate) const ALL: [Self; 6] =
        [Self::Sql, Self::Script, Self::Wide, Self::Sleep, Self::PgSleep, Self::WaitFor];

    /// Whether the service is asked to wait.
    pub(crate) fn is_waiting(self) -> bool {
        matches!(self, Self::Sleep | Self::PgSleep | Self::WaitFor)
    }

    /// The texts, one call each.
    #[must_use]
    pub(crate) fn texts(self) -> &'static [&'static str] {
        match self {
            Self::Sql => &[PLAIN, ALWAYS, NEVER, ALWAYS],
            Self::Sleep => &SLEEP,
            Self::PgSleep => &PG_SLEEP,
            Self::WaitFor => &WAIT_FOR,
            Self::Script => &[SCRIPT],
            Self::Wide => &[WIDE, WIDE_SHIFTED],
        }
    }
}

pub(super) fn judge(steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, row) in steps.windows(4).enumerate() {
        if is_sql(row) {
            found(place + 1, fault(200, ""));
        } else if is_delayed(row) {
            found(place + 3, fault(200, ""));
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

/// The service waits as long as the text says, twice, and not where that says 0: what is slow by
/// itself is so in another order.
fn is_delayed(row: &[Step<'_>]) -> bool {
    let [none, short, again, long] = row else { return false };
    let is_row = row.iter().all(|step| {
        step.operation.id == none.operation.id && step.action.caller == none.action.caller
    });
    let has_texts = |texts: &[&str; 4]| row.iter().zip(texts).all(|(step, text)| holds(step, text));
    let elapsed = [none, short, again, long].map(|step| step.exchange.elapsed);
    is_row && [&SLEEP, &PG_SLEEP, &WAIT_FOR].into_iter().any(has_texts) && follows_delays(elapsed)
}

fn follows_delays([none, short, again, long]: [Duration; 4]) -> bool {
    none < SHORT / 2 && again < SHORT / 2 && short >= SHORT && long >= LONG && long > short
}

/// Which payloads a text begins.
pub(crate) fn begun_by(text: &str) -> Option<Payload> {
    Payload::ALL.into_iter().find(|payload| payload.texts().first() == Some(&text))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_waits_as_told_is_delayed() {
        let follows = |times: [u64; 4]| follows_delays(times.map(Duration::from_millis));
        assert!(follows([3, 603, 4, 1_204]));
        // Slow by itself, slow once, slow for another reason, and slower than the text says.
        assert!(!follows([700, 650, 700, 1_300]));
        assert!(!follows([3, 603, 4, 5]));
        assert!(!follows([3, 4, 603, 1_204]));
        assert!(!follows([3, 1_300, 4, 1_250]));
    }
}
