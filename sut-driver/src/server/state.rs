//! What a driver remembers between requests.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::controller::SutController;

/// A driver: the system it controls and its own memory.
pub(super) struct Driver {
    pub(super) controller: Arc<dyn SutController>,
    /// Held while the system is started, reset or stopped.
    pub(super) life_cycle: Mutex<()>,
    memory: Mutex<Memory>,
}

/// Memory of the current test and of the last start.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The action announced last; `None` at the beginning of a test.
    pub(super) action: Option<u32>,
    /// Whether the engine wants to hear about SQL.
    pub(super) reports_sql: bool,
    /// Number of the last insertions since the search began.
    pub(super) insertions: Option<i64>,
    /// Targets that the start of the system covered; `None` until somebody asks.
    boot_covered: Option<Arc<HashSet<&'static str>>>,
}

impl Driver {
    pub(super) fn new(controller: Arc<dyn SutController>) -> Self {
        Self { controller, life_cycle: Mutex::new(()), memory: Mutex::new(Memory::default()) }
    }

    pub(super) fn is_running(&self) -> bool {
        self.controller.base_url().is_some()
    }

    /// The memory. Nothing fails while it is locked, so a poisoned lock still holds good values.
    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Targets that the start of the system covered.
    pub(super) fn boot_covered(&self) -> Arc<HashSet<&'static str>> {
        let known = self.memory().boot_covered.clone();
        known.unwrap_or_else(|| {
            let targets = self.controller.boot_targets().into_iter();
            let covered = targets.filter(|(_, score)| *score >= 1.0);
            let covered = Arc::new(covered.map(|(name, _)| name).collect::<HashSet<_>>());
            self.memory().boot_covered = Some(Arc::clone(&covered));
            covered
        })
    }

    /// Reads what the start covered again when it is next asked for.
    pub(super) fn forget_boot(&self) {
        self.memory().boot_covered = None;
    }

    /// Begins a test.
    pub(super) fn new_test(&self) {
        self.memory().action = None;
        self.controller.new_test();
    }
}
