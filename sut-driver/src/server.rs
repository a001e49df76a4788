//! The system's side: a driver that engines of the protocol can use.
//!
//! The answers are those of release 6.1.2, field by field: its engine refuses any other field.

mod action;
mod database;
mod information;
mod insight;
mod reply;
mod request;
mod results;
mod results_message;
mod run;
mod schema_message;
mod serve;
mod state;
mod store;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post, put};

pub use serve::{DriverServer, driver_host, url_of};

use crate::controller::SutController;
use crate::wire::BASE_PATH;
use state::Driver;

/// The endpoints of a driver for the system of `controller`, to be served on a socket of its own
/// or beside other routes.
///
/// The driver's state lives in the router: serve one router per controller.
pub fn driver_router(controller: Arc<dyn SutController>) -> Router {
    let at = |endpoint: &str| format!("{BASE_PATH}{endpoint}");
    Router::new()
        .route(&at("/"), get(reply::warn_people))
        .route(BASE_PATH, get(reply::redirect_to_slash))
        .route(&at("/controllerInfo"), get(information::controller_info))
        .route(&at("/infoSUT"), get(information::info_sut))
        .route(&at("/newSearch"), post(run::new_search))
        .route(&at("/runSUT"), put(run::run_sut))
        .route(&at("/newAction"), put(action::new_action))
        .route(&at("/testResults"), get(results::test_results))
        .route(&at("/databaseCommand"), post(database::database_command))
        .route(&at("/mongoInsertion"), post(store::mongo_insertion))
        .route(&at("/redisInsertion"), post(store::redis_insertion))
        .route(&at("/wallace/targets"), get(insight::targets))
        .route(&at("/wallace/operands"), get(insight::operands))
        .method_not_allowed_fallback(reply::method_not_allowed)
        .fallback(reply::not_found)
        .with_state(Arc::new(Driver::new(controller)))
}
