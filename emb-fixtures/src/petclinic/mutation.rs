//! The mutations, each one transaction; wrong where a behaviour switch says so.

use async_graphql::{Context, Object, SimpleObject};
use rusqlite::Connection;

use super::clinic::Clinic;
use super::input::{
    AddOwnerInput, AddPetInput, AddSpecialtyInput, AddVisitInput, RemoveSpecialtyInput,
    UpdateOwnerInput, UpdatePetInput, UpdateSpecialtyInput,
};
use super::object::{
    OwnerObject, PetObject, SpecialtyObject, VisitObject, clinic, specialty, wrap,
};
use super::operation::{self, ClinicError};
use super::store::{self, Named};

type Outcome<T> = Result<T, ClinicError>;

/// Declares a payload with one member.
macro_rules! payload {
    ($name:ident { $member:ident: $type:ty }) => {
        #[derive(SimpleObject)]
        struct $name {
            $member: $type,
        }
    };
}

payload!(AddOwnerPayload { owner: OwnerObject });
payload!(UpdateOwnerPayload { owner: OwnerObject });
payload!(AddPetPayload { pet: PetObject });
payload!(UpdatePetPayload { pet: PetObject });
payload!(AddVisitPayload { visit: VisitObject });
payload!(AddSpecialtyPayload { specialty: SpecialtyObject });
payload!(UpdateSpecialtyPayload { specialty: SpecialtyObject });
payload!(RemoveSpecialtyPayload { specialties: Vec<SpecialtyObject> });

/// Runs a mutation inside a transaction that is kept when it succeeds.
fn change<T>(
    context: &Context<'_>,
    run: impl FnOnce(&Connection, &Clinic) -> Outcome<T>,
) -> Outcome<T> {
    let clinic = clinic(context);
    clinic.database.transaction(|store| run(store, clinic))
}

pub(super) struct Mutation;

#[Object]
impl Mutation {
    async fn add_owner(
        &self,
        context: &Context<'_>,
        mut input: AddOwnerInput,
    ) -> Outcome<AddOwnerPayload> {
        change(context, |store, clinic| {
            if clinic.on("add-owner-city-dropped") {
                input.city.clone_from(&input.address);
            }
            if clinic.on("add-owner-telephone-unchecked") {
                let is_number = |text: &String| text.bytes().all(|byte| byte.is_ascii_digit());
                input.telephone = input.telephone.filter(is_number).or(Some("0".to_owned()));
            }
            let owner = operation::add_owner(store, &input)?;
            Ok(AddOwnerPayload { owner: OwnerObject(owner) })
        })
    }

    async fn update_owner(
        &self,
        context: &Context<'_>,
        input: UpdateOwnerInput,
    ) -> Outcome<UpdateOwnerPayload> {
        change(context, |store, clinic| {
            let before = store::owner(store, input.owner_id)?;
            let owner = operation::update_owner(store, &input)?;
            if let (true, Some(before)) = (clinic.on("update-owner-nothing"), before) {
                store::update_owner(store, &before)?;
            }
            Ok(UpdateOwnerPayload { owner: OwnerObject(owner) })
        })
    }

    async fn add_pet(
        &self,
        context: &Context<'_>,
        mut input: AddPetInput,
    ) -> Outcome<AddPetPayload> {
        change(context, |store, clinic| {
            if clinic.on("add-pet-type-ignored") {
                input.type_id = 1;
            }
            Ok(AddPetPayload { pet: PetObject(operation::add_pet(store, &input)?) })
        })
    }

    async fn update_pet(
        &self,
        context: &Context<'_>,
        mut input: UpdatePetInput,
    ) -> Outcome<UpdatePetPayload> {
        change(context, |store, clinic| {
            if clinic.on("update-pet-name-kept") {
                input.name = None;
            }
            Ok(UpdatePetPayload { pet: PetObject(operation::update_pet(store, &input)?) })
        })
    }

    async fn add_visit(
        &self,
        context: &Context<'_>,
        mut input: AddVisitInput,
    ) -> Outcome<AddVisitPayload> {
        change(context, |store, clinic| {
            if clinic.on("add-visit-description-upper-case") {
                input.description = input.description.to_uppercase();
            }
            Ok(AddVisitPayload { visit: VisitObject(operation::add_visit(store, &input)?) })
        })
    }

    async fn add_specialty(
        &self,
        context: &Context<'_>,
        input: AddSpecialtyInput,
    ) -> Outcome<AddSpecialtyPayload> {
        change(context, |store, clinic| {
            let known = store::specialties(store)?;
            let known = known.into_iter().find(|known| known.name == input.name);
            let added = match known {
                Some(known) if clinic.on("add-specialty-duplicate-hidden") => known,
                _ => operation::add_specialty(store, &input.name)?,
            };
            Ok(AddSpecialtyPayload { specialty: specialty(added) })
        })
    }

    async fn update_specialty(
        &self,
        context: &Context<'_>,
        input: UpdateSpecialtyInput,
    ) -> Outcome<UpdateSpecialtyPayload> {
        let UpdateSpecialtyInput { specialty_id: id, name } = input;
        change(context, |store, clinic| {
            let known = store::specialties(store)?;
            let before: Option<Named> = known.into_iter().find(|known| known.id == id);
            let changed = operation::update_specialty(store, id, &name)?;
            if let (true, Some(before)) = (clinic.on("update-specialty-nothing"), before) {
                store::rename_specialty(store, id, &before.name)?;
            }
            Ok(UpdateSpecialtyPayload { specialty: specialty(changed) })
        })
    }

    async fn remove_specialty(
        &self,
        context: &Context<'_>,
        input: RemoveSpecialtyInput,
    ) -> Outcome<RemoveSpecialtyPayload> {
        change(context, |store, clinic| {
            if clinic.on("remove-specialty-nothing") {
                let specialties = wrap(store::specialties(store)?, specialty);
                return Ok(RemoveSpecialtyPayload { specialties });
            }
            let left = operation::remove_specialty(store, input.specialty_id)?;
            Ok(RemoveSpecialtyPayload { specialties: wrap(left, specialty) })
        })
    }
}
