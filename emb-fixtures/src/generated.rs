//! Services made from a seed, so that nothing is tuned to the fixtures that were written by hand.
//!
//! A service has operations with arguments of all kinds, and behind each of them a tree of nested
//! conditions over the arguments and over a little state that other operations change. The
//! [`builder`] only makes conditions of which it knows, for both sides, calls that reach them, so
//! that every branch side has a witness by construction. Conditions are data: [`predicate`]
//! evaluates them and records distances and taint with the runtime of the instrumentation.

mod argument;
mod builder;
mod chance;
mod face;
mod model;
mod pattern;
mod predicate;
mod program;
mod table;

use wallace_instrument::Driver;

use self::program::Program;
use crate::expected::Expected;
use crate::interface::Interface;
use crate::running::{Options, Running, StartError, Subject};
use crate::switch::{Switch, Switches, UnknownSwitch};

/// A service made from a seed: what it is, and how to make instances of it.
///
/// ```
/// use emb_fixtures::{Generated, Options};
///
/// let service = Generated::new(7, 3);
/// assert_eq!(service.expected().operations, 3);
/// assert_eq!(service.expected(), Generated::new(7, 3).expected());
/// let running = service.start(Options::default())?;
/// assert!(running.driver_url.is_some());
/// # Ok::<(), emb_fixtures::StartError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generated {
    program: Program,
    expected: Expected,
}

impl Generated {
    /// Most operations that a service can have.
    pub const LARGEST: usize = table::TABLES.len();

    /// The service of a seed with this many operations, 1 to [`Generated::LARGEST`]; the nearest of
    /// these if it is another number. The first operations do not depend on how many follow.
    #[must_use]
    pub fn new(seed: u64, operations: usize) -> Self {
        let (program, expected) = builder::build(seed, operations.clamp(1, Self::LARGEST));
        Self { program, expected }
    }

    /// What is known about its operations and branch sides.
    #[must_use]
    pub fn expected(&self) -> Expected {
        self.expected.clone()
    }

    /// What it speaks, and where.
    #[must_use]
    pub fn interface(&self) -> Interface {
        Interface::Rest { open_api: crate::rest::OPEN_API }
    }

    /// The modules whose targets belong to it, one per operation.
    #[must_use]
    pub fn unit_prefixes(&self) -> &'static [&'static str] {
        &table::UNITS[..self.program.operations.len()]
    }

    /// Its behaviour switches, one per operation.
    #[must_use]
    pub fn switches(&self) -> &'static [Switch] {
        &table::SWITCHES[..self.program.operations.len()]
    }

    /// Looks up behaviour switches by name, to start an instance with.
    ///
    /// # Errors
    /// On the first unknown name; the error proposes the nearest one and lists all.
    pub fn parse_switches(&self, names: &[String]) -> Result<Switches, UnknownSwitch> {
        Switches::parse(names, self.switches())
    }

    /// Starts an instance; its ports answer when this returns.
    ///
    /// # Errors
    /// When a port is taken or may not be used.
    pub fn start(&self, options: Options) -> Result<Running, StartError> {
        let Options { port, driver_port, switches, habits, tells_statements } = options;
        let subject = Subject { tells_statements, ..self.subject(switches) };
        subject.surrounded(&habits).start(port, driver_port)
    }

    /// A driver for instances of this service, not started; see [`crate::Fixture::driver`].
    #[must_use]
    pub fn driver(&self, port: u16, switches: Switches) -> Driver {
        self.subject(switches).driver(port)
    }

    fn subject(&self, switches: Switches) -> Subject<'static> {
        Subject {
            name: "generated",
            interface: self.interface(),
            unit_prefixes: self.unit_prefixes(),
            system: face::system(self.program.clone(), switches),
            tells_statements: true,
            skipped: &[],
        }
    }
}
