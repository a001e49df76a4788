//! What one instance of a system under test has reached.
//!
//! The hot path is [`Recorder::reach`]: one relaxed load where nothing new is learnt. Everything
//! else (ids, names, actions) is worked out when results are collected, for touched targets only.

mod kept;
mod live;
mod note;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use wallace_sut_driver::{PlacedTarget, RecordedAction, Units};

use crate::database::ExecutedSql;
use crate::memo::fresh_stamp;
use crate::registry::registry;
use crate::state::{self, lock};
use crate::truthness::Truthness;
use kept::Decisions;
pub(crate) use live::only;

/// Stands for no target and for no action.
const NONE: u32 = u32::MAX;
/// Distances to patterns that one action may cost, as in the rest of the family.
const MAXIMUM_MEASUREMENTS: u32 = 50;

/// Best score of one target in the current test.
#[derive(Debug)]
struct Slot {
    /// Bits of the score, which order like the score since it is not negative; 0 is untouched.
    score: AtomicU64,
    /// Action in which the score was first reached. Stored just after the score: threads of one
    /// action that race for it write the same number.
    action: AtomicU32,
}

/// Records the targets of one instance of a system: of some modules and all below them.
///
/// Instances in one process are independent: each has its own scores, ids and actions.
#[derive(Debug)]
pub struct Recorder {
    prefixes: Vec<String>,
    covered: Vec<Covered>,
    slots: Box<[Slot]>,
    touched: Mutex<Vec<u32>>,
    /// Stamp of the current test.
    stamp: AtomicU32,
    action: AtomicU32,
    last_line: AtomicU32,
    /// Distances to patterns computed in the current action.
    measurements: AtomicU32,
    /// Whether somebody wants the SQL.
    keeps_sql: AtomicBool,
    is_killed: AtomicBool,
    kill: Notify,
    has_inputs: AtomicBool,
    inputs: RwLock<Vec<String>>,
    pub(crate) actions: Mutex<Actions>,
    pub(crate) epoch: Mutex<Epoch>,
    pub(crate) boot: Mutex<BTreeMap<u32, f64>>,
    /// The values of decisions; none while nobody wants them.
    decisions: Mutex<Option<Decisions>>,
}

/// Targets that are neighbours in the registry, and in the recorder.
#[derive(Debug)]
struct Covered {
    /// Numbers of the targets in the registry.
    numbers: Range<u32>,
    /// Slot of the first one.
    slot: u32,
}

/// What was seen per action.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    pub(crate) entries: Vec<RecordedAction>,
    pub(crate) is_announced: bool,
    /// SQL of the action that runs, until somebody looks at it.
    pub(crate) sql: Vec<ExecutedSql>,
}

/// Ids given out since the last new search.
#[derive(Debug, Default)]
pub(crate) struct Epoch {
    /// Slot of each id.
    pub(crate) slots: Vec<u32>,
    pub(crate) ids: BTreeMap<u32, u32>,
    /// Slots whose first report was in the current test.
    pub(crate) first_seen: BTreeSet<u32>,
}

/// A best score, as collected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) slot: u32,
    pub(crate) score: f64,
    pub(crate) action: Option<u32>,
}

