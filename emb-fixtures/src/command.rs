//! The command line that the fixtures' binaries share.

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::{Args, Parser};

use crate::fixture::Fixture;
use crate::generated::Generated;
use crate::habit::Habit;
use crate::interface::Interface;
use crate::running::{Options, Running, StartError};
use crate::switch::{Switch, Switches};

// How the service of a fixture is started: arguments of its binary, and of any command that has fixtures.
#[expect(missing_docs, reason = "it would stand in the help of every command that has them")]
#[derive(Debug, Args)]
pub struct FixtureArguments {
    /// Port of the service on the loopback address; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Port of the driver; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, conflicts_with = "no_driver")]
    driver_port: u16,
    /// Start no driver: the black-box twin
    #[arg(long)]
    no_driver: bool,
    /// Start several instances, on ports that follow each other where they are not free ones
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    instances: u16,
    /// Turn a wrong behaviour on; may be given again
    #[arg(long = "switch", visible_alias = "fault", value_name = "NAME")]
    switches: Vec<String>,
    /// Let the service also behave as some others do, without being wrong; may be given again
    #[arg(long = "habit", value_name = "NAME", value_enum)]
    habits: Vec<Habit>,
    /// List the switches and end
    #[arg(long, visible_alias = "list-faults")]
    list_switches: bool,
}

/// Serve a service with its driver until the process is ended
#[derive(Debug, Parser)]
struct Binary {
    #[command(flatten)]
    arguments: FixtureArguments,
}

/// Runs the fixture of this name, with the arguments of this process, until the process is ended.
///
/// Prints one line on standard output when the ports answer. The exit code is 2 for wrong
/// arguments, and 3 when a port cannot be used.
#[must_use]
pub fn run_fixture(name: &str) -> ExitCode {
    run_fixture_with(name, &Binary::parse().arguments)
}

/// As [`run_fixture`], with arguments that were read elsewhere.
#[must_use]
pub fn run_fixture_with(name: &str, arguments: &FixtureArguments) -> ExitCode {
    let fixture = match Fixture::find(name) {
        Ok(fixture) => fixture,
        Err(error) => return fail(2, &error),
    };
    if arguments.list_switches {
        return list_switches(fixture.switches());
    }
    match fixture.parse_switches(&arguments.switches) {
        Ok(switches) => {
            let running = arguments.each(&switches, |options| fixture.start(options));
            serve(fixture.name(), fixture.interface(), running)
        }
        Err(error) => fail(2, &error),
    }
}

/// Serve the service of a seed with its driver until the process is ended
#[derive(Debug, Parser)]
struct GeneratedArguments {
    /// What the service is made from
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Number of operations, at most 64
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    operations: usize,
    /// Print what the service contains, with its witnesses, and end
    #[arg(long)]
    print_expected: bool,
    #[command(flatten)]
    common: FixtureArguments,
}

/// Runs the service of a seed until the process is ended; exit codes as for [`run_fixture`].
#[must_use]
pub fn run_generated() -> ExitCode {
    let GeneratedArguments { seed, operations, print_expected, common } =
        GeneratedArguments::parse();
    let service = Generated::new(seed, operations);
    if print_expected {
        return match service.expected().to_toml() {
            Ok(text) => {
                say(&text);
                ExitCode::SUCCESS
            }
            Err(error) => fail(2, &error),
        };
    }
    if common.list_switches {
        return list_switches(service.switches());
    }
    match service.parse_switches(&common.switches) {
        Ok(switches) => {
            let running = common.each(&switches, |options| service.start(options));
            serve(&format!("generated --seed {seed}"), service.interface(), running)
        }
        Err(error) => fail(2, &error),
    }
}

impl FixtureArguments {
    /// Starts every instance.
    fn each(
        &self,
        switches: &Switches,
        start: impl Fn(Options) -> Result<Running, StartError>,
    ) -> Result<Vec<Running>, StartError> {
        (0..self.instances).map(|number| start(self.options(switches.clone(), number))).collect()
    }

    /// How the instance of this number is started.
    fn options(&self, switches: Switches, number: u16) -> Options {
        // Port 0 is a free one each time.
        let place = |port: u16| if port == 0 { 0 } else { port.saturating_add(number) };
        let driver_port = (!self.no_driver).then_some(place(self.driver_port));
        let habits = self.habits.clone();
        Options { port: place(self.port), driver_port, switches, habits, tells_statements: true }
    }
}

fn list_switches(switches: &[Switch]) -> ExitCode {
    for switch in switches {
        say(&format!("{:<36} {}", switch.name, switch.description));
    }
    ExitCode::SUCCESS
}

fn serve(name: &str, interface: Interface, running: Result<Vec<Running>, StartError>) -> ExitCode {
    let running = match running {
        Ok(running) => running,
        Err(error) => return fail(3, &error),
    };
    let interface = match interface {
        Interface::GraphQl { endpoint } => format!("endpoint {endpoint}"),
        Interface::Rest { open_api } => format!("OpenAPI {open_api}"),
    };
    for Running { base_url, driver_url, .. } in &running {
        let driver = match driver_url {
            Some(url) => format!("driver URL {url}"),
            None => "no driver".to_owned(),
        };
        say(&format!("{name} is ready: base URL {base_url}, {interface}, {driver}"));
    }
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
