//! Targets: what the search tries to cover.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Descriptive name of a target: the key by which it is known in files and between runs.
///
/// Cheap to copy; its hash is computed once, since names are looked up for every touched target of
/// every evaluation.
#[derive(Clone, Eq)]
pub struct TargetName {
    text: Arc<str>,
    hash: u64,
}

impl TargetName {
    /// A name.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        // FNV-1a: the same on every platform.
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
        Self { text, hash }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for TargetName {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && (Arc::ptr_eq(&self.text, &other.text) || self.text == other.text)
    }
}

impl Hash for TargetName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialOrd for TargetName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TargetName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl From<&str> for TargetName {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for TargetName {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl Borrow<str> for TargetName {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for TargetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Debug for TargetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, formatter)
    }
}

impl Serialize for TargetName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for TargetName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// Number of a target inside one run. It means nothing outside of the run and its snapshots, which
/// hold the names that the numbers stand for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct TargetId(pub(crate) u32);

impl TargetId {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names and numbers of the targets of one run. Numbers are given in the order of commits, so they
/// do not depend on the number of workers.
#[derive(Debug, Default, Clone)]
pub(crate) struct TargetIndex {
    names: Vec<TargetName>,
    ids: HashMap<TargetName, TargetId, BuildHasherDefault<StoredHash>>,
}

impl TargetIndex {
    /// The number of a name, a new one when it was never seen.
    pub(crate) fn intern(&mut self, name: &TargetName) -> TargetId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = TargetId(u32::try_from(self.names.len()).expect("fewer than 2^32 targets"));
        self.names.push(name.clone());
        self.ids.insert(name.clone(), id);
        id
    }

    pub(crate) fn find(&self, name: &TargetName) -> Option<TargetId> {
        self.ids.get(name).copied()
    }

    /// The name behind a number; `None` for a number of another run.
    pub(crate) fn name(&self, id: TargetId) -> Option<&TargetName> {
        self.names.get(id.index())
    }

    /// All names, in the order of their numbers.
    pub(crate) fn names(&self) -> &[TargetName] {
        &self.names
    }
}

/// Passes the hash on that a [`TargetName`] brings along.
#[derive(Default)]
pub(crate) struct StoredHash(u64);

impl Hasher for StoredHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes its control bits from the top, which FNV mixes least.
        self.0 = hash ^ hash.rotate_left(32);
    }
}

/// How near an evaluation came to a target: in `[0, 1]`; 0 is not reached, 1 is covered.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Score(f64);

impl From<f64> for Score {
    /// As [`Score::new`].
    fn from(score: f64) -> Self {
        Self::new(score)
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}

impl Score {
    /// Not reached.
    pub const ZERO: Self = Self(0.0);
    /// Covered.
    pub const COVERED: Self = Self(1.0);

    /// A score; what is no number in `[0, 1]` becomes the nearest one, not-a-number 0.
    #[must_use]
    pub fn new(score: f64) -> Self {
        if score.is_nan() { Self::ZERO } else { Self(score.clamp(0.0, 1.0)) }
    }

    /// The score as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether the target is covered.
    #[must_use]
    pub fn is_covered(self) -> bool {
        self.0 >= 1.0
    }

    /// Whether the target is reached at all.
    #[must_use]
    pub fn is_reached(self) -> bool {
        self.0 > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one_target() {
        let mut index = TargetIndex::default();
        let one = index.intern(&"Line_at_a_00001".into());
        let other = index.intern(&"Line_at_a_00002".into());
        assert_ne!(one, other);
        assert_eq!(index.intern(&"Line_at_a_00001".into()), one);
        assert_eq!(index.name(other).map(TargetName::as_str), Some("Line_at_a_00002"));
        assert_eq!(index.name(TargetId(2)), None);
    }

    #[test]
    fn scores_stay_in_range() {
        assert_eq!(Score::new(f64::NAN), Score::ZERO);
        assert_eq!(Score::new(7.0), Score::COVERED);
        assert_eq!(Score::new(-1.0), Score::ZERO);
    }
}
