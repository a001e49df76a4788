//! One instance of a fixture, not yet on a port: its routes, and how its state is brought back.

use std::fmt;
use std::sync::Arc;

use axum::Router;

use crate::database::Database;
use crate::depot::Store;

type Reset = dyn Fn() -> Result<(), String> + Send + Sync;

/// One instance of a fixture. Copies share its state.
#[derive(Clone)]
pub struct System {
    router: Router,
    reset: Arc<Reset>,
    database: Option<Database>,
    documents: Option<Store>,
}

impl System {
    /// An instance that keeps nothing between requests.
    pub(crate) fn stateless(router: Router) -> Self {
        Self { router, reset: Arc::new(|| Ok(())), database: None, documents: None }
    }

    /// An instance whose state `reset` brings back to what it was at the start.
    pub(crate) fn stateful(
        router: Router,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { router, reset: Arc::new(reset), database: None, documents: None }
    }

    /// An instance whose state is a database.
    pub(crate) fn on_database(router: Router, database: Database) -> Self {
        Self { database: Some(database), ..Self::stateless(router) }
    }

    /// An instance whose state is documents and keys.
    pub(crate) fn on_documents(router: Router, store: Store) -> Self {
        Self { documents: Some(store), ..Self::stateless(router) }
    }

    /// The same instance behind other routes.
    pub(crate) fn with_router(self, router: Router) -> Self {
        Self { router, ..self }
    }

    /// The database that is its state.
    pub(crate) fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// The documents and keys that are its state.
    pub(crate) fn documents(&self) -> Option<&Store> {
        self.documents.as_ref()
    }

    /// The service.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Brings the state back to what it was at the start.
    ///
    /// # Errors
    /// What the store says, in words, when it cannot be reset.
    pub fn reset(&self) -> Result<(), String> {
        if let Some(database) = &self.database {
            database.reset().map_err(|error| error.to_string())?;
        }
        (self.reset)()
    }
}

impl fmt::Debug for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("System").finish_non_exhaustive()
    }
}
