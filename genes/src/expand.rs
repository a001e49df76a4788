//! Expanded templates, and pruning what the limits forbid.
//!
//! [`expand`] shows the widest value of a specification: everything optional present, one element
//! per list, placeholders where a limit cuts. The search never needs it, since sampling is lazy;
//! people and tests that ask what an operation can hold do.

use std::sync::Arc;

use crate::draw::Draw;
use crate::gene::{ChoiceGene, Gene, ObjectGene};
use crate::knowledge::{Knowledge, TemplateId};
use crate::settings::GeneSettings;
use crate::spec::{GeneSpec, SpecId, SpecRef};
use crate::walk::Walk;
use crate::wrapper::SeededSpec;

/// The widest value of the specification, with placeholders at its limits.
#[must_use]
pub fn expand(spec: &SpecRef, settings: &GeneSettings) -> Gene {
    with_walk(spec, settings, |walk| walk.widest(spec.id()))
}

/// The simplest valid value of the specification: what is optional left out, the cheapest field
/// selected, numbers 0, texts empty, first names; or a placeholder where there is none.
#[must_use]
pub fn simplest(spec: &SpecRef, settings: &GeneSettings) -> Gene {
    with_walk(spec, settings, |walk| walk.simplest(spec.id()))
}

fn with_walk<T>(
    spec: &SpecRef,
    settings: &GeneSettings,
    run: impl FnOnce(&mut Walk<'_>) -> T,
) -> T {
    let knowledge = Knowledge::default();
    let mut draw = Draw::new(0, 0, Arc::new(settings.clone()));
    run(&mut Walk::new(spec, TemplateId::default(), &knowledge, &mut draw))
}

impl Walk<'_> {
    fn widest(&mut self, id: SpecId) -> Gene {
        match self.graph.spec(id) {
            GeneSpec::Object(object) => match self.placeholder(object) {
                Some(placeholder) => placeholder,
                None => self.enter(id, |walk| {
                    let field = |(position, field): (usize, &crate::Field)| {
                        (position as u32, walk.widest(field.spec))
                    };
                    let fields = object.fields.iter().enumerate().map(field).collect();
                    Gene::Object(ObjectGene { fields })
                }),
            },
            GeneSpec::Optional(optional) => self.widest(optional.inner),
            GeneSpec::Tuple(tuple) => {
                Gene::Tuple(tuple.elements.iter().map(|field| self.widest(field.spec)).collect())
            }
            GeneSpec::Array(array) => {
                let length = array.min.clamp(u32::from(array.max > 0), crate::cost::MOST_PARTS);
                let length = length as usize;
                Gene::Array(vec![self.widest(array.element); length])
            }
            GeneSpec::Choice(choice) => {
                let value = Box::new(self.widest(choice.branches[0].spec));
                Gene::Choice(ChoiceGene { branch: 0, value })
            }
            GeneSpec::UniqueArray(array) => match self.widest(array.element) {
                value if array.min <= 1 && array.max > 0 => Gene::Array(vec![value]),
                _ => self.simplest(id),
            },
            GeneSpec::Map(map) if map.max > 0 && map.min <= 1 => {
                let key = self.simplest(map.key);
                Gene::Map(vec![(key, self.widest(map.value))])
            }
            GeneSpec::Nullable(inner)
            | GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner) => self.widest(*inner),
            _ => self.simplest(id),
        }
    }

    pub(crate) fn simplest(&mut self, id: SpecId) -> Gene {
        if !self.graph.cost(id).is_finite() {
            return Gene::CycleObject;
        }
        match self.graph.spec(id) {
            GeneSpec::Object(object) => self.simplest_object(id, object),
            GeneSpec::Tuple(tuple) => self.simplest_tuple(tuple),
            GeneSpec::Array(array) => self.simplest_array(array),
            GeneSpec::Choice(choice) => self.simplest_choice(choice),
            GeneSpec::UniqueArray(array) => self.simplest_unique_array(array),
            GeneSpec::Map(map) => self.simplest_map(map),
            GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner) => self.simplest(*inner),
            leaf => simplest_leaf(leaf),
        }
    }
}

