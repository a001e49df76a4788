//! A REST service as a search problem.

mod exchange;

use std::sync::Arc;

use wallace_engine::{Action, Evaluated, Individual, Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, Gene, SpecRef, TemplateId};

use super::action::RestAction;
use super::boundary::{self, Boundary};
use super::callback::CallbackListener;
use super::check::{self, Offer, Tries};
use super::link::Links;
use super::oracle::{OracleSettings, RestOracles};
use super::resource::Resources;
use super::settings::TestSettings;
use super::target::OperationTargets;
use super::template::{NothingCallable, Pool, Templates};
use super::undocumented::Reading;
use crate::fingerprint::Fingerprint;
use crate::http::HttpOutcome;
use crate::oracle::{Oracle, Oracles};
use crate::sql::{SqlMemory, SqlTables};

/// What a run on a REST service remembers besides what is known of texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RestMemory {
    /// Values that the service answered with.
    pub pool: Pool,
    /// Operations that answered with success, and the users for whom they did; nobody in
    /// particular is -1.
    pub successes: BTreeMap<TemplateId, BTreeSet<i32>>,
    /// What is known of the database.
    #[serde(default)]
    pub sql: SqlMemory,
    /// How calls of each operation went.
    pub record: BTreeMap<TemplateId, Record>,
    /// Operations whose answers had an entity tag.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tagged: BTreeSet<TemplateId>,
    /// Words of refusals that also stand in paths of operations which change something, and how
    /// often each was told: what a refusal speaks of may have to be changed first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<TemplateId, BTreeMap<Box<str>, u32>>,
    /// How often each rule of an operation was broken in a call that the service looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub violations: BTreeMap<TemplateId, BTreeMap<Box<str>, u32>>,
    /// Tables of the database that operations read and fill, where a driver tells.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<TemplateId, TableUse>,
    /// How often operations were put to each check.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub checks: BTreeMap<TemplateId, Vec<Tries>>,
    /// Parameters that operations were seen to ask for although they are not documented.
    pub readings: BTreeMap<TemplateId, Vec<Reading>>,
}

/// How calls of an operation went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Calls.
    pub calls: u32,
    /// Calls that were answered with success, and with something in it where they list things.
    pub fruitful: u32,
    /// Operations whose calls came before successful ones in the same test, and how often.
    pub before: BTreeMap<TemplateId, u32>,
}

impl Record {
    /// Share of the calls that bore fruit, one half where nothing is known.
    #[must_use]
    pub fn rate(&self) -> f64 {
        (f64::from(self.fruitful) + 1.0) / (f64::from(self.calls) + 2.0)
    }
}

