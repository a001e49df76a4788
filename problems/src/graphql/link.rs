//! Links between operations: which response values may feed which arguments.
//!
//! A producer is an operation whose answer leads to a field that identifies something; a consumer
//! is an argument that wants it. They are matched by type and field, then by words, then by any id
//! (docs/reference/graphql.md#producers). The graph of operations that follows orders create before
//! use before delete.

mod account;
mod argument;
mod list;
mod name;
mod producer;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use petgraph::graph::{DiGraph, NodeIndex};
use serde_json::Value;
use wallace_genes::TemplateId;

use super::schema::{OperationKind, TypeId, Wrapper};
use super::scope::argument_name;
use super::site::Site;
use super::template::{OperationTemplate, Templates};
use crate::auth::is_log_out;
use crate::word::words;
use list::Lists;
use name::TypeNames;

pub(crate) use argument::{ArgumentSource, Purpose, is_id, object_key};
pub(crate) use producer::{Producer, enter, select, take};

/// Most values that the first call of an operation asks for because arguments want them.
const MOST_NEAREST: usize = 5;

/// Words of operations that end a thing.
const DELETING: [&str; 6] = ["delete", "remove", "destroy", "drop", "purge", "erase"];

/// What an operation does to the thing it is about, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// Makes one.
    Create,
    /// Reads, or something else.
    Use,
    /// Changes one.
    Update,
    /// Ends one.
    Delete,
}

/// Links of a schema.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// What may feed an argument, by coordinate; those that nothing feeds are left out.
    arguments: HashMap<String, ArgumentSource>,
    /// Keys under which response values are kept, by `Type.field`.
    wanted: BTreeSet<String>,
    /// Operations whose answers lead to a field, by `Type.field`.
    producers: BTreeMap<String, Vec<Producer>>,
    /// Queries that read one thing by its key, and the position of the argument.
    readers: BTreeMap<String, Vec<(TemplateId, usize)>>,
    /// Queries that show names.
    lists: Lists,
    /// Operations that make accounts, by those that log into them.
    accounts: BTreeMap<TemplateId, Vec<TemplateId>>,
    effects: Vec<Effect>,
    resources: Vec<Option<TypeId>>,
    ended: Vec<Option<TypeId>>,
    order: Vec<TemplateId>,
}

impl Links {
    /// The links among the operations.
    pub(crate) fn new(templates: &Templates) -> Self {
        let schema = templates.schema();
        let names = TypeNames::new(templates);
        let operations = templates.operations();
        let effects: Vec<Effect> = operations.iter().map(effect).collect();
        let resources = operations.iter().map(|operation| names.resource(schema, operation));
        let resources = resources.collect();
        let ended = operations.iter().map(|operation| names.ended(operation)).collect();
        let mut links = Self { effects, resources, ended, ..Self::default() };
        links.arguments = argument::sources(templates, &names, &links.resources);
        for source in links.arguments.values() {
            links.wanted.extend(source.keys.iter().cloned());
        }
        links.producers = producer::producers(templates, &links.wanted);
        links.readers = links.readers_of(templates);
        links.order = links.ordered(templates);
        links.lists = Lists::new(templates);
        links.accounts = account::makers(templates);
        links
    }

