//! Groups of processes where there are no signals: a process with all that it started.

use std::process::{Command, Stdio};

pub(super) fn lead(command: &mut Command) -> &mut Command {
    command
}

/// There is no way to ask.
pub(super) fn ask_to_end(group: u32) {
    kill(group);
}

/// Ends a process and its descendants, by the tool that Windows has for it.
pub(super) fn kill(group: u32) {
    let _ = Command::new("taskkill")
        .args(["/T", "/F", "/PID", &group.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

/// Nobody tells what is left without its leader.
pub(super) fn is_there(_group: u32) -> bool {
    false
}
