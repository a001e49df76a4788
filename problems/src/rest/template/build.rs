//! From a description to the shared graph of specifications.
//!
//! A specification is made for each combination of schemas that holds at one position, once.
//! Schemas are met on the way from the operations; each combination gets its place at once and is
//! filled from a queue, so that neither cycles nor long chains need recursion.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use wallace_genes::{
    ChoiceSpec, Field, GeneSpec, ObjectPurpose, ObjectSpec, SpecBuilder, SpecId, SpecRef,
    TemplateId, TupleSpec,
};

use super::{Form, OperationTemplate, Shown, SkippedOperation, Templates};
use crate::rest::description::{Description, Operation, ParameterPlace};
use crate::rest::render::accepted;
use crate::rest::schema::{Additional, Flat, Kind, Kinds, Part, Schema, Schemas};

/// Most specifications; positions met later take any value.
const MOST_SPECS: usize = 2_000_000;
/// Most alternatives of one choice.
const MOST_ALTERNATIVES: usize = 100;

/// Schemas that hold at one position, ascending.
pub(super) type Position = Vec<Part>;

/// Specifications of all positions met so far.
pub(super) struct Build {
    pub(super) schemas: Schemas,
    pub(super) specs: SpecBuilder,
    pub(super) forms: HashMap<SpecId, Form>,
    pub(super) shown: HashMap<SpecId, Shown>,
    known: HashMap<Position, SpecId>,
    pending: Vec<(Position, SpecId)>,
    /// A position that has no value.
    pub(super) never: SpecId,
    pub(super) count: usize,
    /// Whether a schema was met that says more than its specification.
    pub(super) needs_check: bool,
}

pub(super) fn build(description: Arc<Description>) -> Templates {
    let mut build = Build::new(description.schemas.clone());
    let mut roots = Vec::with_capacity(description.operations.len());
    for operation in &description.operations {
        build.needs_check = false;
        let (spec, bodies) = build.call(operation);
        build.fill_pending();
        roots.push((spec, bodies));
    }
    build.finish(description, roots)
}

/// What some specifications have, by their position: it is looked up for every value that is made.
fn by_position<T>(some: impl IntoIterator<Item = (SpecId, T)>, count: usize) -> Vec<Option<T>> {
    let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for (spec, one) in some {
        all[spec.index()] = Some(one);
    }
    all
}

impl Build {
    fn new(schemas: Schemas) -> Self {
        let mut specs = SpecBuilder::new();
        let never = specs.reserve();
        let fields = vec![Field::new("", never)];
        let object = ObjectSpec { type_name: "".into(), purpose: ObjectPurpose::Input, fields };
        specs.fill(never, GeneSpec::Object(object));
        Self {
            schemas,
            specs,
            forms: HashMap::new(),
            shown: HashMap::new(),
            known: HashMap::new(),
            pending: Vec::new(),
            never,
            count: 0,
            needs_check: false,
        }
    }

    fn call(&mut self, operation: &Operation) -> (SpecId, Vec<usize>) {
        let mut elements = Vec::with_capacity(operation.parameters.len() + 1);
        for parameter in &operation.parameters {
            let mut parts = vec![parameter.schema.into()];
            if parameter.place == ParameterPlace::Path {
                // An empty segment is another path.
                parts.push(self.filled_text().into());
            }
            let value = self.position(parts);
            self.show(value, &parameter.examples, None);
            let spec =
                if parameter.is_required { value } else { self.specs.optional(value, false) };
            elements.push(Field::new(Arc::clone(&parameter.name), spec));
        }
        let (bodies, body) = self.body(operation);
        elements.extend(body.map(|body| Field::new("body", body)));
        let tuple = TupleSpec { elements, has_selection: false };
        (self.specs.add(GeneSpec::Tuple(tuple)), bodies)
    }

