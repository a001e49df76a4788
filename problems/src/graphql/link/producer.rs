//! Producers: operations whose answers lead to what an argument wants.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wallace_genes::{Gene, GeneSettings, GeneSpec, SpecId, TemplateId, simplest};

use crate::graphql::schema::{FieldId, OperationKind, Schema, TypeId, TypeKind, Wrapper};
use crate::graphql::template::{OperationTemplate, SelectionMember, Templates};

/// An operation whose answer leads to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Producer {
    pub(crate) operation: TemplateId,
    /// The fields from what the operation returns to the value.
    pub(crate) path: Vec<FieldId>,
    pub(crate) is_mutation: bool,
}

/// Most objects on the way from the answer to the value.
const DEPTH: usize = 3;
/// Most types looked at for one operation.
const TYPES: usize = 40;
/// Most producers kept of one key.
const MOST: usize = 24;

/// Producers of all keys `Type.field` that are wanted.
pub(super) fn producers(
    templates: &Templates,
    wanted: &BTreeSet<String>,
) -> BTreeMap<String, Vec<Producer>> {
    let schema = templates.schema();
    let mut found: BTreeMap<String, Vec<Producer>> = BTreeMap::new();
    // Streams are slow, and give what comes and not what is wanted.
    let operations = templates.operations().iter();
    for operation in operations.filter(|it| it.kind != OperationKind::Subscription) {
        let returned = schema.returned(operation.field);
        for (id, way) in reached(schema, returned) {
            for field in schema.fields(id) {
                let definition = schema.field(field);
                let key = schema.coordinate(field);
                if !wanted.contains(&key) || definition.needs_arguments() {
                    continue;
                }
                let path = way.iter().copied().chain([field]).collect();
                let is_mutation = operation.kind == OperationKind::Mutation;
                let producer = Producer { operation: operation.id, path, is_mutation };
                found.entry(key).or_default().push(producer);
            }
        }
    }
    // The shortest way first: what an operation is about stands near its root.
    for known in found.values_mut() {
        known.sort_by_key(|producer| producer.path.len());
        known.truncate(MOST);
    }
    found
}

/// Object types that lie in an answer, each with the shortest way to it.
fn reached(schema: &Schema, returned: TypeId) -> Vec<(TypeId, Vec<FieldId>)> {
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([(returned, Vec::new())]);
    let mut found = Vec::new();
    while let Some((id, way)) = open.pop_front() {
        if !seen.insert(id) || found.len() == TYPES {
            continue;
        }
        if way.len() < DEPTH {
            for field in schema.fields(id) {
                let definition = schema.field(field);
                let below = definition.type_ref.named();
                let is_free = !definition.needs_arguments();
                let kind = &schema.definition(below).kind;
                if is_free && matches!(kind, TypeKind::Object { .. } | TypeKind::Interface { .. }) {
                    open.push_back((below, way.iter().copied().chain([field]).collect()));
                }
            }
        }
        // What is one of several types has the fields of each, in its fragments.
        if let TypeKind::Union { .. } = schema.definition(id).kind {
            let members = schema.definition(id).possible_types().iter();
            members.for_each(|member| open.push_back((*member, way.clone())));
        }
        found.push((id, way));
    }
    found
}

/// Selects the fields of a way in a call, where they are not selected yet. Returns the JSON
/// pointer to the value in the answer, in the first element of every list.
pub(crate) fn select(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &mut Gene,
    path: &[FieldId],
    settings: &GeneSettings,
) -> Option<String> {
    let schema = templates.schema();
    let mut pointer = operation.names().fold("/data".to_owned(), |way, name| way + "/" + name);
    push_lists(schema, operation.field, &mut pointer);
    let mut spec = operation.spec.id();
    let mut at = gene;
    for field in path {
        (spec, at) = enter(templates, spec, at)?;
        if let Some(fragment) = fragment_for(templates, spec, *field) {
            (spec, at) = take(templates, spec, at, fragment, settings)?;
            (spec, at) = enter(templates, spec, at)?;
        }
        let position = member_for(templates, spec, *field)?;
        (spec, at) = take(templates, spec, at, position, settings)?;
        pointer.push('/');
        pointer.push_str(&schema.field(*field).name);
        push_lists(schema, *field, &mut pointer);
    }
    Some(pointer)
}

