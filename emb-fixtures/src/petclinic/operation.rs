//! What the clinic does.

use std::cmp::Ordering;
use std::sync::Arc;

use rusqlite::Connection;
use wallace_instrument::white_box;

use super::date;
use super::input::{
    AddOwnerInput, AddPetInput, AddVisitInput, OrderField, OrderType, OwnerFilter, OwnerOrder,
    UpdateOwnerInput, UpdatePetInput,
};
use super::store::{self, Named, Owner, Pet, Visit};

/// Why an operation has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum ClinicError {
    /// There is no such thing.
    #[error("there is no such {0}")]
    Missing(&'static str),
    /// A text is not as it must be.
    #[error("{0}")]
    Text(&'static str),
    /// A date is not as it must be.
    #[error("{0}")]
    Date(&'static str),
    /// The store does not do what it was told.
    #[error("the store failed")]
    Store(Arc<rusqlite::Error>),
}

impl From<rusqlite::Error> for ClinicError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(Arc::new(error))
    }
}

type Outcome<T> = Result<T, ClinicError>;

/// The owners that a filter lets through, in this order.
#[white_box]
pub(super) fn owners(
    store: &Connection,
    filter: &OwnerFilter,
    orders: &[OwnerOrder],
) -> Outcome<Vec<Owner>> {
    let mut found = Vec::new();
    for owner in store::owners(store)? {
        if passes(&owner, filter) {
            found.push(owner);
        }
    }
    found.sort_by(|left, right| {
        let ordered = orders.iter().map(|order| compare(left, right, order));
        ordered.fold(Ordering::Equal, Ordering::then)
    });
    Ok(found)
}

#[white_box]
fn passes(owner: &Owner, filter: &OwnerFilter) -> bool {
    if let Some(first_name) = &filter.first_name {
        if !owner.first_name.starts_with(first_name.as_str()) {
            return false;
        }
    }
    if let Some(last_name) = &filter.last_name {
        if !owner.last_name.starts_with(last_name.as_str()) {
            return false;
        }
    }
    if let Some(address) = &filter.address {
        if !owner.address.starts_with(address.as_str()) {
            return false;
        }
    }
    if let Some(city) = &filter.city {
        if !owner.city.starts_with(city.as_str()) {
            return false;
        }
    }
    if let Some(telephone) = &filter.telephone {
        if !owner.telephone.starts_with(telephone.as_str()) {
            return false;
        }
    }
    true
}

#[white_box]
fn compare(left: &Owner, right: &Owner, order: &OwnerOrder) -> Ordering {
    let upwards = match order.field.unwrap_or(OrderField::Id) {
        OrderField::Id => left.id.cmp(&right.id),
        OrderField::FirstName => left.first_name.cmp(&right.first_name),
        OrderField::LastName => left.last_name.cmp(&right.last_name),
        OrderField::Address => left.address.cmp(&right.address),
        OrderField::City => left.city.cmp(&right.city),
        OrderField::Telephone => left.telephone.cmp(&right.telephone),
    };
    if order.order == Some(OrderType::Desc) { upwards.reverse() } else { upwards }
}

#[white_box]
pub(super) fn owner(store: &Connection, id: i32) -> Outcome<Owner> {
    let Some(owner) = store::owner(store, id)? else {
        return Err(ClinicError::Missing("owner"));
    };
    Ok(owner)
}

#[white_box]
pub(super) fn pet(store: &Connection, id: i32) -> Outcome<Pet> {
    let Some(pet) = store::pet(store, id)? else {
        return Err(ClinicError::Missing("pet"));
    };
    Ok(pet)
}

/// A text that must be there and say something.
#[white_box]
fn filled(text: Option<&str>, what: &'static str) -> Outcome<String> {
    let Some(text) = text else {
        return Err(ClinicError::Text(what));
    };
    if text.trim().is_empty() {
        return Err(ClinicError::Text(what));
    }
    Ok(text.to_owned())
}

#[white_box]
fn check_telephone(telephone: &str) -> Outcome<()> {
    if telephone.len() > 10 {
        return Err(ClinicError::Text("a telephone number has at most 10 digits"));
    }
    for character in telephone.chars() {
        if !character.is_ascii_digit() {
            return Err(ClinicError::Text("a telephone number has digits only"));
        }
    }
    Ok(())
}

pub(super) fn add_owner(store: &Connection, input: &AddOwnerInput) -> Outcome<Owner> {
    let owner = Owner {
        id: 0,
        first_name: filled(input.first_name.as_deref(), "the first name is empty")?,
        last_name: filled(input.last_name.as_deref(), "the last name is empty")?,
        address: filled(input.address.as_deref(), "the address is empty")?,
        city: filled(input.city.as_deref(), "the city is empty")?,
        telephone: filled(input.telephone.as_deref(), "the telephone number is empty")?,
    };
    check_telephone(&owner.telephone)?;
    let id = store::add_owner(store, &owner)?;
    Ok(Owner { id, ..owner })
}

