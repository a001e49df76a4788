//! A GraphQL service as a search problem.

mod exchange;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue};
use wallace_engine::{Action, Evaluated, Individual, Learnt, Problem, SearchSettings, TargetName};
use wallace_genes::{Draw, Gene, GeneSettings, SpecRef, TemplateId, sample, simplest};

use super::action::GraphqlAction;
use super::answer::Answer;
use super::check::CheckSettings;
use super::filter::OperationFilter;
use super::form;
use super::hint::ScalarExamples;
use super::link::Links;
use super::memory::GraphqlMemory;
use super::render::Style;
use super::schema::{InputValue, OperationKind, SchemaError, TypeKind};
use super::target::OperationTargets;
use super::template::Templates;
use crate::binding::bound_action;
use crate::fingerprint::Fingerprint;
use crate::http::{HttpOutcome, TextUse};
use crate::oracle::{Oracle, ServerError};
use crate::sql::SqlTables;
use crate::text_use::{uses_in, with_text};

/// Share of sampled tests that have a single call.
const SINGLE_CALL: f64 = 0.8;

/// Most follow-ups of one test.
const MOST_FOLLOW_UPS: usize = 64;

/// Share of sampled tests whose calls feed each other, where they can.
const CHAINED: f64 = 0.4;

/// Share of sampled tests that are made for a check, where checks are made.
const CHECKED: f64 = 0.7;

/// A GraphQL service: its operations are the actions, arguments and selections their genes.
pub struct GraphqlProblem {
    pub(crate) templates: Arc<Templates>,
    targets: Vec<OperationTargets>,
    pub(crate) callable: Vec<TemplateId>,
    oracles: Vec<Box<dyn Oracle>>,
    path: PathAndQuery,
    headers: HeaderMap,
    pub(crate) max_size: usize,
    pub(crate) is_black_box: bool,
    /// Number of users that calls are made by.
    pub(crate) users: u16,
    pub(crate) scalars: ScalarExamples,
    /// Name of the type of each argument and input field, by coordinate.
    pub(crate) argument_types: HashMap<String, Arc<str>>,
    pub(crate) links: Links,
    pub(crate) checks: CheckSettings,
    sql: Option<SqlTables>,
}

impl std::fmt::Debug for GraphqlProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("GraphqlProblem").field("path", &self.path).finish_non_exhaustive()
    }
}

impl GraphqlProblem {
    /// The operations of `templates`, called at `path`.
    ///
    /// # Errors
    /// [`SchemaError::NoUsableOperation`] when no operation can be called within the limits of the
    /// settings.
    pub fn new(
        templates: Arc<Templates>,
        path: PathAndQuery,
        settings: &SearchSettings,
    ) -> Result<Self, SchemaError> {
        let operations = templates.operations().iter();
        let called = operations.filter(|it| it.kind != OperationKind::Subscription);
        let callable = called.filter(|operation| operation.is_callable(&settings.genes));
        let callable: Vec<TemplateId> = callable.map(|operation| operation.id).collect();
        if callable.is_empty() {
            let first = "its arguments nest deeper than the limit on input depth".to_owned();
            return Err(SchemaError::NoUsableOperation {
                count: templates.operations().len(),
                first,
            });
        }
        let targets = templates.operations().iter();
        let targets =
            targets.map(|operation| OperationTargets::new(&operation.coordinate)).collect();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let accepted = "application/graphql-response+json, application/json;q=0.9";
        headers.insert(ACCEPT, HeaderValue::from_static(accepted));
        let oracles: Vec<Box<dyn Oracle>> = vec![Box::new(ServerError)];
        let links = Links::new(&templates);
        let argument_types = argument_types(&templates);
        Ok(Self {
            templates,
            targets,
            callable,
            oracles,
            path,
            headers,
            max_size: settings.max_size.max(1),
            is_black_box: false,
            users: 0,
            scalars: ScalarExamples::new(),
            argument_types,
            links,
            checks: CheckSettings::NONE,
            sql: None,
        })
    }

