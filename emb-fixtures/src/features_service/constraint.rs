//! The rules between features: what follows from one, and what contradicts what.

use wallace_instrument::white_box;

use super::store::Constraint;
use crate::resource::Refused;

/// `requires`: whoever activates the source activates the other too.
pub(super) const REQUIRES: &str = "requires";
/// `excludes`: the two are never active together.
pub(super) const EXCLUDES: &str = "excludes";

/// The features that become active with `feature`, itself first: those it requires, those that
/// these require, and so on.
#[white_box]
pub(super) fn derived(constraints: &[Constraint], feature: &str) -> Vec<String> {
    let mut found = vec![feature.to_owned()];
    let mut next = 0;
    while next < found.len() {
        let current = found[next].clone();
        for constraint in constraints {
            if constraint.kind == REQUIRES && constraint.source == current {
                if !found.contains(&constraint.other) {
                    found.push(constraint.other.clone());
                }
            }
        }
        next += 1;
    }
    found
}

/// Whether two features must not be active together.
#[white_box]
fn are_exclusive(constraint: &Constraint, one: &str, other: &str) -> bool {
    if constraint.kind != EXCLUDES {
        return false;
    }
    if constraint.source == one && constraint.other == other {
        return true;
    }
    constraint.source == other && constraint.other == one
}

/// Fails if some of these features must not be active together.
#[white_box]
pub(super) fn check_active(constraints: &[Constraint], features: &[String]) -> Result<(), Refused> {
    for constraint in constraints {
        for (index, one) in features.iter().enumerate() {
            for other in &features[index + 1..] {
                if are_exclusive(constraint, one, other) {
                    return Err(Refused::new(409, "a constraint excludes one of the features"));
                }
            }
        }
    }
    Ok(())
}

/// Fails if an active feature requires the one that is to be deactivated.
#[white_box]
pub(super) fn check_inactive(
    constraints: &[Constraint],
    active: &[String],
    feature: &str,
) -> Result<(), Refused> {
    for constraint in constraints {
        if constraint.kind == REQUIRES && constraint.other == feature {
            if active.contains(&constraint.source) {
                return Err(Refused::new(409, "an active feature requires this one"));
            }
        }
    }
    Ok(())
}

/// Fails if a new constraint says again what is said, or the contrary.
#[white_box]
pub(super) fn check_new(
    constraints: &[Constraint],
    kind: &str,
    source: &str,
    other: &str,
) -> Result<(), Refused> {
    if source == other {
        return Err(Refused::new(400, "a feature has no constraints with itself"));
    }
    for constraint in constraints {
        if constraint.kind == kind && constraint.source == source && constraint.other == other {
            return Err(Refused::new(409, "there is such a constraint"));
        }
    }
    if kind == EXCLUDES {
        if derived(constraints, source).contains(&other.to_owned()) {
            return Err(Refused::new(409, "the source requires the other feature"));
        }
        if derived(constraints, other).contains(&source.to_owned()) {
            return Err(Refused::new(409, "the other feature requires the source"));
        }
        return Ok(());
    }
    check_active(constraints, &[source.to_owned(), other.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::{Constraint, check_active, check_new, derived};

    fn constraint(kind: &str, source: &str, other: &str) -> Constraint {
        let text = str::to_owned;
        Constraint { id: 1, kind: text(kind), source: text(source), other: text(other) }
    }

    #[test]
    fn what_is_required_follows_even_in_circles() {
        let constraints =
            ["ab", "bc", "ca"].map(|pair| constraint("requires", &pair[..1], &pair[1..]));
        assert_eq!(derived(&constraints, "b"), ["b", "c", "a"]);
        assert_eq!(derived(&[], "b"), ["b"]);
    }

    #[test]
    fn exclusions_hold_in_both_directions() {
        let constraints = [constraint("excludes", "a", "b")];
        let features = |names: [&str; 2]| names.map(str::to_owned);
        assert!(check_active(&constraints, &features(["a", "b"])).is_err());
        assert!(check_active(&constraints, &features(["b", "a"])).is_err());
        assert!(check_active(&constraints, &features(["a", "c"])).is_ok());
        assert_eq!(check_new(&constraints, "requires", "b", "a").unwrap_err().status, 409);
        assert_eq!(check_new(&constraints, "requires", "a", "a").unwrap_err().status, 400);
    }
}
