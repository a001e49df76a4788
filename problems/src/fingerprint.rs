//! Fingerprints: a number that tells one schema from another.

use std::fmt::{self, Write};

/// FNV-1a over whatever is written to it: the same on every platform and in every process.
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of parts, in order, by what their `Debug` shows.
    pub(crate) fn of(parts: impl IntoIterator<Item = impl fmt::Debug>) -> u64 {
        let mut fingerprint = Self(0xcbf2_9ce4_8422_2325);
        for part in parts {
            // Writing to a number cannot fail.
            let _ = write!(fingerprint, "{part:?};");
        }
        fingerprint.0
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = text.bytes().fold(self.0, step);
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
