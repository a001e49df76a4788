//! The instances of a service, each opened by what they have in common.

use std::sync::Arc;

use wallace_problems::auth::{LoginGuard, User};
use wallace_problems::{HttpEvaluator, HttpProblem};
use wallace_sut_driver::{DriverClient, DriverOptions, ProblemInfo, SutInfo};

use super::connection::{Connector, address, origin};
use super::{driver_options, evaluator};
use crate::error::RunError;
use crate::instance::{Instances, Open};
use crate::settings::Settings;

/// What an instance of a service has in common with the others.
struct Common<P> {
    problem: Arc<P>,
    users: Vec<User>,
    seed: u64,
    guard: LoginGuard,
    connector: Connector,
}

/// The instances beside which a search is not alone: those that the user names, each as often as there
/// are calls under way on it. `first` is where the first is, and what its driver tells.
pub(super) fn instances<P: HttpProblem + 'static>(
    settings: &Settings,
    problem: &Arc<P>,
    first: (&str, Option<&SutInfo>),
    users: &[User],
    guard: &LoginGuard,
    connector: &Connector,
) -> Result<Instances<P>, RunError> {
    let (base_url, info) = first;
    let mut listed = connector.places().list().to_vec();
    let workers = if info.is_some() { 1 } else { settings.workers.max(1) };
    if listed.len() < 2 {
        listed = vec![base_url.to_owned()];
    }
    if listed.len() * workers < 2 {
        return Ok(Instances::none());
    }
    let mut places: Vec<(String, Open<P>)> = Vec::new();
    for place in listed {
        connector.places().take(&place);
        for _ in 0..workers {
            let common = Common {
                problem: Arc::clone(problem),
                users: users.to_vec(),
                seed: settings.search.seed,
                guard: guard.clone(),
                connector: connector.beside()?,
            };
            let open: Open<P> = match info {
                Some(info) => common.driven(place.clone(), driver_options(settings), info.clone()),
                None => common.black_box(place.clone()),
            };
            places.push((place.clone(), open));
        }
    }
    Instances::open(places)
}

impl<P: HttpProblem + 'static> Common<P> {
    /// A connection of its own to a service that runs already, with logins of its own.
    fn black_box(self, mut place: String) -> Open<P> {
        Box::new(move || {
            if self.guard.is_over() {
                return Err(RunError::NoAnswer("a login that still works".to_owned()));
            }
            place = self.connector.places().again(&place);
            self.evaluator(&origin(&address(&place)?), None)
        })
    }

    /// A driver of its own, which starts its system. `first` is what the first driver tells.
    fn driven(self, mut place: String, options: DriverOptions, first: SutInfo) -> Open<P> {
        Box::new(move || {
            place = self.connector.places().again(&place);
            let runtime = self.connector.runtime();
            let mut driver = DriverClient::connect_with(&place, runtime, options.clone())?;
            let info = driver.start_sut()?;
            if !is_same(&first, &info) {
                return Err(RunError::Settings(format!(
                    "the driver at {place} has another service, {}, than the first, {}",
                    info.driver_name, first.driver_name
                )));
            }
            driver.new_search()?;
            let mut evaluator = self.evaluator(&info.base_url, Some(driver))?;
            evaluator.reset_ahead(true);
            Ok(evaluator)
        })
    }

    fn evaluator(
        &self,
        base_url: &str,
        driver: Option<DriverClient>,
    ) -> Result<HttpEvaluator<P>, RunError> {
        let users = self.connector.users(&self.users, self.seed);
        evaluator(&self.problem, base_url, driver, users, &self.guard, &self.connector)
    }
}

/// Whether two drivers seem to have the same service.
fn is_same(one: &SutInfo, other: &SutInfo) -> bool {
    let is_rest = |it: &SutInfo| {
        matches!(it.problem, ProblemInfo::Rest { .. } | ProblemInfo::RestInline { .. })
    };
    let is_like = one.problem == other.problem || is_rest(one) && is_rest(other);
    is_like && one.driver_name == other.driver_name
}
