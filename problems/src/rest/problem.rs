//! A REST service as a search problem.

mod exchange;
#[cfg(test)]
pub(in crate::rest) mod support;

use std::sync::Arc;

use http::HeaderMap;
use wallace_engine::{Evaluated, Individual, Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, SpecRef, TemplateId};

use super::action::RestAction;
use super::boundary::{self, Boundary};
use super::callback::CallbackListener;
use super::check::{Checker, Checks};
use super::learn::learn;
use super::link::Links;
use super::memory::{Record, RestMemory};
use super::operations::{Operations, in_order};
use super::oracle::{OracleSettings, RestOracles};
use super::plan::Planner;
use super::resource::Resources;
use super::sample::Sampler;
use super::settings::TestSettings;
use super::target::OperationTargets;
use super::template::{NothingCallable, Templates};
use crate::beginning::Beginnings;
use crate::fingerprint::Fingerprint;
use crate::oracle::{Oracle, Oracles};
use crate::share;
use crate::sql::SqlTables;
use crate::store::Stores;
use crate::target_source::{TargetSource, TargetSources};

/// What is particular to runs on REST services.
#[derive(Debug, Clone, Default)]
pub struct RestSettings {
    /// Path below which all operations are, instead of that of the description.
    pub base_path: Option<String>,
    /// Number of users; callers are known by their position among them.
    pub users: u16,
    /// Whether operations that may change something are called.
    pub may_change: bool,
    /// Whether a driver tells what calls reach: then most of the budget goes to that, and checks of
    /// what verbs mean are few.
    pub is_white_box: bool,
    /// What is judged.
    pub oracles: OracleSettings,
    /// Where services may be made to call, to see whether they do. Needs
    /// [`OracleSettings::security`].
    pub callback: Option<Arc<CallbackListener>>,
    /// How tests are made.
    pub tests: TestSettings,
}

/// The operations of a REST service.
#[derive(Debug)]
pub struct RestProblem {
    operations: Operations,
    boundaries: Vec<Boundary>,
    checks: Checks,
    oracles: RestOracles,
    /// Oracles of the user.
    own: Oracles,
    /// Targets of the user.
    sources: TargetSources,
    targets: Vec<OperationTargets>,
    beginnings: Beginnings,
    /// What every request has besides.
    headers: HeaderMap,
}

impl RestProblem {
    /// The operations of `templates`.
    ///
    /// # Errors
    /// [`NothingCallable`] when no operation can be called within the limits of the settings.
    pub fn new(
        templates: Arc<Templates>,
        settings: &RestSettings,
        search: &SearchSettings,
    ) -> Result<Self, NothingCallable> {
        let can_call = |id: &TemplateId| {
            let is_safe = templates.operation(*id).method.is_safe();
            (settings.may_change || is_safe) && templates.template(*id).is_callable(&search.genes)
        };
        let all = templates.operations().iter().map(|template| template.id);
        let callable: Vec<TemplateId> = all.filter(can_call).collect();
        if callable.is_empty() {
            let count = templates.operations().len();
            let first = "it may change something, or nests too deeply".to_owned();
            return Err(NothingCallable { count, first });
        }
        let base_path = settings.base_path.clone();
        let targets = templates.operations().iter();
        let targets = targets.map(|it| OperationTargets::new(templates.operation(it.id))).collect();
        let mut judged = settings.oracles.clone();
        if templates.description().is_guessed {
            judged.off.extend(OracleSettings::OF_PROMISES);
        }
        let oracles = RestOracles {
            settings: judged,
            base_path: base_path.unwrap_or_else(|| templates.description().base_path.clone()),
            callback: settings.callback.clone().filter(|_| settings.oracles.security),
            has_users: settings.users > 0,
            templates: Arc::clone(&templates),
        };
        let operations = Operations {
            resources: Resources::new(&templates, &callable),
            links: Links::new(&templates, &callable),
            text: super::undocumented::text_spec(),
            users: settings.users,
            is_white_box: settings.is_white_box,
            max_size: search.max_size.max(1),
            settings: settings.tests.clone(),
            in_order: in_order(&templates, &callable),
            callable,
            templates,
        };
        let has_callback = oracles.callback.is_some();
        Ok(Self {
            boundaries: boundary::boundaries(&operations.templates, &operations.callable),
            checks: Checks::new(&operations, &oracles.settings, has_callback, &search.genes),
            operations,
            oracles,
            own: Oracles::default(),
            sources: TargetSources::default(),
            targets,
            beginnings: Beginnings::default(),
            headers: HeaderMap::new(),
        })
    }

