//! Optional values: left out, explicitly null where that is allowed, or present.

use crate::gene::Gene;
use crate::spec::OptionalSpec;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn sample_optional(&mut self, optional: &OptionalSpec) -> Gene {
        let settings = &self.draw.settings;
        let (absent, null) = (settings.absent, settings.null);
        let draw = self.draw.rng.unit();
        if draw < absent || self.is_full() {
            return Gene::Absent;
        }
        if optional.is_nullable && draw < absent + null {
            return Gene::Null;
        }
        self.sample_present(optional)
    }

    /// A present value, or [`Gene::Absent`] where the limits allow none.
    fn sample_present(&mut self, optional: &OptionalSpec) -> Gene {
        if !self.graph.cost(optional.inner).is_finite() {
            return Gene::Absent;
        }
        match self.sample(optional.inner) {
            placeholder if placeholder.is_placeholder() => Gene::Absent,
            value => value,
        }
    }

    /// Switches a present value off.
    pub(crate) fn switch_off(&mut self, optional: &OptionalSpec, was: &Gene) -> Gene {
        self.put_to_sleep(was.clone());
        let settings = &self.draw.settings;
        let null = settings.null / (settings.null + settings.absent).max(f64::MIN_POSITIVE);
        if optional.is_nullable && self.draw.rng.chance(null) { Gene::Null } else { Gene::Absent }
    }

    /// Switches an absent or null value to something else: mostly a value, which is the change
    /// that can show more of the system.
    pub(crate) fn switch_on(&mut self, optional: &OptionalSpec, was: &Gene) -> Gene {
        if optional.is_nullable && self.draw.rng.chance(self.draw.settings.null) {
            return if *was == Gene::Null { Gene::Absent } else { Gene::Null };
        }
        self.awaken().unwrap_or_else(|| self.sample_present(optional))
    }
}