impl Recorder {
    /// A recorder of the targets in the modules `prefixes` and below, of all without any prefix.
    ///
    /// It takes part in recording until its last handle is dropped.
    #[must_use]
    pub fn new(prefixes: &[&str]) -> Arc<Self> {
        let prefixes: Vec<String> = prefixes.iter().map(|&prefix| prefix.to_owned()).collect();
        let mut slots = 0;
        let mut covered = Vec::new();
        for numbers in registry().ranges(&prefixes) {
            let length = numbers.end - numbers.start;
            covered.push(Covered { numbers, slot: slots });
            slots += length;
        }
        let slot = |_| Slot { score: AtomicU64::new(0), action: AtomicU32::new(NONE) };
        let recorder = Arc::new(Self {
            prefixes,
            covered,
            slots: (0..slots).map(slot).collect(),
            touched: Mutex::default(),
            stamp: AtomicU32::new(fresh_stamp()),
            action: AtomicU32::new(NONE),
            last_line: AtomicU32::new(NONE),
            measurements: AtomicU32::new(0),
            keeps_sql: AtomicBool::new(true),
            is_killed: AtomicBool::new(false),
            kill: Notify::new(),
            has_inputs: AtomicBool::new(false),
            inputs: RwLock::default(),
            actions: Mutex::default(),
            epoch: Mutex::default(),
            boot: Mutex::default(),
            decisions: Mutex::default(),
        });
        recorder.clear_actions();
        live::register(&recorder);
        recorder
    }

    /// Sizes of the covered code.
    #[must_use]
    pub fn units(&self) -> Units {
        registry().units(&self.prefixes)
    }

    /// Every covered target with its place.
    pub(crate) fn placed_targets(&self) -> Vec<PlacedTarget> {
        let numbers = self.covered.iter().flat_map(|covered| covered.numbers.clone());
        let targets = numbers.map(|number| registry().target(number));
        targets
            .map(|target| PlacedTarget {
                name: target.name,
                file: target.function.file,
                line: target.line,
            })
            .collect()
    }

    /// Slot of the target with this number in the registry, if this instance covers it.
    #[inline]
    pub(crate) fn slot(&self, number: u32) -> Option<u32> {
        let covered = self.covered.iter().find(|covered| covered.numbers.contains(&number))?;
        Some(covered.slot + (number - covered.numbers.start))
    }

    /// Number in the registry of the target of a slot.
    pub(crate) fn number(&self, slot: u32) -> u32 {
        let next = self.covered.partition_point(|covered| covered.slot <= slot);
        let covered = &self.covered[next.saturating_sub(1)];
        covered.numbers.start + (slot - covered.slot)
    }

    /// Number of covered targets.
    pub(crate) fn size(&self) -> u32 {
        self.covered.last().map_or(0, |last| last.slot + last.numbers.end - last.numbers.start)
    }

    /// Keeps `score`, in `(0, 1]`, if it is the best of this test.
    #[inline]
    pub(crate) fn reach(&self, slot: u32, score: f64) {
        let Some(entry) = self.slots.get(slot as usize) else {
            return;
        };
        if score.to_bits() > entry.score.load(Ordering::Relaxed) {
            self.improve(slot, entry, score);
        }
    }

