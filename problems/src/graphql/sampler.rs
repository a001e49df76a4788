//! Sampling of calls and tests: random values, guesses, values seen earlier, and calls that went
//! well before.

use wallace_engine::{Binding, BindingSource, Individual, Learnt};
use wallace_genes::{
    Draw, Gene, GenePath, GeneSpec, ObjectGene, SpecId, TemplateId, collect_sites, mutate, sample,
    simplest,
};

use super::action::{Form, GraphqlAction};
use super::link::{ArgumentSource, Effect, Producer, Purpose, select};
use super::memory::GraphqlMemory;
use super::problem::GraphqlProblem;
use super::schema::{OperationKind, TypeId, TypeKind};
use super::site::visit_sites;
use super::template::{OperationTemplate, SelectionMember};
use crate::binding::put_scalar;

/// Share of calls that start from one that went well before.
const FROM_EXAMPLE: f64 = 0.4;
/// Share of calls without credentials, where there are users.
const ANONYMOUS: f64 = 0.05;
/// Share of calls that start from one that went well of which one argument is set to an edge.
const BOUNDARY: f64 = 0.5;
/// Share of calls in another form than the plain one.
const OTHER_FORM: f64 = 0.15;
/// Share of chains for what makes something that begin with what it may need to be there.
const PREPARED: f64 = 0.4;
/// Most producers before a call.
const CHAIN: usize = 3;

/// An argument that a value seen earlier may fill.
pub(crate) struct Need {
    pub(crate) path: GenePath,
    pub(crate) source: ArgumentSource,
}

impl GraphqlProblem {
    /// A call with random values, guesses, and values seen earlier.
    pub(crate) fn call(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> GraphqlAction {
        if self.is_black_box
            && let Some(known) = self.varied_example(template, learnt, draw)
        {
            return known;
        }
        let spec = &self.templates.operations()[template.0 as usize].spec;
        let gene = sample(spec, template, &learnt.knowledge, draw);
        let mut action =
            GraphqlAction::new(template, gene).by(self.some_user(template, learnt, draw));
        self.improve(&mut action, learnt, draw);
        action
    }

    /// A call that went well, with a few of its genes changed.
    fn varied_example(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<GraphqlAction> {
        let memory = learnt.memory.operation(template)?;
        if memory.examples.is_empty() || !draw.rng.chance(FROM_EXAMPLE) {
            return None;
        }
        let example = &memory.examples[draw.rng.below(memory.examples.len())];
        let mut action = GraphqlAction::new(template, example.gene.clone()).by(example.user);
        let spec = &self.templates.operations()[template.0 as usize].spec;
        // Where the rest is as it was, the edge is what the answer is about.
        let is_boundary = draw.rng.chance(BOUNDARY);
        let changes = if is_boundary { 0 } else { draw.rng.below(3) };
        for _ in 0..changes {
            let mut weights = Vec::new();
            collect_sites(spec, &action.gene, &mut weights);
            if !weights.is_empty() {
                let site = draw.rng.below(weights.len());
                mutate(spec, template, &mut action.gene, &[site], &learnt.knowledge, draw);
            }
        }
        if is_boundary {
            self.put_boundary(&mut action, draw);
        }
        // What went well with one thing may be refused the second time.
        if draw.rng.chance(if is_boundary { 0.8 } else { 0.5 }) {
            self.fill_from_pool(&mut action, learnt, draw, if is_boundary { 1.0 } else { 0.5 });
        }
        if draw.rng.chance(0.1) {
            action.user = self.some_user(template, learnt, draw);
        }
        Some(action)
    }

    /// Puts a value at the edge of what is usual into one argument: where the rest is right, this
    /// is what shows whether it is checked.
    fn put_boundary(&self, action: &mut GraphqlAction, draw: &mut Draw) {
        const NUMBERS: [i32; 7] = [0, -1, 1, 100, 1_000, 10_000, i32::MAX];
        let operation = &self.templates.operations()[action.template.0 as usize];
        let mut places = Vec::new();
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            // What identifies something only finds nothing at its edge.
            let is_id =
                self.links.source(site.coordinate).is_some_and(|it| it.purpose == Purpose::Id);
            if matches!(site.gene, Gene::String(_) | Gene::Integer(_)) && !is_id {
                places.push(site.path.clone());
            }
        });
        let Some(path) = places.get(draw.rng.below(places.len().max(1))) else { return };
        let number = NUMBERS[draw.rng.below(NUMBERS.len())];
        if let Some(place) = path.find_mut(&mut action.gene) {
            *place = match place {
                Gene::Integer(_) => Gene::Integer(number),
                _ => Gene::text(""),
            };
        }
        let spec = &operation.spec;
        wallace_genes::repair(spec, &mut action.gene, &draw.settings);
    }

