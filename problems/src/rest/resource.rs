//! Resources: which operations make what others need.
//!
//! The path tells: `/users/{userId}/posts/{postId}` is one of the posts of one of the users. What
//! is made by a call of POST on `/users/{userId}/posts`, or of POST or PUT on the very path, is what
//! the last placeholder names; for the one before it, the same holds a level higher.
//!
//! Where nothing on the path makes it, the name tells: the `{userId}` of `/teams/{id}/members/{userId}`
//! is one of `/users`, and so is the member `userId` of a body. Where paths say what is done
//! (`/roles/add`), the `name` that `/roles/delete` is sent is that of a role.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use http::Method;
use wallace_genes::{GenePath, PathStep, TemplateId};

use super::deed::Deeds;
use super::description::ParameterPlace;
use super::learn::{CALLED, NAMES};
use super::schema::{Kind, SchemaId};
use super::template::Templates;
use super::word::{called, fixed_words, shape};
use crate::word::{plain, singular};

/// What users are to something: a text in their place is what a user is called.
const ROLES: [&str; 8] =
    ["owner", "author", "creator", "assignee", "reviewer", "member", "recipient", "sender"];

/// Whether the answers of an operation may hold a list, as far as they are documented: a version or a
/// status names nothing.
fn may_list(templates: &Templates, id: TemplateId) -> bool {
    let schemas = &templates.description().schemas;
    let may_be_list = |id: SchemaId| {
        let kinds = schemas.flat(&[id.into()]).kinds;
        !kinds.is_told() || kinds.allows(Kind::List)
    };
    let responses = templates.operation(id).responses.iter();
    let good = responses.filter(|it| it.statuses.matches(200)).flat_map(|it| &it.contents);
    let documented: Vec<SchemaId> = good.filter_map(|content| content.schema).collect();
    documented.is_empty()
        || documented.into_iter().any(|id| {
            let flat = schemas.flat(&[id.into()]);
            let mut members = flat.properties.iter().flat_map(|(_, member)| member);
            may_be_list(id) || members.any(|member| may_be_list(*member))
        })
}

/// How something that an operation needs can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Creation {
    /// By this operation, which answers with what names it.
    Answered(TemplateId),
    /// By this operation, whose last placeholder names it: the test chooses the name.
    Chosen(TemplateId),
}

impl Creation {
    /// The operation that makes it.
    pub(crate) fn operation(self) -> TemplateId {
        let (Self::Answered(id) | Self::Chosen(id)) = self;
        id
    }
}

/// Something that has a name: where it is, and what makes and lists such things.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    /// Its path, all placeholders alike.
    pub(crate) place: Arc<str>,
    /// The path on which it is made: another one where it is borrowed from there.
    pub(crate) origin: Arc<str>,
    /// Operations that make it.
    pub(crate) creations: Vec<Creation>,
    /// Operations that list such things.
    pub(crate) lists: Vec<TemplateId>,
}

/// A placeholder of a path, and what makes the thing that it names.
#[derive(Debug, Clone)]
pub(crate) struct Need {
    /// Position of the parameter in the operation, which is its position in the gene.
    pub(crate) parameter: u32,
    /// Name of the parameter.
    pub(crate) name: Arc<str>,
    /// Names under which it may stand in answers, the surest first.
    pub(crate) names: Vec<Box<str>>,
    /// Segments of the path up to the placeholder, itself included.
    pub(crate) depth: usize,
    /// What it names.
    pub(crate) thing: Thing,
    /// Whether the operation itself makes the thing: it need not be there before.
    pub(crate) is_made_here: bool,
    /// Whether it is documented as a text.
    pub(crate) is_text: bool,
}

impl Need {
    /// Where the gene of a call has its name.
    pub(crate) fn path(&self) -> GenePath {
        GenePath(vec![PathStep::Field(self.parameter)])
    }
}

/// What each operation needs, and which operations are about the same thing.
#[derive(Debug)]
pub(crate) struct Resources {
    needs: Vec<Vec<Need>>,
    by_path: HashMap<Arc<str>, Vec<TemplateId>>,
    by_name: HashMap<String, Vec<Thing>>,
    kin: HashMap<Arc<str>, Vec<Arc<str>>>,
    changes: HashMap<String, Vec<TemplateId>>,
    family_names: BTreeSet<Box<str>>,
    deeds: Deeds,
}