    fn body(&mut self, operation: &Operation) -> (Vec<usize>, Option<SpecId>) {
        let can_write = |media_type: &str| crate::rest::render::can_write(media_type);
        let bodies = operation.bodies.iter().enumerate();
        let bodies: Vec<usize> = bodies
            .filter(|(_, body)| can_write(&body.media_type))
            .map(|(index, _)| index)
            .collect();
        let mut branches = Vec::with_capacity(bodies.len());
        for index in &bodies {
            let body = &operation.bodies[*index];
            let value = self.position(vec![body.schema.into()]);
            self.show(value, &body.examples, None);
            branches.push(Field::new(Arc::clone(&body.media_type), value));
        }
        if branches.is_empty() {
            return (bodies, None);
        }
        let choice = self.specs.add(GeneSpec::Choice(ChoiceSpec { branches }));
        let is_required = operation.is_body_required;
        (bodies, Some(if is_required { choice } else { self.specs.optional(choice, false) }))
    }

    fn filled_text(&mut self) -> crate::rest::schema::SchemaId {
        let mut schema = Schema::default();
        schema.lengths.text.0 = Some(1);
        self.schemas.add(schema)
    }

    /// Remembers values that the description shows.
    pub(super) fn show(&mut self, spec: SpecId, examples: &[Value], default: Option<&Value>) {
        if examples.is_empty() && default.is_none() {
            return;
        }
        let shown = self.shown.entry(spec).or_default();
        shown.examples.extend(examples.iter().take(20).cloned());
        shown.default = shown.default.take().or_else(|| default.cloned());
    }

    /// The specification of a position where all these schemas hold.
    pub(super) fn position(&mut self, mut parts: Position) -> SpecId {
        parts.sort_unstable();
        parts.dedup_by_key(|part| part.schema);
        if let Some(known) = self.known.get(&parts) {
            return *known;
        }
        self.count += 1;
        if self.count > MOST_SPECS {
            return self.never;
        }
        let spec = self.specs.reserve();
        self.known.insert(parts.clone(), spec);
        self.pending.push((parts, spec));
        spec
    }

    fn fill_pending(&mut self) {
        while let Some((parts, spec)) = self.pending.pop() {
            let flat = self.schemas.flat(&parts);
            self.show(spec, &flat.examples, flat.default.as_ref());
            self.fill(&parts, flat, spec);
        }
    }

