//! A command with all that it starts: a group of processes that ends as one.

#[cfg_attr(unix, path = "process_group/unix.rs")]
#[cfg_attr(not(unix), path = "process_group/other.rs")]
mod system;

use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks at a group that is ending.
const LOOK: Duration = Duration::from_millis(10);
/// Time that groups have to end by themselves when the program is about to exit.
const HASTE: Duration = Duration::from_millis(100);

/// The groups that run, for [`end_process_groups`].
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A command in a group of its own, so that Ctrl-C concerns the program that started it. The whole
/// group ends with this value, also what the command has left behind.
#[derive(Debug)]
pub struct ProcessGroup {
    leader: Child,
    patience: Duration,
}

impl ProcessGroup {
    /// Starts a command. When the group is ended, it has `patience` to do so by itself (SIGTERM) before
    /// it is killed; where there are no signals it is killed at once.
    ///
    /// # Errors
    ///
    /// What the system says when the command cannot be started.
    pub fn spawn(command: &mut Command, patience: Duration) -> std::io::Result<Self> {
        let leader = system::lead(command).spawn()?;
        let group = Self { leader, patience };
        running().insert(group.id());
        Ok(group)
    }

    /// The command itself, for its pipes.
    pub fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// How the command ended, if it has; the rest of the group may go on.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.leader.try_wait().ok().flatten()
    }

    /// Whether none of its processes is left.
    pub fn has_ended(&mut self) -> bool {
        self.status().is_some() && !system::is_there(self.id())
    }

    fn id(&self) -> u32 {
        self.leader.id()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let group = self.id();
        system::ask_to_end(group);
        let deadline = Instant::now() + self.patience;
        while !self.has_ended() {
            if Instant::now() > deadline {
                system::kill(group);
                let _ = self.leader.wait();
                break;
            }
            std::thread::sleep(LOOK);
        }
        running().remove(&group);
    }
}

/// Ends all groups that run, for a program that is about to exit in the middle of a run.
pub fn end_process_groups() {
    let groups = std::mem::take(&mut *running());
    if groups.is_empty() {
        return;
    }
    for group in &groups {
        system::ask_to_end(*group);
    }
    std::thread::sleep(HASTE);
    for group in &groups {
        system::kill(*group);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use super::*;

    /// A shell that starts another process, prints its id, and then does the rest.
    fn start(rest: &str, patience: Duration) -> (ProcessGroup, u32) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("sleep 60 & echo $!; {rest}")]).stdout(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut command, patience).unwrap();
        let mut line = String::new();
        let printed = group.leader().stdout.take().unwrap();
        BufReader::new(printed).read_line(&mut line).unwrap();
        (group, line.trim().parse().unwrap())
    }

    /// A process whose parent has ended may stay as a zombie until somebody looks after it.
    fn runs(process: u32) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    }

    #[test]
    fn what_a_command_leaves_behind_ends_with_it() {
        let (mut group, left) = start("exit 3", Duration::from_secs(5));
        while group.status().is_none() {
            std::thread::sleep(LOOK);
        }
        assert_eq!(group.status().unwrap().code(), Some(3));
        assert!(runs(left));
        drop(group);
        assert!(!runs(left));
    }

    #[test]
    fn what_does_not_end_when_asked_is_killed() {
        let (group, left) = start("trap '' TERM; sleep 61 & wait; wait", Duration::from_millis(50));
        drop(group);
        assert!(!runs(left));
    }
}
