//! Positions in the schema: where the path of an error leads.

use crate::graphql::document::{Part, Selection};
use crate::graphql::form::ALIAS;
use crate::graphql::schema::{FieldId, Schema};

/// The schema coordinate of the field that an error is about. Every operation leads to it by a path
/// of its own, and it is mended once. Nothing where the path is none of what was selected.
pub(super) fn coordinate(schema: &Schema, selections: &[Selection], path: &str) -> Option<String> {
    Some(schema.coordinate(field_at(selections, path)?))
}

/// The field at the end of a path of response names.
fn field_at(mut selections: &[Selection], path: &str) -> Option<FieldId> {
    let mut found = None;
    for name in path.split('/').filter(|name| !matches!(*name, "" | "*")) {
        let selection = selected(selections, name.strip_prefix(ALIAS).unwrap_or(name))?;
        found = selection.id();
        selections = &selection.selections;
    }
    found
}

/// The field that answers under a name, also inside fragments.
fn selected<'s>(selections: &'s [Selection], name: &str) -> Option<&'s Selection> {
    selections.iter().find_map(|selection| match selection.part {
        Part::Field(_) => (selection.key() == name).then_some(selection),
        Part::Fragment { .. } => selected(&selection.selections, name),
        Part::Spread(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use wallace_genes::{Gene, ObjectGene};

    use super::*;
    use crate::graphql::template::Templates;

    #[test]
    fn paths_of_several_operations_lead_to_one_field() {
        let sdl = "type Query { user: User team: Team } type Team { owners: [User!]! any: Any }
            type User { name: String! } union Any = User | Team";
        let templates = Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap();
        let object =
            |position: u32, part: Gene| Gene::Object(ObjectGene { fields: vec![(position, part)] });
        let user = || object(0, Gene::Constant);
        let call = |place: usize, gene: Gene| {
            templates.called_field(&templates.operations()[place], &Gene::Tuple(vec![gene]))
        };
        let calls = [
            (call(0, user()), "/user/name"),
            (call(1, object(0, user())), "/team/owners/*/name"),
            (call(1, object(1, object(0, user()))), "/team/any/name"),
            (call(0, user()), "/wa_user/wa_name"),
        ];
        for (call, path) in calls {
            let found = coordinate(templates.schema(), &[call], path);
            assert_eq!(found.as_deref(), Some("User.name"), "{path}");
        }
        let call = call(1, object(0, user()));
        let of = |path| coordinate(templates.schema(), std::slice::from_ref(&call), path);
        assert_eq!(of("/team/owners/*").as_deref(), Some("Team.owners"));
        assert_eq!(of("/other/name"), None);
    }
}
