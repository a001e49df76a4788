//! What there is to check, and how often it was tried.

use serde::{Deserialize, Serialize};
use wallace_engine::Evaluated;
use wallace_genes::TemplateId;

use super::offer::Offer;
use crate::http::{HttpOutcome, is_success};
use crate::rest::action::RestAction;
use crate::rest::memory::RestMemory;
use crate::rest::oracle::Payload;
use crate::rest::settings::TestSettings;

/// What a call, with those around it, shall show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// PUT twice leaves what PUT once leaves.
    Again,
    /// PUT replaces what was there.
    Replace,
    /// What was deleted is not there.
    Gone,
    /// Reading changes nothing.
    Reread,
    /// Neighbouring pages share nothing.
    Pages,
    /// The member of this number that is not documented has no effect.
    Member(u8),
    /// A creation that failed left nothing.
    Failed,
    /// What was made and taken back again is as if it had never been there.
    Emptied,
    /// What is no more as the caller knows it is not changed.
    Stale,
    /// What the caller has already is not sent again.
    NotModified,
    /// Pages of any origin may not read what the caller may.
    Origin,
    /// The same call with another listed value goes well, or is refused.
    Walk,
    /// Nobody in particular may do what needs a user.
    Nobody,
    /// Who is told to log in is somebody for others that ask for the same proof.
    Known,
    /// This user may do all that changes a thing, or nothing.
    Other(u16),
    /// A call that breaks a rule is refused.
    Violation,
    /// Values that programs often do not expect let nothing fail.
    Extreme,
    /// A body of another media type is refused.
    MediaType,
    /// The service does not call where a request says.
    Callback,
    /// A text is not taken for code.
    Injection(Payload),
    /// The verb of this number, which is not documented, is refused.
    Verb(u32),
}

impl Check {
    /// Whether the answer of the marked call shows that the service looked at what was asked.
    fn is_told_by(self, status: u16) -> bool {
        match self {
            Self::Known => status == 401,
            Self::Nobody => matches!(status, 200..300 | 401 | 403),
            Self::Emptied => !matches!(status, 401 | 403 | 404),
            Self::Violation
            | Self::Extreme
            | Self::MediaType
            | Self::Callback
            | Self::Injection(_) => !matches!(status, 401 | 403 | 404 | 409),
            Self::Failed => {
                (400..500).contains(&status) && !matches!(status, 401 | 403 | 404 | 409)
            }
            _ => is_success(status),
        }
    }

    /// Whether what it shows depends on what else is there.
    pub(super) fn is_stateful(self) -> bool {
        matches!(self, Self::Again | Self::Walk)
    }
}

/// How often a check of an operation was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// The check.
    pub check: Check,
    /// Tries in which the service looked at what was asked.
    pub told: u32,
    /// Tries in which it refused the call for another reason.
    pub refused: u32,
}

/// Calls of an operation that never bore fruit after which a refused try counts as one that told all.
const HOPELESS: u32 = 25;

impl RestMemory {
    /// Counts the checks that a test was made for.
    pub(in crate::rest) fn note_checks(&mut self, test: &Evaluated<RestAction>) {
        for (place, (_, action)) in test.individual.actions().iter().enumerate() {
            let Some(check) = action.check else { continue };
            let all = self.checks.entry(action.template).or_default();
            let known = all.iter().position(|tries| tries.check == check);
            let known = known.unwrap_or_else(|| {
                all.push(Tries { check, told: 0, refused: 0 });
                all.len() - 1
            });
            // What a test was cut short before was tried all the same: else it is tried for ever.
            let status = test.outcomes.get(place).and_then(HttpOutcome::status);
            let is_told = status.is_some_and(|status| check.is_told_by(status));
            let count = if is_told { &mut all[known].told } else { &mut all[known].refused };
            *count = count.saturating_add(1);
        }
    }

    /// How much a check of an operation was tried, for the ways in which it can turn out. The first
    /// try of one comes before the second of another, where it is likely to tell something.
    pub(super) fn tried(&self, id: TemplateId, offer: &Offer, settings: &TestSettings) -> f64 {
        let mut all = self.checks.get(&id).into_iter().flatten();
        match all.find(|tries| tries.check == offer.check) {
            None if offer.weight >= 1.0 => 0.0,
            None => 1.0 / offer.weight,
            Some(Tries { told, refused, .. }) => {
                let is_hopeless = self
                    .record
                    .get(&id)
                    .is_some_and(|record| record.fruitful == 0 && record.calls >= HOPELESS);
                let share = if is_hopeless { 1.0 } else { settings.refused_try };
                let refused = share * f64::from(*refused);
                (1.0 + f64::from(*told) + refused) / offer.weight
            }
        }
    }
}
