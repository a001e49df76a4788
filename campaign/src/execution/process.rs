//! What processes of a run owe each other: none outlives the one that started it.

use std::process::Command;

/// Ends this process when the one that started it ends, however that happens.
#[cfg(target_os = "linux")]
fn die_with_parent() -> std::io::Result<()> {
    use nix::sys::{prctl, signal::Signal};
    use nix::unistd::getppid;

    let parent = getppid();
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // It may have ended before the line above.
    if getppid() == parent { Ok(()) } else { Err(std::io::Error::other("the parent has ended")) }
}

/// Other systems have no such wish: a process outlives one that is killed.
#[cfg(not(target_os = "linux"))]
fn die_with_parent() -> std::io::Result<()> {
    Ok(())
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
    become_program(Command::new(program).args(arguments))
}

#[cfg(unix)]
fn become_program(command: &mut Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Where a process cannot become another, it waits for it and ends as it did.
#[cfg(not(unix))]
fn become_program(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Binds this process to the life of the one that started it, and to some cores of the machine;
/// to all when `cores` is empty.
///
/// # Errors
/// When the operating system refuses.
pub fn confine(cores: &[usize]) -> std::io::Result<()> {
    die_with_parent()?;
    if cores.is_empty() { Ok(()) } else { stay_on(cores) }
}

#[cfg(target_os = "linux")]
fn stay_on(cores: &[usize]) -> std::io::Result<()> {
    use nix::sched::{CpuSet, sched_setaffinity};

    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core)?;
    }
    Ok(sched_setaffinity(nix::unistd::Pid::from_raw(0), &set)?)
}

#[cfg(not(target_os = "linux"))]
fn stay_on(_cores: &[usize]) -> std::io::Result<()> {
    Err(std::io::Error::other("this system does not keep processes on some cores"))
}
