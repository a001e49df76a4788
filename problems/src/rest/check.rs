//! Checks: tests that ask for more about what a test showed.
//!
//! Each is the test with some calls after it, made so that an oracle over the whole test can tell
//! right from wrong: the same call again, the call that reads what was written, the same call by
//! somebody else.

use std::sync::Arc;

use http::Method;
use wallace_engine::{ActionId, Evaluated, Individual, Learnt};
use wallace_genes::{Draw, Gene, GenePath, GeneSpec, TemplateId};

use super::action::{RestAction, Twist};
use super::description::ParameterPlace;
use super::learn::payload_key;
use super::oracle::{ORIGIN, Payload, STALE};
use super::problem::{RestMemory, RestProblem};
use super::template::Templates;

/// Most checks after one test, without a driver.
const MOST_CHECKS: usize = 6;
/// Most other listed values that are tried after one test.
const MOST_LISTED: usize = 6;
/// Most verbs that are tried although they are not documented.
const MOST_VERBS: usize = 400;
/// Probability of a check after one test of an operation that worked often, or with a driver.
const RARE_CHECK: f64 = 0.1;

impl RestProblem {
    /// A plan for the operation with one of the checks after it, whatever comes of the plan.
    pub(super) fn checked_plan(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        let plan = self.plan(id, learnt, draw);
        let Some((last, action)) = plan.actions().last().cloned() else { return plan };
        let (base, tag, found) = (&plan, None, Vec::new());
        let checks = Checks { problem: self, learnt, base, last, tag, found };
        let mut kinds = checks.kinds(&action, true, draw);
        if kinds.is_empty() {
            return plan;
        }
        let mut kind = kinds.swap_remove(draw.rng.below(kinds.len()));
        kind.swap_remove(draw.rng.below(kind.len()))
    }

