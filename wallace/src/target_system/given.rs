//! What a run is given besides its settings.

use wallace_engine::SearchSettings;
use wallace_problems::graphql::GraphqlProblem;
use wallace_problems::rest::{RestProblem, TestSettings};
use wallace_problems::{Oracle, TargetSource};

use crate::local_service::LocalService;
use crate::settings::Settings;

/// What a user of the library brings along.
#[derive(Default)]
pub(crate) struct Given {
    /// Oracles of the user.
    pub(crate) oracles: Vec<Box<dyn Oracle>>,
    /// Targets of the user.
    pub(crate) targets: Vec<Box<dyn TargetSource>>,
    /// The service, where it is in this process: instead of the target of the settings.
    pub(crate) service: Option<LocalService>,
    /// Whether none of its code is marked, so that only responses guide the search.
    pub(crate) is_blind: bool,
}

impl Given {
    /// The problem, with what the user looks for.
    pub(crate) fn into_graphql(self, problem: GraphqlProblem) -> GraphqlProblem {
        let problem = self.oracles.into_iter().fold(problem, GraphqlProblem::with_oracle);
        self.targets.into_iter().fold(problem, GraphqlProblem::with_targets)
    }

    /// As [`Given::into_graphql`].
    pub(crate) fn into_rest(self, problem: RestProblem) -> RestProblem {
        let problem = self.oracles.into_iter().fold(problem, RestProblem::with_oracle);
        self.targets.into_iter().fold(problem, RestProblem::with_targets)
    }

    /// Parameters of the search: where only responses guide it those of `by_answers`, unless the user
    /// chose others than the usual ones.
    pub(crate) fn search(&self, settings: &Settings, by_answers: Settings) -> SearchSettings {
        let seed = settings.search.seed;
        let is_usual = settings.search == SearchSettings { seed, ..SearchSettings::default() };
        let search = match self.is_blind && is_usual {
            true => SearchSettings { seed, ..by_answers.search },
            false => settings.search.clone(),
        };
        // On a service that can be started anew tests are run again there, where it tells more.
        let repeats = if settings.start_command.is_some() { 0 } else { search.repeats };
        SearchSettings { repeats, ..search }
    }

    /// How tests of a REST service are made; as [`Given::search`].
    pub(crate) fn tests(&self, settings: &Settings) -> TestSettings {
        let tests = &settings.rest.tests;
        match self.is_blind && *tests == TestSettings::white_box() {
            true => TestSettings::default(),
            false => tests.clone(),
        }
    }
}
