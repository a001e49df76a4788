//! UUIDs.

use super::TextFormat;
use crate::rng::Rng;

/// Lengths of the groups of digits (RFC 9562, section 4).
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// UUIDs of any version.
#[derive(Debug)]
pub(super) struct UuidFormat;

fn written(digits: u128) -> String {
    let digits = format!("{digits:032x}");
    let mut rest = digits.as_str();
    let mut groups = GROUPS.map(|length| {
        let (group, behind) = rest.split_at(length);
        rest = behind;
        group
    });
    groups.as_mut_slice().join("-")
}

fn read(text: &str) -> Option<u128> {
    let groups: Vec<&str> = text.split('-').collect();
    let is_uuid = groups.len() == GROUPS.len()
        && groups.iter().zip(GROUPS).all(|(group, length)| {
            group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
    is_uuid.then(|| u128::from_str_radix(&groups.concat(), 16).ok()).flatten()
}

impl TextFormat for UuidFormat {
    fn sample(&self, rng: &mut Rng) -> String {
        match rng.below(40) {
            0 => NIL.to_owned(),
            1 => written(u128::MAX),
            _ => {
                // Random, version 4 and variant 2, as libraries make them.
                let bits = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
                let version = bits & !(0xf << 76) | 0x4 << 76;
                written(version & !(0b11 << 62) | 0b10 << 62)
            }
        }
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(digits) = read(text) else { return self.sample(rng) };
        match rng.below(4) {
            0 => written(digits.wrapping_add(1)),
            1 => written(digits.wrapping_sub(1)),
            _ => written(digits ^ (1 + rng.below(15) as u128) << (4 * rng.below(32))),
        }
    }

    fn is_valid(&self, text: &str) -> bool {
        read(text).is_some()
    }

    fn simplest(&self) -> String {
        NIL.to_owned()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(digits) = read(text) else { return Vec::new() };
        let cleared = |group: u32| digits & !(0xffff << (16 * group));
        let groups = (0..8).rev().map(cleared).map(written);
        std::iter::once(text.to_ascii_lowercase()).chain(groups).collect()
    }
}
