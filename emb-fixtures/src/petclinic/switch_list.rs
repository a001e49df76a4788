//! The names of what can be made wrong.

use crate::amendment::{Amendment, amendments, joined};
use crate::switch::Switch;

/// What can be made wrong besides messages.
const OWN: &[Switch] = &[
    Switch::new("pettypes-first-dropped", "the first type is not listed"),
    Switch::new("vets-reversed", "vets are listed backwards"),
    Switch::new("vet-specialties-dropped", "vets have no specialties"),
    Switch::new("vet-names-swapped", "first and last names of vets change places"),
    Switch::new("specialties-reversed", "specialties are listed backwards"),
    Switch::new("pets-last-dropped", "the last pet is not listed"),
    Switch::new("owners-filter-dropped", "the filter of owners has no effect"),
    Switch::new("owners-order-dropped", "the order of owners has no effect"),
    Switch::new("owners-order-reversed", "owners are ordered the other way round"),
    Switch::new("owners-first-dropped", "the first owner is not listed"),
    Switch::new("owner-address-and-city-swapped", "address and city change places"),
    Switch::new("owner-pets-dropped", "owners have no pets"),
    Switch::new("pet-date-next-month", "birth dates are shown a month late"),
    Switch::new("pet-type-off-by-one", "pets are of the next type"),
    Switch::new("visits-count-off-by-one", "visits are counted one too high"),
    Switch::new("visits-reversed", "visits are listed backwards"),
    Switch::new("add-owner-city-dropped", "new owners live where their address is"),
    Switch::new("add-owner-telephone-unchecked", "telephone numbers that are none become 0"),
    Switch::new("update-owner-nothing", "changes of owners are not kept"),
    Switch::new("add-pet-type-ignored", "new pets are of the first type"),
    Switch::new("update-pet-name-kept", "pets keep their names"),
    Switch::new("add-visit-description-upper-case", "visits are described in upper case"),
    Switch::new("add-specialty-duplicate-hidden", "a specialty seems to be added twice"),
    Switch::new("update-specialty-nothing", "changes of specialties are not kept"),
    Switch::new("remove-specialty-nothing", "specialties stay when they are removed"),
    Switch::new("pet-name-upper-case", "names of pets are shown in upper case"),
    Switch::new("pet-id-off-by-one", "ids of pets are shown one too high"),
    Switch::new("pet-owner-first", "pets belong to the first owner"),
    Switch::new("pettype-names-upper-case", "names of types are shown in upper case"),
    Switch::new("pettype-id-off-by-one", "ids of types are shown one too high"),
    Switch::new("specialty-names-upper-case", "names of specialties are shown in upper case"),
    Switch::new("specialty-id-off-by-one", "ids of specialties are shown one too high"),
    Switch::new("vet-id-off-by-one", "ids of vets are shown one too high"),
    Switch::new("owner-id-off-by-one", "ids of owners are shown one too high"),
    Switch::new("owner-names-swapped", "first and last names of owners change places"),
    Switch::new("owner-telephone-cut", "the first digit of telephone numbers is not shown"),
    Switch::new("visit-description-upper-case", "visits are shown in upper case"),
    Switch::new("visit-date-next-year", "visits are shown a year late"),
    Switch::new("visit-pet-first", "visits are of the first pet"),
    Switch::new("visit-id-off-by-one", "ids of visits are shown one too high"),
    Switch::new("owners-filter-first-name-dropped", "the filter by first names has no effect"),
    Switch::new("update-owner-first-name-kept", "first names of owners stay as they were"),
    Switch::new("owners-filter-last-name-dropped", "the filter by last names has no effect"),
    Switch::new("update-owner-last-name-kept", "last names of owners stay as they were"),
    Switch::new("owners-filter-address-dropped", "the filter by addresses has no effect"),
    Switch::new("update-owner-address-kept", "addresses of owners stay as they were"),
    Switch::new("owners-filter-city-dropped", "the filter by cities has no effect"),
    Switch::new("update-owner-city-kept", "cities of owners stay as they were"),
    Switch::new("owners-filter-telephone-dropped", "the filter by telephone numbers has no effect"),
    Switch::new("update-owner-telephone-kept", "telephone numbers of owners stay as they were"),
    Switch::new("owners-order-id-dropped", "the order by id has no effect"),
    Switch::new("owners-order-first-name-dropped", "the order by first name has no effect"),
    Switch::new("owners-order-last-name-dropped", "the order by last name has no effect"),
    Switch::new("owners-order-address-dropped", "the order by address has no effect"),
    Switch::new("owners-order-city-dropped", "the order by city has no effect"),
    Switch::new("owners-order-telephone-dropped", "the order by telephone number has no effect"),
    Switch::new("owners-order-descending-dropped", "downwards counts as upwards"),
    Switch::new("update-pet-birth-date-kept", "birth dates of pets stay as they were"),
    Switch::new("update-pet-type-kept", "types of pets stay as they were"),
    Switch::new("date-leap-day-refused", "the 29th of February is refused"),
    Switch::new("date-thirtieth-refused", "the 30th of a month is refused"),
    Switch::new("date-last-day-refused", "the 31st of a month is refused"),
    Switch::new("date-december-refused", "December is refused"),
    Switch::new("date-january-refused", "January is refused"),
    Switch::new("date-first-day-refused", "the first day of a month is refused"),
    Switch::new("date-first-year-refused", "the year 1900 is refused"),
    Switch::new("date-last-year-refused", "the year 2100 is refused"),
    Switch::new("date-slashes-refused", "dates with slashes are refused"),
    Switch::new("telephone-ten-digits-refused", "telephone numbers of ten digits are refused"),
    Switch::new("add-pet-name-trimmed", "names of new pets lose the spaces around them"),
    Switch::new("add-visit-birth-day-refused", "visits on the day of birth are refused"),
];