    pub(super) fn checks(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<RestAction>> {
        let last = test.outcomes.len().wrapping_sub(1);
        if test.individual.actions().get(last).is_none() {
            return Vec::new();
        }
        // What only takes back what the test made is not what it is about.
        let place = if draw.rng.chance(0.5) { last } else { self.subject(&test.individual, last) };
        let mut base = test.individual.clone();
        while base.actions().len() > place + 1 {
            base.remove(place + 1);
        }
        let id = &test.individual.actions()[place].0;
        self.renew(&mut base, learnt, draw);
        let action = &RestAction::clone(&base.actions()[place].1);
        let Some(status) = test.outcomes[place].status() else { return Vec::new() };
        if action.twist.is_some() || base.size() + 1 >= self.max_size {
            return Vec::new();
        }
        let response = test.outcomes[place].response.as_ref().ok();
        let tag = response.and_then(|response| response.header("etag"));
        let checks =
            Checks { problem: self, learnt, base: &base, last: *id, tag, found: Vec::new() };
        let mut kinds = checks.kinds(action, (200..300).contains(&status), draw);
        let mut chosen = Vec::new();
        // One of each kind in turn, so that none is crowded out.
        while chosen.len() < self.most_checks(action.template, learnt, draw) && !kinds.is_empty() {
            let index = draw.rng.below(kinds.len());
            let mut kind = kinds.swap_remove(index);
            let mut check = kind.swap_remove(draw.rng.below(kind.len()));
            self.clean(&mut check, learnt, draw);
            chosen.push(check);
        }
        chosen
    }

    /// Samples anew what is created, where no driver takes back what was created before: much can
    /// be there only once.
    fn renew(
        &self,
        base: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) {
        if self.is_white_box {
            return;
        }
        for place in 0..base.actions().len() {
            let action = RestAction::clone(&base.actions()[place].1);
            if action.twist.is_none() && self.is_creation(action.template) {
                let fresh = self.call(action.template, learnt, draw);
                base.action_mut(place).gene = self.about(&action, fresh.gene);
            }
        }
    }

    /// The gene with the placeholders of the path as an earlier call of the operation has them.
    fn about(&self, action: &RestAction, mut gene: Gene) -> Gene {
        if let (Gene::Tuple(elements), Gene::Tuple(known)) = (&mut gene, &action.gene) {
            for need in self.resources.needs(action.template) {
                let index = need.parameter as usize;
                if let (Some(element), Some(known)) = (elements.get_mut(index), known.get(index)) {
                    *element = known.clone();
                }
            }
        }
        gene
    }

    /// A verb that a path does not document, after whatever the path needs.
    pub(super) fn at_other_verb(
        &self,
        number: usize,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let (id, verb) = self.other_verbs.get(number)?;
        let mut plan = self.plan(*id, learnt, draw);
        let (last, action) = plan.actions().last().cloned()?;
        let twist = Some(Box::new(Twist::Verb((*verb).to_owned())));
        self.push_about(&mut plan, RestAction { twist, ..RestAction::clone(&action) }, last);
        Some(plan)
    }

    /// How many checks follow one test: the fewer, the more often the operation worked before.
    fn most_checks(&self, id: TemplateId, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> usize {
        if self.is_white_box {
            return usize::from(draw.rng.chance(RARE_CHECK));
        }
        match learnt.memory.record.get(&id).map_or(0, |record| record.fruitful) {
            0..4 => MOST_CHECKS,
            4..8 => MOST_CHECKS / 2,
            _ => usize::from(draw.rng.chance(RARE_CHECK)),
        }
    }
}

impl RestProblem {
    /// Whether the call has a body of one of some documented media types.
    fn has_closed_media_types(&self, action: &RestAction) -> bool {
        let operation = self.templates.operation(action.template);
        let has_range = operation.bodies.iter().any(|body| body.media_type.contains('*'));
        !has_range && self.templates.values(action.template, &action.gene).body.is_some()
    }
}

/// The verbs that each path does not document; those that may change something only where that is
/// wanted. Each with the operation that reads the path, or else any of it.
pub(super) fn other_verbs(
    templates: &Templates,
    callable: &[TemplateId],
    has_changes: bool,
) -> Vec<(TemplateId, &'static str)> {
    let mut found = Vec::new();
    let mut seen: Vec<Arc<str>> = Vec::new();
    for id in callable {
        let path = &templates.operation(*id).path;
        if seen.contains(path) {
            continue;
        }
        seen.push(Arc::clone(path));
        let all = &templates.description().operations;
        let known: Vec<&str> = all
            .iter()
            .filter(|other| other.path == *path)
            .map(|other| other.method.as_str())
            .collect();
        let here = callable.iter().filter(|id| templates.operation(**id).path == *path);
        let read = here.copied().find(|id| templates.operation(*id).method == Method::GET);
        let mut verbs = vec!["OPTIONS"];
        if has_changes {
            verbs.extend(["POST", "PUT", "PATCH", "DELETE"]);
        }
        let verbs = verbs.into_iter().filter(|verb| !known.contains(verb));
        found.extend(verbs.map(|verb| (read.unwrap_or(*id), verb)));
        if found.len() > MOST_VERBS {
            break;
        }
    }
    found
}

struct Checks<'c> {
    problem: &'c RestProblem,
    learnt: &'c Learnt<RestMemory>,
    base: &'c Individual<RestAction>,
    last: ActionId,
    /// Entity tag of the answer of the last call, where that is known.
    tag: Option<&'c str>,
    found: Vec<Individual<RestAction>>,
}

impl Checks<'_> {
    /// All checks that fit the last call, by what they are about; none of the lists is empty.
    fn kinds(
        mut self,
        action: &RestAction,
        is_success: bool,
        draw: &mut Draw,
    ) -> Vec<Vec<Individual<RestAction>>> {
        let mut kinds = Vec::new();
        let problem = self.problem;
        if is_success {
            match problem.templates.operation(action.template).method {
                Method::PUT => self.after_put(action, draw),
                Method::DELETE => self.after_delete(draw),
                Method::GET => self.after_get(action, draw),
                Method::POST => {
                    self.after_post(action, draw);
                    kinds.extend(self.found.drain(..).map(|member| vec![member]));
                }
                _ => {}
            }
            kinds.push(std::mem::take(&mut self.found));
            if problem.templates.operation(action.template).method == Method::POST {
                self.failed_creations(action, draw);
                kinds.push(std::mem::take(&mut self.found));
            }
            self.conditions(action, draw);
            kinds.push(std::mem::take(&mut self.found));
            self.other_values(action, draw);
            // Each for itself, so that all come soon.
            kinds.extend(self.found.drain(..).map(|walk| vec![walk]));
            self.other_callers(action, draw);
            kinds.push(std::mem::take(&mut self.found));
        }
        if problem.oracles.wants(102) {
            self.invalid(action, draw);
            kinds.push(std::mem::take(&mut self.found));
        }
        if problem.oracles.settings().security {
            self.callbacks(action, draw);
            kinds.push(std::mem::take(&mut self.found));
            self.injections(action, draw);
            kinds.push(std::mem::take(&mut self.found));
        }
        kinds.retain(|kind| !kind.is_empty());
        kinds
    }

