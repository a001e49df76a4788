//! Ctrl-C, as a person would press it.

use std::process::Child;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

pub(crate) fn interrupt(child: &Child) {
    let id = i32::try_from(child.id()).expect("numbers of processes are small");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("it runs");
}
