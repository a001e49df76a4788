//! The object types, wrong where a behaviour switch says so.

use async_graphql::{Context, Interface, Object, SimpleObject};

use super::clinic::Clinic;
use super::input::DateText;
use super::operation::{self, ClinicError};
use super::store::{self, Named, Owner, Pet, Vet, Visit};

type Outcome<T> = Result<T, ClinicError>;

pub(super) fn clinic<'a>(context: &Context<'a>) -> &'a Clinic {
    context.data_unchecked::<Clinic>()
}

/// Somebody with a name.
#[derive(Interface)]
#[graphql(
    name = "Person",
    field(name = "id", ty = "i32"),
    field(name = "first_name", ty = "String"),
    field(name = "last_name", ty = "std::string::String")
)]
pub(super) enum Person {
    Vet(VetObject),
    Owner(OwnerObject),
}

/// A type of pets.
pub(super) struct TypeObject {
    id: i32,
    name: String,
}

#[Object(name = "PetType")]
impl TypeObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "pettype-id-off-by-one", self.id)
    }

    async fn name(&self, context: &Context<'_>) -> String {
        shown_text(context, "pettype-names-upper-case", &self.name)
    }
}

/// What a vet is good at.
pub(super) struct SpecialtyObject {
    id: i32,
    name: String,
}

#[Object(name = "Specialty")]
impl SpecialtyObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "specialty-id-off-by-one", self.id)
    }

    async fn name(&self, context: &Context<'_>) -> String {
        shown_text(context, "specialty-names-upper-case", &self.name)
    }
}

pub(super) fn kind(Named { id, name }: Named) -> TypeObject {
    TypeObject { id, name }
}

pub(super) fn specialty(Named { id, name }: Named) -> SpecialtyObject {
    SpecialtyObject { id, name }
}

/// An id as it is shown.
fn shown_id(context: &Context<'_>, switch: &str, id: i32) -> i32 {
    if clinic(context).on(switch) { id + 1 } else { id }
}

/// A text as it is shown.
fn shown_text(context: &Context<'_>, switch: &str, text: &str) -> String {
    if clinic(context).on(switch) { text.to_uppercase() } else { text.to_owned() }
}

pub(super) fn wrap<T, U>(items: Vec<T>, wrapper: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(wrapper).collect()
}

pub(super) struct VetObject(pub(super) Vet);

#[Object(name = "Vet")]
impl VetObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "vet-id-off-by-one", self.0.id)
    }

    async fn first_name(&self, context: &Context<'_>) -> String {
        let is_swapped = clinic(context).on("vet-names-swapped");
        if is_swapped { &self.0.last_name } else { &self.0.first_name }.clone()
    }

    async fn last_name(&self, context: &Context<'_>) -> String {
        let is_swapped = clinic(context).on("vet-names-swapped");
        if is_swapped { &self.0.first_name } else { &self.0.last_name }.clone()
    }

    async fn specialties(&self, context: &Context<'_>) -> Outcome<Vec<SpecialtyObject>> {
        if clinic(context).on("vet-specialties-dropped") {
            return Ok(Vec::new());
        }
        let store = clinic(context).database.connection();
        Ok(wrap(store::specialties_of(&store, self.0.id)?, specialty))
    }
}

pub(super) struct OwnerObject(pub(super) Owner);

#[Object(name = "Owner")]
impl OwnerObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "owner-id-off-by-one", self.0.id)
    }

    async fn first_name(&self, context: &Context<'_>) -> String {
        let is_swapped = clinic(context).on("owner-names-swapped");
        if is_swapped { &self.0.last_name } else { &self.0.first_name }.clone()
    }

    async fn last_name(&self, context: &Context<'_>) -> String {
        let is_swapped = clinic(context).on("owner-names-swapped");
        if is_swapped { &self.0.first_name } else { &self.0.last_name }.clone()
    }

    async fn address(&self, context: &Context<'_>) -> &str {
        let is_swapped = clinic(context).on("owner-address-and-city-swapped");
        if is_swapped { &self.0.city } else { &self.0.address }
    }

    async fn city(&self, context: &Context<'_>) -> &str {
        let is_swapped = clinic(context).on("owner-address-and-city-swapped");
        if is_swapped { &self.0.address } else { &self.0.city }
    }

    async fn telephone(&self, context: &Context<'_>) -> &str {
        let is_cut = clinic(context).on("owner-telephone-cut");
        self.0.telephone.get(usize::from(is_cut)..).unwrap_or("")
    }

    async fn pets(&self, context: &Context<'_>) -> Outcome<Vec<PetObject>> {
        if clinic(context).on("owner-pets-dropped") {
            return Ok(Vec::new());
        }
        let store = clinic(context).database.connection();
        Ok(wrap(store::pets_of(&store, self.0.id)?, PetObject))
    }
}

