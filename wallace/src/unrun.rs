//! Tests that could not be run, and what most of them failed for.

use std::collections::BTreeMap;

/// Most reasons that are told apart.
const MOST_REASONS: usize = 100;

/// How often each reason came.
#[derive(Debug, Default)]
pub(crate) struct Unrun(BTreeMap<String, u32>);

impl Unrun {
    /// Notes why a test could not be run.
    pub(crate) fn note(&mut self, reason: &str) {
        if self.0.len() < MOST_REASONS || self.0.contains_key(reason) {
            *self.0.entry(reason.to_owned()).or_default() += 1;
        }
    }

    /// The reason that came most often, with what to look at; none where all tests were run.
    pub(crate) fn told(&self, is_driven: bool) -> Option<String> {
        let (reason, count) = self.0.iter().max_by_key(|(_, count)| **count)?;
        // The engine says what this says too.
        let reason = reason.trim_start_matches("the test could not be run: ");
        let is_login = ["cannot log in", "gives no token"].iter().any(|it| reason.contains(it));
        let next = match is_login && is_driven {
            true => {
                "; where users can log in at first, the reset of the driver takes them away: it has to bring \
                 back who logs in"
            }
            false => "",
        };
        Some(format!("{count} of the tests that could not be run: {reason}{next}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_most_is_told_with_what_to_look_at() {
        let mut unrun = Unrun::default();
        assert_eq!(unrun.told(true), None);
        unrun.note("the driver is gone");
        for _ in 0..3 {
            unrun.note("the test could not be run: ann cannot log in at /login: status 401");
        }
        let told = unrun.told(true).unwrap();
        assert!(
            told.starts_with("3 of the tests that could not be run: ann cannot log in"),
            "{told}"
        );
        assert!(told.contains("bring back who logs in"));
        assert!(!unrun.told(false).unwrap().contains("bring back"));
    }
}