/// Refusals that say something else.
pub(super) const MESSAGES: &[Amendment<&str>] = amendments! {
    "owner" {
        "owner-missing-mistold": "there is no such owner" => "there is no such pet",
    }
    "pet" {
        "pet-missing-mistold": "there is no such pet" => "there is no such owner",
    }
    "invoice" {
        "invoice-missing-mistold": "there is no such invoice" => "there is no such open invoice",
    }
    "openInvoices" {
        "open-invoices-missing-mistold":
            "there is no such open invoice" => "there is no such owner",
    }
    "addOwner" {
        "add-owner-first-name-empty-mistold": "the first name is empty" => "the last name is empty",
        "add-owner-last-name-empty-mistold": "the last name is empty" => "the first name is empty",
        "add-owner-address-empty-mistold": "the address is empty" => "the city is empty",
        "add-owner-city-empty-mistold": "the city is empty" => "the address is empty",
        "add-owner-telephone-empty-mistold":
            "the telephone number is empty" => "the address is empty",
        "add-owner-long-telephone-mistold":
            "a telephone number has at most 10 digits" => "a telephone number has digits only",
        "add-owner-telephone-letters-mistold":
            "a telephone number has digits only" => "a telephone number has at most 10 digits",
    }
    "updateOwner" {
        "update-owner-missing-mistold": "there is no such owner" => "there is no such pet",
        "update-owner-first-name-empty-mistold":
            "the first name is empty" => "the last name is empty",
        "update-owner-last-name-empty-mistold":
            "the last name is empty" => "the first name is empty",
        "update-owner-address-empty-mistold": "the address is empty" => "the city is empty",
        "update-owner-city-empty-mistold": "the city is empty" => "the address is empty",
        "update-owner-telephone-empty-mistold":
            "the telephone number is empty" => "the address is empty",
        "update-owner-long-telephone-mistold":
            "a telephone number has at most 10 digits" => "a telephone number has digits only",
        "update-owner-telephone-letters-mistold":
            "a telephone number has digits only" => "a telephone number has at most 10 digits",
    }
    "addPet" {
        "add-pet-owner-missing-mistold": "there is no such owner" => "there is no such pet",
        "add-pet-name-empty-mistold": "the name is empty" => "the first name is empty",
        "add-pet-three-parts-mistold": "a date has three parts" => "a date has two parts",
        "add-pet-year-word-mistold": "the year is no number" => "the date is no date",
        "add-pet-month-word-mistold": "the month is no number" => "the year is no number",
        "add-pet-day-word-mistold": "the day is no number" => "the month is no number",
        "add-pet-year-range-mistold":
            "the year must lie in 1900..=2100" => "the year must lie in 1970..=2100",
        "add-pet-month-range-mistold":
            "the month must lie in 1..=12" => "the month must lie in 0..=11",
        "add-pet-no-such-day-mistold": "the month has no such day" => "the year has no such month",
        "add-pet-type-missing-mistold": "there is no such type" => "there is no such pet",
    }
    "updatePet" {
        "update-pet-missing-mistold": "there is no such pet" => "there is no such owner",
        "update-pet-name-empty-mistold": "the name is empty" => "the description is empty",
        "update-pet-three-parts-mistold": "a date has three parts" => "a date has two parts",
        "update-pet-year-word-mistold": "the year is no number" => "the date is no date",
        "update-pet-month-word-mistold": "the month is no number" => "the year is no number",
        "update-pet-day-word-mistold": "the day is no number" => "the month is no number",
        "update-pet-year-range-mistold":
            "the year must lie in 1900..=2100" => "the year must lie in 1970..=2100",
        "update-pet-month-range-mistold":
            "the month must lie in 1..=12" => "the month must lie in 0..=11",
        "update-pet-no-such-day-mistold":
            "the month has no such day" => "the year has no such month",
        "update-pet-visits-before-birth-mistold":
            "the pet came before it was born" => "the pet is not born then",
        "update-pet-type-missing-mistold": "there is no such type" => "there is no such pet",
    }
    "addVisit" {
        "add-visit-pet-missing-mistold": "there is no such pet" => "there is no such owner",
        "add-visit-description-empty-mistold": "the description is empty" => "the name is empty",
        "add-visit-three-parts-mistold": "a date has three parts" => "a date has two parts",
        "add-visit-year-word-mistold": "the year is no number" => "the date is no date",
        "add-visit-month-word-mistold": "the month is no number" => "the year is no number",
        "add-visit-day-word-mistold": "the day is no number" => "the month is no number",
        "add-visit-year-range-mistold":
            "the year must lie in 1900..=2100" => "the year must lie in 1970..=2100",
        "add-visit-month-range-mistold":
            "the month must lie in 1..=12" => "the month must lie in 0..=11",
        "add-visit-no-such-day-mistold":
            "the month has no such day" => "the year has no such month",
        "add-visit-before-birth-mistold": "the pet is not born then" => "the month has no such day",
    }
    "addSpecialty" {
        "add-specialty-name-empty-mistold": "the name is empty" => "there is such a specialty",
        "add-specialty-duplicate-mistold": "there is such a specialty" => "the name is empty",
    }
    "updateSpecialty" {
        "update-specialty-missing-mistold": "there is no such specialty" => "there is no such type",
        "update-specialty-name-empty-mistold": "the name is empty" => "there is no such specialty",
        "update-specialty-duplicate-mistold":
            "there is such a specialty" => "there is no such specialty",
    }
    "removeSpecialty" {
        "remove-specialty-missing-mistold": "there is no such specialty" => "there is no such type",
    }
};

/// What can be made wrong.
pub(crate) const SWITCHES: &[Switch] = &joined::<_, { OWN.len() + MESSAGES.len() }>(OWN, MESSAGES);
