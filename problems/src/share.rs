//! A fair share of the calls for each operation, where only answers tell what a call was worth.

/// How many times the average an operation may have before its tests make room for others.
const MOST_AVERAGES: u64 = 3;
/// Calls that each may have whatever the others have: enough to go through its values and checks.
const FREE: u64 = 60;

/// Whether `calls` of one operation are beyond its share, where `all` are those of each.
pub(crate) fn is_beyond(calls: u64, all: impl ExactSizeIterator<Item = u64>) -> bool {
    let count = all.len() as u64;
    calls > FREE && calls * count > MOST_AVERAGES * all.sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_operation_does_not_take_the_calls_of_others() {
        assert!(!is_beyond(60, [60, 0, 0, 0].into_iter()));
        assert!(is_beyond(400, [400, 40, 40, 40].into_iter()));
        assert!(!is_beyond(400, [400, 400, 40, 40].into_iter()));
        assert!(!is_beyond(5_000, [5_000].into_iter()), "there is no other");
    }
}
