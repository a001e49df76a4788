//! What is known of the operations of a service before any is called: what they need, make and read.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Individual};
use wallace_genes::{Gene, GenePath, SpecRef, TemplateId};

use super::action::RestAction;
use super::description::Operation;
use super::identity::{self, Wanted};
use super::learn::NAMES;
use super::link::Links;
use super::resource::{Creation, Need, Resources, Thing};
use super::settings::TestSettings;
use super::template::Templates;
use crate::auth::{is_own_account, percent_encoded};
use crate::http::{HttpRequest, HttpResponse};
use crate::kind;
use crate::word::plain;

/// The operations of a service, and how tests of them are made.
#[derive(Debug)]
pub(super) struct Operations {
    pub(super) templates: Arc<Templates>,
    /// Those that are called.
    pub(super) callable: Vec<TemplateId>,
    /// The same, those first that others need, and those last that take things away.
    pub(super) in_order: Vec<TemplateId>,
    pub(super) resources: Resources,
    pub(super) links: Links,
    /// Specification of values that are not documented.
    pub(super) text: SpecRef,
    pub(super) users: u16,
    /// Whether a driver tells what calls reach.
    pub(super) is_white_box: bool,
    /// Most calls of a test.
    pub(super) max_size: usize,
    pub(super) settings: TestSettings,
}

/// Operations in the order in which a stranger would try them: what lists or reads without needing
/// anything, what makes things, then what needs them, and deletions last; short paths first.
pub(super) fn in_order(templates: &Templates, callable: &[TemplateId]) -> Vec<TemplateId> {
    let mut ordered = callable.to_vec();
    ordered.sort_by_key(|id| {
        let operation = templates.operation(*id);
        let placeholders = operation.segments().filter(|part| part.contains('{')).count();
        let verb = match operation.method {
            Method::GET | Method::HEAD | Method::OPTIONS => 0,
            Method::POST => 1,
            Method::DELETE => 3,
            _ => 2,
        };
        (verb == 3, placeholders, verb)
    });
    ordered
}

/// What a request says of the thing that it makes, under the name of a placeholder of its path.
fn said(request: &HttpRequest, placeholder: &str) -> Option<Value> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    let wanted = plain(placeholder.trim_matches(['{', '}']));
    let mut members = body.as_object()?.iter();
    members.find(|(name, _)| plain(name) == wanted).map(|(_, value)| value.clone())
}

impl Operations {
    pub(super) fn get(&self, id: TemplateId) -> &Operation {
        self.templates.operation(id)
    }

    pub(super) fn is(&self, id: TemplateId, method: &Method) -> bool {
        self.get(id).method == *method
    }

    /// The operation of a verb on the path of another.
    pub(super) fn here(&self, id: TemplateId, method: &Method) -> Option<TemplateId> {
        let mut here = self.resources.at(&self.get(id).path).iter();
        here.find(|id| self.is(**id, method)).copied()
    }

    /// Operations that change something below the first segment of the path of another.
    pub(super) fn neighbours(&self, id: TemplateId) -> Vec<TemplateId> {
        let first = self.get(id).segments().next();
        let is_near = |other: &&TemplateId| {
            let other = self.get(**other);
            other.segments().next() == first && !other.method.is_safe()
        };
        self.callable.iter().filter(is_near).copied().collect()
    }

    /// Whether the operation makes another thing each time it is called.
    pub(super) fn may_follow_itself(&self, id: TemplateId) -> bool {
        self.is(id, &Method::POST)
    }

    /// How much rather an operation comes first than another.
    pub(super) fn leaving(&self, id: TemplateId) -> f64 {
        if self.is(id, &Method::DELETE) { self.settings.deleted } else { 1.0 }
    }

    /// Whether things are made by calls of an operation that other calls are about.
    pub(super) fn is_creation(&self, id: TemplateId) -> bool {
        let needs = self.callable.iter().flat_map(|other| self.resources.needs(*other));
        let mut creations = needs.flat_map(|need| &need.thing.creations);
        creations.any(|creation| *creation == Creation::Answered(id))
    }

    /// The operations that make what an operation deletes; none where it deletes nothing in particular.
    pub(super) fn makers(&self, id: TemplateId) -> Option<Vec<&str>> {
        let thing = self.resources.needs(id).last().map(|need| &need.thing);
        let thing = thing.filter(|_| self.is(id, &Method::DELETE))?;
        let makers = thing.creations.iter().map(|creation| self.get(creation.operation()));
        Some(makers.map(|maker| &*maker.id).collect())
    }

