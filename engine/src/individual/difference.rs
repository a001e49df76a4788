//! Differences: where a mutant and its parent hold other values.

use std::sync::Arc;

use wallace_genes::{Gene, GenePath, PathStep, TemplateId};

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};

/// A position at which two tests hold different values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change<'a> {
    pub(crate) action: ActionId,
    pub(crate) template: TemplateId,
    /// Shared, since many hints may come of one change.
    pub(crate) path: Arc<GenePath>,
    /// The value in the parent; [`Gene::Absent`] where it has none.
    pub(crate) before: &'a Gene,
    /// The value in the mutant; [`Gene::Absent`] where it has none.
    pub(crate) after: &'a Gene,
}

/// Whether both tests have the same actions in the same order, whatever is in them.
pub(crate) fn has_same_structure<A: Action>(one: &Individual<A>, other: &Individual<A>) -> bool {
    let ids = |test: &Individual<A>| -> Vec<ActionId> {
        test.actions().iter().map(|(id, _)| *id).collect()
    };
    ids(one) == ids(other)
}

/// The positions at which a test differs from its parent, in the actions that it kept in their
/// order. A list whose length changed is one position. Actions that the tests share cost nothing.
pub(crate) fn changes<'a, A: Action>(
    parent: &'a Individual<A>,
    child: &'a Individual<A>,
) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    // Actions keep their order, so each is found after the one before.
    let mut parents = parent.actions().iter();
    for (action, after) in child.actions() {
        let Some((_, before)) = parents.find(|(other, _)| other == action) else { break };
        if Arc::ptr_eq(before, after) || before.template() != after.template() {
            continue;
        }
        let template = before.template();
        let mut path = GenePath::default();
        compare(before.gene(), after.gene(), &mut path, &mut |path, before, after| {
            let (action, path) = (*action, Arc::new(path.clone()));
            changes.push(Change { action, template, path, before, after });
        });
    }
    changes
}

fn compare<'a>(
    before: &'a Gene,
    after: &'a Gene,
    path: &mut GenePath,
    visit: &mut dyn FnMut(&GenePath, &'a Gene, &'a Gene),
) {
    let mut step = |step, before, after| {
        path.0.push(step);
        compare(before, after, path, visit);
        path.0.pop();
    };
    match (before, after) {
        (Gene::Object(one), Gene::Object(other)) => {
            for (field, value) in &one.fields {
                let field = *field;
                step(PathStep::Field(field), value, other.get(field).unwrap_or(&Gene::Absent));
            }
            for (field, value) in &other.fields {
                if one.get(*field).is_none() {
                    step(PathStep::Field(*field), &Gene::Absent, value);
                }
            }
        }
        (Gene::Tuple(one), Gene::Tuple(other)) => {
            for (index, (before, after)) in one.iter().zip(other).enumerate() {
                step(PathStep::Field(index as u32), before, after);
            }
        }
        (Gene::Array(one), Gene::Array(other)) if one.len() == other.len() => {
            for (index, (before, after)) in one.iter().zip(other).enumerate() {
                step(PathStep::Element(index as u32), before, after);
            }
        }
        (Gene::Choice(one), Gene::Choice(other)) if one.branch == other.branch => {
            step(PathStep::Branch(one.branch), &one.value, &other.value);
        }
        _ if before != after => visit(path, before, after),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    #[test]
    fn only_what_differs_is_listed() {
        let numbers = |values: &[i32]| {
            Gene::Tuple(vec![
                Gene::Array(values.iter().map(|value| Gene::Integer(*value)).collect()),
                Gene::text("a"),
            ])
        };
        let parent =
            Individual::new([Step::new(TemplateId(0), numbers(&[1, 2])), Step::integer(3)]);
        let mut child = parent.clone();
        *child.action_mut(0) = Step::new(TemplateId(0), numbers(&[1, 5]));
        let found = changes(&parent, &child);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path.0, [PathStep::Field(0), PathStep::Element(1)]);
        assert_eq!((found[0].before, found[0].after), (&Gene::Integer(2), &Gene::Integer(5)));
        *child.action_mut(0) = Step::new(TemplateId(0), numbers(&[1, 5, 6]));
        assert_eq!(changes(&parent, &child)[0].path.0, [PathStep::Field(0)]);
        assert!(has_same_structure(&parent, &child));
        child.remove(1);
        assert!(!has_same_structure(&parent, &child));
    }
}
