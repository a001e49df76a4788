//! The `wallace` command.

mod argument;
mod campaign;
mod config;
mod console;
#[cfg(feature = "fixtures")]
mod demo;
mod diagnostic;
mod exit;
mod fuzz;
mod harvest;
mod init;
mod instrument;
mod interrupt;
mod preview;
mod progress;
mod project;
mod properties;
mod record;
mod replay;
mod shell;
mod start;
mod started;
mod summary;

use std::process::ExitCode;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use argument::Command;

fn main() -> ExitCode {
    if let Some(code) = instrument::wrap() {
        return code;
    }
    let start::Started { arguments, settings } = match start::start() {
        Ok(started) => started,
        Err(error) => {
            error.tell();
            return ExitCode::from(2);
        }
    };
    // Logs go to standard error, so that standard output holds results only.
    let wanted = std::env::var("WALLACE_LOG").ok().and_then(|text| text.parse().ok());
    let filter = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines.with_ansi(is_coloured())).with(filter).init();
    let outcome = match arguments.command {
        #[cfg(feature = "fixtures")]
        Command::Demo(demo) => return exit::code(demo::run(&demo), demo.common.output.fail_on),
        Command::Fuzz(fuzz) if fuzz.show_config => {
            preview::tell_settings(&settings);
            Ok(0)
        }
        Command::Fuzz(fuzz) if fuzz.dry_run => fuzz::dry_run(&fuzz),
        Command::Fuzz(fuzz) => return exit::code(fuzz::run(&fuzz), fuzz.common.output.fail_on),
        Command::Node(node) if node.started.search.0.show_config => {
            preview::tell_settings(&settings);
            Ok(0)
        }
        Command::Node(node) => return started::node(*node),
        Command::Python(python) if python.started.search.0.show_config => {
            preview::tell_settings(&settings);
            Ok(0)
        }
        Command::Python(python) => return started::python(*python),
        Command::Doctor(fuzz) => fuzz::doctor(&fuzz),
        Command::Explain(explain) => record::explain_target(&explain).map(|()| 0),
        Command::Report(report) => record::report(&report).map(|()| 0),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Baseline(baseline) => record::baseline(&baseline).map(|()| 0),
        Command::Init(init) => init::run(&init).map(|()| 0),
        Command::Completions { shell } => {
            shell::completions(shell);
            Ok(0)
        }
        Command::Man { folder } => shell::manual(&folder).map(|()| 0),
        Command::Properties(properties) => return properties::run(&properties),
        Command::Harvest(arguments) => return harvest::run(&arguments),
        Command::Instrument(arguments) => return instrument::run(&arguments),
        Command::Campaign(campaign) => return campaign::run(&campaign.command),
        #[cfg(feature = "fixtures")]
        Command::Fixture { name, arguments } => {
            return emb_fixtures::run_fixture_with(&name, &arguments);
        }
    };
    exit::code_or_error(outcome)
}

/// Whether logs may have colours: on a terminal, and not where the user asked for none.
fn is_coloured() -> bool {
    use std::io::IsTerminal;
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !is_unwanted
}