impl Resources {
    /// The resources of all operations; only `callable` ones make anything.
    pub(crate) fn new(templates: &Templates, callable: &[TemplateId]) -> Self {
        let mut resources = Self {
            needs: Vec::new(),
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            kin: HashMap::new(),
            changes: HashMap::new(),
            family_names: BTreeSet::new(),
            deeds: Deeds::default(),
        };
        for id in callable {
            let operation = templates.operation(*id);
            resources.deeds.note(*id, &operation.path, operation.method.is_safe());
            resources.by_path.entry(shape(&operation.path)).or_default().push(*id);
            if operation.method.is_safe() {
                continue;
            }
            for word in fixed_words(&operation.path) {
                let changes = resources.changes.entry(word).or_default();
                if !changes.contains(id) {
                    changes.push(*id);
                }
            }
        }
        resources.name_things(templates, callable);
        let all = templates.operations().iter();
        resources.needs = all.map(|template| resources.needs_of(templates, template.id)).collect();
        let nested = resources.needs.iter().filter(|needs| needs.len() > 1).flatten();
        resources.family_names = nested.flat_map(|need| need.names.iter().cloned()).collect();
        resources
    }

    /// Names of placeholders that stand beside others.
    pub(super) fn family_names(&self) -> &BTreeSet<Box<str>> {
        &self.family_names
    }

    /// Things that some operation makes or lists, by what they are called.
    fn name_things(&mut self, templates: &Templates, callable: &[TemplateId]) {
        let mut by_name: HashMap<String, Vec<Thing>> = HashMap::new();
        let paths = callable.iter().map(|id| &templates.operation(*id).path);
        // The things of `/documents.list` stand on no path.
        let told = self.deeds.things().into_iter().map(|thing| format!("{thing}/{{}}"));
        let paths: Vec<String> = paths.map(ToString::to_string).chain(told).collect();
        for path in &paths {
            let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
            for (depth, segment) in segments.iter().enumerate() {
                // Of a collection, what it would hold if it had a path of its own counts too.
                let above = if segment.contains('{') { depth.checked_sub(1) } else { Some(depth) };
                let Some(collection) = above.filter(|above| !segments[*above].contains('{')) else {
                    continue;
                };
                let thing = self.thing(templates, &segments[..=collection]);
                let known = by_name.entry(plain(&singular(segments[collection]))).or_default();
                let is_made = !thing.creations.is_empty() || !thing.lists.is_empty();
                if is_made && !known.iter().any(|known| known.place == thing.place) {
                    known.push(thing);
                }
            }
        }
        for things in by_name.values_mut() {
            // What stands by itself is what others refer to.
            things
                .sort_by_key(|thing| (thing.place.matches('/').count(), Arc::clone(&thing.place)));
        }
        for things in by_name.values() {
            for thing in things {
                let others = things.iter().filter(|other| other.place != thing.place);
                let others = others.map(|other| Arc::clone(&other.place));
                self.kin.entry(Arc::clone(&thing.place)).or_default().extend(others);
            }
        }
        self.by_name = by_name;
    }

    /// The things of a collection, given by the segments of its path.
    fn thing(&self, templates: &Templates, collection: &[&str]) -> Thing {
        let above: String = collection.iter().map(|segment| format!("/{segment}")).collect();
        let above = shape(&above);
        let here: Arc<str> = format!("{above}/{{}}").into();
        let find = |path: &str, methods: &[Method]| -> Vec<TemplateId> {
            let here = self.by_path.get(path).into_iter().flatten();
            here.filter(|id| methods.contains(&templates.operation(**id).method)).copied().collect()
        };
        let answered = find(&above, &[Method::POST]).into_iter().map(Creation::Answered);
        let chosen = find(&here, &[Method::POST]).into_iter().map(Creation::Chosen);
        let mut creations: Vec<Creation> = answered.chain(chosen).collect();
        if creations.is_empty() {
            // Where POST makes things, PUT only changes them.
            creations.extend(find(&here, &[Method::PUT]).into_iter().map(Creation::Chosen));
        }
        if creations.is_empty() {
            creations.extend(self.deeds.makers(&above).into_iter().map(Creation::Answered));
        }
        if creations.is_empty() {
            // Kinds of things, each made on a path of its own.
            let below = format!("{above}/");
            let mut kinds: Vec<TemplateId> = self
                .by_path
                .iter()
                .filter(|(path, _)| {
                    path.strip_prefix(&*below).is_some_and(|rest| !rest.contains(['{', '/']))
                })
                .flat_map(|(_, ids)| ids.iter().copied())
                .filter(|id| templates.operation(*id).method == Method::POST)
                .filter(|id| !self.deeds.is_told(*id))
                .collect();
            kinds.sort_unstable();
            creations.extend(kinds.into_iter().map(Creation::Answered));
        }
        let mut lists = find(&above, &[Method::GET]);
        if lists.is_empty() {
            lists = self.deeds.lists(&above);
        }
        Thing {
            creations,
            lists: lists.into_iter().filter(|id| may_list(templates, *id)).collect(),
            origin: Arc::clone(&here),
            place: here,
        }
    }

