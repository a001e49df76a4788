//! How long an answer is waited for: as long as the run says, and less where calls of an operation hang
//! again and again.

use std::collections::BTreeMap;
use std::time::Duration;

/// Calls that got no answer in time before less is waited for: one may have met a busy service.
const HANGS: u32 = 2;
/// How many times as long as the quickest answer is waited: where inputs say how long, others are slow.
const TIMES: u32 = 10;
/// Least wait then.
const LEAST: Duration = Duration::from_secs(1);

/// What is known of the answers of each operation.
#[derive(Debug, Default)]
pub(crate) struct Patience(BTreeMap<Box<str>, Waits>);

#[derive(Debug, Default)]
struct Waits {
    hangs: u32,
    quickest: Option<Duration>,
}

impl Patience {
    /// The longest wait for the answer to the next call of an operation; none where that is as long as
    /// the run says.
    pub(crate) fn of(&self, operation: &str) -> Option<Duration> {
        let waits = self.0.get(operation).filter(|waits| waits.hangs >= HANGS)?;
        Some((waits.quickest.unwrap_or_default() * TIMES).max(LEAST))
    }

    /// Notes how a call ended, after so long.
    pub(crate) fn note(&mut self, operation: &str, is_late: bool, took: Duration) {
        let Some(waits) = self.0.get_mut(operation) else {
            self.0.insert(operation.into(), Waits::default());
            return self.note(operation, is_late, took);
        };
        if is_late {
            waits.hangs = waits.hangs.saturating_add(1);
        } else {
            waits.quickest = Some(waits.quickest.map_or(took, |known| known.min(took)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_waited_for_what_hangs_again_and_again() {
        let mut patience = Patience::default();
        let second = Duration::from_secs(1);
        patience.note("a", false, 20 * second);
        patience.note("a", false, second / 4);
        patience.note("a", true, 30 * second);
        assert_eq!(patience.of("a"), None, "once is no rule");
        patience.note("a", true, 30 * second);
        assert_eq!(patience.of("a"), Some(second * 5 / 2));
        patience.note("b", true, 30 * second);
        patience.note("b", true, 30 * second);
        assert_eq!([patience.of("b"), patience.of("c")], [Some(LEAST), None]);
    }
}
