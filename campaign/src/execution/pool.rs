//! The runs of a plan, executed by worker processes of this machine.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use wallace::process_group::ProcessGroup;

use super::limit::watch;
use crate::error::CampaignError;
use crate::plan::{Plan, Progress, RunDescription};

/// What happens while a plan is executed.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// A run has its result.
    Done {
        /// Which.
        run: &'a RunDescription,
        /// How long it took.
        elapsed: Duration,
    },
    /// A run failed, and will not be tried again.
    Failed {
        /// Which.
        run: &'a RunDescription,
        /// Why, in one line.
        reason: String,
    },
}

/// Executes all runs without a result, as many at a time as the plan says. A run that fails is tried
/// again, then noted; the others go on. Ends early when `is_stopped`; what was not finished is
/// executed the next time.
///
/// # Errors
/// When the folder of the plan cannot be used.
pub fn run_local(
    plan: &Plan,
    wallace: &Path,
    is_stopped: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Progress, CampaignError> {
    let once = |number: usize, run: &RunDescription| {
        Worker { plan, wallace, number, is_stopped }.run_once(run)
    };
    work_off(plan, &once, is_stopped, observe)
}

/// Executes one run in a slot of that number.
pub(super) type Once<'a> = dyn Fn(usize, &RunDescription) -> Result<(), String> + Sync + 'a;

/// Executes all runs without a result by `once`, in as many slots as the plan says.
pub(super) fn work_off(
    plan: &Plan,
    once: &Once<'_>,
    is_stopped: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Progress, CampaignError> {
    let runs = plan.open_runs()?;
    let next = AtomicUsize::new(0);
    let (sender, events) = channel();
    std::thread::scope(|scope| {
        for number in 0..plan.definition().resources.parallel.min(runs.len()) {
            let slot = Slot { tries: plan.definition().resources.tries, once, number, is_stopped };
            let (sender, next, runs) = (sender.clone(), &next, &runs);
            scope.spawn(move || slot.work_off(runs, next, &sender));
        }
        drop(sender);
        for event in events {
            observe(&event);
        }
    });
    plan.progress()
}

/// One of the runs that go on at the same time.
struct Slot<'a> {
    tries: u32,
    once: &'a Once<'a>,
    number: usize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Slot<'_> {
    fn work_off<'r>(
        &self,
        runs: &[&'r RunDescription],
        next: &AtomicUsize,
        events: &Sender<Event<'r>>,
    ) {
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if (self.is_stopped)() {
                return;
            }
            let start = Instant::now();
            let event = match self.try_run(run) {
                Ok(()) => Event::Done { run, elapsed: start.elapsed() },
                Err(_) if (self.is_stopped)() => return,
                Err(reason) => Event::Failed { run, reason },
            };
            // The receiver lives as long as any slot.
            let _ = events.send(event);
        }
    }

    fn try_run(&self, run: &RunDescription) -> Result<(), String> {
        let mut last = Ok(());
        for _ in 0..self.tries {
            last = (self.once)(self.number, run);
            if last.is_ok() || (self.is_stopped)() {
                break;
            }
        }
        last
    }
}

/// A process for one run.
struct Worker<'a> {
    plan: &'a Plan,
    wallace: &'a Path,
    number: usize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Worker<'_> {
    fn run_once(&self, run: &RunDescription) -> Result<(), String> {
        let resources = &self.plan.definition().resources;
        let mut command = Command::new(self.wallace);
        command.args(["campaign", "work"]).arg(self.plan.folder()).arg(run.id.as_str());
        command.args(self.cores().iter().map(|core| format!("--core={core}")));
        command.env("WALLACE_SLOT", self.number.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(self.log(run)?);
        let group = ProcessGroup::spawn(&mut command, Duration::ZERO)
            .map_err(|error| format!("{} cannot be started: {error}", self.wallace.display()))?;
        match watch(group, resources, self.is_stopped) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.plan.failure(&run.id).map_or_else(
                || {
                    format!(
                        "its process ended badly: see {}",
                        self.plan.log_folder(&run.id).display()
                    )
                },
                |failure| failure.reason,
            )),
            Err(reason) => {
                if !(self.is_stopped)() {
                    self.plan.note_failure(run, &reason).map_err(|error| error.to_string())?;
                }
                Err(reason)
            }
        }
    }

    fn log(&self, run: &RunDescription) -> Result<File, String> {
        let folder = self.plan.log_folder(&run.id);
        let told = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(told)?;
        File::create(folder.join("worker.err")).map_err(told)
    }

    /// Cores of this slot's own; none when the machine has too few for all slots.
    fn cores(&self) -> Vec<usize> {
        let resources = &self.plan.definition().resources;
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        if resources.parallel * resources.cores > all {
            return Vec::new();
        }
        (self.number * resources.cores..(self.number + 1) * resources.cores).collect()
    }
}