/// Selects a member, where it is not selected yet.
pub(crate) fn take<'g>(
    templates: &Templates,
    selection: SpecId,
    gene: &'g mut Gene,
    position: u32,
    settings: &GeneSettings,
) -> Option<(SpecId, &'g mut Gene)> {
    let GeneSpec::Object(object) = templates.graph().spec(selection) else { return None };
    let below = object.fields.get(position as usize)?.spec;
    let Gene::Object(selected) = gene else { return None };
    if selected.get(position).is_none() {
        let value = simplest(&templates.spec_at(templates.present(below)), settings);
        if value.is_placeholder() {
            return None;
        }
        selected.set(position, value);
    }
    Some((below, selected.get_mut(position)?))
}

/// Position of the field in a selection; an interface's field stands for its objects'.
fn member_for(templates: &Templates, selection: SpecId, field: FieldId) -> Option<u32> {
    let schema = templates.schema();
    let members = templates.members(selection).iter();
    let found = members.enumerate().find(|(_, member)| {
        matches!(member, SelectionMember::Field(id) if *id == field
            || (schema.field(*id).name == schema.field(field).name
                && schema.definition(id.owner).possible_types().contains(&field.owner)))
    });
    found.map(|(position, _)| position as u32)
}

/// Position of the fragment that holds a field, when the selection itself does not.
fn fragment_for(templates: &Templates, selection: SpecId, field: FieldId) -> Option<u32> {
    if member_for(templates, selection, field).is_some() {
        return None;
    }
    let mut members = templates.members(selection).iter();
    let place = members.position(|member| *member == SelectionMember::Fragment(field.owner))?;
    Some(place as u32)
}

fn push_lists(schema: &Schema, field: FieldId, pointer: &mut String) {
    let wrappers = schema.field(field).type_ref.wrappers();
    for _ in wrappers.iter().filter(|wrapper| **wrapper == Wrapper::List) {
        pointer.push_str("/0");
    }
}

/// The selection of a field: behind an optional value, at the end of a tuple.
pub(crate) fn enter<'g>(
    templates: &Templates,
    spec: SpecId,
    gene: &'g mut Gene,
) -> Option<(SpecId, &'g mut Gene)> {
    let selection = templates.selection_of(spec)?;
    match gene {
        Gene::Tuple(elements) => Some((selection, elements.last_mut()?)),
        gene => Some((selection, gene)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::graphql::link::Links;
    use crate::graphql::render::Style;

    #[test]
    fn what_one_of_several_types_gives_is_selected_in_its_fragment() {
        let sdl = "type Query { thing(id: ID!): Thing }
            type Mutation { createThing: Created } union Created = Taken | Thing
            type Taken { message: String } type Thing { name: String id: ID! }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let maker = templates.operations().iter().find(|it| *it.name == *"createThing").unwrap();
        let nearest = links.nearest(maker.id);
        let [producer] = &nearest[..] else { panic!("{nearest:?}") };
        let settings = GeneSettings::default();
        let mut gene = simplest(&maker.spec, &settings);
        let pointer = select(&templates, maker, &mut gene, &producer.path, &settings);
        assert_eq!(pointer.as_deref(), Some("/data/createThing/id"));
        let document = templates.render(maker, &gene, Style::Compact);
        assert_eq!(document, "mutation{createThing{... on Thing{name id} __typename}}");
    }

    #[test]
    fn the_shortest_ways_are_kept_whichever_operations_come_first() {
        let far: String = (0..2 * MOST).map(|number| format!("far{number}: Holder ")).collect();
        let sdl = format!(
            "type Query {{ {far} thing(id: ID!): Thing things: [Thing] }}
            type Holder {{ thing: Thing }} type Thing {{ id: ID! }}"
        );
        let templates = Templates::new(Arc::new(Schema::from_sdl(&sdl).unwrap())).unwrap();
        let links = Links::new(&templates);
        let known = links.producers("Thing.id");
        let names: Vec<&str> =
            known.iter().map(|it| &*templates.operations()[it.operation.0 as usize].name).collect();
        assert_eq!((names.len(), &names[..2]), (MOST, &["thing", "things"][..]));
    }
}
