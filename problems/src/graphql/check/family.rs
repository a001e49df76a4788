//! Families of checks: which there are, and when one applies to an operation.

use wallace_genes::{Draw, TemplateId};

use super::Checks;
use super::fact::ArgumentFacts;
use crate::graphql::action::{Check, Form, Overload, Rule};
use crate::graphql::link::Effect;
use crate::graphql::schema::OperationKind;
use crate::graphql::template::Templates;

/// How many things an overload holds. Common limits are lower.
const MANY: u16 = 100;
/// How many requests a batch holds.
const BATCH: u16 = 20;

/// Kinds of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Repeat,
    Forms,
    Persisted,
    Pages,
    Echo,
    Inverse,
    Quote,
    Condition,
    ReadBack,
    AfterDelete,
    Failed,
    Edge,
    Combine,
    Anonymous,
    Foreign,
    Sibling,
    Bypass,
    Forgery,
    Violation,
    Grammar,
    Overload,
    Introspection,
}

impl Checks<'_, '_> {
    /// Kinds of checks that are made, with weights: those that need many tries come more often.
    pub(super) fn families(&self) -> Vec<(f64, Family)> {
        let settings = self.settings;
        let has_users = self.scope.users > 0;
        // Of one user nobody knows what is refused to whom: services refuse what is absent, too.
        let has_others = self.scope.users > 1;
        let all = [
            (settings.relations, 4.0, Family::Repeat),
            (settings.relations, 1.0, Family::Forms),
            (settings.relations, 0.3, Family::Persisted),
            (settings.relations, 3.0, Family::ReadBack),
            (settings.relations, 1.5, Family::AfterDelete),
            (settings.relations, 2.5, Family::Pages),
            (settings.relations, 1.5, Family::Echo),
            (settings.relations, 1.0, Family::Inverse),
            (settings.relations, 1.0, Family::Failed),
            (settings.violations, 2.5, Family::Edge),
            (settings.violations, 2.0, Family::Combine),
            (settings.violations, 2.0, Family::Forgery),
            (settings.violations, 2.5, Family::Violation),
            (settings.violations, 1.5, Family::Grammar),
            (settings.injection, 1.5, Family::Quote),
            (settings.injection, 1.0, Family::Condition),
            (settings.access && has_users, 3.0, Family::Anonymous),
            (settings.access && has_others, 5.0, Family::Foreign),
            (settings.access && has_others, 3.0, Family::Sibling),
            (settings.access && has_others, 5.0, Family::Bypass),
            (settings.overload, 4.0, Family::Overload),
            (settings.production, 0.2, Family::Introspection),
        ];
        all.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, weight, it)| (weight, it)).collect()
    }

    /// The check of this kind that the operation may be put to next.
    pub(super) fn applicable(&mut self, family: Family, template: TemplateId) -> Option<Check> {
        let Self { learnt, draw, .. } = self;
        let operation = self.scope.operation(template);
        let is_query = operation.kind == OperationKind::Query;
        if operation.kind == OperationKind::Subscription {
            return None;
        }
        let is_known = learnt.memory.has_succeeded(template);
        let effect = self.scope.links.effect(template);
        let query = |check| (is_query && is_known).then_some(check);
        let mutation = |check| (!is_query && is_known).then_some(check);
        let site = draw.rng.below(2) as u16;
        match family {
            Family::Repeat => query(Check::Repeat),
            Family::Forms => query(Check::Forms),
            Family::Persisted => {
                query(Check::Persisted).filter(|_| learnt.memory.may_offer(Form::PersistedHash))
            }
            Family::Pages => query(Check::Pages),
            Family::Echo => is_query.then_some(Check::Echo),
            Family::Inverse => query(Check::Inverse),
            Family::Quote => query(Check::Quote(site)),
            Family::Condition => query(Check::Condition(site)),
            Family::Combine => query(Check::Combine),
            Family::Edge => is_known.then_some(Check::Edge),
            Family::ReadBack if effect != Effect::Delete => mutation(Check::ReadBack),
            Family::AfterDelete if effect == Effect::Delete => mutation(Check::AfterDelete),
            Family::ReadBack | Family::AfterDelete => None,
            Family::Failed => (!is_query).then_some(Check::Failed),
            Family::Anonymous => is_known.then_some(Check::Anonymous),
            Family::Foreign => (!is_query).then_some(Check::Foreign),
            Family::Sibling => (!is_query).then_some(Check::Sibling),
            Family::Bypass => query(Check::Bypass),
            Family::Forgery => {
                let forms = [Form::Get, Form::FormEncoded, Form::PlainText];
                (!is_query).then(|| Check::Forgery(one_of(&forms, draw)))
            }
            Family::Violation => violation_of_values(&self.scope.templates, template, draw),
            Family::Grammar => Some(Check::Violation(one_of(&Rule::OF_GRAMMAR, draw))),
            Family::Overload => {
                let kinds = [
                    Overload::Aliases(MANY),
                    Overload::Directives(MANY),
                    Overload::Batch(BATCH),
                    Overload::Depth,
                ];
                query(Check::Overload(one_of(&kinds, draw)))
            }
            Family::Introspection => is_query.then_some(Check::Introspection),
        }
    }
}

/// One of the rules on values that the arguments of the operation can violate.
fn violation_of_values(
    templates: &Templates,
    template: TemplateId,
    draw: &mut Draw,
) -> Option<Check> {
    let facts = ArgumentFacts::of(templates, template);
    let rules = [
        (facts.enums > 0, Rule::UnknownEnum),
        (facts.enums + facts.texts + facts.numbers > 0, Rule::WrongKind),
        (facts.required > 0, Rule::MissingArgument),
        (facts.required > 0, Rule::NullArgument),
    ];
    let open = rules.into_iter().filter(|(can_be, _)| *can_be).map(|(_, rule)| rule);
    let open: Vec<Rule> = open.collect();
    (!open.is_empty()).then(|| Check::Violation(one_of(&open, draw)))
}
fn one_of<T: Copy>(all: &[T], draw: &mut Draw) -> T {
    all[draw.rng.below(all.len())]
}
