//! One instance, and what can be wrong with it.

use async_graphql::{EmptySubscription, Schema};

use super::mutation::Mutation;
use super::query::Query;
use super::switch_list::MESSAGES;
use super::{invoice, object, store};
use crate::amendment::Amendments;
use crate::database::Database;
use crate::graphql;
use crate::switch::Switches;
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
    let messages = Amendments::new(switches.clone(), MESSAGES);
    let schema = Schema::build(Query, Mutation, EmptySubscription)
        .data(Clinic { database, switches })
        .register_output_type::<object::Person>()
        .finish();
    System::on_database(graphql::serve(schema, messages), state)
}
