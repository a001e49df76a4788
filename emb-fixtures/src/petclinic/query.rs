//! The queries, wrong where a behaviour switch says so.

use async_graphql::{Context, Object};

use super::clinic::Clinic;
use super::input::{OrderField, OrderType, OwnerFilter, OwnerOrder};
use super::invoice::{self, Invoice};
use super::object::{
    OwnerObject, PetObject, SpecialtyObject, TypeObject, VetObject, clinic, kind, specialty, wrap,
};
use super::operation::{self, ClinicError};
use super::store;

type Outcome<T> = Result<T, ClinicError>;

pub(super) struct Query;

#[Object]
impl Query {
    async fn pettypes(&self, context: &Context<'_>) -> Outcome<Vec<TypeObject>> {
        let clinic = clinic(context);
        let mut types = store::types(&clinic.database.connection())?;
        if clinic.on("pettypes-first-dropped") {
            types.remove(0);
        }
        Ok(wrap(types, kind))
    }

    async fn vets(&self, context: &Context<'_>) -> Outcome<Vec<VetObject>> {
        let clinic = clinic(context);
        let mut vets = store::vets(&clinic.database.connection())?;
        if clinic.on("vets-reversed") {
            vets.reverse();
        }
        Ok(wrap(vets, VetObject))
    }

    async fn owners(
        &self,
        context: &Context<'_>,
        filter: Option<OwnerFilter>,
        orders: Option<Vec<OwnerOrder>>,
    ) -> Outcome<Vec<OwnerObject>> {
        let clinic = clinic(context);
        let mut filter = filter.unwrap_or_default();
        let mut orders = orders.unwrap_or_default();
        if clinic.on("owners-filter-dropped") {
            filter = OwnerFilter::default();
        }
        drop_filters(clinic, &mut filter);
        if clinic.on("owners-order-dropped") {
            orders.clear();
        }
        drop_orders(clinic, &mut orders);
        if clinic.on("owners-order-reversed") {
            orders.push(OwnerOrder { field: Some(OrderField::Id), order: Some(OrderType::Asc) });
            orders.iter_mut().for_each(|order| order.order = Some(reversed(order.order)));
        }
        let mut owners = operation::owners(&clinic.database.connection(), &filter, &orders)?;
        if clinic.on("owners-first-dropped") && !owners.is_empty() {
            owners.remove(0);
        }
        Ok(wrap(owners, OwnerObject))
    }

    async fn owner(&self, context: &Context<'_>, id: i32) -> Outcome<OwnerObject> {
        let store = clinic(context).database.connection();
        Ok(OwnerObject(operation::owner(&store, id)?))
    }

    async fn pet(&self, context: &Context<'_>, id: i32) -> Outcome<PetObject> {
        let store = clinic(context).database.connection();
        Ok(PetObject(operation::pet(&store, id)?))
    }

    async fn invoice(&self, context: &Context<'_>, number: i32) -> Outcome<Invoice> {
        let store = clinic(context).database.connection();
        invoice::invoice(&store, number)
    }

    async fn open_invoices(&self, context: &Context<'_>, owner: i32) -> Outcome<Vec<Invoice>> {
        let store = clinic(context).database.connection();
        invoice::open_invoices(&store, owner)
    }

    async fn pets(&self, context: &Context<'_>) -> Outcome<Vec<PetObject>> {
        let clinic = clinic(context);
        let mut pets = store::pets(&clinic.database.connection())?;
        if clinic.on("pets-last-dropped") {
            pets.pop();
        }
        Ok(wrap(pets, PetObject))
    }

    async fn specialties(&self, context: &Context<'_>) -> Outcome<Vec<SpecialtyObject>> {
        let clinic = clinic(context);
        let mut specialties = store::specialties(&clinic.database.connection())?;
        if clinic.on("specialties-reversed") {
            specialties.reverse();
        }
        Ok(wrap(specialties, specialty))
    }
}

/// Each member of the filter that a switch drops.
fn drop_filters(clinic: &Clinic, filter: &mut OwnerFilter) {
    let members = [
        ("owners-filter-first-name-dropped", &mut filter.first_name),
        ("owners-filter-last-name-dropped", &mut filter.last_name),
        ("owners-filter-address-dropped", &mut filter.address),
        ("owners-filter-city-dropped", &mut filter.city),
        ("owners-filter-telephone-dropped", &mut filter.telephone),
    ];
    for (name, member) in members {
        if member.is_some() && clinic.on(name) {
            *member = None;
        }
    }
}

/// Each criterion that a switch drops.
fn drop_orders(clinic: &Clinic, orders: &mut Vec<OwnerOrder>) {
    orders.retain(|order| {
        !clinic.on(match order.field.unwrap_or(OrderField::Id) {
            OrderField::Id => "owners-order-id-dropped",
            OrderField::FirstName => "owners-order-first-name-dropped",
            OrderField::LastName => "owners-order-last-name-dropped",
            OrderField::Address => "owners-order-address-dropped",
            OrderField::City => "owners-order-city-dropped",
            OrderField::Telephone => "owners-order-telephone-dropped",
        })
    });
    for order in orders {
        if order.order == Some(OrderType::Desc) && clinic.on("owners-order-descending-dropped") {
            order.order = None;
        }
    }
}

fn reversed(order: Option<OrderType>) -> OrderType {
    if order == Some(OrderType::Desc) { OrderType::Asc } else { OrderType::Desc }
}
