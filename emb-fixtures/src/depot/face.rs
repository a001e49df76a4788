//! The service as callers see it. Not instrumented.

use serde_json::{Value, json};

use super::operation as does;
use super::store::Store;
use crate::amendment::Amendments;
use crate::resource::{Call, Operation, Refused, Reply, router};
use crate::switch::Switches;
use crate::system::System;

type Does = fn(&Store, &Call) -> Result<Value, Refused>;

/// An instance with this store.
pub(super) fn system(store: Store) -> System {
    let statuses = Amendments::new(Switches::default(), &[]);
    let router = router("Depot", OPERATIONS, &json!({ "Answer": {} }), store.clone(), &statuses);
    System::on_documents(router, store)
}

fn answer(store: &Store, call: &Call, does: Does) -> Reply {
    does(store, call).map_or_else(Reply::from, |body| Reply::new(200, body))
}

macro_rules! operations {
    ($($path:literal $query:expr => $does:ident,)*) => {
        &[$(Operation {
            method: "GET",
            path: $path,
            summary: "",
            query: &$query,
            body: None,
            answers: &[(200, "Answer")],
            run: |store, call| answer(store, call, does::$does),
        },)*]
    };
}

const OPERATIONS: &[Operation<Store>] = operations! {
    "/parcels" ["status", "minWeight"] => parcels,
    "/parcels/{id}" [] => parcel,
    "/parcels-by-code/{code}" [] => parcel_by_code,
    "/couriers" ["city"] => couriers,
    "/couriers/{id}" [] => courier,
    "/couriers/{id}/tours" [] => tours,
    "/branches/{name}" [] => branch,
    "/sessions/{token}" [] => session,
    "/labels/{code}/printer" [] => printer,
    "/zones/{city}" [] => zone,
    "/quotas/{user}" [] => quota,
    "/notice" [] => notice,
    "/drafts" [] => drafts,
};
