//! Forms: one call, written and sent in different ways.

mod request;
mod violation;
mod within;

use std::sync::Arc;

use serde_json::{Map, Value};
use wallace_genes::{Gene, GeneSettings, TemplateId, simplest};

use super::action::{Form, GraphqlAction, Overload};
use super::document::{
    Directive, Document, FragmentDefinition, Literal, Part, Selection, Variable,
};
use super::render::Style;
use super::schema::{OperationKind, Schema};
use super::template::{OperationTemplate, Templates};

pub(crate) use request::{leave_out_beside, name_once, name_plainly, plain, request};
pub(crate) use violation::violable;
pub(crate) use within::{errors_within, within};

/// Prefix of every response name in [`Form::Aliases`].
pub(crate) const ALIAS: &str = "wa_";

/// Second name of the root field in [`Form::Twice`].
const AGAIN: &str = "wallaceAgain";

/// Name of the other root field in [`Form::Beside`].
const BESIDE: &str = "wallaceBeside";

/// Name of the field that [`Form::Skipped`] adds to every selection, and that no answer shows.
const SKIPPED: &str = "wallaceSkipped";

/// The text of an action's document, and the values of its variables. What is not edited is printed
/// straight from the gene.
pub(crate) fn text(
    templates: &Templates,
    operation: &OperationTemplate,
    action: &GraphqlAction,
    style: Style,
) -> (String, Map<String, Value>) {
    if action.form.is_as_sampled() {
        return (templates.render(operation, &action.gene, style), Map::new());
    }
    let document = document(templates, operation, action);
    (document.text(style), document.values())
}

/// The document of an action, as a tree.
fn document(
    templates: &Templates,
    operation: &OperationTemplate,
    action: &GraphqlAction,
) -> Document {
    let mut document = match action.form {
        Form::Violation(violation) => {
            violation::document(templates, operation, &action.gene, violation)
        }
        form => formed(templates, operation, &action.gene, form),
    };
    if action.form != Form::Introspection {
        document.enclose(operation);
    }
    if let Form::Beside(other) = action.form {
        document.selections.extend(beside(templates, other));
    }
    document
}

/// The document in a form, without the namespaces of the operation.
fn formed(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    form: Form,
) -> Document {
    let mut document = Document::of(operation.kind, vec![templates.called_field(operation, gene)]);
    let root = &mut document.selections;
    match form {
        Form::Variables => with_variables(&mut document, operation),
        Form::Aliases => each_field(root, &mut |field| {
            let part = field.as_field_mut();
            part.into_iter().for_each(|it| it.alias = Some(format!("{ALIAS}{}", it.key()).into()));
        }),
        Form::Included => each_field(root, &mut |field| {
            field.directives.push(Directive::conditional("include", Literal::Boolean(true)));
        }),
        Form::Skipped => {
            let skip = |is_skipped| Directive::conditional("skip", Literal::Boolean(is_skipped));
            each_field(root, &mut |field| field.directives.push(skip(false)));
            each_object(templates.schema(), root, &mut |_, selections| {
                let mut skipped = Selection::typename().renamed(SKIPPED);
                skipped.directives.push(skip(true));
                selections.push(skipped);
            });
        }
        Form::InlineFragments => each_object(templates.schema(), root, &mut |part, selections| {
            let inside = std::mem::take(selections);
            selections.push(Selection::new(part, inside));
        }),
        Form::NamedFragments => {
            let fragments = &mut document.fragments;
            each_object(templates.schema(), root, &mut |part, selections| {
                let Part::Fragment { name: on, .. } = part else { return };
                let name: Arc<str> = format!("Part{}", fragments.len() + 1).into();
                let inside = std::mem::take(selections);
                selections.push(Selection::new(Part::Spread(Arc::clone(&name)), Vec::new()));
                fragments.push(FragmentDefinition { name, on, selections: inside });
            });
        }
        Form::Twice => root.push(root[0].clone().renamed(AGAIN)),
        Form::Overload(Overload::Aliases(count)) => {
            let field = root[0].clone();
            *root = (1..=count).map(|it| field.clone().renamed(format!("r{it}"))).collect();
        }
        Form::Overload(Overload::Directives(count)) => {
            let mut typename = Selection::typename();
            typename.directives.push(Directive::conditional("include", Literal::Boolean(true)));
            root.extend(vec![typename; usize::from(count)]);
        }
        Form::Introspection => {
            let leaf = |name: &str, below| Selection::field(name.into(), None, below);
            let root_type = leaf("queryType", vec![leaf("name", Vec::new())]);
            document.kind = OperationKind::Query;
            document.selections = vec![leaf("__schema", vec![root_type])];
        }
        _ => {}
    }
    document
}

/// The arguments of the operation as variables.
fn with_variables(document: &mut Document, operation: &OperationTemplate) {
    let Some(field) = document.selections[0].as_field_mut() else { return };
    for (number, (argument, value)) in (1..).zip(&mut field.arguments) {
        let own = operation.arguments.iter().find(|own| own.name == *argument);
        let name: Arc<str> = format!("v{number}").into();
        let given = std::mem::replace(value, Literal::Variable(Arc::clone(&name)));
        document.variables.push(Variable {
            name,
            type_text: own.map_or("String", |own| &own.type_text).into(),
            value: given.to_json(&|_| None).unwrap_or_default(),
        });
    }
}

