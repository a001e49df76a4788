//! Logins and users.

use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::reader::{email, text, word};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::user::{self, Registration, User};
use crate::flawed_shop::word::Role;

type Handled = Result<Answer, ShopError>;

fn view(user: &User) -> Value {
    let User { id, email, name, role } = user;
    json!({ "id": id, "email": email, "name": name, "role": role.word() })
}

#[white_box]
pub(super) fn log_in(call: &Call<'_>) -> Handled {
    let body = call.json()?;
    let mut members = members(&body)?;
    let email = text("email", members.required("email")?, 0..=usize::MAX)?;
    let password = text("password", members.required("password")?, 0..=usize::MAX)?;
    members.finish()?;
    let Some(user) = user::log_in(call.store, &email, &password)? else {
        return Err(ShopError::Conflict("BAD_CREDENTIALS", "email or password are wrong"));
    };
    let (token, role) = (user::token(user.id), user.role.word());
    Ok(Answer::ok(json!({ "token": token, "userId": user.id, "role": role })))
}

#[white_box]
pub(super) fn register(call: &Call<'_>) -> Handled {
    let body = call.json()?;
    let mut members = members(&body)?;
    let registration = Registration {
        email: email(members.required("email")?)?,
        password: text("password", members.required("password")?, 8..=64)?,
        name: text("name", members.required("name")?, 1..=80)?,
    };
    let mut role = Role::Customer;
    if call.has("rest-role-assignable")
        && let Some(chosen) = members.optional("role")
    {
        role = word("role", chosen, Role::parse)?;
    }
    members.finish()?;
    let user = user::register(call.store, &registration, role)?;
    Ok(Answer::created(format!("/users/{}", user.id), view(&user)))
}

pub(super) fn list(call: &Call<'_>) -> Handled {
    let users: Vec<Value> = user::all(call.store)?.iter().map(view).collect();
    Ok(Answer::ok(users.into()))
}

/// The user of the path, if the caller may see it.
#[white_box]
fn visible(call: &Call<'_>, id: i64) -> Result<User, ShopError> {
    let caller = call.user()?;
    if caller.is_admin() {
        return user::find(call.store, id)?.ok_or(ShopError::NotFound("user"));
    }
    if caller.id != id {
        return Err(ShopError::Forbidden);
    }
    Ok(caller.clone())
}

pub(super) fn read(call: &Call<'_>) -> Handled {
    let user = visible(call, call.id()?)?;
    Ok(Answer::ok(view(&user)))
}

#[white_box]
pub(super) fn patch(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let name = members.optional("name").map(|value| text("name", value, 1..=80)).transpose()?;
    let email = members.optional("email").map(email).transpose()?;
    members.finish()?;
    let user = visible(call, id)?;
    let user = user::update(call.store, &user, name.as_deref(), email.as_deref())?;
    Ok(Answer::ok(view(&user)))
}