    /// Lets tests begin with rows of these tables.
    #[must_use]
    pub fn with_sql(mut self, tables: Option<SqlTables>) -> Self {
        self.sql = tables;
        self
    }

    /// Searches by what responses show, since no driver tells of the code behind them; with the
    /// usual checks.
    #[must_use]
    pub fn black_box(mut self) -> Self {
        self.is_black_box = true;
        self.checks = CheckSettings::default();
        self
    }

    /// Makes these checks.
    #[must_use]
    pub fn with_checks(mut self, checks: CheckSettings) -> Self {
        self.checks = checks;
        self
    }

    /// Lets calls be made by so many users, those of the evaluator's
    /// [`Authenticator`](crate::Authenticator), and without credentials.
    #[must_use]
    pub fn with_users(mut self, users: usize) -> Self {
        self.users = u16::try_from(users).unwrap_or(u16::MAX);
        self
    }

    /// Calls subscriptions too; the evaluator's transport must be a
    /// [`SubscriptionTransport`](super::SubscriptionTransport).
    #[must_use]
    pub fn with_subscriptions(mut self, settings: &GeneSettings) -> Self {
        let operations = self.templates.operations().iter();
        let streams = operations.filter(|it| it.kind == OperationKind::Subscription);
        let callable = streams.filter(|operation| operation.is_callable(settings));
        self.callable.extend(callable.map(|operation| operation.id));
        self
    }

    /// The document of a call, and the values of its variables.
    #[must_use]
    pub fn document(
        &self,
        action: &GraphqlAction,
        style: Style,
    ) -> (String, serde_json::Map<String, serde_json::Value>) {
        let operation = &self.templates.operations()[action.template.0 as usize];
        form::document(&self.templates, operation, action, style)
    }

    /// Values that a custom scalar takes, by its name.
    #[must_use]
    pub fn with_scalars(mut self, scalars: BTreeMap<String, Vec<String>>) -> Self {
        self.scalars = scalars;
        self
    }

    /// Leaves out the operations that the filter does not allow.
    ///
    /// # Errors
    /// [`SchemaError::NoUsableOperation`] when none is left.
    pub fn with_filter(mut self, filter: &OperationFilter) -> Result<Self, SchemaError> {
        let templates = Arc::clone(&self.templates);
        let allows = |id: &TemplateId| {
            templates
                .operation(*id)
                .is_some_and(|operation| filter.allows(templates.schema(), operation))
        };
        let count = self.callable.len();
        self.callable.retain(allows);
        if self.callable.is_empty() {
            let first = "the filters and the guard of mutations leave none".to_owned();
            return Err(SchemaError::NoUsableOperation { count, first });
        }
        Ok(self)
    }

    /// Adds an oracle to the built-in ones.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Box<dyn Oracle>) -> Self {
        self.oracles.push(oracle);
        self
    }

    /// Operations that can be called within the limits of the settings.
    #[must_use]
    pub fn callable(&self) -> &[TemplateId] {
        &self.callable
    }

    /// The templates of the operations.
    #[must_use]
    pub fn templates(&self) -> &Arc<Templates> {
        &self.templates
    }

    /// Path that requests go to.
    #[must_use]
    pub fn path(&self) -> &PathAndQuery {
        &self.path
    }

    /// The oracles, built-in ones first.
    #[must_use]
    pub fn oracles(&self) -> &[Box<dyn Oracle>] {
        &self.oracles
    }

    fn random_call(&self, learnt: &Learnt<GraphqlMemory>, draw: &mut Draw) -> GraphqlAction {
        let mut template = self.callable[draw.rng.below(self.callable.len())];
        let is_stream =
            self.templates.operations()[template.0 as usize].kind == OperationKind::Subscription;
        // A stream on which nothing happens costs its whole time.
        if is_stream && learnt.memory.is_silent(template) && draw.rng.chance(0.95) {
            template = self.callable[draw.rng.below(self.callable.len())];
        }
        self.call(template, learnt, draw)
    }

    /// Whether answers are worth remembering.
    fn remembers(&self) -> bool {
        self.is_black_box || !self.links.is_empty()
    }

    /// The sweep that a run begins with: stage, operation and user of a test, by its number.
    fn sweep(&self, number: u64) -> Option<(u64, TemplateId, Option<u16>)> {
        let order: Vec<TemplateId> = if self.is_black_box {
            let callable = |id: &&TemplateId| self.callable.binary_search(id).is_ok();
            self.links.order().iter().filter(callable).copied().collect()
        } else {
            self.callable.clone()
        };
        let users: Vec<Option<u16>> = if self.users == 0 {
            vec![None]
        } else {
            (0..self.users).map(Some).chain([None]).collect()
        };
        let (operations, callers) = (order.len() as u64, users.len() as u64);
        let stage = number / (operations * callers);
        let place = number % (operations * callers);
        let template = order[(place % operations) as usize];
        Some((stage, template, users[(place / operations) as usize]))
    }
}

