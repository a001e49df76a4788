//! Names of things that answers showed, or that calls chose themselves.

use http::Method;
use wallace_engine::{ActionId, BindingSource, Individual};

use super::{Known, Planner};
use crate::rest::action::RestAction;
use crate::rest::learn::{CALLED, NAMES};
use crate::rest::memory::Record;
use crate::rest::resource::{Creation, Need};
use crate::rest::template::PoolValue;
use crate::word::{plain, singular};

/// Share of successful creations below which a thing counts as one that cannot be made.
const RARELY: f64 = 0.05;

impl Planner<'_> {
    /// Puts a name into a placeholder that an answer showed, mostly where such things cannot be made;
    /// not what is to be deleted. Returns whether it did.
    pub(super) fn name_seen(&mut self, call: &mut RestAction, need: &Need, known: &Known) -> bool {
        let (operations, settings) = (self.operations, self.settings());
        let is_deletion = operations.is(call.template, &Method::DELETE);
        let is_last = operations.resources.needs(call.template).last().map(Need::path);
        let is_subject = is_last == Some(need.path());
        if operations.is_white_box || need.is_made_here || is_deletion && is_subject {
            return false;
        }
        let rate =
            |creation: &Creation| self.record(creation.operation()).map_or(0.5, Record::rate);
        let made = need.thing.creations.iter().map(rate).fold(0.0, f64::max);
        let is_known = known.all(|place| *place == need.thing.place).next().is_some();
        if is_known
            || self.is_alone && made > RARELY
            || !self.chance((1.0 - made).max(settings.seen))
        {
            return false;
        }
        let pool = &self.learnt.memory.pool;
        let names = names_of(&operations.get(call.template).path, need);
        let all = || names.iter().map(|name| pool.values(name).collect::<Vec<_>>());
        // Of numbers and texts, texts are rather what is documented as one.
        let is_fit = |values: &Vec<&PoolValue>| {
            values.iter().any(|known| !need.is_text || known.value.is_string())
        };
        let values = all().find(is_fit).or_else(|| all().find(|values| !values.is_empty()));
        let Some(values) = values else { return false };
        let Some(value) = self.draw.rng.pick(&values) else { return false };
        let spec = &operations.templates.template(call.template).spec;
        spec.put(&mut call.gene, &need.path(), &value.value)
    }

    /// Where a creation whose answers do not name what it makes chooses the name itself.
    pub(super) fn chosen_by_body(
        &self,
        plan: &Individual<RestAction>,
        action: ActionId,
        place: &str,
    ) -> Option<BindingSource> {
        let call = &plan.actions()[plan.position(action)?].1;
        if !self.learnt.memory.nameless.contains(&call.template) {
            return None;
        }
        let thing = place.split('/').rfind(|part| !part.is_empty() && !part.contains('{'));
        let thing = plain(&singular(thing.unwrap_or_default()));
        let leaves = self.operations.templates.named_leaves(call.template, &call.gene);
        let named = |wanted: &str| leaves.iter().find(|(_, name)| plain(name) == wanted);
        let own = NAMES.iter().map(|name| format!("{thing}{name}")).chain([thing.clone()]);
        let mut names = own.chain(NAMES.iter().map(|name| (*name).to_owned()));
        let (path, _) = names.find_map(|name| named(&name))?;
        Some(BindingSource::Gene { action, path: path.clone() })
    }
}

/// Names under which a placeholder may stand in answers, the surest first.
fn names_of(path: &str, need: &Need) -> Vec<String> {
    let segments = path.split('/').filter(|part| !part.is_empty());
    let above = segments.take(need.depth.saturating_sub(1)).last().unwrap_or_default();
    let thing = plain(&singular(above));
    let name = plain(&need.name);
    if NAMES.contains(&&*name) {
        return vec![format!("{thing}{name}"), format!("{thing}id")];
    }
    let mut names = vec![name.clone(), format!("{thing}id")];
    if !name.ends_with("id") && (need.is_text || name == thing) {
        // What a text means is rather called so than numbered.
        let place = if need.is_text { 1 } else { 2 };
        names.splice(place..place, CALLED.iter().map(|called| format!("{name}{called}")));
    }
    names
}
