//! Bytes in Base64 (RFC 4648).

use super::TextFormat;
use super::edit::NAME;
use crate::rng::Rng;

/// Most bytes beyond the least that are sampled.
const BYTES: u32 = 24;

/// Specification of texts in Base64, with padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base64Spec {
    /// Fewest bytes (not characters).
    pub min: u32,
    /// Most bytes.
    pub max: u32,
    /// Whether `-` and `_` stand for `+` and `/`, as in addresses.
    pub is_url_safe: bool,
}

impl Default for Base64Spec {
    /// Up to 1,024 bytes, in the standard alphabet.
    fn default() -> Self {
        Self { min: 0, max: 1024, is_url_safe: false }
    }
}

impl Base64Spec {
    /// The digit of a value below 64.
    fn digit(&self, value: u8) -> u8 {
        match value {
            0..26 => b'A' + value,
            26..52 => b'a' + value - 26,
            52..62 => b'0' + value - 52,
            62 if self.is_url_safe => b'-',
            62 => b'+',
            _ if self.is_url_safe => b'_',
            _ => b'/',
        }
    }

    fn value(&self, digit: u8) -> Option<u8> {
        (0..64).find(|value| self.digit(*value) == digit)
    }

    /// Three bytes become four digits; what is missing at the end is padded.
    fn encode(&self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
        for chunk in bytes.chunks(3) {
            let mut group = [0; 4];
            group[1..=chunk.len()].copy_from_slice(chunk);
            let bits = u32::from_be_bytes(group);
            for place in 0..4 {
                let value = (bits >> (18 - 6 * place)) as u8 & 0x3f;
                let is_there = place <= chunk.len();
                text.push(if is_there { char::from(self.digit(value)) } else { '=' });
            }
        }
        text
    }

    /// The bytes; nothing for a text that is not exactly what [`Self::encode`] writes.
    fn decode(&self, text: &str) -> Option<Vec<u8>> {
        let digits = text.trim_end_matches('=').as_bytes();
        let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
        for chunk in digits.chunks(4) {
            let values: Option<Vec<u8>> = chunk.iter().map(|digit| self.value(*digit)).collect();
            let bits = values?.iter().fold(0_u32, |bits, value| bits << 6 | u32::from(*value));
            let bits = bits << (6 * (4 - chunk.len()));
            bytes.extend(&bits.to_be_bytes()[1..chunk.len()]);
        }
        (self.encode(&bytes) == text).then_some(bytes)
    }
}

impl TextFormat for Base64Spec {
    fn sample(&self, rng: &mut Rng) -> String {
        let most = self.max.min(self.min.saturating_add(BYTES));
        let length = rng.between(i64::from(self.min), i64::from(most));
        // Half are words, since what is inside is often text that is read further.
        let is_text = rng.chance(0.5);
        let mut byte = || if is_text { NAME[rng.below(NAME.len())] } else { rng.bits() as u8 };
        let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
        self.encode(&bytes)
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut bytes) = self.decode(text) else { return self.sample(rng) };
        let place = rng.below(bytes.len() + 1);
        let is_inside = place < bytes.len();
        match rng.below(4) {
            0 if is_inside => bytes[place] = bytes[place].wrapping_add(1 << rng.below(8)),
            1 if is_inside => {
                bytes.remove(place);
            }
            2 if is_inside => bytes.truncate(place),
            _ => bytes.insert(place, rng.bits() as u8),
        }
        self.encode(&bytes)
    }

    fn is_valid(&self, text: &str) -> bool {
        let range = self.min as usize..=self.max as usize;
        self.decode(text).is_some_and(|bytes| range.contains(&bytes.len()))
    }

    fn simplest(&self) -> String {
        self.encode(&vec![0; self.min as usize])
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(bytes) = self.decode(text) else { return Vec::new() };
        let mut lengths = vec![bytes.len() / 2, bytes.len().saturating_sub(1)];
        lengths.dedup();
        let mut texts: Vec<String> =
            lengths.into_iter().map(|length| self.encode(&bytes[..length])).collect();
        texts.push(self.encode(&vec![0; bytes.len()]));
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_hold() {
        let spec = Base64Spec::default();
        // RFC 4648, section 10.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(spec.encode(bytes.as_bytes()), text);
            assert_eq!(spec.decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["Z", "Zg", "Zg=", "Zh==", "Zg===", "====", "Zm9v=", "Zm9-", "Zm 9", "\u{e9}"] {
            assert_eq!(spec.decode(text), None, "{text}");
        }
        let url_safe = Base64Spec { is_url_safe: true, ..spec };
        assert_eq!(url_safe.encode(&[0xfb, 0xff]), "-_8=");
    }
}
