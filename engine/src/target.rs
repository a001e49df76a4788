//! Targets: what the search tries to cover.

pub(crate) mod index;
pub(crate) mod kind;
pub(crate) mod name;
pub(crate) mod score;

pub use self::index::TargetId;
pub use self::kind::{About, TargetKind};
pub use self::name::TargetName;
pub use self::score::Score;