pub(crate) fn simplest_leaf(spec: &GeneSpec) -> Gene {
    match spec {
        GeneSpec::Optional(_) => Gene::Absent,
        GeneSpec::String(string) => Gene::text("0".repeat(string.min as usize)),
        GeneSpec::Enum(_) => Gene::Enum(0),
        GeneSpec::Integer(integer) => Gene::Integer(0.clamp(integer.min, integer.max)),
        GeneSpec::Long(long) => Gene::Long(0.clamp(long.min, long.max)),
        GeneSpec::Float(float) => Gene::float(0.0_f64.clamp(float.min, float.max)),
        GeneSpec::Boolean => Gene::Boolean(false),
        GeneSpec::Nullable(_) => Gene::Null,
        GeneSpec::Decimal(range) => Gene::Decimal(Box::new(range.simplest())),
        GeneSpec::Format(format) => Gene::text(format.simplest()),
        _ => Gene::Constant,
    }
}

/// Removes placeholders and whatever cannot be without them (genes.md 2.4): the nearest optional
/// value around one becomes absent, the nearest list empty; a selection of nothing but
/// placeholders, an input object without a required field and a tuple without one of its elements
/// are dropped upward. The root becomes the placeholder when nothing is left.
pub fn prune(spec: &SpecRef, gene: &mut Gene) {
    prune_at(spec, spec.id(), gene);
}

fn prune_at(spec: &SpecRef, id: SpecId, gene: &mut Gene) {
    let graph = spec.graph();
    match (graph.spec(id), &mut *gene) {
        (GeneSpec::Optional(optional), _) => {
            prune_at(spec, optional.inner, gene);
            if gene.is_placeholder() {
                *gene = Gene::Absent;
            }
        }
        (GeneSpec::Object(object), Gene::Object(value)) => {
            let mut lost = None;
            for (position, field) in &mut value.fields {
                let Some(declared) = object.fields.get(*position as usize) else { continue };
                let was = first_placeholder(field).unwrap_or(Gene::LimitObject);
                prune_at(spec, declared.spec, field);
                let is_missing = field.is_placeholder();
                if is_missing || *field == Gene::Absent {
                    lost = Some((is_missing, was));
                }
            }
            value.fields.retain(|(_, field)| *field != Gene::Absent);
            let is_selection = crate::object::is_selection(graph.spec(id));
            match lost {
                Some((_, was)) if is_selection && value.fields.is_empty() => *gene = was,
                Some((true, was)) => *gene = was,
                _ => {}
            }
        }
        (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
            for (element, field) in elements.iter_mut().zip(&tuple.elements) {
                prune_at(spec, field.spec, element);
            }
            if let Some(lost) = elements.iter().find(|element| element.is_placeholder()) {
                *gene = lost.clone();
            }
        }
        (GeneSpec::Nullable(inner), _) => {
            prune_at(spec, *inner, gene);
            if gene.is_placeholder() {
                *gene = Gene::Null;
            }
        }
        (
            GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner),
            _,
        ) => prune_at(spec, *inner, gene),
        (GeneSpec::Map(map), Gene::Map(entries)) => {
            for (key, value) in entries.iter_mut() {
                prune_at(spec, map.key, key);
                prune_at(spec, map.value, value);
            }
            let is_lost =
                |(key, value): &&(Gene, Gene)| key.is_placeholder() || value.is_placeholder();
            let lost = entries.iter().find(is_lost).map(|_| Gene::LimitObject);
            if let Some(lost) = lost {
                *gene = if map.min == 0 { Gene::Map(Vec::new()) } else { lost };
            }
        }
        (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
            elements.iter_mut().for_each(|element| prune_at(spec, array.element, element));
            if let Some(lost) = elements.iter().find(|element| element.is_placeholder()) {
                *gene = if array.min == 0 { Gene::Array(Vec::new()) } else { lost.clone() };
            }
        }
        (GeneSpec::Choice(choice), Gene::Choice(value)) => {
            if let Some(branch) = choice.branches.get(value.branch as usize) {
                prune_at(spec, branch.spec, &mut value.value);
            }
            if value.value.is_placeholder() {
                *gene = (*value.value).clone();
            }
        }
        _ => {}
    }
}