    /// Whether nothing feeds anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.arguments.is_empty()
    }

    /// What may feed the argument at a coordinate.
    pub(crate) fn source(&self, coordinate: &str) -> Option<&ArgumentSource> {
        self.arguments.get(coordinate)
    }

    /// What may feed a value by the words of its name: a name that a query lists, or what feeds the
    /// argument at its coordinate.
    pub(crate) fn source_of(&self, site: &Site<'_>, operation: &str) -> Option<ArgumentSource> {
        let known = self.source(site.coordinate);
        if known.is_some_and(|known| known.purpose != Purpose::Same) {
            return known.cloned();
        }
        let name = argument_name(site.coordinate);
        let mut keys = self.lists.keys(name, site.holder, operation);
        if keys.is_empty() {
            return known.cloned();
        }
        keys.extend(known.into_iter().flat_map(|known| known.keys.iter().cloned()));
        Some(ArgumentSource { purpose: Purpose::Named, keys })
    }

    /// The names that the answer of a query shows, each with the key that it is kept under.
    pub(crate) fn names<'v>(
        operation: &OperationTemplate,
        value: &'v Value,
    ) -> Vec<(String, &'v Value)> {
        list::shown(operation, value)
    }

    /// Whether values are kept under a key.
    pub(crate) fn is_wanted(&self, key: &str) -> bool {
        self.wanted.contains(key)
    }

    /// Operations that give values of a key.
    pub(crate) fn producers(&self, key: &str) -> &[Producer] {
        self.producers.get(key).map_or(&[], Vec::as_slice)
    }

    /// The shortest ways from the answer of an operation to values that some argument wants.
    pub(crate) fn nearest(&self, operation: TemplateId) -> Vec<&Producer> {
        let all = self.producers.values().flatten();
        let own: Vec<&Producer> = all.filter(|it| it.operation == operation).collect();
        let shortest = own.iter().map(|it| it.path.len()).min();
        let nearest = own.into_iter().filter(|it| Some(it.path.len()) == shortest);
        nearest.take(MOST_NEAREST).collect()
    }

    /// Queries that read one thing by its key, with the position of the argument.
    pub(crate) fn readers(&self, key: &str) -> &[(TemplateId, usize)] {
        self.readers.get(key).map_or(&[], Vec::as_slice)
    }

    /// Keys by which some query reads one thing.
    pub(crate) fn readable_keys(&self) -> impl Iterator<Item = &str> {
        self.readers.keys().map(String::as_str)
    }

    fn readers_of(&self, templates: &Templates) -> BTreeMap<String, Vec<(TemplateId, usize)>> {
        let schema = templates.schema();
        let mut readers: BTreeMap<String, Vec<(TemplateId, usize)>> = BTreeMap::new();
        for operation in templates.operations() {
            if operation.kind != OperationKind::Query {
                continue;
            }
            let returned = schema.returned(operation.field);
            let prefix = format!("{}.", schema.definition(returned).name);
            for (position, argument) in schema.field(operation.field).arguments.iter().enumerate() {
                let coordinate = format!("{}({}:)", operation.field_coordinate, argument.name);
                let source = self.source(&coordinate).filter(|it| it.purpose == Purpose::Id);
                let key = source.and_then(|source| source.keys.first());
                let is_list = argument.type_ref.wrappers().contains(&Wrapper::List);
                if let Some(key) = key.filter(|key| key.starts_with(&prefix) && !is_list) {
                    readers.entry(key.clone()).or_default().push((operation.id, position));
                }
            }
        }
        readers
    }

    /// What the operation does.
    pub(crate) fn effect(&self, operation: TemplateId) -> Effect {
        self.effects[operation.0 as usize]
    }

    /// Operations that make the accounts which an operation logs into.
    pub(crate) fn account_makers(&self, login: TemplateId) -> &[TemplateId] {
        self.accounts.get(&login).map_or(&[], Vec::as_slice)
    }

    /// The type of the thing that the operation is about, where its name or its answer says so.
    pub(crate) fn resource(&self, operation: TemplateId) -> Option<TypeId> {
        self.resources[operation.0 as usize]
    }

    /// The type of the things that the operation ends, where its name is that of a type.
    pub(crate) fn ended(&self, operation: TemplateId) -> Option<TypeId> {
        self.ended[operation.0 as usize]
    }

    /// All operations, producers before consumers and deletion last, as far as cycles allow.
    pub(crate) fn order(&self) -> &[TemplateId] {
        &self.order
    }

    /// The graph of operations: an edge leads from each producer to each consumer.
    fn graph(&self, templates: &Templates) -> DiGraph<TemplateId, ()> {
        let mut graph = DiGraph::new();
        let nodes: Vec<NodeIndex> =
            templates.operations().iter().map(|operation| graph.add_node(operation.id)).collect();
        for operation in templates.operations() {
            for coordinate in argument::coordinates(templates, operation) {
                let Some(source) = self.source(&coordinate) else { continue };
                let keys = source.keys.iter().filter(|_| source.purpose == Purpose::Id);
                for producer in keys.flat_map(|key| self.producers(key)) {
                    let (from, to) = (producer.operation, operation.id);
                    if from != to && self.effect(from) != Effect::Delete {
                        graph.update_edge(nodes[from.0 as usize], nodes[to.0 as usize], ());
                    }
                }
            }
        }
        graph
    }

    /// Kahn's order over the graph, cycles broken at the operation with the fewest open needs.
    fn ordered(&self, templates: &Templates) -> Vec<TemplateId> {
        let graph = self.graph(templates);
        let mut needs: Vec<usize> = graph
            .node_indices()
            .map(|node| graph.neighbors_directed(node, petgraph::Incoming).count())
            .collect();
        let rank = |id: TemplateId| self.effect(id) == Effect::Delete;
        let mut open: BTreeSet<(bool, usize, TemplateId)> = graph
            .node_indices()
            .map(|node| (rank(graph[node]), needs[node.index()], graph[node]))
            .collect();
        let mut order = Vec::with_capacity(open.len());
        while let Some((_, _, next)) = open.pop_first() {
            order.push(next);
            for consumer in graph.neighbors(NodeIndex::new(next.0 as usize)) {
                let (id, count) = (graph[consumer], needs[consumer.index()]);
                if open.remove(&(rank(id), count, id)) {
                    needs[consumer.index()] = count - 1;
                    open.insert((rank(id), count - 1, id));
                }
            }
        }
        order
    }
}

fn effect(operation: &OperationTemplate) -> Effect {
    if operation.kind != OperationKind::Mutation {
        return Effect::Use;
    }
    effect_of(&operation.full_name)
}

/// What a mutation does, by its name.
pub(crate) fn effect_of(name: &str) -> Effect {
    let words = words(name);
    let is_any = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
    match () {
        () if is_any(&DELETING) => Effect::Delete,
        // What ends a login belongs behind everything that needs one.
        () if is_any(&["logout", "signout", "logoff", "revoke", "deactivate", "terminate"])
            || words.windows(2).any(is_log_out) =>
        {
            Effect::Delete
        }
        () if is_any(&[
            "create", "add", "new", "register", "insert", "make", "checkout", "open",
        ]) =>
        {
            Effect::Create
        }
        () if is_any(&[
            "update",
            "edit",
            "set",
            "change",
            "patch",
            "rename",
            "move",
            "transition",
        ]) =>
        {
            Effect::Update
        }
        () => Effect::Use,
    }
}