#[white_box]
pub(super) fn update_owner(store: &Connection, input: &UpdateOwnerInput) -> Outcome<Owner> {
    let mut changed = owner(store, input.owner_id)?;
    if let Some(first_name) = &input.first_name {
        changed.first_name = filled(Some(first_name.as_str()), "the first name is empty")?;
    }
    if let Some(last_name) = &input.last_name {
        changed.last_name = filled(Some(last_name.as_str()), "the last name is empty")?;
    }
    if let Some(address) = &input.address {
        changed.address = filled(Some(address.as_str()), "the address is empty")?;
    }
    if let Some(city) = &input.city {
        changed.city = filled(Some(city.as_str()), "the city is empty")?;
    }
    if let Some(telephone) = &input.telephone {
        check_telephone(telephone)?;
        changed.telephone = filled(Some(telephone.as_str()), "the telephone number is empty")?;
    }
    store::update_owner(store, &changed)?;
    Ok(changed)
}

/// The type of this id.
#[white_box]
pub(super) fn pet_type(store: &Connection, id: i32) -> Outcome<Named> {
    for kind in store::types(store)? {
        if kind.id == id {
            return Ok(kind);
        }
    }
    Err(ClinicError::Missing("type"))
}

pub(super) fn add_pet(store: &Connection, input: &AddPetInput) -> Outcome<Pet> {
    let owner = owner(store, input.owner_id)?;
    let pet = Pet {
        id: 0,
        name: filled(Some(input.name.as_str()), "the name is empty")?,
        birth_date: date::parse(&input.birth_date.0)?.text(),
        type_id: pet_type(store, input.type_id)?.id,
        owner_id: owner.id,
    };
    let id = store::add_pet(store, &pet)?;
    Ok(Pet { id, ..pet })
}

#[white_box]
pub(super) fn update_pet(store: &Connection, input: &UpdatePetInput) -> Outcome<Pet> {
    let mut changed = pet(store, input.pet_id)?;
    if let Some(name) = &input.name {
        changed.name = filled(Some(name.as_str()), "the name is empty")?;
    }
    if let Some(birth_date) = &input.birth_date {
        let born = date::parse(&birth_date.0)?;
        for visit in store::visits(store, changed.id)? {
            if date::parse(&visit.date)? < born {
                return Err(ClinicError::Date("the pet came before it was born"));
            }
        }
        changed.birth_date = born.text();
    }
    if let Some(id) = input.type_id {
        changed.type_id = pet_type(store, id)?.id;
    }
    store::update_pet(store, &changed)?;
    Ok(changed)
}

#[white_box]
pub(super) fn add_visit(store: &Connection, input: &AddVisitInput) -> Outcome<Visit> {
    let pet = pet(store, input.pet_id)?;
    let description = filled(Some(input.description.as_str()), "the description is empty")?;
    let day = date::parse(&input.date.0)?;
    if day < date::parse(&pet.birth_date)? {
        return Err(ClinicError::Date("the pet is not born then"));
    }
    let date = day.text();
    let id = store::add_visit(store, pet.id, &date, &description)?;
    Ok(Visit { id, pet_id: pet.id, date, description })
}

/// Fails if there is a specialty of this name, other than the one with this id.
#[white_box]
fn check_specialty_name(store: &Connection, id: i32, name: &str) -> Outcome<()> {
    for specialty in store::specialties(store)? {
        if specialty.name == name && specialty.id != id {
            return Err(ClinicError::Text("there is such a specialty"));
        }
    }
    Ok(())
}

#[white_box]
fn check_specialty(store: &Connection, id: i32) -> Outcome<()> {
    for specialty in store::specialties(store)? {
        if specialty.id == id {
            return Ok(());
        }
    }
    Err(ClinicError::Missing("specialty"))
}

pub(super) fn add_specialty(store: &Connection, name: &str) -> Outcome<Named> {
    let name = filled(Some(name), "the name is empty")?;
    check_specialty_name(store, 0, &name)?;
    let id = store::add_specialty(store, &name)?;
    Ok(Named { id, name })
}

pub(super) fn update_specialty(store: &Connection, id: i32, name: &str) -> Outcome<Named> {
    check_specialty(store, id)?;
    let name = filled(Some(name), "the name is empty")?;
    check_specialty_name(store, id, &name)?;
    store::rename_specialty(store, id, &name)?;
    Ok(Named { id, name })
}

/// Removes a specialty; gives those that are left.
pub(super) fn remove_specialty(store: &Connection, id: i32) -> Outcome<Vec<Named>> {
    check_specialty(store, id)?;
    store::remove_specialty(store, id)?;
    Ok(store::specialties(store)?)
}