/// The root field of another query, selecting as little as possible. What is no query has no place
/// beside one and is left out.
fn beside(templates: &Templates, other: TemplateId) -> Option<Selection> {
    let other = templates.operation(other).filter(|it| it.kind == OperationKind::Query)?;
    let gene = simplest(&other.spec, &GeneSettings::default());
    Some(templates.document(other, &gene).selections.pop()?.renamed(BESIDE))
}

/// Changes every field of the schema.
fn each_field(selections: &mut [Selection], change: &mut dyn FnMut(&mut Selection)) {
    for selection in selections {
        if selection.id().is_some() {
            change(selection);
        }
        each_field(&mut selection.selections, change);
    }
}

/// Changes what is selected of every object, the innermost first; told with a fragment of its type.
fn each_object(
    schema: &Schema,
    selections: &mut [Selection],
    change: &mut dyn FnMut(Part, &mut Vec<Selection>),
) {
    for selection in selections.iter_mut().filter(|it| !it.selections.is_empty()) {
        each_object(schema, &mut selection.selections, change);
        let on = match &selection.part {
            Part::Field(field) => field.id.map(|id| schema.returned(id)),
            Part::Fragment { on, .. } => Some(*on),
            Part::Spread(_) => None,
        };
        if let Some(on) = on {
            let name = Arc::clone(&schema.definition(on).name);
            change(Part::Fragment { on, name }, &mut selection.selections);
        }
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::ObjectGene;

    use super::*;
    use crate::graphql::action::{Rule, Violation};

    /// The document of `user(id:"1"){id friend{id}}` in a form.
    fn written(form: Form) -> String {
        let sdl = "type Query { user(id: ID!): User me: User } type User { id: ID! friend: User }";
        let templates = Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap();
        let object = |fields: &[(u32, Gene)]| Gene::Object(ObjectGene { fields: fields.to_vec() });
        let friend = object(&[(0, Gene::Constant)]);
        let user = object(&[(0, Gene::Constant), (1, friend)]);
        let gene = Gene::Tuple(vec![Gene::text("1"), user]);
        let operation = &templates.operations()[0];
        let action = GraphqlAction::new(operation.id, gene).written(form);
        text(&templates, operation, &action, Style::Compact).0
    }

    #[test]
    fn every_form_is_the_same_call_written_otherwise() {
        let skip = "wallaceSkipped:__typename@skip(if:true)";
        let skipped = format!(
            r#"query{{user(id:"1")@skip(if:false){{id@skip(if:false) friend@skip(if:false){{id@skip(if:false) {skip}}} {skip}}}}}"#
        );
        for (form, expected) in [
            (Form::Literals, r#"query{user(id:"1"){id friend{id}}}"#),
            (Form::Variables, "query($v1:ID!){user(id:$v1){id friend{id}}}"),
            (Form::Aliases, r#"query{wa_user:user(id:"1"){wa_id:id wa_friend:friend{wa_id:id}}}"#),
            (
                Form::NamedFragments,
                r#"query{user(id:"1"){...Part2}} fragment Part1 on User{id} fragment Part2 on User{id friend{...Part1}}"#,
            ),
            (
                Form::InlineFragments,
                r#"query{user(id:"1"){... on User{id friend{... on User{id}}}}}"#,
            ),
            (Form::Skipped, &skipped),
            (
                Form::Twice,
                r#"query{user(id:"1"){id friend{id}} wallaceAgain:user(id:"1"){id friend{id}}}"#,
            ),
            (
                Form::Beside(TemplateId(1)),
                r#"query{user(id:"1"){id friend{id}} wallaceBeside:me{id}}"#,
            ),
            (
                Form::Overload(Overload::Aliases(2)),
                r#"query{r1:user(id:"1"){id friend{id}} r2:user(id:"1"){id friend{id}}}"#,
            ),
        ] {
            assert_eq!(written(form), expected);
        }
    }

    #[test]
    fn violations_stand_where_nothing_allows_them() {
        for (rule, expected) in [
            (Rule::UnknownArgument, r#"query{user(wallaceUnknown:1,id:"1"){id friend{id}}}"#),
            (Rule::UnknownDirective, r#"query{user(id:"1")@wallaceUnknown{id friend{id}}}"#),
            (Rule::UnknownField, r#"query{user(id:"1"){id friend{id}} wallaceUnknown}"#),
            (Rule::UnknownFragment, r#"query{user(id:"1"){id friend{id}} ...wallaceUnknown}"#),
            (Rule::MissingSelection, r#"query{user(id:"1")}"#),
            (Rule::MissingArgument, "query{user{id friend{id}}}"),
            (Rule::NullArgument, "query{user(id:null){id friend{id}}}"),
        ] {
            assert_eq!(written(Form::Violation(Violation { rule, site: 0 })), expected);
        }
    }
}
