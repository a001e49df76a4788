//! Fingerprints: a number that tells one schema from another.

use std::fmt::{self, Write};
use std::hash::Hasher;

use fnv::FnvHasher;

/// FNV-1a over whatever is written to it: the same on every platform and in every process.
pub(crate) struct Fingerprint(FnvHasher);

impl Fingerprint {
    /// The fingerprint of parts, in order, by what their `Debug` shows.
    pub(crate) fn of(parts: impl IntoIterator<Item = impl fmt::Debug>) -> u64 {
        let mut fingerprint = Self(FnvHasher::default());
        for part in parts {
            // Writing to a number cannot fail.
            let _ = write!(fingerprint, "{part:?};");
        }
        fingerprint.0.finish()
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_borders_of_parts_count() {
        let one = Fingerprint::of(["ab", "c"]);
        assert_eq!(one, Fingerprint::of(["ab", "c"]));
        assert_ne!(one, Fingerprint::of(["c", "ab"]));
        assert_ne!(one, Fingerprint::of(["a", "bc"]));
    }
}
