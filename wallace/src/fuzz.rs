//! The front door: where the service is, what to look for, and go.

use std::path::PathBuf;
use std::time::Duration;

use wallace_engine::{SearchSettings, StopSignal};
use wallace_problems::{Oracle, TargetSource};

use crate::error::RunError;
use crate::local_service::LocalService;
use crate::progress::Progress;
use crate::run::run_given;
use crate::settings::{Settings, Target};
use crate::summary::Summary;
use crate::target_system::Given;

/// Folder of the results where none is named; that of the command.
const OUT: &str = "wallace-out/suite";

/// A run that is about to begin: one way in for every kind of service.
///
/// Oracles and targets of your own work with each of them:
///
/// ```no_run
/// use wallace::{Call, Fault, Fuzz, Oracle, OwnTarget};
///
/// /// No answer is longer than 100 kB.
/// struct Short;
///
/// impl Oracle for Short {
///     fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
///         let response = call.outcome.response.as_ref();
///         let is_long = response.is_ok_and(|response| response.body.len() > 100_000);
///         let context = "a long answer".to_owned();
///         if is_long { vec![Fault { code: 990, context }] } else { Vec::new() }
///     }
/// }
///
/// // The search is to find calls that take long, one step after the other.
/// let slow = |calls: &[Call<'_>]| -> Vec<OwnTarget> {
///     let targets = calls.iter().enumerate().flat_map(|(place, call)| {
///         let took = call.elapsed.as_secs_f64() * 1_000.0;
///         [5.0, 20.0, 80.0].map(|goal| {
///             let name = format!("{} takes {goal} ms", call.operation);
///             OwnTarget::at_least(name, took, goal).by_call(place)
///         })
///     });
///     targets.collect()
/// };
///
/// let summary = Fuzz::driver("localhost:40100")
///     .calls(5_000)
///     .oracle(Short)
///     .targets(slow)
///     .out("generated")
///     .run()?;
/// for target in summary.own_targets() {
///     println!("{}: {:.2}", target.name, target.score.get());
/// }
/// # Ok::<(), wallace::RunError>(())
/// ```
#[must_use = "nothing is tested before `run`"]
pub struct Fuzz<'a> {
    settings: Settings,
    given: Given,
    stop: StopSignal,
    observe: Box<dyn FnMut(&Progress) + 'a>,
}

impl std::fmt::Debug for Fuzz<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Fuzz").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<'a> Fuzz<'a> {
    /// White-box: the service behind the driver at `address`, a port, `host:port` or a URL.
    pub fn driver(address: impl Into<String>) -> Self {
        Self::of(Settings::new(address, OUT))
    }

    /// Black-box: the running GraphQL service with its endpoint at `url`.
    pub fn black_box(url: impl Into<String>) -> Self {
        Self::of(Settings::black_box(url, OUT))
    }

    /// Black-box: the running REST service with its OpenAPI description at `location`, a file or a URL.
    /// A file that does not say where the service is needs
    /// [`RestSettings::base_url`](crate::settings::RestSettings::base_url).
    pub fn openapi(location: impl Into<String>) -> Self {
        Self::of(Settings::rest(location, OUT))
    }

    /// White-box without a driver and without sockets: an `axum::Router` or any other `tower` service
    /// in this process, of GraphQL or REST.
    ///
    /// ```no_run
    /// # fn router() -> axum::Router { axum::Router::new() }
    /// use wallace::{Fuzz, in_process::LocalService};
    ///
    /// let service = LocalService::new(router()).on_reset(|| Ok(()));
    /// let summary = Fuzz::in_process(service).calls(2_000).out("generated").run()?;
    /// # Ok::<(), wallace::RunError>(())
    /// ```
    pub fn in_process(service: impl Into<LocalService>) -> Self {
        let mut fuzz = Self::of(Settings::of(Target::InProcess, OUT));
        fuzz.given.service = Some(service.into());
        fuzz
    }

    /// By settings that are made elsewhere; what is called later overrides them.
    pub fn of(settings: Settings) -> Self {
        let observe = Box::new(|_: &Progress| {});
        Self { settings, given: Given::default(), stop: StopSignal::default(), observe }
    }

    /// Runs tests on further instances of the service at the same time; see
    /// [`Settings::instances`].
    ///
    /// ```no_run
    /// use wallace::Fuzz;
    ///
    /// let further = ["localhost:40101", "localhost:40102", "localhost:40103"];
    /// let summary = Fuzz::driver("localhost:40100").instances(further).calls(10_000).run()?;
    /// # Ok::<(), wallace::RunError>(())
    /// ```
    pub fn instances<T: Into<String>>(mut self, further: impl IntoIterator<Item = T>) -> Self {
        self.settings.instances.extend(further.into_iter().map(Into::into));
        self
    }

    /// Most calls to the service, 1 and up. Default 10,000.
    pub fn calls(mut self, calls: u64) -> Self {
        self.settings.calls = Some(calls);
        self
    }

    /// Most time of the search and of what comes after it, besides the budget in calls; only that one
    /// makes a run repeatable. None by default.
    pub fn time(mut self, time: Duration) -> Self {
        self.settings.time = Some(time);
        self
    }

    /// Seed of the search: the same seed finds the same. Default 42.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.search.seed = seed;
        self
    }

    /// Folder for the suite and the report. Default `wallace-out/suite`.
    pub fn out(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.out = folder.into();
        self
    }

    /// Judges every call and test by an oracle of your own too; may be called several times.
    pub fn oracle(mut self, oracle: impl Oracle + 'static) -> Self {
        self.given.oracles.push(Box::new(oracle));
        self
    }

    /// Adds targets of your own; may be called several times. They appear in the suite and the report
    /// as `own:` and their name.
    pub fn targets(mut self, source: impl TargetSource + 'static) -> Self {
        self.given.targets.push(Box::new(source));
        self
    }

    /// Is told of every test; a later call replaces an earlier one.
    pub fn observe(mut self, observe: impl FnMut(&Progress) + 'a) -> Self {
        self.observe = Box::new(observe);
        self
    }

    /// Changes parameters of the search, which begin with the usual ones for this way in.
    pub fn search_settings(mut self, change: impl FnOnce(&mut SearchSettings)) -> Self {
        change(&mut self.settings.search);
        self
    }

    /// Changes any other setting: users, formats, filters, limits.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Ends early when this signal is set; what was found is still written.
    pub fn stop(mut self, stop: &StopSignal) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Evolves tests for the service, and writes the suite and the report.
    ///
    /// # Errors
    /// When the folder cannot be written, the driver or the service cannot be reached, the schema
    /// cannot be used, or the checkpoint to go on from is not of this run. Once the search has begun,
    /// its results are written however it ends.
    pub fn run(mut self) -> Result<Summary, RunError> {
        run_given(&self.settings, self.given, &self.stop, &mut *self.observe)
    }
}
