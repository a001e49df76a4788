//! The choice of the next check: what was tried least, for all that it can show.

use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::Checks;
use super::build::Build;
use super::combine::TOGETHER;
use super::fact::ArgumentFacts;
use crate::graphql::action::{Check, GraphqlAction, Rule};

/// Checks looked at before the one tried least, for its weight, is taken.
const CANDIDATES: usize = 48;
/// What a check that was never tried counts as tried: the first try tells more than any other.
const FIRST: f64 = 0.2;

/// The key under which tries of a check are counted: of an operation, or of the whole service where
/// what stands before all operations is checked.
pub(crate) fn key(check: Check, template: TemplateId) -> String {
    if is_of_service(check) { format!("{check:?}") } else { format!("{check:?} {}", template.0) }
}

/// Whether a check is about how the service reads requests, which is the same for all operations.
fn is_of_service(check: Check) -> bool {
    match check {
        Check::Violation(rule) => Rule::OF_GRAMMAR.contains(&rule),
        Check::Forgery(_) | Check::Overload(_) | Check::Introspection => true,
        _ => false,
    }
}

impl Checks<'_, '_> {
    /// A test for a check, of those that apply the one tried least among some.
    pub(crate) fn test(&mut self) -> Option<Individual<GraphqlAction>> {
        let families = self.families();
        let weights: Vec<f64> = families.iter().map(|(weight, _)| *weight).collect();
        let mut candidates = Vec::new();
        for _ in 0..CANDIDATES {
            let (weight, family) = families[self.draw.rng.weighted(&weights)?];
            let callable = &self.scope.callable;
            let template = callable[self.draw.rng.below(callable.len())];
            let Some(check) = self.applicable(family, template) else { continue };
            let effort = self.learnt.memory.effort(&key(check, template));
            let weight = weight * self.variants(check, template);
            candidates.push(((effort + FIRST) / weight, check, template));
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
        candidates.into_iter().find_map(|(_, check, template)| self.built(check, template))
    }

    /// In how many ways a check of an operation can turn out, as far as that is known before: the
    /// more, the more tries it gets.
    fn variants(&self, check: Check, template: TemplateId) -> f64 {
        let facts = ArgumentFacts::of(&self.scope.templates, template);
        match check {
            Check::Repeat => f64::from(facts.enum_values.clamp(1, 6)),
            // Each value may be the one that is not kept.
            Check::ReadBack => (f64::from(facts.texts + facts.numbers) / 2.0).clamp(0.5, 2.5),
            Check::Edge => (f64::from(facts.texts + 3 * facts.numbers) / 2.0).clamp(0.5, 3.0),
            Check::Combine => (f64::from(facts.combinations) / TOGETHER as f64).clamp(1.0, 8.0),
            Check::Violation(Rule::UnknownEnum) => f64::from(facts.enums.clamp(1, 3)),
            Check::Violation(Rule::MissingArgument | Rule::NullArgument) => 0.4,
            _ => 1.0,
        }
    }

    fn built(&mut self, check: Check, template: TemplateId) -> Option<Individual<GraphqlAction>> {
        let Self { scope, learnt, draw, settings } = self;
        let mut build = Build { scope, learnt, draw, check };
        match check {
            Check::Repeat => build.repeat(template),
            Check::Forms => build.forms(template, settings.overload),
            Check::Persisted => build.persisted(template),
            Check::Pages => build.pages(template),
            Check::Echo => build.echo(template),
            Check::Inverse => build.inverse(template),
            Check::Quote(site) => build.quote(template, site),
            Check::Condition(site) => build.condition(template, site),
            Check::ReadBack => build.read_back(template),
            Check::AfterDelete => build.after_delete(template),
            Check::Failed => build.failed(template),
            Check::Edge => build.edge(template),
            Check::Combine => build.combine(template),
            Check::Anonymous => build.anonymous(template),
            Check::Foreign => build.foreign(template),
            Check::Sibling => build.sibling(template),
            Check::Bypass => build.bypass(template),
            Check::Forgery(form) => build.forgery(template, form),
            Check::Violation(rule) => build.violation(template, rule),
            Check::Overload(overload) => build.overload(template, overload),
            Check::Introspection => build.introspection(template),
        }
    }
}
