//! The shop itself: a store and what is wrong with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

use crate::database::Database;
use crate::switch::Switches;

/// Longest time that a statement can be made to sleep.
const LONGEST_SLEEP: Duration = Duration::from_secs(6);

/// One instance of the shop. Copies share the store.
#[derive(Debug, Clone)]
pub(super) struct Shop {
    pub(super) database: Database,
    pub(super) faults: Switches,
    /// Milliseconds that the current statement was asked to sleep.
    sleep: Arc<AtomicU64>,
    /// Number of requests for an unstable order.
    turn: Arc<AtomicU64>,
}

impl Shop {
    /// A shop with the data of the start and these faults.
    pub(super) fn new(faults: Switches) -> Self {
        let database = Database::new(&[include_str!("schema.sql")], include_str!("seed.sql"));
        let sleep = Arc::new(AtomicU64::new(0));
        add_functions(&database.connection(), &sleep).expect("the names of the functions are free");
        Self { database, faults, sleep, turn: Arc::default() }
    }

    /// Brings the data of the start back.
    pub(super) fn reset(&self) -> rusqlite::Result<()> {
        self.turn.store(0, Ordering::Relaxed);
        self.database.reset()
    }

    /// Whether a fault is on.
    pub(super) fn has(&self, fault: &str) -> bool {
        self.faults.is_on(fault)
    }

    /// How long statements have asked to sleep since this was called last.
    pub(super) fn take_sleep(&self) -> Duration {
        Duration::from_millis(self.sleep.swap(0, Ordering::Relaxed)).min(LONGEST_SLEEP)
    }

    /// False and true in turns.
    pub(super) fn flip(&self) -> bool {
        self.turn.fetch_add(1, Ordering::Relaxed) % 2 == 1
    }
}

/// `fold` is lower case beyond ASCII. `sleep` and `pg_sleep` only note the time, so that the
/// caller can sleep without holding a thread; being deterministic they count once per statement.
fn add_functions(store: &Connection, sleep: &Arc<AtomicU64>) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    store.create_scalar_function("fold", 1, flags, |context| {
        Ok(context.get::<String>(0)?.to_lowercase())
    })?;
    for name in ["sleep", "pg_sleep"] {
        let sleep = Arc::clone(sleep);
        let note = move |context: &Context<'_>| {
            let seconds: f64 = context.get(0)?;
            let asked = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
            let milliseconds = asked.min(LONGEST_SLEEP).as_millis();
            sleep.fetch_max(u64::try_from(milliseconds).unwrap_or(0), Ordering::Relaxed);
            Ok(0)
        };
        store.create_scalar_function(name, 1, flags, note)?;
    }
    Ok(())
}
