//! Whoever asks: queries that show it, and mutations that change it.

use super::action::GraphqlAction;
use super::document::{Document, Selection};
use super::link::Effect;
use super::schema::{FieldId, OperationKind, Schema, TypeId, TypeKind};
use super::scope::{Scope, argument_name};
use super::site::visit_sites;
use crate::auth::{
    Touch, ends_service, ends_session, is_asker, is_credential, is_of_login, is_of_settings,
    leads_to_context, switches_login_off,
};
use crate::kind::{names_thing, scalar};
use crate::sql::Input;
use crate::word::{singulars, words};

/// Most queries that are sent for each user.
const MOST_QUERIES: usize = 8;
/// Levels of objects that they ask for, and fields of each.
const LEVELS: usize = 3;
const MOST_FIELDS: usize = 12;
/// Words of what names a user, or a thing.
const NAMING: [&str; 12] = [
    "id",
    "uuid",
    "guid",
    "key",
    "slug",
    "username",
    "login",
    "email",
    "mail",
    "name",
    "identifier",
    "code",
];
/// Words of users, of what leads to them, and of what their rights depend on.
const PEOPLE: [&str; 20] = [
    "user",
    "account",
    "admin",
    "administrator",
    "customer",
    "member",
    "profile",
    "identity",
    "principal",
    "person",
    "session",
    "role",
    "edge",
    "node",
    "item",
    "data",
    "result",
    "viewer",
    "me",
    "current",
];

/// Documents of queries that show whoever asks, and users, the former first.
pub(super) fn own_reads(scope: &Scope) -> Vec<Document> {
    let schema = scope.schema();
    let mut queries: Vec<(bool, Document)> = Vec::new();
    for operation in scope.templates.operations() {
        let field = schema.field(operation.field);
        let named = words(&operation.full_name);
        let is_of_people =
            singulars(&operation.full_name).iter().any(|word| is_one_of(&PEOPLE, word));
        let is_wanted = is_asker(&named) || leads_to_context(&named) || is_of_people;
        if operation.kind != OperationKind::Query || field.needs_arguments() || !is_wanted {
            continue;
        }
        let selections = select(schema, field.type_ref.named(), LEVELS);
        if !selections.is_empty() {
            let selection = Selection::field(field.name.clone(), Some(operation.field), selections);
            let mut document = Document::query(vec![selection]);
            document.enclose(operation);
            queries.push((!is_asker(&named), document));
        }
    }
    queries.sort_by_key(|(is_other, _)| *is_other);
    queries.into_iter().take(MOST_QUERIES).map(|(_, document)| document).collect()
}

/// What names an object, and the users in it.
fn select(schema: &Schema, owner: TypeId, levels: usize) -> Vec<Selection> {
    let mut selections = Vec::new();
    for id in schema.fields(owner) {
        let below = part(schema, id, levels);
        if let Some(below) = below.filter(|_| selections.len() < MOST_FIELDS) {
            selections.push(Selection::field(schema.field(id).name.clone(), Some(id), below));
        }
    }
    let is_object = matches!(schema.definition(owner).kind, TypeKind::Object { .. });
    if is_object && !selections.is_empty() {
        selections.push(Selection::typename());
    }
    selections
}

/// What is asked for below a field; none where the field itself is not.
fn part(schema: &Schema, id: FieldId, levels: usize) -> Option<Vec<Selection>> {
    let field = schema.field(id);
    if field.needs_arguments() {
        return None;
    }
    let named = singulars(&field.name);
    let kind = &schema.definition(field.type_ref.named()).kind;
    if matches!(kind, TypeKind::Scalar { .. }) {
        let is_naming = named.last().is_some_and(|word| is_one_of(&NAMING, word));
        return is_naming.then(Vec::new);
    }
    let leads = levels > 0 && named.iter().any(|word| is_one_of(&PEOPLE, word));
    let below = leads.then(|| select(schema, field.type_ref.named(), levels - 1))?;
    (!below.is_empty()).then_some(below)
}

/// What a mutation changes; nothing where a call only reads, or makes something new.
pub(super) fn touch(
    scope: &Scope,
    action: &GraphqlAction,
    inputs: impl FnOnce() -> Vec<Input>,
) -> Option<Touch> {
    let operation = scope.operation(action.template);
    let effect = scope.links.effect(operation.id);
    if operation.kind != OperationKind::Mutation || effect == Effect::Create {
        return None;
    }
    let mut touch = touch_of(&operation.full_name, effect, inputs());
    touch.is_about_any = effect != Effect::Use && touch.ids.is_empty() && may_name(scope, action);
    if touch.is_about_any && (touch.is_deletion || touch.sets_credentials) {
        touch.all_of.clone_from(&touch.subject);
    }
    Some(touch)
}

/// What goes by a name changes.
fn touch_of(name: &str, effect: Effect, inputs: Vec<Input>) -> Touch {
    let own = words(name);
    let mut touch = Touch { kinds: singulars(name), ..Touch::default() };
    let sets_service = is_of_settings(&own);
    let is_change = effect != Effect::Use || touch.kinds.iter().any(|word| word == "reset");
    if is_change {
        // `removeProductsFromChannel` leaves the channel as it is.
        let is_inner = |word: &&String| !["from", "to", "of", "in"].contains(&word.as_str());
        touch.subject = touch.kinds.iter().take_while(is_inner).cloned().collect();
    }
    for (name, value) in inputs {
        let Some(text) = scalar(&value) else { continue };
        if sets_service && is_of_login(&name) {
            touch.sets_login.get_or_insert_with(|| name.clone());
        }
        touch.sets_credentials |= is_credential(&name);
        touch.say(vec![(name.clone(), text.clone())]);
        let named = singulars(&name);
        if names_thing(&named) {
            touch.kinds.extend(named);
            touch.ids.push(text);
        } else if is_change {
            touch.texts.push(text);
        }
    }
    let is_of_password = own.iter().any(|word| word == "password") && is_change;
    touch.is_about_asker = touch.ids.is_empty() && (is_asker(&own) || is_of_password);
    touch.is_deletion = effect == Effect::Delete;
    let of_server = own.iter().any(|word| matches!(word.as_str(), "server" | "service" | "system"));
    touch.ends_service = ends_service(&own, of_server) || switches_login_off(&own);
    touch.ends_session = ends_session(&own);
    touch
}

/// Whether a call has an argument that would name a thing.
fn may_name(scope: &Scope, action: &GraphqlAction) -> bool {
    let mut may_name = false;
    let operation = scope.operation(action.template);
    visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
        may_name |= names_thing(&singulars(argument_name(site.coordinate)));
    });
    may_name
}

fn is_one_of(known: &[&str], word: &str) -> bool {
    known.contains(&word)
}
