//! Checks: tests of a few calls that only together show a fault (graphql.md 12 and 14).
//!
//! A check is an ordinary test whose calls are marked with what they shall show. The search makes
//! some of its tests so, rotating over checks and operations by how little each was tried; the
//! judge looks at marked calls only. What is reported therefore comes as a test of the suite, and
//! every call counts in the budget.

mod access;
mod agree;
mod build;
mod judge;
mod limit;
mod state;

use serde::{Deserialize, Serialize};
use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, TemplateId};

use super::action::{Check, Form, GraphqlAction, Overload, Rule};
use super::link::Effect;
use super::memory::GraphqlMemory;
use super::problem::GraphqlProblem;
use super::schema::{OperationKind, TypeKind};

pub(crate) use judge::judge;

/// Which checks are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckSettings {
    /// Whether answers are compared: repeated queries, forms that mean the same, pages, what is
    /// read after a mutation, relations between objects. Default true.
    pub relations: bool,
    /// Whether invalid documents, and mutations in forms that are not theirs, are sent. Default
    /// true.
    pub violations: bool,
    /// Whether calls are repeated as other users and without credentials. Default true; needs
    /// users.
    pub access: bool,
    /// Whether texts are sent that a query language behind the service might take for its own.
    /// Default true.
    pub injection: bool,
    /// Whether documents are sent that a service should refuse for their size: at most 100 aliases,
    /// directives or requests, 11 levels. Default false: services without such limits are common,
    /// and they are loaded.
    pub overload: bool,
    /// Whether the service is one that the public reaches, which must not tell its schema. Default
    /// false.
    pub production: bool,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            relations: true,
            violations: true,
            access: true,
            injection: true,
            overload: false,
            production: false,
        }
    }
}

impl CheckSettings {
    /// No checks: every call stands for itself.
    pub const NONE: Self = Self {
        relations: false,
        violations: false,
        access: false,
        injection: false,
        overload: false,
        production: false,
    };
}

/// How many things an overload holds. Common limits are lower.
const MANY: u16 = 100;
/// How many requests a batch holds.
const BATCH: u16 = 20;
/// Checks looked at before the one tried least, for its weight, is taken.
const CANDIDATES: usize = 24;

/// The key under which tries of a check are counted.
pub(crate) fn key(check: Check, template: TemplateId) -> String {
    format!("{check:?} {}", template.0)
}

impl GraphqlProblem {
    /// A test for a check, of those that apply the one tried least among a few.
    pub(crate) fn check_test(
        &self,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        let families = self.families();
        let weights: Vec<f64> = families.iter().map(|(weight, _)| *weight).collect();
        let mut candidates = Vec::new();
        for _ in 0..CANDIDATES {
            let (weight, family) = families[draw.rng.weighted(&weights)?];
            let template = self.callable[draw.rng.below(self.callable.len())];
            let Some(check) = self.applicable(family, template, learnt, draw) else { continue };
            let tries = learnt.memory.checks.get(&key(check, template)).copied().unwrap_or(0);
            let weight = weight * self.variants(check, template);
            candidates.push((f64::from(tries + 1) / weight, check, template));
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
        candidates
            .into_iter()
            .find_map(|(_, check, template)| self.built(check, template, learnt, draw))
    }

    /// In how many ways a check of an operation can turn out, as far as that is known before: the
    /// more, the more tries it gets.
    fn variants(&self, check: Check, template: TemplateId) -> f64 {
        match check {
            Check::Repeat => f64::from(self.enum_values(template).clamp(1, 6)),
            // Those of one call show what they show at once.
            Check::Violation(Rule::UnknownEnum | Rule::WrongKind) => 1.0,
            Check::Violation(_) | Check::Forgery(_) | Check::Overload(_) => 0.4,
            _ => 1.0,
        }
    }

    /// Number of values of the enum arguments of an operation.
    fn enum_values(&self, template: TemplateId) -> u32 {
        let schema = self.templates.schema();
        let operation = &self.templates.operations()[template.0 as usize];
        let arguments = schema.field(operation.field).arguments.iter();
        let values =
            arguments.map(|argument| match &schema.definition(argument.type_ref.named()).kind {
                TypeKind::Enum { values } => values.len() as u32,
                _ => 0,
            });
        values.sum()
    }

    /// Kinds of checks that are made, with weights: those that need many tries come more often.
    fn families(&self) -> Vec<(f64, Family)> {
        let settings = self.checks;
        let has_users = self.users > 0;
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
            (settings.violations, 2.0, Family::Forgery),
            (settings.violations, 2.5, Family::Violation),
            (settings.injection, 1.0, Family::Quote),
            (settings.injection, 1.0, Family::Condition),
            (settings.access && has_users, 3.0, Family::Anonymous),
            (settings.access && has_users, 5.0, Family::Foreign),
            (settings.access && has_users, 3.0, Family::Sibling),
            (settings.access && has_users, 5.0, Family::Bypass),
            (settings.overload, 2.0, Family::Overload),
            (settings.production, 0.2, Family::Introspection),
        ];
        all.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, weight, it)| (weight, it)).collect()
    }

    /// The check of this kind that the operation may be put to next.
    fn applicable(
        &self,
        family: Family,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Check> {
        let operation = &self.templates.operations()[template.0 as usize];
        let is_query = operation.kind == OperationKind::Query;
        if operation.kind == OperationKind::Subscription {
            return None;
        }
        let is_known = learnt.memory.has_succeeded(template);
        let effect = self.links.effect(template);
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
            Family::ReadBack if effect != Effect::Delete => mutation(Check::ReadBack),
            Family::AfterDelete if effect == Effect::Delete => mutation(Check::AfterDelete),
            Family::Failed => (!is_query).then_some(Check::Failed),
            Family::Anonymous => is_known.then_some(Check::Anonymous),
            Family::Foreign => (!is_query).then_some(Check::Foreign),
            Family::Sibling => (!is_query).then_some(Check::Sibling),
            Family::Bypass => query(Check::Bypass),
            Family::Forgery => {
                let forms = [Form::Get, Form::FormEncoded, Form::PlainText];
                (!is_query).then(|| Check::Forgery(forms[draw.rng.below(forms.len())]))
            }
            Family::Violation => Some(Check::Violation(Rule::ALL[draw.rng.below(Rule::ALL.len())])),
            Family::Overload => {
                let kinds = [
                    Overload::Aliases(MANY),
                    Overload::Directives(MANY),
                    Overload::Batch(BATCH),
                    Overload::Depth,
                ];
                query(Check::Overload(kinds[draw.rng.below(kinds.len())]))
            }
            Family::Introspection => is_query.then_some(Check::Introspection),
            Family::ReadBack | Family::AfterDelete => None,
        }
    }

    fn built(
        &self,
        check: Check,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        let mut build = build::Build { problem: self, learnt, draw, check };
        match check {
            Check::Repeat => build.repeat(template),
            Check::Forms => build.forms(template),
            Check::Persisted => build.persisted(template),
            Check::Pages => build.pages(template),
            Check::Echo => build.echo(template),
            Check::Inverse => build.inverse(template),
            Check::Quote(site) => build.quote(template, site),
            Check::Condition(site) => build.condition(template, site),
            Check::ReadBack => build.read_back(template),
            Check::AfterDelete => build.after_delete(template),
            Check::Failed => build.failed(template),
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

/// Kinds of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
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
    Anonymous,
    Foreign,
    Sibling,
    Bypass,
    Forgery,
    Violation,
    Overload,
    Introspection,
}