/// What an operation does with the tables of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    /// Tables that some call read.
    pub read: BTreeSet<Box<str>>,
    /// Tables that some successful call wrote.
    pub written: BTreeSet<Box<str>>,
}

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
    pub(super) templates: Arc<Templates>,
    pub(super) callable: Vec<TemplateId>,
    pub(super) resources: Resources,
    pub(super) links: Links,
    /// Verbs that paths do not document, with an operation of the path.
    pub(super) other_verbs: Vec<(TemplateId, &'static str)>,
    pub(super) boundaries: Vec<Boundary>,
    /// The checks of each template.
    pub(super) offers: Vec<Vec<Offer>>,
    pub(super) text: SpecRef,
    pub(super) users: u16,
    pub(super) is_white_box: bool,
    pub(super) base_path: String,
    pub(super) max_size: usize,
    pub(super) tests: TestSettings,
    pub(super) oracles: RestOracles,
    /// Oracles of the user.
    own: Oracles,
    pub(super) callback: Option<Arc<CallbackListener>>,
    targets: Vec<OperationTargets>,
    sql: Option<SqlTables>,
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
        let can_call = |id: TemplateId| {
            let is_safe = templates.operation(id).method.is_safe();
            (settings.may_change || is_safe) && templates.template(id).is_callable(&search.genes)
        };
        let all = templates.operations().iter().map(|template| template.id);
        let callable: Vec<TemplateId> = all.filter(|id| can_call(*id)).collect();
        if callable.is_empty() {
            let count = templates.operations().len();
            let first = "it may change something, or nests too deeply".to_owned();
            return Err(NothingCallable { count, first });
        }
        let base_path = settings.base_path.clone();
        let base_path = base_path.unwrap_or_else(|| templates.description().base_path.clone());
        let targets = templates.operations().iter();
        let targets =
            targets.map(|template| OperationTargets::new(templates.operation(template.id)));
        let mut problem = Self {
            offers: Vec::new(),
            resources: Resources::new(&templates, &callable),
            boundaries: boundary::boundaries(&templates, &callable),
            other_verbs: if settings.is_white_box && !settings.oracles.security {
                Vec::new()
            } else {
                check::other_verbs(&templates, &callable, settings.oracles.security)
            },
            links: Links::new(&templates, &callable),
            text: super::undocumented::text_spec(),
            callable,
            users: settings.users,
            is_white_box: settings.is_white_box,
            base_path,
            max_size: search.max_size.max(1),
            tests: settings.tests.clone(),
            oracles: RestOracles::new(settings.oracles.clone()),
            own: Oracles::default(),
            callback: settings.callback.clone().filter(|_| settings.oracles.security),
            targets: targets.collect(),
            templates,
            sql: None,
        };
        let all = problem.templates.operations().iter();
        let is_called = |id: &TemplateId| problem.callable.contains(id);
        let offers = all
            .map(|template| Some(template.id).filter(is_called))
            .map(|id| id.map_or_else(Vec::new, |id| problem.offers_of(id, &search.genes)));
        problem.offers = offers.collect();
        Ok(problem)
    }

    /// Lets tests begin with rows of these tables.
    #[must_use]
    pub fn with_sql(mut self, tables: Option<SqlTables>) -> Self {
        self.sql = tables;
        self
    }

    /// Judges every call and test by an oracle of the user's too.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Box<dyn Oracle>) -> Self {
        self.own.0.push(oracle);
        self
    }

    /// The templates of the operations.
    #[must_use]
    pub fn templates(&self) -> &Arc<Templates> {
        &self.templates
    }

    /// Operations that are called.
    #[must_use]
    pub fn callable(&self) -> &[TemplateId] {
        &self.callable
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
        &self.base_path
    }

    /// A valid call by somebody for whom the operation worked before, if there is somebody.
    pub(super) fn call(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> RestAction {
        let gene = self.templates.sample(id, &learnt.knowledge, &learnt.memory.pool, draw);
        let caller = self.caller_of(id, learnt, draw);
        let undocumented = self.undocumented(id, learnt, draw);
        RestAction { caller, undocumented, ..RestAction::new(id, gene) }
    }

    /// Who calls: mostly somebody for whom it worked; now and then anybody (rest.md 3).
    pub(super) fn caller_of(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<u16> {
        const ANYBODY: f64 = 0.15;
        const NOBODY: f64 = 0.05;
        if self.users == 0 || draw.rng.chance(NOBODY) {
            return None;
        }
        let known = learnt.memory.successes.get(&id);
        let known: Vec<i32> =
            known.into_iter().flatten().filter(|user| **user >= 0).copied().collect();
        match draw.rng.pick(&known) {
            Some(user) if !draw.rng.chance(ANYBODY) => u16::try_from(*user).ok(),
            _ => Some(draw.rng.below(usize::from(self.users)) as u16),
        }
    }
}

impl Problem for RestProblem {
    type Action = RestAction;
    type Memory = RestMemory;

    fn fingerprint(&self) -> u64 {
        let operations = self.templates.description().operations.iter();
        Fingerprint::of([
            Fingerprint::of(operations.map(|o| &o.id)),
            Fingerprint::of(&self.callable),
        ])
    }

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.templates.template(template).spec.clone()
    }

    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        let row = self.sql.as_ref().and_then(|tables| tables.spec(template));
        row.unwrap_or_else(|| self.spec(self.callable[0]))
    }

    fn initialise(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        self.sql.as_ref()?.initialise(test, &learnt.memory.sql, draw)
    }

    fn repair_initialisation(
        &self,
        individual: &mut Individual<RestAction>,
        _: &Learnt<RestMemory>,
    ) {
        match &self.sql {
            Some(tables) => tables.repair(individual),
            None => individual.set_initialisation(Vec::new()),
        }
    }

    fn wants_follow_ups(&self, test: &Evaluated<RestAction>, learnt: &Learnt<RestMemory>) -> bool {
        self.sql.is_some() && SqlTables::wants(test, &learnt.memory.sql)
    }

    fn template_name(&self, template: TemplateId) -> String {
        self.templates.operation(template).id.to_string()
    }

    fn template_named(&self, name: &str) -> Option<TemplateId> {
        let mut all = self.templates.operations().iter().map(|template| template.id);
        all.find(|id| &*self.templates.operation(*id).id == name)
    }

    fn sample(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> Individual<RestAction> {
        self.sample_plan(learnt, draw)
    }

    /// The first sweep (rest.md 4): each operation by each user and by nobody; then each once more
    /// with all that it may hold, texts tainted so that what they are compared with is learnt; then
    /// boundary values, and verbs that are not documented.
    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let count = self.callable.len() as u64;
        let callers = 1 + u64::from(self.users.min(5));
        let id = self.callable[(number % count) as usize];
        match number / count {
            round if round < callers => {
                let caller = round.checked_sub(1).map(|user| user as u16);
                let gene = if round == 0 {
                    simplest(&self.spec(id), &draw.settings)
                } else {
                    self.templates.sample(id, &learnt.knowledge, &learnt.memory.pool, draw)
                };
                Some(Individual::new([RestAction { caller, ..RestAction::new(id, gene) }]))
            }
            round if round == callers => {
                let full = GeneSettings {
                    absent: 0.0,
                    null: 0.0,
                    taint_start: 1.0,
                    ..(*draw.settings).clone()
                };
                draw.settings = Arc::new(full);
                Some(self.plan(id, learnt, draw))
            }
            _ => {
                let number = (number - (callers + 1) * count) as usize;
                // As many boundary values as operations; the others are left to sampling.
                let (all, first) = (self.boundaries.len(), self.callable.len());
                let special = match number.checked_sub(all.min(first)) {
                    None => self.at_boundary(number * all / all.min(first), learnt, draw),
                    Some(number) if number >= self.other_verbs.len() => return None,
                    Some(number) => self.at_other_verb(number, learnt, draw),
                };
                // What cannot be made does not end the sweep.
                Some(special.unwrap_or_else(|| self.plan(id, learnt, draw)))
            }
        }
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        self.change_plan(individual, learnt, draw)
    }

    fn follow_ups(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<RestAction>> {
        let mut follow_ups = self.constants(test, learnt, draw);
        follow_ups.extend(self.checks(test, learnt, draw));
        if let Some(tables) = &self.sql {
            follow_ups.extend(tables.follow_ups(test, &learnt.memory.sql, draw));
        }
        follow_ups
    }

    fn learn(&self, test: &Evaluated<RestAction>, learnt: &mut Learnt<RestMemory>) {
        self.learn_from(test, learnt);
        if let Some(tables) = &self.sql {
            tables.learn(test, &mut learnt.memory.sql);
        }
    }
}

impl Action for RestAction {
    type Outcome = HttpOutcome;

    fn template(&self) -> TemplateId {
        self.template
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}