pub(super) struct PetObject(pub(super) Pet);

#[Object(name = "Pet")]
impl PetObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "pet-id-off-by-one", self.0.id)
    }

    async fn name(&self, context: &Context<'_>) -> String {
        shown_text(context, "pet-name-upper-case", &self.0.name)
    }

    async fn birth_date(&self, context: &Context<'_>) -> DateText {
        let date = self.0.birth_date.clone();
        if !clinic(context).on("pet-date-next-month") {
            return DateText(date);
        }
        let month: u32 = date.get(5..7).and_then(|month| month.parse().ok()).unwrap_or(0);
        let (year, day) = (date.get(..5).unwrap_or(""), date.get(7..).unwrap_or(""));
        DateText(format!("{year}{:02}{day}", month % 12 + 1))
    }

    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Outcome<TypeObject> {
        let clinic = clinic(context);
        let store = clinic.database.connection();
        let id = self.0.type_id;
        let id = if clinic.on("pet-type-off-by-one") { id % 6 + 1 } else { id };
        let found = store::types(&store)?.into_iter().find(|kind| kind.id == id);
        found.map(kind).ok_or(ClinicError::Missing("type"))
    }

    async fn owner(&self, context: &Context<'_>) -> Outcome<OwnerObject> {
        let store = clinic(context).database.connection();
        let is_first = clinic(context).on("pet-owner-first");
        let owner = store::owner(&store, if is_first { 1 } else { self.0.owner_id })?;
        owner.map(OwnerObject).ok_or(ClinicError::Missing("owner"))
    }

    async fn visits(&self, context: &Context<'_>) -> Outcome<VisitConnection> {
        let clinic = clinic(context);
        let mut visits = store::visits(&clinic.database.connection(), self.0.id)?;
        if clinic.on("visits-reversed") {
            visits.reverse();
        }
        let more = usize::from(clinic.on("visits-count-off-by-one"));
        Ok(VisitConnection { total_count: visits.len() + more, visits: wrap(visits, VisitObject) })
    }
}

/// The visits of a pet.
#[derive(SimpleObject)]
#[graphql(name = "VisitConnection")]
pub(super) struct VisitConnection {
    total_count: usize,
    visits: Vec<VisitObject>,
}

pub(super) struct VisitObject(pub(super) Visit);

#[Object(name = "Visit")]
impl VisitObject {
    async fn id(&self, context: &Context<'_>) -> i32 {
        shown_id(context, "visit-id-off-by-one", self.0.id)
    }

    async fn description(&self, context: &Context<'_>) -> String {
        shown_text(context, "visit-description-upper-case", &self.0.description)
    }

    async fn pet(&self, context: &Context<'_>) -> Outcome<PetObject> {
        let store = clinic(context).database.connection();
        let is_first = clinic(context).on("visit-pet-first");
        Ok(PetObject(operation::pet(&store, if is_first { 1 } else { self.0.pet_id })?))
    }

    async fn date(&self, context: &Context<'_>) -> DateText {
        let date = &self.0.date;
        let year = date.get(..4).and_then(|year| year.parse::<i32>().ok());
        match year {
            Some(year) if clinic(context).on("visit-date-next-year") => {
                DateText(format!("{}{}", year + 1, &date[4..]))
            }
            _ => DateText(date.clone()),
        }
    }
}
