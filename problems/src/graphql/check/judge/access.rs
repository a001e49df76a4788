//! Who may do what.

use serde_json::Value;

use super::Judge;
use crate::graphql::answer::Seen;
use crate::kind::scalar;

impl Judge<'_> {
    /// A call that goes well without credentials and is refused to a user: they are not looked at.
    pub(super) fn anonymous(&mut self) {
        let calls = self.calls;
        for open in calls.iter().filter(|call| call.action.user.is_none() && call.gave()) {
            let is_refused = calls.iter().any(|call| {
                call.action.user.is_some()
                    && call.asks_as(open)
                    && call.answer.is_refused()
                    && !call.gave()
            });
            if is_refused {
                let code = if open.is_query() { 207 } else { 208 };
                self.report(open, code, "open without credentials, refused to a user");
            }
        }
    }

    /// What a user may not read before and after, he changed between.
    pub(super) fn foreign(&mut self) {
        let calls = self.calls;
        let is_refused =
            |call: &Seen<'_>| call.is_query() && call.answer.is_refused() && !call.gave();
        for (place, change) in calls.iter().enumerate() {
            if change.is_query() || !change.gave() {
                continue;
            }
            let things = self.identities(change.action);
            let refused_same = |call: &&Seen<'_>| {
                call.action.user == change.action.user
                    && is_refused(call)
                    && self.identities(call.action).iter().any(|thing| things.contains(thing))
            };
            let is_before = calls[..place].iter().any(|call| refused_same(&call));
            let is_after = calls[place..].iter().any(|call| refused_same(&call));
            if is_before && is_after && change.action.user.is_some() {
                self.report(change, 206, "changed by a user who may not read it");
            }
        }
    }

    /// What a user may not change in one way he changes in another.
    pub(super) fn sibling(&mut self) {
        let calls = self.calls;
        let [first, second] = calls else { return };
        let is_pair = !first.is_query()
            && !second.is_query()
            && first.action.template != second.action.template
            && first.action.user == second.action.user
            && self.scope.links.resource(first.action.template).is_some()
            && self.scope.links.resource(first.action.template)
                == self.scope.links.resource(second.action.template);
        let things = self.identities(first.action);
        let is_one = self.identities(second.action).iter().any(|thing| things.contains(thing));
        let is_refused = first.answer.is_refused() && !first.gave();
        if is_pair && is_one && is_refused && second.gave() {
            self.report(second, 206, "done by a user who is refused what is alike");
        }
    }

    /// What a user may not read by the query for it he reads by another.
    pub(super) fn bypass(&mut self) {
        let calls = self.calls;
        let [before, other, after] = calls else { return };
        let is_refused =
            |call: &Seen<'_>| call.is_query() && call.answer.is_refused() && !call.gave();
        let is_case = is_refused(before)
            && is_refused(after)
            && before.asks_as(after)
            && other.is_query()
            && other.gave()
            && other.action.user == before.action.user
            && before.action.user.is_some();
        let asked = self.identities(before.action);
        let ([(key, id)], true) = (&asked[..], is_case) else { return };
        let Some((owner, name)) = key.split_once('.') else { return };
        let schema = self.scope.schema();
        let root = other.value().and_then(Value::as_object);
        let is_told = self.objects(other).iter().any(|(of, object)| {
            let is_root = root.is_some_and(|root| std::ptr::eq(root, *object));
            let is_it = object.get(name).and_then(scalar).is_none_or(|told| told == *id);
            let tells = object
                .iter()
                .any(|(key, value)| key != name && key != "__typename" && !value.is_null());
            is_root && &*schema.definition(*of).name == owner && is_it && tells
        });
        if is_told {
            self.report(other, 206, format!("tells a {owner} that its own query refuses"));
        }
    }
}
