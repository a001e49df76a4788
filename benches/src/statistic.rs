//! Small statistics for comparing runs.

/// Vargha-Delaney effect size: the probability that a value of `one` is larger than a value of
/// `other`, ties counting half. 0.5 is no difference, 1 means always.
#[must_use]
pub fn a12(one: &[f64], other: &[f64]) -> f64 {
    let wins: f64 = one
        .iter()
        .flat_map(|x| other.iter().map(move |y| (x, y)))
        .map(|(x, y)| match x.partial_cmp(y) {
            Some(std::cmp::Ordering::Greater) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        })
        .sum();
    wins / (one.len() * other.len()) as f64
}

/// The value in the middle; the mean of the two in the middle when there are two.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Mean height of a step curve over `0..end`, given as (position, height) in ascending position.
#[must_use]
pub fn area(curve: &[(u64, usize)], end: u64) -> f64 {
    let mut sum = 0.0;
    let (mut position, mut height) = (0, 0);
    for (next, higher) in curve {
        let next = (*next).min(end);
        sum += (next - position) as f64 * height as f64;
        (position, height) = (next, *higher);
    }
    sum += (end - position) as f64 * height as f64;
    sum / end as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        assert_eq!(a12(&[2.0, 3.0], &[1.0, 2.0]), 0.875);
        assert_eq!(a12(&[1.0], &[1.0]), 0.5);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(area(&[(0, 2), (5, 4)], 10), 3.0);
        assert_eq!(area(&[(5, 4), (20, 9)], 10), 2.0);
    }
}