    /// The operation that deletes what another makes, and how that is named.
    pub(super) fn deletion(&self, creator: TemplateId) -> Option<(TemplateId, Creation)> {
        let mut deletions = self.callable.iter().filter(|id| self.is(**id, &Method::DELETE));
        deletions.find_map(|id| {
            let mut creations = self.resources.needs(*id).last()?.thing.creations.iter();
            Some((*id, *creations.find(|creation| creation.operation() == creator)?))
        })
    }

    /// The call that deletes what another made, by its answer, or what another changed.
    pub(super) fn deletion_of(
        &self,
        id: TemplateId,
        (request, response): (&HttpRequest, &HttpResponse),
        base_path: &str,
    ) -> Option<HttpRequest> {
        let path = request.path.path();
        let path = if !self.is(id, &Method::POST) {
            self.here(id, &Method::DELETE).map(|_| path.to_owned())?
        } else {
            let (deletion, _) = self.deletion(id)?;
            let wanted = self.wanted(deletion, &self.resources.needs(deletion).last()?.path())?;
            let (creator, deletion) = (self.get(id), self.get(deletion));
            let made_by = (&*creator.path, &BTreeSet::new());
            let told = identity::created(response, &wanted, made_by, base_path).map(|it| it.1);
            // Who answers with nothing takes the name that was sent.
            let name = told.or_else(|| said(request, deletion.segments().next_back()?))?;
            let name = percent_encoded(&kind::scalar(&name)?);
            let is_below = deletion.segments().count() == creator.segments().count() + 1;
            let end = if deletion.path.ends_with('/') { "/" } else { "" };
            is_below.then(|| format!("{}/{name}{end}", path.trim_end_matches('/')))?
        };
        let (path, mut headers) = (path.parse().ok()?, request.headers.clone());
        headers.remove(CONTENT_TYPE);
        Some(HttpRequest { method: Method::DELETE, path, headers, body: Bytes::new() })
    }

    /// The values of a call besides its path that name a thing, by what they are called.
    pub(super) fn references(&self, call: &RestAction) -> Vec<(GenePath, &Thing)> {
        let leaves = self.templates.named_leaves(call.template, &call.gene);
        // Of an id and a name beside it, the first of NAMES says what the call is about.
        let rank = |name: &str| NAMES.iter().position(|own| *own == plain(name));
        let first = leaves.iter().filter_map(|(_, name)| rank(name)).min();
        let leaves =
            leaves.into_iter().filter(|(_, name)| rank(name).is_none_or(|it| Some(it) == first));
        let named =
            |(path, name): (GenePath, Arc<str>)| Some((path, self.named(call.template, &name)?));
        leaves.filter_map(named).collect()
    }

    /// The thing that a parameter or member of this name may name in calls of an operation.
    pub(super) fn named(&self, id: TemplateId, name: &str) -> Option<&Thing> {
        self.resources.referred((id, &self.get(id).path), name)
    }

    /// What a value of a call names: a placeholder of its path, or a thing that a parameter or
    /// member is called like.
    pub(super) fn wanted(&self, template: TemplateId, path: &GenePath) -> Option<Wanted> {
        path.0.first()?;
        let mut needs = self.resources.needs(template).iter();
        if let Some(need) = needs.find(|need| need.path() == *path) {
            let (path, name) = (Arc::clone(&self.get(template).path), Arc::clone(&need.name));
            return Some(Wanted { path, depth: need.depth, name, is_text: need.is_text });
        }
        let name = self.templates.name_at(template, path)?;
        let place = &self.named(template, &name)?.place;
        let depth = place.split('/').filter(|segment| !segment.is_empty()).count();
        Some(Wanted { path: Arc::clone(place), depth, name, is_text: false })
    }