    fn fill(&mut self, parts: &Position, mut flat: Flat, spec: SpecId) {
        self.needs_check |= !flat.nots.is_empty() || flat.has_unique_items;
        if flat.is_never {
            let choice = ChoiceSpec { branches: vec![Field::new("", self.never)] };
            return self.specs.fill(spec, GeneSpec::Choice(choice));
        }
        if flat.values.is_some() {
            return self.fill_values(&flat, spec);
        }
        if !flat.choices.is_empty() {
            return self.fill_alternatives(parts, &flat, spec);
        }
        let kinds: Vec<Kind> = kinds(&flat).iter().collect();
        if let [kind] = kinds[..] {
            flat.kinds = Kinds::default().with(kind);
            return self.fill_kind(kind, &flat, spec);
        }
        let mut branches = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let value = self.specs.reserve();
            self.fill_kind(kind, &flat, value);
            branches.push(Field::new(format!("{kind:?}"), value));
        }
        self.specs.fill(spec, GeneSpec::Choice(ChoiceSpec { branches }));
    }

    /// One branch for each alternative of the first open choice; in each, everything else holds.
    fn fill_alternatives(&mut self, parts: &Position, flat: &Flat, spec: SpecId) {
        let choice = &flat.choices[0];
        // Exactly one must hold, and a value may follow two.
        self.needs_check |= choice.decided.is_one_decided && choice.alternatives.len() > 1;
        let mut branches = Vec::new();
        for alternative in choice.alternatives.iter().take(MOST_ALTERNATIVES) {
            let mut chosen: Position =
                parts.iter().filter(|part| part.schema != choice.decided.schema).copied().collect();
            chosen.push(choice.decided);
            if !chosen.iter().any(|part| part.schema == *alternative) {
                chosen.push((*alternative).into());
            }
            if let Some(discriminator) = &choice.discriminator
                && let Some((value, _)) =
                    discriminator.mapping.iter().find(|(_, known)| known == alternative)
            {
                let marker = self.marker(&discriminator.property, value);
                chosen.push(marker.into());
            }
            branches.push(Field::new(format!("{}", branches.len()), self.position(chosen)));
        }
        self.specs.fill(spec, GeneSpec::Choice(ChoiceSpec { branches }));
    }

    /// A schema of objects that have this text as a member.
    fn marker(&mut self, property: &Arc<str>, value: &str) -> crate::rest::schema::SchemaId {
        let value = Schema { values: Some(vec![value.into()]), ..Schema::default() };
        let value = self.schemas.add(value);
        self.schemas.add(Schema {
            kinds: Kinds::default().with(Kind::Object),
            properties: vec![(Arc::clone(property), value)],
            required: vec![Arc::clone(property)],
            additional: Additional::Allowed,
            ..Schema::default()
        })
    }

    fn finish(
        mut self,
        description: Arc<Description>,
        roots: Vec<(SpecId, Vec<usize>)>,
    ) -> Templates {
        let graph = std::mem::take(&mut self.specs).build();
        let mut operations = Vec::with_capacity(roots.len());
        let mut skipped = Vec::new();
        for (index, (spec, bodies)) in roots.into_iter().enumerate() {
            if !graph.cost(spec).is_finite() {
                let operation = Arc::clone(&description.operations[index].id);
                let reason = "something it requires has no value".to_owned();
                skipped.push(SkippedOperation { operation, reason });
                continue;
            }
            let id = TemplateId(operations.len() as u32);
            let spec = SpecRef::new(Arc::clone(&graph), spec);
            let operation = &description.operations[index];
            let is_checked = self.needs_check_below(operation);
            let accept = accepted(operation);
            let operation = index;
            operations.push(OperationTemplate { id, operation, spec, bodies, is_checked, accept });
        }
        let forms = by_position(self.forms, graph.len());
        let shown = self.shown.into_iter().map(|(spec, shown)| (spec, Box::new(shown)));
        let (schemas, shown) = (self.schemas, by_position(shown, graph.len()));
        Templates { description, schemas, graph, operations, skipped, forms, shown }
    }

    /// Whether a schema that the operation can reach says more than its specification does.
    fn needs_check_below(&self, operation: &Operation) -> bool {
        let parameters = operation.parameters.iter().map(|parameter| parameter.schema);
        let mut queue: Vec<_> =
            parameters.chain(operation.bodies.iter().map(|body| body.schema)).collect();
        let mut seen: std::collections::HashSet<_> = queue.iter().copied().collect();
        while let Some(id) = queue.pop() {
            let schema = self.schemas.get(id);
            let is_hard = schema.not.is_some()
                || schema.has_unique_items
                || schema.one_of.len() > 1
                || schema.lengths.members != (None, None);
            if is_hard {
                return true;
            }
            let additional = match schema.additional {
                Additional::Schema(id) => Some(id),
                Additional::Allowed | Additional::Denied => None,
            };
            let below = schema.all_of.iter().chain(&schema.one_of).chain(&schema.any_of);
            let below = below.chain(schema.properties.iter().map(|(_, id)| id));
            let below = below.chain(&schema.items).chain(&schema.first_items).copied();
            for id in below.chain(additional) {
                if seen.insert(id) {
                    queue.push(id);
                }
            }
        }
        false
    }
}

/// The kinds that are sampled: those that are told, or those that the other keywords are about.
fn kinds(flat: &Flat) -> Kinds {
    if flat.kinds.is_told() {
        return flat.kinds;
    }
    let told = Kinds::default();
    if !flat.properties.is_empty() || !flat.required.is_empty() || !flat.additional.is_empty() {
        return told.with(Kind::Object);
    }
    if !flat.items.is_empty() || !flat.first_items.is_empty() || flat.list.0 > 0 {
        return told.with(Kind::List);
    }
    if flat.minimum.is_some() || flat.maximum.is_some() || !flat.multiples.is_empty() {
        return told.with(Kind::Number);
    }
    if !flat.patterns.is_empty() || flat.format.is_some() || flat.text != (0, None) {
        return told.with(Kind::Text);
    }
    told.with(Kind::Text).with(Kind::Integer).with(Kind::Boolean)
}