    /// Guesses and values seen earlier in place of random ones, and `__typename` where the type
    /// of an object is open.
    pub(crate) fn improve(
        &self,
        action: &mut GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) {
        if self.is_black_box {
            self.guess_values(action, draw);
            self.select_typenames(action);
        }
        self.fill_from_pool(action, learnt, draw, 1.0);
    }

    fn guess_values(&self, action: &mut GraphqlAction, draw: &mut Draw) {
        let operation = &self.templates.operations()[action.template.0 as usize];
        let graph = operation.spec.graph();
        let mut guesses = Vec::new();
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            if matches!(site.gene, Gene::Absent | Gene::Null | Gene::Boolean(_)) {
                return;
            }
            let spec = graph.spec(site.spec);
            if !matches!(
                spec,
                GeneSpec::String(_) | GeneSpec::Integer(_) | GeneSpec::Long(_) | GeneSpec::Float(_)
            ) {
                return;
            }
            if let Some(guess) = self.guess_at(site.coordinate, spec, draw) {
                guesses.push((site.path.clone(), guess));
            }
        });
        for (path, guess) in guesses {
            if let Some(place) = path.find_mut(&mut action.gene) {
                *place = guess;
            }
        }
    }

    /// What people would give for the argument at a coordinate, or nothing.
    pub(crate) fn guess_at(
        &self,
        coordinate: &str,
        spec: &GeneSpec,
        draw: &mut Draw,
    ) -> Option<Gene> {
        let (name, scalar) = self.scalar_at(coordinate);
        super::hint::guess(name, scalar, spec, &self.scalars, &mut draw.rng)
    }

    /// Name of the argument at a coordinate, and of its scalar.
    fn scalar_at<'a>(&'a self, coordinate: &'a str) -> (&'a str, &'a str) {
        let name = coordinate.rsplit(['.', '(']).next().unwrap_or_default();
        let name = name.trim_end_matches(":)");
        let scalar = self.argument_types.get(coordinate);
        (name, scalar.map_or("String", |scalar| scalar))
    }

    /// The arguments of a call that values seen earlier may fill.
    pub(crate) fn needs(&self, action: &GraphqlAction) -> Vec<Need> {
        let mut needs = Vec::new();
        if self.links.is_empty() {
            return needs;
        }
        let operation = &self.templates.operations()[action.template.0 as usize];
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            let is_leaf = matches!(
                site.gene,
                Gene::String(_) | Gene::Integer(_) | Gene::Long(_) | Gene::Float(_)
            );
            if let Some(source) = self.links.source(site.coordinate).filter(|_| is_leaf) {
                needs.push(Need { path: site.path.clone(), source: source.clone() });
            }
        });
        needs
    }

    /// Puts values seen earlier into arguments: ids mostly, others seldom.
    fn fill_from_pool(
        &self,
        action: &mut GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
        share: f64,
    ) {
        for need in self.needs(action) {
            let probability = match need.source.purpose {
                Purpose::Id => 0.8,
                Purpose::Cursor => 0.4,
                Purpose::Scalar => 0.6,
                Purpose::Same => 0.2,
            };
            if draw.rng.chance(probability * share) {
                put_from_pool(&mut action.gene, &need, &learnt.memory, draw);
            }
        }
    }

    /// How a call is written and sent: mostly plainly, at times in a form that means the same. Forms
    /// that a service need not understand are taken once it answered one.
    pub(crate) fn some_form(
        &self,
        call: &GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Form {
        if !self.is_black_box || !draw.rng.chance(OTHER_FORM) {
            return Form::Literals;
        }
        let kind = self.templates.operations()[call.template.0 as usize].kind;
        let is_offered = |form: &Form| match form {
            // What changes something must not be asked for twice.
            Form::Get | Form::Twice | Form::Batched => {
                kind == OperationKind::Query && learnt.memory.offers(*form)
            }
            _ => kind != OperationKind::Subscription && learnt.memory.may_offer(*form),
        };
        let beside = self.beside(call, &learnt.memory, draw).filter(is_offered);
        let forms = Form::EQUIVALENT.into_iter().filter(is_offered).chain(beside);
        let forms: Vec<Form> = forms.collect();
        forms.get(draw.rng.below(forms.len().max(1))).copied().unwrap_or_default()
    }

    /// The form in which a query stands beside another one, which went well for the same user and
    /// needs no arguments.
    pub(crate) fn beside(
        &self,
        call: &GraphqlAction,
        memory: &GraphqlMemory,
        draw: &mut Draw,
    ) -> Option<Form> {
        let operations = self.templates.operations();
        let is_query = |id: TemplateId| operations[id.0 as usize].kind == OperationKind::Query;
        let is_free = |id: TemplateId| {
            let field = self.templates.schema().field(operations[id.0 as usize].field);
            !field.arguments.iter().any(|argument| argument.is_required())
        };
        if !is_query(call.template) {
            return None;
        }
        let others = self.callable.iter().copied().filter(|other| {
            let known = memory.operation(*other).map(|known| known.user(call.user));
            *other != call.template
                && is_query(*other)
                && is_free(*other)
                && known.is_some_and(|known| known.successes > 0)
        });
        let others: Vec<TemplateId> = others.collect();
        others.get(draw.rng.below(others.len().max(1))).copied().map(Form::Beside)
    }

    /// Who calls: mostly a user with whom the operation went well, at times any.
    pub(crate) fn some_user(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<u16> {
        if self.users == 0 || draw.rng.chance(ANONYMOUS) {
            return None;
        }
        let memory = learnt.memory.operation(template);
        let weight = |user: u16| {
            let known = memory.map(|memory| memory.user(Some(user))).unwrap_or_default();
            f64::from(known.successes + 1) / f64::from(known.calls + 2) + 0.05
        };
        let weights: Vec<f64> = (0..self.users).map(weight).collect();
        draw.rng.weighted(&weights).map(|user| user as u16)
    }

    /// The user with whom the operation goes best.
    pub(crate) fn best_user(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
    ) -> Option<u16> {
        let memory = learnt.memory.operation(template);
        let users = (0..self.users).map(Some).chain([None]);
        users.max_by_key(|user| {
            let known = memory.map(|memory| memory.user(*user)).unwrap_or_default();
            // Of equals the first; nobody only where it is best.
            (
                known.successes * 1_000 / known.calls.max(1),
                std::cmp::Reverse(user.unwrap_or(u16::MAX)),
            )
        })?
    }

    /// A test whose last call has what it needs from calls before it: ids of things that were just
    /// made or listed.
    pub(crate) fn chain(
        &self,
        action: GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Individual<GraphqlAction> {
        let mut test = Individual::new([]);
        let is_creation = self.links.effect(action.template) == Effect::Create;
        if self.is_black_box && is_creation && draw.rng.chance(PREPARED) {
            self.prepare(&mut test, &action, learnt, draw);
        }
        self.append(&mut test, action, CHAIN, learnt, draw);
        test
    }

    /// Appends a call after producers of what it needs; `depth` bounds producers of producers.
    pub(crate) fn append(
        &self,
        test: &mut Individual<GraphqlAction>,
        mut action: GraphqlAction,
        depth: usize,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> wallace_engine::ActionId {
        let mut bindings = Vec::new();
        for need in self.needs(&action) {
            let is_id = matches!(need.source.purpose, Purpose::Id | Purpose::Cursor);
            let is_known = put_from_pool(&mut action.gene, &need, &learnt.memory, draw);
            let wants = if is_known { 0.5 } else { 1.0 };
            let consumer = (action.template, action.user);
            // What is taken out of a thing is best asked of the thing.
            let wants = if self.holder(consumer.0, &need).is_some() { 0.9 } else { wants };
            if is_id
                && depth > 0
                && test.actions().len() + 1 < self.max_size
                && draw.rng.chance(wants)
                && let Some(source) = self.produce(test, (consumer, &need), depth - 1, learnt, draw)
            {
                bindings.push((source, need.path));
            }
        }
        let id = test.push(action);
        for (source, path) in bindings {
            test.bind(Binding { source, action: id, path });
        }
        id
    }

    /// The type that an operation takes something of another type out of, or changes it in: what
    /// holds the thing that is needed.
    pub(crate) fn holder(&self, consumer: TemplateId, need: &Need) -> Option<TypeId> {
        let is_change = matches!(self.links.effect(consumer), Effect::Update | Effect::Delete);
        let holder = self.links.resource(consumer).filter(|_| is_change)?;
        let own = format!("{}.", self.templates.schema().definition(holder).name);
        let key = need.source.keys.first()?;
        (need.source.purpose == Purpose::Id && !key.starts_with(&own)).then_some(holder)
    }

    /// A call that gives what is needed, appended unless there is one already.
    fn produce(
        &self,
        test: &mut Individual<GraphqlAction>,
        ((consumer, user), need): ((TemplateId, Option<u16>), &Need),
        depth: usize,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<BindingSource> {
        let producers: Vec<&Producer> =
            need.source.keys.iter().flat_map(|key| self.links.producers(key)).collect();
        let holder = self.holder(consumer, need);
        let holds = |it: &Producer| {
            let returned = self.templates.operations()[it.operation.0 as usize].field;
            let returned = self.templates.schema().field(returned).type_ref.named();
            let is_held = holder.is_some_and(|holder| {
                returned == holder || it.path.iter().any(|field| field.owner == holder)
            });
            if is_held && !it.is_mutation { 20.0 } else { 1.0 }
        };
        let weights: Vec<f64> =
            producers.iter().map(|it| self.weight(it, learnt) * holds(it)).collect();
        let producer = producers.get(draw.rng.weighted(&weights)?)?;
        let operation = &self.templates.operations()[producer.operation.0 as usize];
        let known =
            test.actions().iter().position(|(_, known)| known.template == producer.operation);
        let place = match known.filter(|_| draw.rng.chance(0.7)) {
            Some(place) => place,
            None => {
                let mut action = self.productive_call(operation, learnt, draw);
                if user.is_some() && draw.rng.chance(0.6) {
                    action.user = user;
                }
                self.append(test, action, depth, learnt, draw);
                test.actions().len() - 1
            }
        };
        let settings = std::sync::Arc::clone(&draw.settings);
        let id = test.actions()[place].0;
        let gene = &mut test.action_mut(place).gene;
        let pointer = select(&self.templates, operation, gene, &producer.path, &settings)?;
        Some(BindingSource::Response { action: id, pointer })
    }

    /// Short ways are likelier, and operations that went well; those that end something are out.
    fn weight(&self, producer: &Producer, learnt: &Learnt<GraphqlMemory>) -> f64 {
        let is_callable = self.callable.binary_search(&producer.operation).is_ok();
        if !is_callable || self.links.effect(producer.operation) == Effect::Delete {
            return 0.0;
        }
        let success = if learnt.memory.has_succeeded(producer.operation) { 4.0 } else { 1.0 };
        let making =
            if self.links.effect(producer.operation) == Effect::Create { 2.0 } else { 1.0 };
        success * making / producer.path.len().max(1) as f64
    }

    /// A call that will probably go well: one that did, or the simplest with guessed values.
    pub(crate) fn productive_call(
        &self,
        operation: &OperationTemplate,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> GraphqlAction {
        let template = operation.id;
        let examples = learnt.memory.operation(template).map_or(&[][..], |memory| &memory.examples);
        if !examples.is_empty() && draw.rng.chance(0.7) {
            let example = &examples[draw.rng.below(examples.len())];
            return GraphqlAction::new(template, example.gene.clone()).by(example.user);
        }
        let gene = simplest(&operation.spec, &draw.settings);
        let user = self.some_user(template, learnt, draw);
        let mut action = GraphqlAction::new(template, gene).by(user);
        self.improve(&mut action, learnt, draw);
        action
    }

    /// Selects `__typename` on everything whose type is open: no judgement without it.
    fn select_typenames(&self, action: &mut GraphqlAction) {
        let operation = &self.templates.operations()[action.template.0 as usize];
        self.typenames_below(operation, operation.spec.id(), &mut action.gene);
    }

    fn typenames_below(&self, operation: &OperationTemplate, spec: SpecId, gene: &mut Gene) {
        let graph = operation.spec.graph();
        let spec = match graph.spec(spec) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => spec,
        };
        match (graph.spec(spec), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) if tuple.has_selection => {
                if let (Some(field), Some(part)) = (tuple.elements.last(), elements.last_mut()) {
                    self.typenames_below(operation, field.spec, part);
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &mut value.fields {
                    if let Some(field) = object.fields.get(*position as usize) {
                        self.typenames_below(operation, field.spec, part);
                    }
                }
                self.select_typename(spec, &object.type_name, value);
            }
            _ => {}
        }
    }

    fn select_typename(&self, selection: SpecId, type_name: &str, value: &mut ObjectGene) {
        let schema = self.templates.schema();
        let is_open = schema.type_named(type_name).is_some_and(|id| {
            matches!(
                schema.definition(id).kind,
                TypeKind::Interface { .. } | TypeKind::Union { .. }
            )
        });
        let members = self.templates.members(selection);
        let place = members.iter().position(|member| *member == SelectionMember::Typename);
        if let (true, Some(place)) = (is_open, place) {
            value.set(place as u32, Gene::Constant);
        }
    }
}

/// Puts a value of the pool where it is needed; of the most trusted key mostly. Returns whether
/// there was one that fits.
pub(crate) fn put_from_pool(
    gene: &mut Gene,
    need: &Need,
    memory: &GraphqlMemory,
    draw: &mut Draw,
) -> bool {
    let known: Vec<_> = need.source.keys.iter().filter_map(|key| memory.pool.get(key)).collect();
    for (index, values) in known.iter().enumerate() {
        let is_last = index + 1 == known.len();
        if is_last || draw.rng.chance(0.95) {
            let value = &values[draw.rng.below(values.len())];
            return put_scalar(gene, &need.path, value);
        }
    }
    false
}
