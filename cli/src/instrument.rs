//! `wallace instrument`: build a program with all of its own code white-box, its sources untouched.
//!
//! Cargo calls this command in place of the compiler for the crates of the workspace. Of those that
//! are to be white-box, the package is copied below the target folder, `#[white_box]` is put before
//! the items of the copy, and the compiler is given the copy. Paths in messages and in Cargo's
//! notes are those of the original. A function that the compiler refuses in the copy is left as it
//! is, with a warning that names it: the build never fails for being white-box.

mod copy;
mod message;
mod rewrite;
mod wrapper;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::console::complain;

/// Crates to rewrite, separated by commas; all where empty. Its presence makes this command a
/// wrapper of the compiler.
const CRATES: &str = "WALLACE_WRAPPED_CRATES";
/// Folder for the copies.
const SOURCES: &str = "WALLACE_WRAPPED_SOURCES";

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct Instrument {
    /// Crate to rewrite, or its package [repeatable; default: all of the workspace that depend on wallace-instrument]
    #[arg(long = "crate", value_name = "NAME")]
    crates: Vec<String>,
    /// A command that calls Cargo
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Instrument) -> ExitCode {
    match call(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(reason) => {
            complain(&reason);
            ExitCode::from(2)
        }
    }
}

fn call(arguments: &Instrument) -> Result<u8, String> {
    let own = std::env::current_exe().map_err(|error| format!("this command: {error}"))?;
    // A folder of its own, so that plain builds stay as they are.
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from("target"), PathBuf::from)
        .join("wallace");
    let target = std::path::absolute(&target).map_err(|error| error.to_string())?;
    let [program, rest @ ..] = &arguments.command[..] else {
        return Err("there is no command: wallace instrument -- cargo run".to_owned());
    };
    let crates: Vec<String> = arguments.crates.iter().map(|name| name.replace('-', "_")).collect();
    let status = Command::new(program)
        .args(rest)
        .env("RUSTC_WORKSPACE_WRAPPER", own)
        .env("CARGO_TARGET_DIR", &target)
        .env(CRATES, crates.join(","))
        .env(SOURCES, target.join("sources"))
        .status()
        .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// What the command does when Cargo calls it in place of the compiler; nothing otherwise.
pub(crate) fn wrap() -> Option<ExitCode> {
    let crates = std::env::var(CRATES).ok()?;
    let sources = PathBuf::from(std::env::var_os(SOURCES)?);
    let mut arguments = std::env::args_os().skip(1);
    // Cargo names the compiler first; `wallace` itself may be what it runs.
    let compiler =
        arguments.next().filter(|first| PathBuf::from(first).is_absolute() || first == "rustc")?;
    let crates: Vec<&str> = crates.split(',').filter(|name| !name.is_empty()).collect();
    let arguments: Vec<OsString> = arguments.collect();
    let code = wrapper::compile(&compiler, &arguments, &crates, &sources);
    Some(code.unwrap_or_else(|reason| {
        complain(&reason);
        ExitCode::FAILURE
    }))
}
