//! IP addresses.

use core::net::{Ipv4Addr, Ipv6Addr};

use super::TextFormat;
use super::edit::moved;
use crate::rng::Rng;

/// IP addresses of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpVersion {
    /// Four numbers of 8 bits.
    V4,
    /// Eight groups of 16 bits (RFC 4291).
    V6,
}

/// Addresses that programs treat apart: any, this host, link-local (where clouds keep their
/// metadata), private, documentation, multicast, broadcast.
const SPECIAL_V4: [[u8; 4]; 8] = [
    [0, 0, 0, 0],
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [10, 0, 0, 1],
    [192, 168, 0, 1],
    [192, 0, 2, 1],
    [224, 0, 0, 1],
    [255, 255, 255, 255],
];
const SPECIAL_V6: [[u16; 8]; 5] = [
    [0; 8],
    [0, 0, 0, 0, 0, 0, 0, 1],
    [0xfe80, 0, 0, 0, 0, 0, 0, 1],
    [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0xffff, 0x7f00, 1],
];

impl IpVersion {
    fn sample_v4(rng: &mut Rng) -> String {
        let special = SPECIAL_V4[rng.below(SPECIAL_V4.len())];
        let random = (rng.bits() as u32).to_be_bytes();
        Ipv4Addr::from(if rng.chance(0.3) { special } else { random }).to_string()
    }

    fn sample_v6(rng: &mut Rng) -> String {
        let special = SPECIAL_V6[rng.below(SPECIAL_V6.len())];
        // Zeros are usual, and are what the short form leaves out.
        let mut group = || if rng.chance(0.4) { 0 } else { rng.bits() as u16 };
        let random: [u16; 8] = std::array::from_fn(|_| group());
        Ipv6Addr::from(if rng.chance(0.3) { special } else { random }).to_string()
    }
}

impl TextFormat for IpVersion {
    fn sample(&self, rng: &mut Rng) -> String {
        match self {
            Self::V4 => Self::sample_v4(rng),
            Self::V6 => Self::sample_v6(rng),
        }
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            let (mut octets, place) = (address.octets(), rng.below(4));
            octets[place] = moved(i64::from(octets[place]), 0, 255, rng) as u8;
            return Ipv4Addr::from(octets).to_string();
        }
        let Ok(address) = text.parse::<Ipv6Addr>() else { return self.sample(rng) };
        let (mut groups, place) = (address.segments(), rng.below(8));
        groups[place] = moved(i64::from(groups[place]), 0, 0xffff, rng) as u16;
        Ipv6Addr::from(groups).to_string()
    }

    fn is_valid(&self, text: &str) -> bool {
        match self {
            Self::V4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::V6 => text.parse::<Ipv6Addr>().is_ok(),
        }
    }

    fn simplest(&self) -> String {
        if *self == Self::V4 { "0.0.0.0" } else { "::" }.to_owned()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            let less = |place: usize, part: u8| {
                let mut octets = address.octets();
                octets[place] = octets[place].checked_div(part).unwrap_or(0);
                Ipv4Addr::from(octets).to_string()
            };
            return [0, 2]
                .into_iter()
                .flat_map(|part| (0..4).map(move |at| less(at, part)))
                .collect();
        }
        let Ok(address) = text.parse::<Ipv6Addr>() else { return Vec::new() };
        let less = |place: usize, part: u16| {
            let mut groups = address.segments();
            groups[place] = groups[place].checked_div(part).unwrap_or(0);
            Ipv6Addr::from(groups).to_string()
        };
        [0, 2].into_iter().flat_map(|part| (0..8).map(move |at| less(at, part))).collect()
    }
}
