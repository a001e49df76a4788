//! Limits of a run, watched from outside.

use std::fs;
use std::time::{Duration, Instant};

use wallace::process_group::ProcessGroup;

use crate::definition::Resources;

/// Time between two looks at a process.
const LOOK: Duration = Duration::from_millis(5);

/// Time between two looks at its memory, which reads a file for every process of the machine.
const LOOK_AT_MEMORY: Duration = Duration::from_millis(500);

/// Waits for the leader of a process group. At a limit, or when `is_stopped`, the whole group is
/// ended; also after a good end, since a tool may have left processes behind. `Ok(true)` when it ended
/// well by itself, `Ok(false)` when it did not.
pub(super) fn watch(
    mut group: ProcessGroup,
    resources: &Resources,
    is_stopped: &dyn Fn() -> bool,
) -> Result<bool, String> {
    let start = Instant::now();
    let mut memory_seen = start;
    loop {
        match group.leader().try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) => {}
            Err(error) => return Err(format!("the run's process cannot be watched: {error}")),
        }
        if is_stopped() {
            return Err("it was stopped".to_owned());
        }
        if start.elapsed() > Duration::from_secs(resources.seconds) {
            return Err(format!("it took longer than {} s (resources.seconds)", resources.seconds));
        }
        if memory_seen.elapsed() > LOOK_AT_MEMORY {
            memory_seen = Instant::now();
            let used = group_memory(group.leader().id());
            if used > resources.memory {
                return Err(format!(
                    "it used {used} MiB, more than {} MiB (resources.memory)",
                    resources.memory
                ));
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// Resident memory of all processes of a group, in MiB; 0 where the system tells none.
fn group_memory(group: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let statuses = processes.flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        fs::read_to_string(entry.path().join("stat")).ok()
    });
    let pages: u64 = statuses.filter_map(|status| resident_pages(&status, group)).sum();
    pages * 4 / 1024
}

/// Pages in memory, if the process belongs to the group. The fields after the name, which may hold
/// anything, are: state, parent, group, ... and as the 22nd of them the pages (proc(5)).
fn resident_pages(status: &str, group: u32) -> Option<u64> {
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    (fields.get(2)?.parse::<u32>().ok()? == group).then_some(())?;
    fields.get(21)?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::process::Command;

    use super::*;

    fn start(script: &str) -> ProcessGroup {
        ProcessGroup::spawn(Command::new("sh").args(["-c", script]), Duration::ZERO).unwrap()
    }

    fn limits(seconds: u64, memory: u64) -> Resources {
        Resources { seconds, memory, ..Resources::default() }
    }

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(watch(start("exit 0"), &limits(60, 4096), &|| false), Ok(true));
        assert_eq!(watch(start("exit 3"), &limits(60, 4096), &|| false), Ok(false));
        let stopped = watch(start("sleep 60"), &limits(60, 4096), &|| true);
        assert_eq!(stopped, Err("it was stopped".to_owned()));
    }

    #[test]
    fn the_limits_end_the_whole_group() {
        let error = watch(start("sleep 60 & wait"), &limits(1, 4096), &|| false).unwrap_err();
        assert!(error.contains("longer than 1 s"), "{error}");
        let eater = "x=0123456789abcdef; while :; do x=$x$x; sleep 0.05; done";
        let error = watch(start(eater), &limits(60, 30), &|| false).unwrap_err();
        assert!(error.contains("more than 30 MiB"), "{error}");
    }
}
