//! Bytes in Base64 (RFC 4648).

use super::TextFormat;
use super::edit::NAME;
use crate::rng::Rng;

/// Most bytes that are sampled.
const BYTES: usize = 24;

/// Texts in Base64, with padding.
#[derive(Debug)]
pub(super) struct Base64Format;

/// The digits of the standard alphabet, by their values.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn value(digit: u8) -> Option<u8> {
    (0..64).find(|value| DIGITS[usize::from(*value)] == digit)
}

impl Base64Format {
    /// Three bytes become four digits; what is missing at the end is padded.
    fn encode(bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
        for chunk in bytes.chunks(3) {
            let mut group = [0; 4];
            group[1..=chunk.len()].copy_from_slice(chunk);
            let bits = u32::from_be_bytes(group);
            for place in 0..4 {
                let value = (bits >> (18 - 6 * place)) as u8 & 0x3f;
                let is_there = place <= chunk.len();
                text.push(if is_there { char::from(DIGITS[usize::from(value)]) } else { '=' });
            }
        }
        text
    }

    /// The bytes; nothing for a text that is not exactly what [`Self::encode`] writes.
    fn decode(text: &str) -> Option<Vec<u8>> {
        let digits = text.trim_end_matches('=').as_bytes();
        let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
        for chunk in digits.chunks(4) {
            let values: Option<Vec<u8>> = chunk.iter().map(|digit| value(*digit)).collect();
            let bits = values?.iter().fold(0_u32, |bits, value| bits << 6 | u32::from(*value));
            let bits = bits << (6 * (4 - chunk.len()));
            bytes.extend(&bits.to_be_bytes()[1..chunk.len()]);
        }
        (Self::encode(&bytes) == text).then_some(bytes)
    }
}

impl TextFormat for Base64Format {
    fn sample(&self, rng: &mut Rng) -> String {
        let length = rng.below(BYTES + 1);
        // Half are words, since what is inside is often text that is read further.
        let is_text = rng.chance(0.5);
        let mut byte = || if is_text { NAME[rng.below(NAME.len())] } else { rng.bits() as u8 };
        let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
        Self::encode(&bytes)
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut bytes) = Self::decode(text) else { return self.sample(rng) };
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
        Self::encode(&bytes)
    }

    fn is_valid(&self, text: &str) -> bool {
        Self::decode(text).is_some()
    }

    fn simplest(&self) -> String {
        String::new()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(bytes) = Self::decode(text) else { return Vec::new() };
        let mut lengths = vec![bytes.len() / 2, bytes.len().saturating_sub(1)];
        lengths.dedup();
        let mut texts: Vec<String> =
            lengths.into_iter().map(|length| Self::encode(&bytes[..length])).collect();
        texts.push(Self::encode(&vec![0; bytes.len()]));
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_hold() {
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
            assert_eq!(Base64Format::encode(bytes.as_bytes()), text);
            assert_eq!(Base64Format::decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["Z", "Zg", "Zg=", "Zh==", "Zg===", "====", "Zm9v=", "Zm9-", "Zm 9", "\u{e9}"] {
            assert_eq!(Base64Format::decode(text), None, "{text}");
        }
    }
}
