//! Things that are no longer there: their ids are not sent again until they are seen again.
//!
//! A thing is gone when a deletion says that it was done, or when a refusal says of its type that
//! there is none.

use wallace_genes::Gene;

use super::action::GraphqlAction;
use super::answer::Answer;
use super::check::is_truthy;
use super::link::{Effect, Purpose};
use super::pool::Pool;
use super::scope::Scope;
use super::site::visit_sites;
use crate::refusal::{is_absent, is_told, says};
use crate::word::words;

/// Words of messages that say so of anything.
const ANYTHING: &str = "a any be by could couldn t do does doesn document entity exist exists for found given id \
     item no node not object of or record requested resource row such that the there this was were with";

/// An id of a call: the key of the values that it is one of, and the value.
struct SentId {
    key: String,
    value: Box<str>,
}

/// Takes the ids of things that are gone out of the pool.
pub(crate) fn forget(scope: &Scope, action: &GraphqlAction, answer: &Answer, pool: &mut Pool) {
    let operation = scope.operation(action.template);
    // Whoever may not see a thing is told that there is none.
    if !action.form.has_shape() || action.check.is_some() || answer.is_refused() {
        return;
    }
    if answer.gave(&operation.name) {
        let value = answer.data().and_then(|data| data.get(&*operation.name));
        let ended = scope.links.ended(action.template);
        let ended = ended.filter(|_| scope.links.effect(action.template) == Effect::Delete);
        if let Some(ended) = ended.filter(|_| is_truthy(value)) {
            let owner = format!("{}.", scope.schema().definition(ended).name);
            let gone = sent_ids(scope, action).into_iter().filter(|id| id.key.starts_with(&owner));
            gone.for_each(|id| pool.forget(&id.key, &id.value));
        }
        return;
    }
    // Of several users, one may be told of nothing where another has something.
    if scope.users > 1 {
        return;
    }
    let errors = answer.response.iter().flat_map(|response| &response.errors);
    let said = errors.map(|error| &*error.message).filter(|message| is_absent(message));
    for message in said {
        let told = words(message).join(" ");
        // `No Item with the id "7"`; without the value only where one thing of the type was named.
        let ids = sent_ids(scope, action);
        let mut named: Vec<&SentId> = ids.iter().filter(|id| is_told(&told, &id.owner())).collect();
        if named.is_empty() && ids.len() == 1 && is_of_anything(&told) {
            named.push(&ids[0]);
        }
        for id in &named {
            if named.len() == 1 || says(message, &id.value) {
                pool.forget(&id.key, &id.value);
            }
        }
    }
}

/// Whether the words of a message say of no type in particular that there is no such thing.
fn is_of_anything(told: &str) -> bool {
    told.split(' ').all(|word| ANYTHING.split(' ').any(|known| known == word))
}

impl SentId {
    /// The words of its type, joined.
    fn owner(&self) -> String {
        words(self.key.split('.').next().unwrap_or_default()).concat()
    }
}

fn sent_ids(scope: &Scope, action: &GraphqlAction) -> Vec<SentId> {
    let mut found = Vec::new();
    let operation = scope.operation(action.template);
    visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
        let value: Box<str> = match site.gene {
            Gene::String(text) => text.text.clone(),
            Gene::Integer(number) => number.to_string().into(),
            Gene::Long(number) => number.to_string().into(),
            _ => return,
        };
        let source = scope.links.source(site.coordinate);
        let source = source.filter(|source| source.purpose == Purpose::Id);
        let key = source.and_then(|source| source.keys.first()).filter(|key| key.contains('.'));
        found.extend(key.map(|key| SentId { key: key.clone(), value }));
    });
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use wallace_genes::TemplateId;

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    /// How many of two groups are left after a call about the first was answered so.
    fn left(operation: &str, body: &Value) -> usize {
        let sdl = "type Query { group(id: ID!): Group } type Group { id: ID! }
            type Done { result: String }
            type Mutation { deleteGroup(id: ID!): Done rename(groupId: ID!): Group }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let scope = Scope::new(Arc::clone(&templates), callable, 5);
        let known = templates.operations().iter().find(|it| *it.name == *operation).unwrap();
        let mut gene =
            wallace_genes::simplest(&known.spec, &wallace_genes::GeneSettings::default());
        let Gene::Tuple(parts) = &mut gene else { panic!() };
        parts[0] = Gene::text("1");
        let response =
            HttpResponse { status: 200, body: body.to_string(), ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
        let mut pool = Pool::default();
        ["1", "2"].iter().for_each(|id| pool.add("Group.id", &json!(id)));
        forget(&scope, &GraphqlAction::new(known.id, gene), &answer, &mut pool);
        pool.get("Group.id").map_or(0, std::collections::VecDeque::len)
    }

    #[test]
    fn what_was_deleted_or_is_said_not_to_be_there_is_not_sent_again() {
        let result = |text: &str| json!({ "data": { "deleteGroup": { "result": text } } });
        assert_eq!(left("deleteGroup", &result("DELETED")), 1);
        assert_eq!(left("deleteGroup", &result("NOT_DELETED")), 2);
        let refused = |message: &str| json!({ "data": null, "errors": [{ "message": message }] });
        assert_eq!(left("rename", &refused("No Group with the id \"1\" could be found")), 1);
        assert_eq!(left("rename", &refused("group does not exist")), 1);
        assert_eq!(left("rename", &refused("Object not found.")), 1);
        assert_eq!(left("rename", &refused("owner does not exist")), 2);
        assert_eq!(left("rename", &refused("the name of a group must be unique")), 2);
    }
}
