//! The source of chance: the same numbers for a seed on every machine.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    /// The numbers of a seed, and of one of many parts made from it.
    pub(super) fn new(seed: u64, part: u64) -> Self {
        let mut mixed = Self(seed ^ part.wrapping_mul(0xd134_2543_de82_ef95));
        Self(mixed.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which must not be 0. (The bias of the remainder does not matter for
    /// ends as small as here.)
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("a number below a usize is one")
    }

    /// A number from `low` to `high`.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = usize::try_from(high - low).unwrap_or(0) + 1;
        low + i64::try_from(self.below(width)).unwrap_or(0)
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things; `None` when there are none.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// A word of small letters.
    pub(super) fn word(&mut self, shortest: usize, longest: usize) -> String {
        let length = shortest + self.below(longest - shortest + 1);
        (0..length).map(|_| char::from(b'a' + u8::try_from(self.below(26)).unwrap_or(0))).collect()
    }

    /// A whole number, small ones more often.
    pub(super) fn integer(&mut self) -> i64 {
        match self.below(4) {
            0 => self.between(-10, 10),
            1 | 2 => self.between(-1_000, 1_000),
            _ => self.between(-1_000_000, 1_000_000),
        }
    }

    /// A number with at most three binary digits behind the point, so that it prints exactly.
    #[expect(clippy::cast_precision_loss, reason = "far below 53 bits")]
    pub(super) fn float(&mut self) -> f64 {
        self.integer() as f64 + self.below(8) as f64 / 8.0
    }
}
