//! The command line that the fixtures' binaries share.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::Parser;

use crate::fixture::Fixture;
use crate::interface::Interface;
use crate::running::Options;

/// What the user typed.
#[derive(Debug, Parser)]
struct Arguments {
    /// Port of the service on the loopback address; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Port of the driver; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, conflicts_with = "no_driver")]
    driver_port: u16,
    /// Start no driver: the black-box twin
    #[arg(long)]
    no_driver: bool,
    /// Turn a wrong behaviour on; may be given again
    #[arg(long = "switch", visible_alias = "fault", value_name = "NAME")]
    switches: Vec<String>,
    /// List the switches and end
    #[arg(long, visible_alias = "list-faults")]
    list_switches: bool,
}

/// Runs the fixture of this name until the process is ended.
///
/// Prints one line on standard output when the ports answer. The exit code is 2 for wrong
/// arguments, and 3 when a port cannot be used.
#[must_use]
pub fn run_fixture(name: &str) -> ExitCode {
    run_fixture_with(name, std::env::args_os())
}

/// As [`run_fixture`], with arguments other than those of this process; the first of them is the
/// name of the program.
#[must_use]
pub fn run_fixture_with(name: &str, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = Arguments::parse_from(arguments);
    match Fixture::find(name) {
        Ok(fixture) if arguments.list_switches => list_switches(fixture),
        Ok(fixture) => serve(fixture, &arguments),
        Err(error) => fail(2, &error),
    }
}

fn list_switches(fixture: &Fixture) -> ExitCode {
    for switch in fixture.switches() {
        say(&format!("{:<36} {}", switch.name, switch.description));
    }
    ExitCode::SUCCESS
}

fn serve(fixture: &Fixture, arguments: &Arguments) -> ExitCode {
    let switches = match fixture.parse_switches(&arguments.switches) {
        Ok(switches) => switches,
        Err(error) => return fail(2, &error),
    };
    let running = match fixture.start(Options {
        port: arguments.port,
        driver_port: (!arguments.no_driver).then_some(arguments.driver_port),
        switches,
    }) {
        Ok(running) => running,
        Err(error) => return fail(3, &error),
    };
    let driver = match &running.driver_url {
        Some(url) => format!("driver URL {url}"),
        None => "no driver".to_owned(),
    };
    let interface = match fixture.interface() {
        Interface::GraphQl { endpoint } => format!("endpoint {endpoint}"),
        Interface::Rest { open_api } => format!("OpenAPI {open_api}"),
    };
    let (name, base_url) = (fixture.name(), &running.base_url);
    say(&format!("{name} is ready: base URL {base_url}, {interface}, {driver}"));
    loop {
        thread::park();
    }
}

/// A reader that went away must not end the service.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn fail(code: u8, error: &dyn std::error::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(code)
}