fn first_placeholder(gene: &Gene) -> Option<Gene> {
    if gene.is_placeholder() {
        return Some(gene.clone());
    }
    gene.parts().find_map(first_placeholder)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::spec::{
        ArraySpec, Field, ObjectPurpose, ObjectSpec, SpecBuilder, StringSpec, TupleSpec,
    };

    fn object(name: &str, purpose: ObjectPurpose, fields: Vec<Field>) -> GeneSpec {
        GeneSpec::Object(ObjectSpec { type_name: name.into(), purpose, fields })
    }

    /// `type Person { name: String  friend: Person }`, as a selection.
    pub(crate) fn person() -> SpecRef {
        let mut builder = SpecBuilder::new();
        let person = builder.reserve();
        let leaf = builder.add(GeneSpec::Constant);
        let name = builder.optional(leaf, false);
        let friend = builder.optional(person, false);
        let fields = vec![Field::new("name", name), Field::new("friend", friend)];
        builder.fill(person, object("Person", ObjectPurpose::Selection, fields));
        SpecRef::new(builder.build(), person)
    }

    /// `input Filter { text: String  all: [Filter!]! }`.
    pub(crate) fn filter() -> SpecRef {
        let mut builder = SpecBuilder::new();
        let filter = builder.reserve();
        let text = builder.add(GeneSpec::String(StringSpec::default()));
        let text = builder.optional(text, true);
        let all = builder.add(GeneSpec::Array(ArraySpec { element: filter, min: 0, max: 9 }));
        let fields = vec![Field::new("text", text), Field::new("all", all)];
        builder.fill(filter, object("Filter", ObjectPurpose::Input, fields));
        SpecRef::new(builder.build(), filter)
    }

    /// A field with an argument that returns a person.
    pub(crate) fn tuple() -> SpecRef {
        let mut builder = SpecBuilder::new();
        let argument = builder.add(GeneSpec::Boolean);
        let leaf = builder.add(GeneSpec::Constant);
        let name = builder.optional(leaf, false);
        let fields = vec![Field::new("name", name)];
        let person = builder.add(object("Person", ObjectPurpose::Selection, fields));
        let elements = vec![Field::new("first", argument), Field::new("person", person)];
        let tuple = builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: true }));
        SpecRef::new(builder.build(), tuple)
    }

    /// A template as text; names are those of the specifications above.
    pub(crate) fn names(gene: &Gene) -> String {
        match gene {
            Gene::Object(object) => {
                let is_filter = object.get(1).is_some_and(|field| matches!(field, Gene::Array(_)));
                let name = |field: u32| match field {
                    0 if is_filter => "text",
                    0 => "name",
                    _ if is_filter => "all",
                    _ => "friend",
                };
                let field =
                    |(field, value): &(u32, Gene)| format!("{}{}", name(*field), names(value));
                let fields: Vec<String> = object.fields.iter().map(field).collect();
                format!("{{{}}}", fields.join(" "))
            }
            Gene::Array(elements) => {
                format!("[{}]", elements.iter().map(names).collect::<String>())
            }
            Gene::CycleObject => "<cycle>".to_owned(),
            Gene::LimitObject => "<limit>".to_owned(),
            _ => String::new(),
        }
    }

    #[test]
    fn the_simplest_value_is_small_and_valid() {
        let settings = GeneSettings::default();
        for spec in [person(), filter(), tuple()] {
            let gene = simplest(&spec, &settings);
            crate::check(&spec, &gene).unwrap();
            assert!(gene.size() <= 4);
        }
    }
}