    fn call(&self, id: TemplateId, caller: Option<u16>, draw: &mut Draw) -> RestAction {
        let mut call = self.problem.call(id, self.learnt, draw);
        call.caller = caller;
        call
    }

    /// Written twice, read after each; written with less, then read.
    fn after_put(&mut self, action: &RestAction, draw: &mut Draw) {
        let read = self.problem.here(action.template, &Method::GET);
        let mut twice = self.base.clone();
        self.read(&mut twice, read, action, draw);
        self.problem.push_about(&mut twice, action.clone(), self.last);
        self.read(&mut twice, read, action, draw);
        self.found.push(twice);
        let Some(read) = read else { return };
        for is_full in [true, false] {
            let mut less = self.base.clone();
            if is_full {
                let mut full = self.call(action.template, action.caller, draw);
                full.gene = self.problem.about(action, self.full_gene(action.template, draw));
                self.problem.push_about(&mut less, full, self.last);
                self.read(&mut less, Some(read), action, draw);
            }
            let mut small = action.clone();
            let spec = &self.problem.templates.template(action.template).spec;
            small.gene = wallace_genes::simplest(spec, &draw.settings);
            small.gene = self.problem.templates.dressed(
                action.template,
                small.gene,
                &self.learnt.memory.pool,
                draw,
            );
            small.gene = self.problem.about(action, small.gene);
            self.problem.push_about(&mut less, small, self.last);
            self.read(&mut less, Some(read), action, draw);
            self.found.push(less);
        }
    }

    /// The test up to the last call, and that replaced.
    fn with_last(&self, call: RestAction) -> Individual<RestAction> {
        let mut test = self.base.clone();
        let place = test.position(self.last).unwrap_or(0);
        while test.actions().len() > place + 1 {
            test.remove(place + 1);
        }
        *test.action_mut(place) = call;
        test.repair_bindings();
        test
    }

    /// A call with everything that is optional.
    fn full_gene(&self, id: TemplateId, draw: &mut Draw) -> Gene {
        let settings = std::sync::Arc::clone(&draw.settings);
        let full = wallace_genes::GeneSettings { absent: 0.0, null: 0.0, ..(*settings).clone() };
        draw.settings = std::sync::Arc::new(full);
        let (knowledge, pool) = (&self.learnt.knowledge, &self.learnt.memory.pool);
        let gene = self.problem.templates.sample(id, knowledge, pool, draw);
        draw.settings = settings;
        gene
    }

    fn read(
        &self,
        plan: &mut Individual<RestAction>,
        read: Option<TemplateId>,
        action: &RestAction,
        draw: &mut Draw,
    ) {
        if let Some(read) = read {
            let call = self.call(read, action.caller, draw);
            self.problem.push_about(plan, call, self.last);
        }
    }

    /// Read after it was deleted, by whoever may.
    fn after_delete(&mut self, draw: &mut Draw) {
        let place = self.base.position(self.last).unwrap_or(0);
        let action = self.base.actions()[place].1.clone();
        let Some(read) = self.problem.here(action.template, &Method::GET) else { return };
        let mut gone = self.base.clone();
        self.read(&mut gone, Some(read), &action, draw);
        self.found.push(gone);
    }

    /// Read twice; neighbouring pages.
    fn after_get(&mut self, action: &RestAction, draw: &mut Draw) {
        let mut twice = self.base.clone();
        self.problem.push_about(&mut twice, action.clone(), self.last);
        self.found.push(twice);
        if let Some(pages) = self.pages(action, draw) {
            self.found.push(pages);
        }
    }

    /// The first page, the second, and the first again.
    fn pages(&self, action: &RestAction, draw: &mut Draw) -> Option<Individual<RestAction>> {
        let template = self.problem.templates.template(action.template);
        let parameters = &self.problem.templates.operation(action.template).parameters;
        let named = |names: &[&str]| {
            parameters.iter().position(|parameter| {
                parameter.place == ParameterPlace::Query
                    && names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
            })
        };
        let offset = named(&["offset", "skip", "start"])?;
        let limit = named(&["limit", "size", "count", "pageSize", "per_page"])?;
        let length = 2 + draw.rng.below(3) as i64;
        let page = |from: i64| {
            let mut gene = wallace_genes::simplest(&template.spec, &draw.settings);
            if let (Gene::Tuple(elements), GeneSpec::Tuple(tuple)) =
                (&mut gene, template.spec.spec())
            {
                for (index, value) in [(offset, from), (limit, length)] {
                    let spec = self.problem.templates.present(tuple.elements[index].spec);
                    elements[index] = self.problem.templates.gene(spec, &value.into())?;
                }
            }
            Some(RestAction { gene, ..action.clone() })
        };
        Some(Individual::new([page(0)?, page(length)?, page(0)?]))
    }