    /// Adds headers to every request, also where an operation documents other values of them.
    #[must_use]
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        self.headers = headers.clone();
        self
    }

    /// Lets tests begin with rows of these tables.
    #[must_use]
    pub fn with_sql(mut self, tables: Option<SqlTables>) -> Self {
        self.beginnings.tables = tables;
        self
    }

    /// Lets tests begin with documents and keys, where a driver tells of such that are looked for.
    #[must_use]
    pub fn with_stores(mut self, stores: Option<Stores>) -> Self {
        self.beginnings.stores = stores;
        self
    }

    /// Judges every call and test by an oracle of the user's too.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Box<dyn Oracle>) -> Self {
        self.own.0.push(oracle);
        self
    }

    /// Adds targets of the user's own.
    #[must_use]
    pub fn with_targets(mut self, source: Box<dyn TargetSource>) -> Self {
        self.sources.0.push(source);
        self
    }

    /// The templates of the operations.
    #[must_use]
    pub fn templates(&self) -> &Arc<Templates> {
        &self.operations.templates
    }

    /// Operations that are called.
    #[must_use]
    pub fn callable(&self) -> &[TemplateId] {
        &self.operations.callable
    }

    /// Position of the parameter at an address, where that is a whole one.
    #[must_use]
    pub fn bound_parameter(path: &wallace_genes::GenePath) -> Option<usize> {
        match path.0[..] {
            [wallace_genes::PathStep::Field(index)] => Some(index as usize),
            _ => None,
        }
    }

    /// Path below which all operations are.
    #[must_use]
    pub fn base_path(&self) -> &str {
        &self.oracles.base_path
    }

    #[cfg(test)]
    pub(in crate::rest) fn operations(&self) -> &Operations {
        &self.operations
    }

    pub(super) fn planner<'p>(
        &'p self,
        learnt: &'p Learnt<RestMemory>,
        draw: &'p mut Draw,
    ) -> Planner<'p> {
        Planner { operations: &self.operations, learnt, draw, is_alone: false }
    }

    fn sampler<'p>(&'p self, learnt: &'p Learnt<RestMemory>, draw: &'p mut Draw) -> Sampler<'p> {
        let checker = Checker { planner: self.planner(learnt, draw), checks: &self.checks };
        let has_invalid = self.oracles.settings.wants(102);
        Sampler { checker, boundaries: &self.boundaries, has_invalid }
    }
}

impl Problem for RestProblem {
    type Action = RestAction;
    type Memory = RestMemory;

    fn fingerprint(&self) -> u64 {
        let operations = self.templates().description().operations.iter();
        Fingerprint::of([
            Fingerprint::of(operations.map(|o| &o.id)),
            Fingerprint::of(&self.operations.callable),
        ])
    }

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.templates().template(template).spec.clone()
    }

    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        self.beginnings.spec(template).unwrap_or_else(|| self.spec(self.operations.callable[0]))
    }

    fn initialise(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        self.beginnings.initialise(self, test, learnt.memory.beginnings(), draw)
    }

    fn repair_initialisation(
        &self,
        individual: &mut Individual<RestAction>,
        _: &Learnt<RestMemory>,
    ) {
        self.beginnings.repair::<Self>(individual);
    }

    fn has_had_enough(&self, test: &Individual<RestAction>, learnt: &Learnt<RestMemory>) -> bool {
        let record = &learnt.memory.record;
        let calls = |id: TemplateId| record.get(&id).map_or(0, Record::cost);
        // With a driver, what a call reaches says what it is worth.
        !self.operations.is_white_box
            && test.actions().last().is_some_and(|(_, action)| {
                let all = self.operations.callable.iter().map(|id| calls(*id));
                share::is_beyond(calls(action.template), all)
            })
    }

    fn wants_follow_ups(&self, test: &Evaluated<RestAction>, learnt: &Learnt<RestMemory>) -> bool {
        self.beginnings.wants(self, test, learnt.memory.beginnings())
    }

    fn keeps_apart(&self) -> bool {
        !self.operations.is_white_box
    }

    fn template_name(&self, template: TemplateId) -> String {
        self.operations.get(template).id.to_string()
    }

    fn template_named(&self, name: &str) -> Option<TemplateId> {
        let mut all = self.templates().operations().iter().map(|template| template.id);
        all.find(|id| &*self.operations.get(*id).id == name)
    }

    fn sample(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> Individual<RestAction> {
        self.sampler(learnt, draw).sample()
    }

    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        self.sampler(learnt, draw).initial(number)
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        self.planner(learnt, draw).change_plan(individual)
    }

    fn follow_ups(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<RestAction>> {
        let mut sampler = self.sampler(learnt, draw);
        let mut follow_ups = sampler.checker.planner.constants(test);
        follow_ups.extend(sampler.checker.follow_up(test));
        let memories = learnt.memory.beginnings();
        follow_ups.extend(self.beginnings.follow_ups(self, test, memories, draw));
        follow_ups
    }

    fn learn(&self, test: &Evaluated<RestAction>, learnt: &mut Learnt<RestMemory>) {
        learn(&self.operations, test, learnt);
        let memory = &mut learnt.memory;
        self.beginnings.learn(self, test, (&mut memory.sql, &mut memory.stores));
    }
}

#[cfg(test)]
mod tests {
    use super::support::described;

    #[test]
    fn what_was_guessed_promises_nothing() {
        let wants = |info: &str| {
            let problem = described(info, "{/a: {get: {}}}", 0);
            [102, 100].map(|code| problem.oracles.settings.wants(code))
        };
        assert_eq!(wants("{title: t, version: '1'}"), [true, true]);
        assert_eq!(wants("{title: t, version: '1', x-wallace-guessed: true}"), [false, true]);
    }
}
