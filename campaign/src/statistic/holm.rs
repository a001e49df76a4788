//! Holm's correction for testing several hypotheses at once.

/// Probabilities adjusted so that, over the whole family, the chance of one false alarm stays at
/// the level they are compared with (Holm 1979, step-down). In the order of the input, each in
/// `[0, 1]`.
#[must_use]
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|one, other| probabilities[*one].total_cmp(&probabilities[*other]));
    let mut adjusted = vec![0.0; probabilities.len()];
    let mut least: f64 = 0.0;
    for (position, index) in order.into_iter().enumerate() {
        let remaining = (probabilities.len() - position) as f64;
        least = least.max((probabilities[index] * remaining).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        assert_eq!(holm(&[0.5, 0.125, 0.25]), [0.5, 0.375, 0.5]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
