//! What processes of a run owe each other: none outlives the one that started it.

use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};

/// Ends this process when the one that started it ends, however that happens.
fn die_with_parent() -> std::io::Result<()> {
    let parent = getppid();
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // It may have ended before the line above.
    if getppid() == parent { Ok(()) } else { Err(std::io::Error::other("the parent has ended")) }
}

/// Becomes `command`, bound to the life of the process that started this one.
///
/// # Errors
/// When the command cannot be executed; on success this does not return.
pub fn guard(command: &[String]) -> std::io::Error {
    let Some((program, arguments)) = command.split_first() else {
        return std::io::Error::other("no command to guard");
    };
    if let Err(error) = die_with_parent() {
        return error;
    }
    Command::new(program).args(arguments).exec()
}

/// Binds this process to the life of the one that started it, and to some cores of the machine;
/// to all when `cores` is empty.
///
/// # Errors
/// When the operating system refuses.
pub fn confine(cores: &[usize]) -> std::io::Result<()> {
    die_with_parent()?;
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core)?;
    }
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}