    /// Failed creations under a name of their own; members that are not documented.
    fn after_post(&mut self, action: &RestAction, draw: &mut Draw) {
        for member in self.problem.oracles.hidden_members(self.problem, action.template) {
            let mut more = self.base.clone();
            let place = more.position(self.last).unwrap_or(0);
            // Unique members must not be in the way of the second creation.
            let mut call = self.call(action.template, action.caller, draw);
            let (name, value) = member;
            call.twist = Some(Box::new(Twist::Member { name, value }));
            more.insert(place + 1, call);
            self.found.push(more);
        }
    }

    /// Reads again what the caller has already, and changes what it knows of an older state, where
    /// things have entity tags; reads as a page of another origin would.
    fn conditions(&mut self, action: &RestAction, draw: &mut Draw) {
        let with = |name: &str, value: &str| {
            let (name, value) = (name.to_owned(), value.to_owned());
            let twist = Some(Box::new(Twist::Header { name, value }));
            RestAction { twist, ..action.clone() }
        };
        let problem = self.problem;
        let method = &problem.templates.operation(action.template).method;
        let mut base = self.base.clone();
        if *method == Method::GET {
            if problem.oracles.settings().security && problem.oracles.wants(966) {
                let mut foreign = base.clone();
                problem.push_about(&mut foreign, with("origin", ORIGIN), self.last);
                self.found.push(foreign);
            }
            if let Some(tag) = self.tag {
                problem.push_about(&mut base, with("if-none-match", tag), self.last);
                self.found.push(base);
            }
            return;
        }
        let read = problem.here(action.template, &Method::GET);
        if let Some(read) = read.filter(|read| self.learnt.memory.tagged.contains(read))
            && matches!(*method, Method::PUT | Method::PATCH)
        {
            self.read(&mut base, Some(read), action, draw);
            problem.push_about(&mut base, with("if-match", STALE), self.last);
            self.found.push(base);
        }
    }

    /// The same call on the same thing with each other listed value: what goes through states does
    /// so by what is listed.
    fn other_values(&mut self, action: &RestAction, draw: &mut Draw) {
        let operation = self.problem.templates.operation(action.template);
        if operation.method.is_safe() || self.problem.resources.needs(action.template).is_empty() {
            return;
        }
        let mut others = Vec::new();
        for (path, count) in self.problem.templates.listed_values(action.template, &action.gene) {
            let now = path.find(&action.gene).cloned();
            let values = (0..count).map(Gene::Enum).filter(|value| Some(value) != now.as_ref());
            others.extend(values.map(|value| (path.clone(), value)));
        }
        while !others.is_empty() && self.found.len() < MOST_LISTED {
            let (path, value) = others.swap_remove(draw.rng.below(others.len()));
            let mut call = action.clone();
            let Some(part) = path.find_mut(&mut call.gene) else { continue };
            *part = value;
            let mut walk = self.base.clone();
            if self.problem.push_about(&mut walk, call, self.last).is_some() {
                self.found.push(walk);
            }
        }
    }

    /// A creation that may fail, between two readings of the name that it chooses.
    fn failed_creations(&mut self, action: &RestAction, draw: &mut Draw) {
        for _ in 0..3 {
            let mut call = self.call(action.template, action.caller, draw);
            call.gene = self.full_gene(action.template, draw);
            let Some((read, name)) = self.problem.chosen_name(&call) else { return };
            let mut gene = self.call(read, action.caller, draw);
            if !self.problem.set_name(&mut gene, &name) {
                return;
            }
            self.found.push(Individual::new([gene.clone(), call, gene]));
        }
    }

