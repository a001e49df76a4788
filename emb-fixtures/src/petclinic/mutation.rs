//! The mutations, each one transaction; wrong where a behaviour switch says so.

use async_graphql::{Context, Object, SimpleObject};
use rusqlite::Connection;

use super::clinic::Clinic;
use super::input::{
    AddOwnerInput, AddPetInput, AddSpecialtyInput, AddVisitInput, DateText, RemoveSpecialtyInput,
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

/// Members of a change that a switch leaves as they were.
fn keep_members(clinic: &Clinic, input: &mut UpdateOwnerInput) {
    let members = [
        ("update-owner-first-name-kept", &mut input.first_name),
        ("update-owner-last-name-kept", &mut input.last_name),
        ("update-owner-address-kept", &mut input.address),
        ("update-owner-city-kept", &mut input.city),
        ("update-owner-telephone-kept", &mut input.telephone),
    ];
    for (name, member) in members {
        if member.is_some() && clinic.on(name) {
            *member = None;
        }
    }
}

/// Fails where a switch refuses the longest telephone numbers.
fn refuse_telephone(clinic: &Clinic, telephone: Option<&str>) -> Outcome<()> {
    let is_longest = telephone.is_some_and(|telephone| telephone.len() == 10);
    if is_longest && clinic.on("telephone-ten-digits-refused") {
        return Err(ClinicError::Text("a telephone number has at most 9 digits"));
    }
    Ok(())
}

/// Fails where a switch refuses a day of the calendar.
fn refuse_date(clinic: &Clinic, date: &DateText) -> Outcome<()> {
    let parts = date.0.split(['-', '/']).map(|part| part.parse::<i32>().unwrap_or(-1));
    let [year, month, day] = parts.collect::<Vec<_>>()[..] else { return Ok(()) };
    let cases = [
        ("date-leap-day-refused", month == 2 && day == 29),
        ("date-thirtieth-refused", day == 30),
        ("date-last-day-refused", day == 31),
        ("date-december-refused", month == 12),
        ("date-january-refused", month == 1),
        ("date-first-day-refused", day == 1),
        ("date-first-year-refused", year == 1900),
        ("date-last-year-refused", year == 2100),
        ("date-slashes-refused", date.0.contains('/')),
    ];
    if cases.iter().any(|(name, is_case)| *is_case && clinic.on(name)) {
        return Err(ClinicError::Date("the date is refused"));
    }
    Ok(())
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
            refuse_telephone(clinic, input.telephone.as_deref())?;
            let owner = operation::add_owner(store, &input)?;
            Ok(AddOwnerPayload { owner: OwnerObject(owner) })
        })
    }

    async fn update_owner(
        &self,
        context: &Context<'_>,
        mut input: UpdateOwnerInput,
    ) -> Outcome<UpdateOwnerPayload> {
        change(context, |store, clinic| {
            refuse_telephone(clinic, input.telephone.as_deref())?;
            keep_members(clinic, &mut input);
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
            if clinic.on("add-pet-name-trimmed") {
                input.name = input.name.trim().to_owned();
            }
            refuse_date(clinic, &input.birth_date)?;
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
            if input.birth_date.is_some() && clinic.on("update-pet-birth-date-kept") {
                input.birth_date = None;
            }
            if input.type_id.is_some() && clinic.on("update-pet-type-kept") {
                input.type_id = None;
            }
            input.birth_date.as_ref().map_or(Ok(()), |date| refuse_date(clinic, date))?;
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
            refuse_date(clinic, &input.date)?;
            let visit = operation::add_visit(store, &input)?;
            let is_birth_day = operation::pet(store, visit.pet_id)?.birth_date == visit.date;
            if is_birth_day && clinic.on("add-visit-birth-day-refused") {
                return Err(ClinicError::Date("the pet is not born then"));
            }
            Ok(AddVisitPayload { visit: VisitObject(visit) })
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
