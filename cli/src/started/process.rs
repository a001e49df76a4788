//! A service under its driver, as a group of processes that ends with the command.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wallace::{StopSignal, process_group::ProcessGroup};

use super::error::StartError;
use super::launcher::Launcher;
use super::output::Output;

/// Time between two looks at a process.
const LOOK: Duration = Duration::from_millis(10);
/// How long a group may take to end by itself once it is asked to. The launcher of Node services
/// uses it to end the group of the service; servers in Python wait for open requests, in vain.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The launcher with all that it started. Ends with this value.
#[derive(Debug)]
pub(crate) struct ServiceProcess {
    group: ProcessGroup,
    command: String,
    output: Output,
    /// Who reads what is printed.
    readers: Vec<JoinHandle<()>>,
    driver: Receiver<String>,
}

impl ServiceProcess {
    /// Starts the launcher; what it prints is progress.
    pub(super) fn start(
        launcher: &Launcher,
        is_quiet: bool,
        log: Option<&Path>,
    ) -> Result<Self, StartError> {
        let (output, driver) = Output::new(is_quiet, log)?;
        let mut command = command(launcher);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = spawn(&mut command, launcher)?;
        let stdout = group.leader().stdout.take().map(|stream| output.follow(stream));
        let stderr = group.leader().stderr.take().map(|stream| output.follow(stream));
        let readers = stdout.into_iter().chain(stderr).collect();
        Ok(Self { group, command: launcher.command.clone(), output, readers, driver })
    }

    /// Starts the launcher, which prints where this command does.
    pub(super) fn start_attached(launcher: &Launcher) -> Result<Self, StartError> {
        let (output, driver) = Output::new(false, None)?;
        let group = spawn(&mut command(launcher), launcher)?;
        let (command, readers) = (launcher.command.clone(), Vec::new());
        Ok(Self { group, command, output, readers, driver })
    }

    /// What the service prints.
    pub(super) fn output(&self) -> Output {
        self.output.clone()
    }

    /// Waits until the driver says where it listens.
    pub(super) fn wait_for_driver(&mut self, signal: &StopSignal) -> Result<String, StartError> {
        loop {
            match self.driver.try_recv() {
                Ok(address) => return Ok(address),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
            }
            if signal.is_set() {
                return Err(StartError::Interrupted);
            }
            if let Some(ended) = self.end_by_itself() {
                return Err(ended);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Waits for the end of the launcher, which is an error, or for the signal.
    pub(super) fn wait(&mut self, signal: &StopSignal) -> Result<(), StartError> {
        while !signal.is_set() {
            if let Some(ended) = self.end_by_itself() {
                return Err(ended);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// The command of the service.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// That the launcher has ended, if it does soon: connections are closed before a process ends.
    pub(super) fn end_soon(&mut self) -> Option<StartError> {
        let until = Instant::now() + PATIENCE;
        loop {
            let ended = self.end_by_itself();
            if ended.is_some() || Instant::now() >= until {
                return ended;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// That the launcher has ended, if it has.
    pub(super) fn end_by_itself(&mut self) -> Option<StartError> {
        let status = self.group.status()?;
        // What it printed last may still be on its way; what it started may print for ever.
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && !self.readers.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(LOOK);
        }
        let (command, tail) = (self.command.clone(), self.output.tail());
        Some(StartError::Ended { command, status, tail })
    }
}

fn command(launcher: &Launcher) -> Command {
    // Through a guard, so that it also ends with a command that was killed.
    let mut command = match std::env::current_exe() {
        Ok(own) => {
            let mut command = Command::new(own);
            command.args(["campaign", "guard", "--"]).arg(&launcher.program);
            command
        }
        Err(_) => Command::new(&launcher.program),
    };
    command.args(&launcher.arguments).envs(launcher.environment.iter().cloned());
    command.stdin(Stdio::null());
    command
}

fn spawn(command: &mut Command, launcher: &Launcher) -> Result<ProcessGroup, StartError> {
    ProcessGroup::spawn(command, PATIENCE).map_err(|reason| StartError::CannotStart {
        program: launcher.program.clone().into(),
        reason,
    })
}
