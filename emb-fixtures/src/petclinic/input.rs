//! What callers send.

use async_graphql::{Enum, InputObject, NewType};

/// A day, as a text.
#[derive(Debug, Clone, NewType)]
#[graphql(name = "Date")]
pub(super) struct DateText(pub(super) String);

/// Which owners are wanted: those whose members start with these texts.
#[derive(Debug, Clone, Default, InputObject)]
pub(super) struct OwnerFilter {
    pub(super) first_name: Option<String>,
    pub(super) last_name: Option<String>,
    pub(super) address: Option<String>,
    pub(super) city: Option<String>,
    pub(super) telephone: Option<String>,
}

/// A member of owners to order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(rename_items = "camelCase")]
pub(super) enum OrderField {
    Id,
    FirstName,
    LastName,
    Address,
    City,
    Telephone,
}

/// Upwards or downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub(super) enum OrderType {
    Asc,
    Desc,
}

/// One criterion of an order; by id and upwards where nothing is said.
#[derive(Debug, Clone, InputObject)]
pub(super) struct OwnerOrder {
    pub(super) field: Option<OrderField>,
    pub(super) order: Option<OrderType>,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct AddOwnerInput {
    pub(super) first_name: Option<String>,
    pub(super) last_name: Option<String>,
    pub(super) address: Option<String>,
    pub(super) city: Option<String>,
    pub(super) telephone: Option<String>,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct UpdateOwnerInput {
    pub(super) owner_id: i32,
    pub(super) first_name: Option<String>,
    pub(super) last_name: Option<String>,
    pub(super) address: Option<String>,
    pub(super) city: Option<String>,
    pub(super) telephone: Option<String>,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct AddPetInput {
    pub(super) owner_id: i32,
    pub(super) name: String,
    pub(super) birth_date: DateText,
    pub(super) type_id: i32,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct UpdatePetInput {
    pub(super) pet_id: i32,
    pub(super) name: Option<String>,
    pub(super) birth_date: Option<DateText>,
    pub(super) type_id: Option<i32>,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct AddVisitInput {
    pub(super) pet_id: i32,
    pub(super) description: String,
    pub(super) date: DateText,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct AddSpecialtyInput {
    pub(super) name: String,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct UpdateSpecialtyInput {
    pub(super) specialty_id: i32,
    pub(super) name: String,
}

#[derive(Debug, Clone, InputObject)]
pub(super) struct RemoveSpecialtyInput {
    pub(super) specialty_id: i32,
}