    /// The same chain with its last call made by nobody, and by each other user, who also tries
    /// what else can be done with the thing.
    fn other_callers(&mut self, action: &RestAction, draw: &mut Draw) {
        let operation = self.problem.templates.operation(action.template);
        if !operation.declares_security() {
            return;
        }
        let place = self.base.position(self.last).unwrap_or(0);
        if action.caller.is_some() {
            let mut nobody = self.base.clone();
            nobody.action_mut(place).caller = None;
            self.found.push(nobody);
        }
        let path = operation.path.clone();
        for user in 0..self.problem.users.min(4) {
            if Some(user) == action.caller {
                continue;
            }
            let mut other = self.base.clone();
            let siblings: Vec<TemplateId> = self.problem.resources.about(&path).collect();
            for sibling in siblings {
                let method = &self.problem.templates.operation(sibling).method;
                let is_wanted =
                    matches!(*method, Method::GET | Method::PUT | Method::PATCH | Method::DELETE);
                if is_wanted && other.size() < self.problem.max_size {
                    let mut call = self.call(sibling, Some(user), draw);
                    if sibling == action.template {
                        call.gene = action.gene.clone();
                    }
                    self.problem.push_about(&mut other, call, self.last);
                }
            }
            self.found.push(other);
        }
    }

    /// The last call with one rule broken, several times.
    fn invalid(&mut self, action: &RestAction, draw: &mut Draw) {
        let place = self.base.position(self.last).unwrap_or(0);
        if self.problem.oracles.settings().security && self.problem.has_closed_media_types(action) {
            let mut wrong = self.base.clone();
            let twist = Twist::MediaType("application/x-wallace".to_owned());
            wrong.action_mut(place).twist = Some(Box::new(twist));
            self.found.push(wrong);
        }
        for _ in 0..4 {
            let mut wrong = self.base.clone();
            wrong.action_mut(place).gene = action.gene.clone();
            while wrong.actions().len() > place + 1 {
                wrong.remove(place + 1);
            }
            if self.problem.break_last(&mut wrong, self.learnt, draw) {
                self.found.push(wrong);
            }
        }
    }

    /// The call with nothing optional but what holds the text: filters would hide what it does.
    fn only(&self, id: TemplateId, full: &Gene, path: &wallace_genes::GenePath) -> Gene {
        let spec = &self.problem.templates.template(id).spec;
        let mut gene = full.clone();
        if let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (spec.spec(), &mut gene) {
            for (index, (field, element)) in tuple.elements.iter().zip(elements).enumerate() {
                let is_optional = matches!(spec.graph().spec(field.spec), GeneSpec::Optional(_));
                let holds = path.0.first() == Some(&wallace_genes::PathStep::Field(index as u32));
                if is_optional && !holds {
                    *element = Gene::Absent;
                }
            }
        }
        gene
    }

    /// The address of our own listener in each value of the last call that names a place.
    fn callbacks(&mut self, action: &RestAction, draw: &mut Draw) {
        if self.problem.callback.is_none() || !self.problem.oracles.wants(202) {
            return;
        }
        let gene = self.problem.about(action, self.full_gene(action.template, draw));
        let places = self.problem.templates.addresses(action.template, &gene);
        for (parameter, pointer) in places.into_iter().take(4) {
            let twist = Some(Box::new(Twist::Callback { parameter, pointer }));
            let test = self.with_last(RestAction { gene: gene.clone(), twist, ..action.clone() });
            self.found.push(test);
        }
    }

    /// Payloads in each text of the last call: those that were sent least so far.
    fn injections(&mut self, action: &RestAction, draw: &mut Draw) {
        let mut paths = Vec::new();
        let full = self.problem.about(action, self.full_gene(action.template, draw));
        full.visit_texts(&mut |path, _| paths.push(path.clone()));
        let sent = self.learnt.memory.violations.get(&action.template);
        let times = |path: &GenePath, payload: Payload| {
            sent.and_then(|sent| sent.get(&payload_key(path, payload))).copied().unwrap_or(0)
        };
        paths.truncate(6);
        let all = || paths.iter().flat_map(|path| Payload::ALL.map(|payload| (path, payload)));
        let least = all().map(|(path, payload)| times(path, payload)).min().unwrap_or(0);
        for path in &paths {
            let full = self.only(action.template, &full, path);
            for payloads in Payload::ALL.into_iter().filter(|it| times(path, *it) == least) {
                let mut test: Option<Individual<RestAction>> = None;
                for text in payloads.texts() {
                    let mut call = RestAction { gene: full.clone(), ..action.clone() };
                    if let Some(gene) = path.find_mut(&mut call.gene) {
                        *gene = Gene::text(*text);
                    }
                    match &mut test {
                        None => test = Some(self.with_last(call)),
                        Some(test) => {
                            self.problem.push_about(test, call, self.last);
                        }
                    }
                }
                self.found.extend(test);
            }
        }
    }
}
