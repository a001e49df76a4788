//! Names of targets, and what each is about.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fnv::FnvHasher;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::target::kind::{About, TargetKind};

/// Descriptive name of a target: the key by which it is known in files and between runs.
///
/// Beside the name stands [what the target is about](Self::about), so that nobody has to read it
/// off the name again; it is no part of the key, and is not written where names are.
///
/// Cheap to copy; its hash is computed once, since names are looked up for every touched target of
/// every evaluation.
#[derive(Clone)]
pub struct TargetName(Arc<Named>);

struct Named {
    text: Box<str>,
    hash: u64,
    about: About,
}

impl TargetName {
    /// The name of a target of the user's own.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self::of(text, About::default())
    }

    /// The name of a target that is about something.
    pub fn of(text: impl Into<Box<str>>, about: impl Into<About>) -> Self {
        let (text, about) = (text.into(), about.into());
        // The same on every platform.
        let mut hasher = FnvHasher::default();
        hasher.write(text.as_bytes());
        Self(Arc::new(Named { text, hash: hasher.finish(), about }))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// What the target is about.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.0.about
    }

    /// What kind of target it is.
    #[must_use]
    pub fn kind(&self) -> TargetKind {
        self.0.about.kind
    }
}

impl PartialEq for TargetName {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (&self.0, &other.0);
        Arc::ptr_eq(one, other) || (one.hash == other.hash && one.text == other.text)
    }
}

impl Eq for TargetName {}

impl Hash for TargetName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for TargetName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TargetName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
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
        self.as_str()
    }
}

impl fmt::Display for TargetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for TargetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl Serialize for TargetName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TargetName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
