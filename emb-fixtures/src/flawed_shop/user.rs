//! Users, and the tokens that say who is calling.

use std::hash::Hasher;

use rusqlite::{Connection, OptionalExtension, Row};
use wallace_instrument::white_box;

use super::error::ShopError;
use super::word::Role;

/// The users of the start, who must stay usable whatever anybody does.
const SEEDED_USERS: i64 = 3;

/// A user without the password.
#[derive(Debug, Clone)]
pub(super) struct User {
    pub(super) id: i64,
    pub(super) email: String,
    pub(super) name: String,
    pub(super) role: Role,
}

impl User {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, email: row.get(1)?, name: row.get(2)?, role: row.get(3)? })
    }

    pub(super) fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }

    /// Fails unless this is a customer: admins have neither cart nor reviews.
    pub(super) fn must_be_customer(&self) -> Result<(), ShopError> {
        if self.is_admin() { Err(ShopError::Forbidden) } else { Ok(()) }
    }

    pub(super) fn must_be_admin(&self) -> Result<(), ShopError> {
        if self.is_admin() { Ok(()) } else { Err(ShopError::Forbidden) }
    }
}

const COLUMNS: &str = "SELECT id, email, name, role FROM users";

pub(super) fn find(store: &Connection, id: i64) -> Result<Option<User>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    Ok(statement.query_row([id], User::read).optional()?)
}

pub(super) fn all(store: &Connection) -> Result<Vec<User>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} ORDER BY id"))?;
    let users = statement.query_map([], User::read)?;
    Ok(users.collect::<Result<_, _>>()?)
}

/// The user with this email and password.
pub(super) fn log_in(
    store: &Connection,
    email: &str,
    password: &str,
) -> Result<Option<User>, ShopError> {
    let query = format!("{COLUMNS} WHERE email = ?1 AND password = ?2");
    let mut statement = store.prepare_cached(&query)?;
    Ok(statement.query_row([email, password], User::read).optional()?)
}

/// Who has this email address.
fn find_email(store: &Connection, email: &str) -> Result<Option<i64>, ShopError> {
    let mut statement = store.prepare_cached("SELECT id FROM users WHERE email = ?1")?;
    Ok(statement.query_row([email], |row| row.get(0)).optional()?)
}

/// What a new user brings.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) name: String,
}

/// Adds a user whose members have the described shapes.
#[white_box]
pub(super) fn register(
    store: &Connection,
    registration: &Registration,
    role: Role,
) -> Result<User, ShopError> {
    let Registration { email, password, name } = registration;
    if find_email(store, email)?.is_some() {
        return Err(ShopError::Conflict("EMAIL_TAKEN", "this email is taken"));
    }
    insert(store, email, password, name, role)
}

/// Adds a user without a look at the email, which the store refuses when it is taken.
pub(super) fn insert(
    store: &Connection,
    email: &str,
    password: &str,
    name: &str,
    role: Role,
) -> Result<User, ShopError> {
    let insert = "INSERT INTO users (email, password, name, role) VALUES (?1, ?2, ?3, ?4)";
    store.prepare_cached(insert)?.execute([email, password, name, role.word()])?;
    let id = store.last_insert_rowid();
    Ok(User { id, email: email.to_owned(), name: name.to_owned(), role })
}

/// Changes what is given.
#[white_box]
pub(super) fn update(
    store: &Connection,
    user: &User,
    name: Option<&str>,
    email: Option<&str>,
) -> Result<User, ShopError> {
    let mut changed = user.clone();
    if let Some(name) = name {
        name.clone_into(&mut changed.name);
    }
    if let Some(email) = email
        && email != user.email
    {
        if user.id <= SEEDED_USERS {
            return Err(ShopError::Conflict("SEEDED_ACCOUNT", "this account keeps its email"));
        }
        if find_email(store, email)?.is_some() {
            return Err(ShopError::Conflict("EMAIL_TAKEN", "this email is taken"));
        }
        email.clone_into(&mut changed.email);
    }
    let mut statement =
        store.prepare_cached("UPDATE users SET name = ?2, email = ?3 WHERE id = ?1")?;
    statement.execute((user.id, &changed.name, &changed.email))?;
    Ok(changed)
}

/// The token of a user: the same every time, in every instance.
pub(super) fn token(id: i64) -> String {
    // A hash, so that tokens are not guessed from ids by accident.
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(format!("flawed-shop user {id}").as_bytes());
    format!("{id}.{:016x}", hasher.finish())
}

/// Who has this token.
pub(super) fn find_token(store: &Connection, text: &str) -> Result<Option<User>, ShopError> {
    let id = text.split('.').next().and_then(|id| id.parse::<i64>().ok());
    match id {
        Some(id) if token(id) == text => find(store, id),
        _ => Ok(None),
    }
}

/// Who calls with this `Authorization` header; `None` without one.
pub(super) fn identify(
    store: &Connection,
    authorization: Option<&str>,
) -> Result<Option<User>, ShopError> {
    let Some(authorization) = authorization else { return Ok(None) };
    let token =
        authorization.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let user = match token {
        Some((_, token)) => find_token(store, token.trim())?,
        None => None,
    };
    user.map(Some).ok_or(ShopError::Unauthenticated)
}
