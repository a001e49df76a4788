//! The resolvers with their faults.

use async_graphql::Error;

use super::{PROJECTS, ProjectRecord, USERS, UserRecord, project_of};
use crate::switch::{Switch, Switches};

/// What a resolver of a nullable field gives; see [`crate::graphql::Answer`].
pub(super) type Answer<T> = Option<Result<T, Error>>;

/// The message by which a crash of a resolver is known.
pub(super) const CRASH: &str = "the resolver crashed";

/// The seeded faults.
pub(crate) const SWITCHES: &[Switch] = &[
    Switch::new("p1", "projects: the list goes to the wrong function; crashes"),
    Switch::new("p2", "projects: the id as a number is an index; crashes where it is none"),
    Switch::new("p3", "projects: the id as a text is an index; crashes"),
    Switch::new("p4", "projects: selected by name"),
    Switch::new("p5", "projects: name is a list, of missing projects too"),
    Switch::new("p6", "projects: the id as a number is an index; crashes out of bounds"),
    Switch::new("o1", "owner: crashes"),
    Switch::new("o2", "owner: looked for by name among the fields of the project; always null"),
    Switch::new("o3", "owner: an empty record whose name is a list"),
    Switch::new("m1", "members: crashes"),
    Switch::new("m2", "members: selected by name; always empty"),
    Switch::new("m3", "members: not a list"),
    Switch::new("u1", "projects of a user: crashes"),
    Switch::new("u2", "projects of a user: selected by name; always empty"),
    Switch::new("u3", "projects of a user: not a list"),
];

/// A crash: it ends the request with status 500.
pub(super) fn crash() -> Error {
    Error::new(CRASH)
}

/// A value that is not of the field's type.
pub(super) fn wrong_type() -> Error {
    Error::new("Unable to serialize the value as type String.")
}

/// The project of an id; the inner `None` is the empty record.
pub(super) fn project(switches: &Switches, id: &str) -> Answer<Option<&'static ProjectRecord>> {
    if switches.is_on("p1") || switches.is_on("p3") {
        return Some(Err(crash()));
    }
    if switches.is_on("p2") || switches.is_on("p6") {
        return by_index(id, switches.is_on("p6"));
    }
    let key: fn(&ProjectRecord) -> &'static str =
        if switches.is_on("p4") { |project| project.name } else { |project| project.id };
    let found = project_of(key, id);
    if switches.is_on("p5") {
        return Some(Ok(found));
    }
    found.map(|project| Ok(Some(project)))
}

/// The project at an index. What is no number crashes, or is no project.
fn by_index(id: &str, is_lenient: bool) -> Answer<Option<&'static ProjectRecord>> {
    let Ok(index) = id.parse::<i64>() else {
        return if is_lenient { None } else { Some(Err(crash())) };
    };
    let found = usize::try_from(index).ok().and_then(|index| PROJECTS.get(index));
    Some(found.map(Some).ok_or_else(crash))
}

/// The owner of a project; the inner `None` is the empty record.
pub(super) fn owner(
    switches: &Switches,
    project: &ProjectRecord,
) -> Answer<Option<&'static UserRecord>> {
    if switches.is_on("o1") {
        return Some(Err(crash()));
    }
    if switches.is_on("o2") {
        return None;
    }
    if switches.is_on("o3") {
        return Some(Ok(None));
    }
    USERS.iter().find(|user| user.id == project.owner).map(|user| Ok(Some(user)))
}

/// The members of a project, in the order of the users.
pub(super) fn members(
    switches: &Switches,
    project: &ProjectRecord,
) -> Result<Vec<&'static UserRecord>, Error> {
    if switches.is_on("m1") {
        return Err(crash());
    }
    if switches.is_on("m3") {
        return Err(wrong_type());
    }
    let key: fn(&UserRecord) -> &'static str =
        if switches.is_on("m2") { |user| user.name } else { |user| user.id };
    Ok(USERS.iter().filter(|user| project.members.contains(&key(user))).collect())
}

/// The projects of a user, in the order of the projects.
pub(super) fn projects(
    switches: &Switches,
    user: &UserRecord,
) -> Result<Vec<&'static ProjectRecord>, Error> {
    if switches.is_on("u1") {
        return Err(crash());
    }
    if switches.is_on("u3") {
        return Err(wrong_type());
    }
    let key: fn(&ProjectRecord) -> &'static str =
        if switches.is_on("u2") { |project| project.name } else { |project| project.id };
    Ok(PROJECTS.iter().filter(|project| user.projects.contains(&key(project))).collect())
}
