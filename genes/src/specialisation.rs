//! Texts made from what was learnt of a position.

use crate::knowledge::Specialisation;
use crate::rng::Rng;

impl Specialisation {
    /// A text of this kind; nothing for a pattern that cannot be read.
    #[must_use]
    pub fn text(&self, rng: &mut Rng) -> Option<String> {
        Some(match self {
            Self::Constant(text) => text.to_string(),
            Self::ConstantIgnoreCase(text) => {
                let mut flip = |character: char| {
                    if rng.chance(0.2) { character.to_ascii_uppercase() } else { character }
                };
                text.chars().map(&mut flip).collect()
            }
            Self::Integer => rng.between(-1000, 1000).to_string(),
            Self::Long => rng.between(i64::from(i32::MIN) * 4, 1 << 40).to_string(),
            Self::Float => format!("{:.3}", rng.unit() * 1000.0 - 100.0),
            Self::Boolean => rng.chance(0.5).to_string(),
            Self::Regex { pattern, is_whole } => {
                return crate::format::matching_text(pattern, *is_whole, rng);
            }
        })
    }
}