/// Name of the type of each argument and input field, by coordinate.
fn argument_types(templates: &Templates) -> HashMap<String, Arc<str>> {
    let schema = templates.schema();
    let mut types = HashMap::new();
    let name = |input: &InputValue| Arc::clone(&schema.definition(input.type_ref.named()).name);
    for (id, definition) in schema.types() {
        for field in schema.fields(id) {
            for argument in &schema.field(field).arguments {
                let coordinate = format!("{}({}:)", schema.coordinate(field), argument.name);
                types.insert(coordinate, name(argument));
            }
        }
        if let TypeKind::InputObject { fields, .. } = &definition.kind {
            for field in fields {
                types.insert(format!("{}.{}", definition.name, field.name), name(field));
            }
        }
    }
    types
}

impl Problem for GraphqlProblem {
    type Action = GraphqlAction;
    type Memory = GraphqlMemory;

    fn fingerprint(&self) -> u64 {
        let types = self.templates.schema().types().map(|(_, definition)| definition);
        let types = Fingerprint::of(types);
        Fingerprint::of([types, Fingerprint::of(&self.callable)])
    }

    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        let row = self.sql.as_ref().and_then(|tables| tables.spec(template));
        row.unwrap_or_else(|| self.spec(self.callable[0]))
    }

    fn initialise(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        self.sql.as_ref()?.initialise(test, &learnt.memory.sql, draw)
    }

    fn repair_initialisation(
        &self,
        individual: &mut Individual<GraphqlAction>,
        _: &Learnt<GraphqlMemory>,
    ) {
        match &self.sql {
            Some(tables) => tables.repair(individual),
            None => individual.set_initialisation(Vec::new()),
        }
    }

    fn wants_follow_ups(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
    ) -> bool {
        self.sql.is_some() && SqlTables::wants(test, &learnt.memory.sql)
    }

    fn template_name(&self, template: TemplateId) -> String {
        let operation = self.templates.operations().get(template.0 as usize);
        operation.map(|operation| operation.coordinate.to_string()).unwrap_or_default()
    }

    fn template_named(&self, name: &str) -> Option<TemplateId> {
        let mut operations = self.templates.operations().iter();
        operations.find(|operation| *operation.coordinate == *name).map(|operation| operation.id)
    }

    fn stands_alone(&self, target: &TargetName) -> bool {
        target.as_str().starts_with("fault:")
    }

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.templates.operations()[template.0 as usize].spec.clone()
    }

    fn sample(&self, learnt: &Learnt<GraphqlMemory>, draw: &mut Draw) -> Individual<GraphqlAction> {
        if self.checks != CheckSettings::NONE
            && draw.rng.chance(CHECKED)
            && let Some(test) = self.check_test(learnt, draw)
        {
            return test;
        }
        if !self.links.is_empty() && self.max_size > 1 && draw.rng.chance(CHAINED) {
            let call = self.random_call(learnt, draw);
            return self.chain(call, learnt, draw);
        }
        // A call by itself tells as much as in a row where there is no state, and costs one.
        let is_single = self.max_size == 1 || draw.rng.chance(SINGLE_CALL);
        let size = if is_single { 1 } else { 2 + draw.rng.below(self.max_size - 1) };
        let mut individual = Individual::new([]);
        for _ in 0..size {
            let call = self.random_call(learnt, draw);
            let form = self.some_form(&call, learnt, draw);
            individual.push(call.written(form));
        }
        individual
    }

    /// The first sweep (graphql.md 7): each operation with as little as possible, then each with
    /// all arguments, texts tainted so that what they are compared with is learnt at once; by each
    /// user. Without a driver a third one follows, in which calls before it give what an operation
    /// needs.
    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        let (stage, template, user) = self.sweep(number)?;
        let settings = Arc::clone(&draw.settings);
        match stage {
            0 => {
                let gene = simplest(&self.spec(template), &draw.settings);
                let mut action = GraphqlAction::new(template, gene).by(user);
                self.improve(&mut action, learnt, draw);
                Some(Individual::new([action]))
            }
            1 => {
                let full = GeneSettings {
                    absent: 0.0,
                    null: 0.0,
                    taint_start: 1.0,
                    ..(*draw.settings).clone()
                };
                draw.settings = Arc::new(full);
                let gene = sample(&self.spec(template), template, &learnt.knowledge, draw);
                draw.settings = settings;
                let mut action = GraphqlAction::new(template, gene).by(user);
                self.improve(&mut action, learnt, draw);
                Some(Individual::new([action]))
            }
            2 if self.is_black_box && !self.links.is_empty() => {
                let action = self.call(template, learnt, draw);
                Some(self.chain(GraphqlAction { user, ..action }, learnt, draw))
            }
            _ => None,
        }
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> bool {
        let size = individual.actions().len();
        let must_shrink = size >= self.max_size;
        if must_shrink && size == 1 {
            return false;
        }
        if size > 1 && (must_shrink || draw.rng.chance(0.5)) {
            individual.remove(draw.rng.below(size));
        } else {
            let call = self.random_call(learnt, draw);
            individual.insert(draw.rng.below(size + 1), call);
        }
        true
    }

    /// The same test with each constant that one of its texts was compared with. The other texts
    /// stay, so that a tainted one shows what it is compared with behind the constant.
    fn follow_ups(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<GraphqlAction>> {
        let mut follow_ups = Vec::new();
        if let Some(tables) = &self.sql {
            follow_ups.extend(tables.follow_ups(test, &learnt.memory.sql, draw));
        }
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            for (place, path, specialisation) in uses_in(&test.individual, text_use) {
                if follow_ups.len() == MOST_FOLLOW_UPS {
                    return follow_ups;
                }
                let spec = |template| self.spec(template);
                let found = (place, &path, &specialisation);
                follow_ups.extend(with_text(
                    &test.individual,
                    found,
                    &learnt.knowledge,
                    spec,
                    draw,
                ));
            }
        }
        follow_ups
    }

    fn learn(&self, test: &Evaluated<GraphqlAction>, learnt: &mut Learnt<GraphqlMemory>) {
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            learn_text_use(text_use, &test.individual, learnt);
        }
        if let Some(tables) = &self.sql {
            tables.learn(test, &mut learnt.memory.sql);
        }
        if self.remembers() {
            learnt.memory.note_checks(&test.individual);
            let calls = test.outcomes.iter().enumerate().map(|(place, outcome)| {
                let action = bound_action(&test.individual, place, &test.outcomes);
                let answer = Answer::of(outcome, action.form);
                (action, answer)
            });
            let calls: Vec<_> = calls.collect();
            for (action, answer) in &calls {
                if let Some(answer) = answer {
                    learnt.memory.note(action, answer, &self.templates, &self.links);
                }
            }
            learnt.memory.note_order(&calls, &self.templates);
        }
    }
}

