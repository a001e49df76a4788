//! Groups of processes where there are signals.

use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Lets the command lead a group of its own.
pub(super) fn lead(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Asks all of a group to end.
pub(super) fn ask_to_end(group: u32) {
    let _ = killpg(pid(group), Signal::SIGTERM);
}

/// Ends all of a group.
pub(super) fn kill(group: u32) {
    let _ = killpg(pid(group), Signal::SIGKILL);
}

/// Whether anything of a group is left.
pub(super) fn is_there(group: u32) -> bool {
    killpg(pid(group), None).is_ok()
}

fn pid(group: u32) -> Pid {
    // Linux has none above 2^22 (proc(5), pid_max).
    Pid::from_raw(i32::try_from(group).unwrap_or(i32::MAX))
}