    fn needs_of(&self, templates: &Templates, id: TemplateId) -> Vec<Need> {
        let operation = templates.operation(id);
        let segments: Vec<&str> = operation.segments().collect();
        let parameters = operation.parameters.iter().enumerate();
        let in_path = parameters.filter(|(_, p)| p.place == ParameterPlace::Path);
        let needs = in_path.filter_map(|(index, parameter)| {
            let wanted = format!("{{{}}}", parameter.name);
            let place = segments.iter().position(|segment| *segment == wanted)?;
            let mut thing = self.thing(templates, &segments[..place]);
            let itself = |creation: &Creation| creation.operation() == id;
            let is_made_here = thing.creations.iter().any(itself);
            thing.creations.retain(|creation| !itself(creation));
            let above = segments.get(place.wrapping_sub(1)).copied().unwrap_or_default();
            if is_made_here && operation.method == Method::POST {
                // What is added here may be something that is made elsewhere, nearer to the root.
                thing.creations.clear();
                thing.lists.clear();
                let length = thing.place.matches('/').count();
                self.borrow(&mut thing, &parameter.name, above, length);
            } else if thing.creations.is_empty() {
                self.borrow(&mut thing, &parameter.name, above, usize::MAX);
            }
            let (name, depth) = (Arc::clone(&parameter.name), place + 1);
            let kinds = templates.description().schemas.flat(&[parameter.schema.into()]).kinds;
            let is_text =
                kinds.is_told() && kinds.allows(Kind::Text) && !kinds.allows(Kind::Integer);
            let names = names_of(above, &name, is_text);
            Some(Need { parameter: index as u32, name, names, depth, thing, is_made_here, is_text })
        });
        let mut needs: Vec<Need> = needs.collect();
        needs.sort_by_key(|need| need.depth);
        needs
    }

    /// Lets a thing be made as the one of the same name on a path of less than `length` segments.
    fn borrow(&self, thing: &mut Thing, name: &str, collection: &str, length: usize) {
        let named = self.named(name).or_else(|| self.by_name.get(named_in_one_word(name)?));
        let others = [named, self.by_name.get(&plain(&singular(collection)))];
        let mut others = others.into_iter().flatten().flatten();
        let other = others
            .find(|other| other.place != thing.place && other.place.matches('/').count() < length);
        let Some(other) = other else { return };
        thing.creations = other.creations.clone();
        thing.origin = Arc::clone(&other.origin);
        if thing.lists.is_empty() {
            thing.lists = other.lists.clone();
        }
    }

    /// Things that a parameter or member of this name may name: `userId`, `sourceUser`.
    fn named(&self, name: &str) -> Option<&Vec<Thing>> {
        self.by_name.get(&called(name)?)
    }

    /// The thing that a parameter or member of this name may name in calls of an operation: a mere
    /// `name` or `id` is that of what the path says something is done with.
    pub(crate) fn referred(&self, operation: (TemplateId, &str), name: &str) -> Option<&Thing> {
        let (id, path) = operation;
        let own = NAMES.contains(&&*plain(name)).then(|| self.deeds.needed(id, path)).flatten();
        own.and_then(|above| self.stands_at(&above)).or_else(|| self.named(name)?.first())
    }

    /// The thing of a collection, given by its path.
    fn stands_at(&self, above: &str) -> Option<&Thing> {
        let segment = above.rsplit('/').next()?;
        let mut things = self.by_name.get(&plain(&singular(segment)))?.iter();
        things.find(|thing| thing.place.strip_suffix("/{}") == Some(above))
    }

