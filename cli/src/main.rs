//! The `wallace` command.

mod argument;
mod campaign;
mod demo;
mod exit;
mod fuzz;
mod harvest;
mod instrument;
mod interrupt;
mod progress;
mod properties;
mod summary;

use std::process::ExitCode;

use clap::Parser;
use emb_fixtures::run_fixture_with;
use tracing_subscriber::EnvFilter;

use argument::{Command, Wallace};

fn main() -> ExitCode {
    if let Some(code) = instrument::wrap() {
        return code;
    }
    let arguments = Wallace::parse();
    // Logs go to standard error, so that standard output holds results only.
    let filter = EnvFilter::try_from_env("WALLACE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let outcome = match arguments.command {
        Command::Demo(demo) => demo::run(&demo),
        Command::Fuzz(fuzz) => fuzz::run(&fuzz),
        Command::Properties(properties) => return properties::run(&properties),
        Command::Harvest(arguments) => return harvest::run(&arguments),
        Command::Instrument(arguments) => return instrument::run(&arguments),
        Command::Campaign(campaign) => return campaign::run(&campaign.command),
        Command::Fixture { name, arguments } => {
            let program = std::iter::once(format!("wallace fixture {name}").into());
            return run_fixture_with(&name, program.chain(arguments));
        }
    };
    exit::code(&outcome)
}