/// Attaches a use to every text of the test that has the tainted value: values travel between
/// calls through the state of the service, so the call that shows the use need not have sent it.
fn learn_text_use(
    text_use: &TextUse,
    individual: &Individual<GraphqlAction>,
    learnt: &mut Learnt<GraphqlMemory>,
) {
    for (place, path, specialisation) in uses_in(individual, text_use) {
        let template = individual.actions()[place].1.template;
        learnt.knowledge.learn(template, &path, specialisation);
    }
}

impl Action for GraphqlAction {
    type Outcome = HttpOutcome;

    fn template(&self) -> TemplateId {
        self.template
    }

    fn set_template(&mut self, template: TemplateId) -> bool {
        self.template = template;
        true
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wallace_engine::SearchSettings;
    use wallace_genes::Specialisation;

    use super::*;
    use crate::graphql::Schema;
    use crate::http::HttpResponse;

    /// `type Query { title(sex: String, title: String): String }`.
    fn problem() -> GraphqlProblem {
        let argument = |name: &str| {
            format!(r#"{{"name":"{name}","type":{{"kind":"SCALAR","name":"String"}}}}"#)
        };
        let answer = format!(
            r#"{{"__schema":{{"queryType":{{"name":"Query"}},"types":[
                {{"kind":"SCALAR","name":"String"}},
                {{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[{{"name":"title",
                  "args":[{},{}],"type":{{"kind":"SCALAR","name":"String"}}}}]}}]}}}}"#,
            argument("sex"),
            argument("title")
        );
        let schema = Schema::from_introspection(answer.as_bytes()).unwrap();
        let templates = Arc::new(Templates::new(Arc::new(schema)).unwrap());
        let path = PathAndQuery::from_static("/graphql");
        GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap()
    }

    fn constant(text: &str) -> Specialisation {
        Specialisation::Constant(text.into())
    }

    #[test]
    fn each_constant_is_followed_up_in_the_test_that_showed_it() {
        let problem = problem();
        let tainted = "_EM_5_XYZ_";
        let gene = Gene::Tuple(vec![Gene::text("male"), Gene::text(tainted)]);
        let individual = Individual::new([GraphqlAction::new(TemplateId(0), gene)]);
        let use_of = |text: &str| TextUse {
            tainted: tainted.to_lowercase(),
            specialisation: constant(text),
        };
        let response = HttpResponse { status: 200, ..HttpResponse::default() };
        let text_uses = vec![use_of("mr"), use_of("sir")];
        let outcome = HttpOutcome { text_uses, ..HttpOutcome::new(Ok(response)) };
        let test = evaluated(&problem, individual, outcome);
        let mut learnt = Learnt::default();
        problem.learn(&test, &mut learnt);
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let follow_ups = problem.follow_ups(&test, &learnt, &mut draw);
        let genes: BTreeSet<String> = follow_ups
            .iter()
            .map(|follow_up| {
                let action = &follow_up.actions()[0].1;
                problem.templates.render(
                    &problem.templates.operations()[0],
                    &action.gene,
                    Style::Compact,
                )
            })
            .collect();
        let expected =
            ["mr", "sir"].map(|title| format!(r#"query{{title(sex:"male",title:"{title}")}}"#));
        assert_eq!(genes, BTreeSet::from(expected.map(|text| text.replace(", ", ","))));
    }

    /// The test as the engine would hold it, by running it through a search of one evaluation.
    fn evaluated(
        problem: &GraphqlProblem,
        individual: Individual<GraphqlAction>,
        outcome: HttpOutcome,
    ) -> Evaluated<GraphqlAction> {
        use wallace_engine::{Budget, Evaluation, Proposal, Search, SearchEvent};
        let mut seen = None;
        let mut observer = |event: &SearchEvent<'_, GraphqlAction>| {
            if let SearchEvent::Evaluated { test, .. } = event {
                seen = Some((*test).clone());
            }
        };
        let mut search = Search::new(problem, SearchSettings::default(), Budget::evaluations(1));
        search.observe(&mut observer);
        let proposal = search.propose().unwrap();
        let proposal = Proposal { individual, ..proposal };
        search.commit(proposal, Ok(Evaluation::new(Vec::new(), vec![outcome]))).unwrap();
        drop(search);
        seen.expect("the evaluation was told")
    }
}
