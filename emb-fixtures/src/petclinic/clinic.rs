//! One instance, and what can be wrong with it.

use async_graphql::{EmptySubscription, Schema};

use super::mutation::Mutation;
use super::query::Query;
use super::{invoice, object, store};
use crate::database::Database;
use crate::graphql;
use crate::switch::{Switch, Switches};
use crate::system::System;

/// One instance.
#[derive(Debug, Clone)]
pub(super) struct Clinic {
    pub(super) database: Database,
    switches: Switches,
}

impl Clinic {
    /// Whether a switch is on.
    pub(super) fn on(&self, name: &str) -> bool {
        self.switches.is_on(name)
    }
}

/// An instance with these switches on.
pub(crate) fn system(switches: Switches) -> System {
    let database = Database::new(&[store::SCHEMA, invoice::SCHEMA], store::SEED);
    let state = database.clone();
    let schema = Schema::build(Query, Mutation, EmptySubscription)
        .data(Clinic { database, switches })
        .register_output_type::<object::Person>()
        .finish();
    System::on_database(graphql::serve(schema), state)
}

/// What can be made wrong.
pub(crate) const SWITCHES: &[Switch] = &[
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
];