    /// Operations that change something and have this word in their path.
    pub(crate) fn changes(&self, word: &str) -> &[TemplateId] {
        self.changes.get(word).map_or(&[], Vec::as_slice)
    }

    /// What the answers of a path are about: the last collection on it that has things below it, or
    /// else its last fixed segment. `/flows/filter` tells of flows.
    pub(crate) fn thing_of(&self, path: &str) -> String {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let fixed = (0..segments.len()).rev().filter(|place| !segments[*place].contains('{'));
        let has_things = |place: &usize| {
            let below = format!("/{}/{{}}", segments[..=*place].join("/"));
            self.by_path.contains_key(&shape(&below))
        };
        let place = fixed.clone().find(has_things).or_else(|| fixed.clone().next());
        place.map_or_else(String::new, |place| singular(segments[place]))
    }

    /// Paths of other things that are called like those on this one.
    pub(crate) fn kin(&self, place: &Arc<str>) -> &[Arc<str>] {
        self.kin.get(place).map_or(&[], Vec::as_slice)
    }

    /// What an operation needs, in the order of its path.
    pub(crate) fn needs(&self, id: TemplateId) -> &[Need] {
        self.needs.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Operations on a path, whatever its placeholders are called.
    pub(crate) fn at(&self, path: &str) -> &[TemplateId] {
        self.by_path.get(&shape(path)).map_or(&[], Vec::as_slice)
    }

    /// Operations on the path, and on the fixed segments right below it.
    pub(crate) fn about<'r>(&'r self, path: &str) -> impl Iterator<Item = TemplateId> + use<'r> {
        let path = shape(path);
        let below = format!("{path}/");
        let paths = self.by_path.iter().filter(move |(known, _)| {
            **known == path
                || known.strip_prefix(&*below).is_some_and(|rest| !rest.contains(['{', '/']))
        });
        let mut ids: Vec<TemplateId> = paths.flat_map(|(_, ids)| ids.iter().copied()).collect();
        ids.sort_unstable();
        ids.into_iter()
    }
}

/// The thing in a name whose reference is no word of its own: the user in `username`.
fn named_in_one_word(name: &str) -> Option<&str> {
    NAMES
        .iter()
        .find_map(|reference| name.strip_suffix(reference))
        .filter(|thing| !thing.is_empty())
}

/// Names under which a placeholder may stand in answers, the surest first.
fn names_of(above: &str, name: &str, is_text: bool) -> Vec<Box<str>> {
    let thing = plain(&singular(above));
    let name = plain(name);
    if NAMES.contains(&&*name) {
        return vec![format!("{thing}{name}").into(), format!("{thing}id").into()];
    }
    let mut names = vec![Box::from(&*name), format!("{thing}id").into()];
    if !name.ends_with("id") && (is_text || name == thing) {
        // What a text means is rather called so than numbered.
        let place = if is_text { 1 } else { 2 };
        names.splice(place..place, CALLED.iter().map(|called| format!("{name}{called}").into()));
        if ROLES.contains(&&*name) {
            names.extend(CALLED.iter().map(|called| format!("user{called}").into()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::problem::support::{named, problem};

    /// Nothing makes profiles: that of a user is there with the user.
    #[test]
    fn what_a_name_in_one_word_refers_to_is_made_first() {
        let problem = problem(
            "{/users: {post: {}}, '/profiles/{username}': {parameters: [{name: username, in: path, \
               required: true, schema: {type: string}}], get: {}}}",
            0,
        );
        let id = |name| named(&problem, name);
        let need = &problem.operations().resources.needs(id("GET:/profiles/{username}"))[0];
        assert_eq!(need.thing.creations, [Creation::Answered(id("POST:/users"))]);
        assert_eq!(need.names[0].as_ref(), "username");
    }

    #[test]
    fn whoever_owns_something_is_called_like_a_user() {
        let names = |above, name, is_text| {
            let names = names_of(above, name, is_text);
            names.iter().map(|name| name.to_string()).collect::<Vec<_>>()
        };
        let wanted = [
            "owner",
            "ownername",
            "ownerlogin",
            "ownerusername",
            "shareid",
            "username",
            "userlogin",
            "userusername",
        ];
        assert_eq!(names("shares", "owner", true), wanted);
        assert_eq!(names("shares", "server", true).last().unwrap(), "shareid");
        assert_eq!(names("users", "name", true), ["username", "userid"]);
    }
}
