//! Ranks of values, ties sharing the mean of theirs.

/// Ranks from 1 in ascending order; equal values get the mean of the ranks they take together.
#[must_use]
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let end = tie_end(values, &order, first);
        let shared = (first + 1 + end) as f64 / 2.0;
        for index in &order[first..end] {
            ranks[*index] = shared;
        }
        first = end;
    }
    ranks
}

/// Sum of t³ - t over all groups of t equal values: what ties take from a rank statistic's variance.
pub(super) fn tie_sum(values: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut sum = 0.0;
    let mut first = 0;
    while first < order.len() {
        let end = tie_end(values, &order, first);
        let size = (end - first) as f64;
        sum += size * size * size - size;
        first = end;
    }
    sum
}

/// Where the group of values equal to the one at `first` ends.
fn tie_end(values: &[f64], order: &[usize], first: usize) -> usize {
    let value = values[order[first]];
    first + order[first..].iter().take_while(|index| values[**index] == value).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(ranks(&[]), Vec::<f64>::new());
        assert_eq!(tie_sum(&[3.0, 1.0, 3.0, 2.0, 2.0, 2.0]), 6.0 + 24.0);
    }
}
