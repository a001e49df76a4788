//! From a description to the shared graph of specifications.
//!
//! A specification is made for each combination of schemas that holds at one position, once.
//! Schemas are met on the way from the operations; each combination gets its place at once and is
//! filled from a queue, so that neither cycles nor long chains need recursion.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use wallace_genes::{
    Field, GeneSpec, SpecBuilder, SpecId, SpecRef, TemplateId,
    spec::{ChoiceSpec, Notation, ObjectPurpose, ObjectSpec, TupleSpec},
};

use super::notation::notation;
use super::{OperationTemplate, SkippedOperation, Templates};
use crate::rest::description::{Description, Operation, ParameterPlace};
use crate::rest::render::{accepted, can_write, keeps_structure};
use crate::rest::schema::{Additional, Flat, Kind, Kinds, Part, Schema, Schemas};

/// Most specifications; positions met later take any value.
const MOST_SPECS: usize = 2_000_000;
/// Most alternatives of one choice.
const MOST_ALTERNATIVES: usize = 100;
/// Share of values that are examples, where there are some (docs/reference/rest.md#examples).
const EXAMPLE: f64 = 0.2;
/// Share of values that are the default, where there is one (docs/reference/rest.md#examples).
const DEFAULT: f64 = 0.05;
/// Most examples of one position.
const MOST_EXAMPLES: usize = 20;

/// Schemas that hold at one position, ascending.
pub(super) type Position = Vec<Part>;

/// Specifications of all positions met so far.
pub(super) struct Build {
    pub(super) schemas: Schemas,
    pub(super) specs: SpecBuilder,
    known: HashMap<Position, SpecId>,
    pending: Vec<(Position, SpecId)>,
    /// A position that has no value.
    pub(super) never: SpecId,
    pub(super) count: usize,
    /// How the examples write points in time, where that is not as RFC 3339 asks.
    pub(super) notation: Option<Notation>,
}

pub(super) fn build(description: Arc<Description>) -> Templates {
    let mut build = Build::new(description.schemas.clone());
    build.notation = notation(&description);
    let mut roots = Vec::with_capacity(description.operations.len());
    for operation in &description.operations {
        let (spec, bodies) = build.call(operation);
        build.fill_pending();
        roots.push((spec, bodies));
    }
    build.finish(description, roots)
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
            known: HashMap::new(),
            pending: Vec::new(),
            never,
            count: 0,
            notation: None,
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
            let value = self.seeded(value, &parameter.examples);
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
        let bodies = operation.bodies.iter().enumerate();
        let bodies: Vec<(usize, bool)> = bodies
            .filter(|(_, body)| can_write(&body.media_type))
            .map(|(index, body)| (index, keeps_structure(&body.media_type)))
            .collect();
        let has_structure = bodies.iter().any(|(_, keeps)| *keeps);
        // An object as `text/csv` is what nobody reads, where it can be sent otherwise.
        let is_sent = |(index, keeps): &(usize, bool)| {
            let flat = self.schemas.flat(&[operation.bodies[*index].schema.into()]);
            *keeps || !has_structure || kinds(&flat).allows(Kind::Text)
        };
        let bodies: Vec<usize> =
            bodies.into_iter().filter(is_sent).map(|(index, _)| index).collect();
        let mut branches = Vec::with_capacity(bodies.len());
        for index in &bodies {
            let body = &operation.bodies[*index];
            let value = self.position(vec![body.schema.into()]);
            let value = self.seeded(value, &body.examples);
            branches.push(Field::new(Arc::clone(&body.media_type), value));
        }
        if branches.is_empty() {
            return (bodies, None);
        }
        let has_choice = branches.len() > 1;
        let mut choice = self.specs.add(GeneSpec::Choice(ChoiceSpec { branches }));
        if has_choice {
            choice = self.specs.add(GeneSpec::Disruptive(choice));
        }
        let is_required = operation.is_body_required;
        (bodies, Some(if is_required { choice } else { self.specs.optional(choice, false) }))
    }

    fn filled_text(&mut self) -> crate::rest::schema::SchemaId {
        let mut schema = Schema::default();
        schema.lengths.text.0 = Some(1);
        self.schemas.add(schema)
    }

    /// A specification of which the description shows values.
    fn seeded(&mut self, inner: SpecId, values: &[Value]) -> SpecId {
        if values.is_empty() {
            return inner;
        }
        let seeded = self.specs.reserve();
        self.fill_seeded(seeded, inner, values, EXAMPLE);
        seeded
    }

    /// A place inside `spec` for the values of which the description shows these.
    fn inside_shown(&mut self, flat: &Flat, mut spec: SpecId) -> SpecId {
        let shown = [(flat.examples.as_slice(), EXAMPLE), (flat.default.as_slice(), DEFAULT)];
        for (values, share) in shown.into_iter().filter(|(values, _)| !values.is_empty()) {
            let inner = self.specs.reserve();
            self.fill_seeded(spec, inner, values, share);
            spec = inner;
        }
        spec
    }

    pub(super) fn fill_seeded(
        &mut self,
        spec: SpecId,
        inner: SpecId,
        values: &[Value],
        share: f64,
    ) {
        let values = values.iter().take(MOST_EXAMPLES).cloned().collect();
        self.specs.fill_seeded(spec, inner, values, share);
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
            let spec = self.inside_shown(&flat, spec);
            self.fill(&parts, flat, spec);
        }
    }

    fn fill(&mut self, parts: &Position, mut flat: Flat, spec: SpecId) {
        if flat.is_never {
            return self.fill_never(spec);
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

    /// A position that has no value.
    pub(super) fn fill_never(&mut self, spec: SpecId) {
        self.specs.fill(spec, GeneSpec::Disruptive(self.never));
    }

    /// One branch for each alternative of the first open choice; in each, everything else holds.
    fn fill_alternatives(&mut self, parts: &Position, flat: &Flat, spec: SpecId) {
        let choice = &flat.choices[0];
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
        Templates { description, schemas: self.schemas, graph, operations, skipped }
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
                // Exactly one must hold, and a value may follow two.
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

#[cfg(test)]
mod tests {
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn objects_are_not_sent_as_text_where_they_can_be_sent_otherwise() {
        let sent = |content: &str| {
            let paths = format!("{{/a: {{post: {{requestBody: {{content: {content}}}}}}}}}");
            let problem = problem(&paths, 0);
            problem.templates().template(named(&problem, "POST:/a")).bodies.clone()
        };
        let thing = "{schema: {type: object, properties: {name: {type: string}}}}";
        let (csv, json) = (format!("text/csv: {thing}"), format!("application/json: {thing}"));
        assert_eq!(sent(&format!("{{{csv}, {json}}}")), [1]);
        assert_eq!(sent(&format!("{{{csv}}}")), [0], "there is nothing else");
        let text = "text/plain: {schema: {type: string}}";
        assert_eq!(sent(&format!("{{{text}, {json}}}")), [0, 1]);
    }
}