    /// Adds a call about the same thing as an earlier one: placeholders of its path that stand
    /// where the earlier call has some are filled with the same.
    pub(super) fn push_about(
        &self,
        plan: &mut Individual<RestAction>,
        call: RestAction,
        earlier: ActionId,
    ) -> Option<ActionId> {
        let template = call.template;
        let place = plan.position(earlier)?;
        let known = self.resources.needs(plan.actions()[place].1.template);
        let action = plan.push(call);
        for need in self.resources.needs(template) {
            let is_same = |other: &&Need| other.thing.place == need.thing.place;
            let Some(same) = known.iter().find(is_same) else { continue };
            let source = BindingSource::Gene { action: earlier, path: same.path() };
            plan.bind(Binding { source, action, path: need.path() });
        }
        Some(action)
    }

    /// Operations that show whoever asks, by their path, and need nothing for it.
    pub(super) fn own_reads(&self) -> impl Iterator<Item = TemplateId> {
        self.callable.iter().copied().filter(|id| {
            let operation = self.get(*id);
            let last = operation.segments().next_back();
            operation.method == Method::GET
                && !operation.path.contains('{')
                && operation.parameters.iter().all(|parameter| !parameter.is_required)
                && last.is_some_and(is_own_account)
        })
    }

    /// The gene with the placeholders of the path as an earlier call of the operation has them.
    pub(super) fn about(&self, action: &RestAction, mut gene: Gene) -> Gene {
        if let (Gene::Tuple(elements), Gene::Tuple(known)) = (&mut gene, &action.gene) {
            for need in self.resources.needs(action.template) {
                let index = need.parameter as usize;
                if let (Some(element), Some(known)) = (elements.get_mut(index), known.get(index)) {
                    *element = known.clone();
                }
            }
        }
        gene
    }

    /// The last call up to `last` that does not take back what an earlier one made, nor reads that
    /// afterwards.
    pub(super) fn subject(&self, plan: &Individual<RestAction>, last: usize) -> usize {
        let is = |place: usize, method| self.is(plan.actions()[place].1.template, method);
        let is_bound = |place: usize| {
            let (id, _) = plan.actions()[place];
            plan.bindings().iter().any(|binding| binding.action == id)
        };
        let mut place = last;
        while place > 0 {
            let is_reading = is(place, &Method::GET) && is(place - 1, &Method::DELETE);
            let is_taking_back = is(place, &Method::DELETE) && is_bound(place);
            if !is_reading && !is_taking_back {
                break;
            }
            place -= 1;
        }
        place
    }

    /// The operation that reads what a creation makes under a name that it chooses itself, and the
    /// name: a member of the body called like the placeholder of the path.
    pub(super) fn chosen_name(&self, call: &RestAction) -> Option<(TemplateId, Value)> {
        let read = self.reads_chosen_name(call.template)?;
        let (_, spec, body) = self.templates.body(call.template, &call.gene)?;
        let body = self.templates.graph().value_of(spec, body)?;
        let name = &self.resources.needs(read).last()?.name;
        Some((read, body.get(&**name)?.clone()))
    }

    /// The operation that reads one of the things below the path of another, where calls of that
    /// choose its name.
    pub(super) fn reads_chosen_name(&self, id: TemplateId) -> Option<TemplateId> {
        let above = &self.get(id).path;
        let mut reads = self.callable.iter().filter(|id| {
            let below = self.get(**id).path.strip_prefix(&**above);
            let below = below.and_then(|rest| rest.strip_prefix("/{"));
            self.is(**id, &Method::GET) && below.is_some_and(|rest| !rest.contains('/'))
        });
        let read = *reads.next()?;
        let name = &self.resources.needs(read).last()?.name;
        let schemas = &self.templates.description().schemas;
        let mut bodies = self.get(id).bodies.iter();
        let has_name = bodies.any(|body| {
            let members = schemas.flat(&[body.schema.into()]).properties;
            members.iter().any(|(member, _)| **member == **name)
        });
        has_name.then_some(read)
    }

    /// Puts a name into the last placeholder of a call's path. Returns whether it fits there.
    pub(super) fn set_name(&self, call: &mut RestAction, name: &Value) -> bool {
        let Some(need) = self.resources.needs(call.template).last() else { return false };
        self.templates.template(call.template).spec.put(&mut call.gene, &need.path(), name)
    }

    /// Whether the call has a body of one of some documented media types.
    pub(super) fn has_closed_media_types(&self, id: TemplateId, gene: &Gene) -> bool {
        let has_range = self.get(id).bodies.iter().any(|body| body.media_type.contains('*'));
        !has_range && self.templates.body(id, gene).is_some()
    }
}
