//! Aliases: which selected fields must not keep their names.
//!
//! Fragments for different members of an interface or union may hold fields of one name and
//! different types. GraphQL allows that only under different response names (the rule "overlapping
//! fields can be merged"), so the later ones get an alias. Two such fields share their name only
//! when type, arguments and what is selected below are all equal: stricter than the rule, which
//! looks into the selections, and never wrong.
//!
//! Aliases are numbered anew in every selection. That is safe, since selections are merged only
//! where they are equal, and no field of the schema is named like an alias.

use wallace_genes::{Field, Gene, GeneSpec, ObjectGene, SpecId, spec::ObjectSpec};

use crate::graphql::template::{SelectionMember, Templates};

/// A field that gets an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldAlias {
    /// Position of the fragment in its selection.
    fragment: u32,
    /// Position of the field in the fragment.
    pub(crate) field: u32,
    /// Number of the alias.
    pub(crate) number: u32,
}

/// The aliases needed in one selection, in printing order.
#[derive(Debug, Default)]
pub(crate) struct Aliases(Vec<FieldAlias>);

impl Aliases {
    /// Those in the fragment at a position.
    pub(crate) fn of_fragment(&self, fragment: u32) -> &[FieldAlias] {
        let start = self.0.partition_point(|alias| alias.fragment < fragment);
        let end = self.0.partition_point(|alias| alias.fragment <= fragment);
        &self.0[start..end]
    }
}

/// A field selected in a fragment.
struct SelectedField<'a> {
    position: u32,
    name: &'a str,
    member: SelectionMember,
    gene: &'a Gene,
}

/// The aliases that a selection needs; none unless it holds several fragments.
pub(crate) fn aliases(
    templates: &Templates,
    object: &ObjectSpec,
    members: &[SelectionMember],
    gene: &ObjectGene,
) -> Aliases {
    let is_fragment = |(position, _): &&(u32, Gene)| {
        matches!(members.get(*position as usize), Some(SelectionMember::Fragment(_)))
    };
    let mut found = Aliases::default();
    if gene.fields.iter().filter(is_fragment).nth(1).is_none() {
        return found;
    }
    let mut printed = Vec::new();
    for (position, part) in gene.fields.iter().filter(is_fragment) {
        for field in fields(templates, object.fields[*position as usize].spec, part) {
            if printed.iter().any(|other| conflict(templates, other, &field)) {
                let number = found.0.len() as u32 + 1;
                found.0.push(FieldAlias { fragment: *position, field: field.position, number });
            } else {
                printed.push(field);
            }
        }
    }
    found
}

/// The fields selected in a fragment.
fn fields<'a>(
    templates: &'a Templates,
    fragment: SpecId,
    gene: &'a Gene,
) -> impl Iterator<Item = SelectedField<'a>> {
    let fragment = templates.present(fragment);
    let members = templates.members(fragment);
    let (named, selected): (&[Field], &[(u32, Gene)]) =
        match (templates.graph().spec(fragment), gene) {
            (GeneSpec::Object(object), Gene::Object(value)) => (&object.fields, &value.fields),
            _ => (&[], &[]),
        };
    selected.iter().filter_map(|(position, gene)| {
        let place = *position as usize;
        let (name, member) = (&*named.get(place)?.name, *members.get(place)?);
        Some(SelectedField { position: *position, name, member, gene })
    })
}

fn conflict(templates: &Templates, one: &SelectedField<'_>, other: &SelectedField<'_>) -> bool {
    if one.name != other.name {
        return false;
    }
    match (one.member, other.member) {
        (SelectionMember::Field(first), SelectionMember::Field(second)) => {
            let schema = templates.schema();
            schema.field(first).type_ref != schema.field(second).type_ref || one.gene != other.gene
        }
        _ => false,
    }
}