    #[cold]
    fn improve(&self, slot: u32, entry: &Slot, score: f64) {
        let before = entry.score.fetch_max(score.to_bits(), Ordering::Relaxed);
        if before < score.to_bits() {
            entry.action.store(self.action.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        if before == 0 {
            lock(&self.touched).push(slot);
        }
    }

    /// Keeps both sides of a condition; the false side follows the true side.
    #[inline]
    pub(crate) fn branch(&self, slot: u32, scores: Truthness) {
        self.reach(slot, scores.when_true);
        self.reach(slot + 1, scores.when_false);
    }

    /// Stamp of the current test, see [`crate::memo`].
    #[inline]
    pub(crate) fn stamp(&self) -> u32 {
        self.stamp.load(Ordering::Relaxed)
    }

    /// Whether `count` targets from `slot` on are all covered in this test, so that no distance
    /// needs to be computed for them.
    #[inline]
    pub(crate) fn is_covered(&self, slot: u32, count: u32) -> bool {
        let slots = self.slots.get(slot as usize..(slot + count) as usize);
        slots.is_some_and(|slots| {
            let covered = 1f64.to_bits();
            slots.iter().all(|slot| slot.score.load(Ordering::Relaxed) >= covered)
        })
    }

    /// Notes the line that was executed last.
    pub(crate) fn set_last_line(&self, slot: u32) {
        self.last_line.store(slot, Ordering::Relaxed);
    }

    /// Takes the line that was executed last.
    pub(crate) fn take_last_line(&self) -> Option<u32> {
        let slot = self.last_line.swap(NONE, Ordering::Relaxed);
        // Code of no task notes its lines once for all recorders, and counts where there is one.
        let outside = || self.slot(state::take_line_outside()?);
        if slot == NONE { outside() } else { Some(slot) }
    }

    /// The targets touched in this test, by slot.
    pub(crate) fn reached(&self) -> Vec<Reached> {
        let mut touched = lock(&self.touched).clone();
        touched.sort_unstable();
        touched
            .into_iter()
            .filter_map(|slot| {
                let entry = self.slots.get(slot as usize)?;
                let action = entry.action.load(Ordering::Relaxed);
                Some(Reached {
                    slot,
                    score: f64::from_bits(entry.score.load(Ordering::Relaxed)),
                    action: (action != NONE).then_some(action),
                })
            })
            .collect()
    }

    /// Forgets the scores and actions of the test.
    pub(crate) fn clear(&self) {
        // First, so that nothing which is cleared is remembered as recorded.
        let before = self.stamp.swap(fresh_stamp(), Ordering::Relaxed);
        state::replace_stamp(before, self.stamp());
        self.action.store(NONE, Ordering::Relaxed);
        self.measurements.store(0, Ordering::Relaxed);
        for slot in std::mem::take(&mut *lock(&self.touched)) {
            if let Some(entry) = self.slots.get(slot as usize) {
                entry.score.store(0, Ordering::Relaxed);
            }
        }
        self.set_has_inputs(false);
        self.inputs.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.set_kill_switch(false);
        self.clear_actions();
        self.clear_decisions();
    }

    fn clear_actions(&self) {
        self.take_last_line();
        *lock(&self.actions) =
            Actions { entries: vec![RecordedAction::default()], ..Actions::default() };
    }

    /// Attributes what follows to action `index`, and takes `inputs` as tainted too.
    pub(crate) fn enter_action(&self, index: u32, inputs: &[String]) {
        self.action.store(index, Ordering::Relaxed);
        self.measurements.store(0, Ordering::Relaxed);
        self.set_kill_switch(false);
        if inputs.is_empty() {
            return;
        }
        let mut known = self.inputs.write().unwrap_or_else(PoisonError::into_inner);
        known.extend_from_slice(inputs);
        known.sort_unstable();
        known.dedup();
        self.set_has_inputs(true);
    }

    fn set_has_inputs(&self, has_inputs: bool) {
        if self.has_inputs.swap(has_inputs, Ordering::Relaxed) != has_inputs {
            state::count_told(has_inputs);
        }
    }

    /// Takes one of the costly distances of this action; false when they are used up.
    pub(crate) fn take_measurement(&self) -> bool {
        self.measurements.fetch_add(1, Ordering::Relaxed) < MAXIMUM_MEASUREMENTS
    }

    /// While the switch is on, requests that run through [`Recorder::layer`] or
    /// [`Recorder::watch`] end with status 503: waiting ones at once, others at their next
    /// `.await` or instrumented line, from where they unwind like a panic. Use it for requests that
    /// take too long: what an ended one held locked may be poisoned. Other code goes on.
    pub fn set_kill_switch(&self, is_on: bool) {
        if self.is_killed.swap(is_on, Ordering::Relaxed) == is_on {
            return;
        }
        state::count_switch(is_on);
        if is_on {
            self.kill.notify_waiters();
        }
    }

    /// Waits until the kill switch goes on.
    pub(crate) fn ended(&self) -> Notified<'_> {
        self.kill.notified()
    }

    /// Whether requests are being ended.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.is_killed.load(Ordering::Relaxed)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.set_kill_switch(false);
        self.set_has_inputs(false);
        self.keep_decisions(false);
        live::unregister();
    }
}
