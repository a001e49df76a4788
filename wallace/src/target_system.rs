//! The service under test: started through its driver where there is one, its description read.

mod connection;
mod given;
mod graphql;
mod header;
mod instances;
mod place;
mod process;
mod reader;
mod remark;
mod rest;

use std::sync::Arc;

use wallace_engine::{Individual, SearchSettings, StopSignal};
use wallace_problems::graphql::GraphqlProblem;
use wallace_problems::rest::RestProblem;
use wallace_problems::{
    Driven, HttpEvaluator, HttpProblem,
    auth::{AuthFile, Authenticator, LoginGuard, Secrets, User},
    limit::CallCount,
    sql::SqlTables,
};
use wallace_sut_driver::{
    DriverClient, DriverOptions, ProblemInfo, SutInfo, login::Authentication,
};

use crate::error::RunError;
use crate::instance::Instances;
use crate::local_service::{Description, LocalSystem};
use crate::reserve::kept;
use crate::settings::{Settings, Target};
use connection::Connector;
pub(crate) use given::Given;
use place::Places;
pub(crate) use process::ServiceProcess;
use rest::Source;

/// A service that is ready to be tested.
pub(crate) struct TargetSystem<P: HttpProblem> {
    pub(crate) problem: Arc<P>,
    pub(crate) evaluator: HttpEvaluator<P>,
    /// Those of a search on several instances, or over several connections; none where the one above
    /// is alone.
    pub(crate) instances: Instances<P>,
    pub(crate) users: Vec<User>,
    /// Another version of the service to compare with.
    pub(crate) other: Option<HttpEvaluator<P>>,
    /// Where it is: scheme, host and port.
    pub(crate) base_url: String,
    /// The process that the run started, where it did.
    pub(crate) process: Option<ServiceProcess>,
    /// Its name in the suite and the report.
    pub(crate) service: String,
    /// What its driver tells, where there is one.
    pub(crate) info: Option<SutInfo>,
    /// Tests to begin with.
    pub(crate) seeds: Vec<Individual<P::Action>>,
    /// Parameters of the search, as the service needs them.
    pub(crate) search: SearchSettings,
    /// Looks after the logins of a service that is not reset.
    pub(crate) guard: LoginGuard,
    /// Calls that the service saw before the search: those that asked for its description.
    pub(crate) calls_before: u64,
    /// Counts every call that goes out.
    pub(crate) count: CallCount,
    /// What was decided about the run and should be known.
    pub(crate) notes: Vec<String>,
}

impl<P: HttpProblem + 'static> TargetSystem<P> {
    /// What only the users should know, those of later logins included.
    pub(crate) fn secrets(&self) -> Vec<Secrets> {
        let own = self.evaluator.users().map(|users| users.secrets().clone());
        own.into_iter().chain(self.instances.secrets()).collect()
    }
}

/// A service of either family.
pub(crate) enum Opened {
    Graphql(TargetSystem<GraphqlProblem>),
    Rest(TargetSystem<RestProblem>),
}

/// Starts the service, if that is asked for, and reads its description. `stop` ends every wait for an
/// answer of it.
pub(crate) fn open(
    settings: &Settings,
    mut given: Given,
    stop: &StopSignal,
) -> Result<Opened, RunError> {
    let places = Places::new(settings)?;
    let settings = &at_the_first(settings, places.list())?;
    let process = started(settings, stop)?;
    let mut connector = Connector::new(settings, process, places, stop)?;
    if let Some(service) = given.service.take() {
        return open_local(service.start()?, settings, &mut connector, given);
    }
    match &settings.target {
        Target::InProcess => {
            let reason = "a service in this process is given by `Fuzz::in_process`";
            Err(RunError::Settings(reason.to_owned()))
        }
        Target::Graphql(url) => {
            graphql::black_box(url, settings, &connector, given).map(Opened::Graphql)
        }
        Target::OpenApi(place) => {
            let source = Source::Place(place);
            rest::prepare(source, None, settings, &connector, given).map(Opened::Rest)
        }
        Target::Driver(address) => {
            let mut driver = first_driver(address, settings, &connector)?;
            understood(settings, &driver.preview()?)?;
            let info = driver.start_sut()?;
            if let Some(place) = &settings.rest.description {
                let source = Source::Place(place);
                return rest::prepare(source, Some((driver, info)), settings, &connector, given)
                    .map(Opened::Rest);
            }
            match info.problem.clone() {
                ProblemInfo::GraphQl { endpoint } => {
                    let driven = (driver, info);
                    graphql::behind_driver(&endpoint, driven, settings, &connector, given)
                        .map(Opened::Graphql)
                }
                ProblemInfo::Rest { open_api_url } => {
                    let driven = Some((driver, info));
                    let source = Source::Place(&open_api_url);
                    rest::prepare(source, driven, settings, &connector, given).map(Opened::Rest)
                }
                ProblemInfo::RestInline { open_api } => {
                    let driven = Some((driver, info));
                    let source = Source::Text { text: &open_api, place: None };
                    rest::prepare(source, driven, settings, &connector, given).map(Opened::Rest)
                }
            }
        }
    }
}

/// The settings, with the first instance as the target.
fn at_the_first(settings: &Settings, listed: &[String]) -> Result<Settings, RunError> {
    let several = listed.len() > 1;
    let wrong = |reason: &str| Err(RunError::Settings(reason.to_owned()));
    if several && settings.start_command.is_some() {
        return wrong(
            "the command that starts the service starts one: leave the other instances out",
        );
    }
    if several && settings.target.is_white_box() && settings.rest.base_url.is_some() {
        return wrong("several drivers tell each where its service is: leave --base-url out");
    }
    let mut settings = settings.clone();
    let Some(first) = listed.first() else { return Ok(settings) };
    match &mut settings.target {
        Target::Driver(place) | Target::Graphql(place) => place.clone_from(first),
        Target::OpenApi(_) => settings.rest.base_url = Some(first.clone()),
        Target::InProcess => {}
    }
    Ok(settings)
}

/// The first driver that is there.
fn first_driver(
    address: &str,
    settings: &Settings,
    connector: &Connector,
) -> Result<DriverClient, RunError> {
    let connect = |address: &str| {
        DriverClient::connect_with(address, connector.runtime(), driver_options(settings))
    };
    let further = |error| {
        let listed = connector.places().list();
        listed.iter().skip(1).find_map(|address| connect(address).ok()).ok_or(error)
    };
    Ok(connect(address).or_else(further)?)
}

fn driver_options(settings: &Settings) -> DriverOptions {
    DriverOptions { sql_heuristics: settings.sql, ..DriverOptions::default() }
}

/// The service, where the run shall start it.
fn started(settings: &Settings, stop: &StopSignal) -> Result<Option<ServiceProcess>, RunError> {
    let Some(command) = &settings.start_command else { return Ok(None) };
    let url = match &settings.target {
        Target::Graphql(url) => Some(url),
        Target::OpenApi(place) => {
            settings.rest.base_url.as_ref().or(Some(place).filter(|it| it.starts_with("http")))
        }
        Target::Driver(_) | Target::InProcess => {
            let reason = "a driver starts its service itself: leave --start-command out";
            return Err(RunError::Settings(reason.to_owned()));
        }
    };
    let url = url.ok_or_else(|| {
        let reason = "where will the service be that is started? name it by --base-url";
        RunError::Settings(reason.to_owned())
    })?;
    let address = connection::address(url)?;
    let process = ServiceProcess::new(command, address, settings.start_timeout, stop);
    process.start_anew()?;
    Ok(Some(process))
}

/// A service in this process is one behind a driver, but for how it is called.
fn open_local(
    local: LocalSystem,
    settings: &Settings,
    connector: &mut Connector,
    mut given: Given,
) -> Result<Opened, RunError> {
    given.is_blind = local.is_blind();
    let LocalSystem { driver, info, transport, description } = local;
    connector.call_in_process(transport);
    let driven = (driver, info);
    match description {
        Description::Graphql(endpoint) => {
            graphql::behind_driver(&endpoint, driven, settings, connector, given)
                .map(Opened::Graphql)
        }
        Description::OpenApi { place, text } => {
            let source = Source::Text { text: &text, place: Some(&place) };
            rest::prepare(source, Some(driven), settings, connector, given).map(Opened::Rest)
        }
    }
}

/// The tables of the database behind the service, with the keys that are always there.
pub(crate) fn sql_tables(
    driver: &mut DriverClient,
    info: &SutInfo,
    is_wanted: bool,
) -> Option<SqlTables> {
    let schema = info.sql_schema.as_ref().filter(|_| is_wanted)?;
    SqlTables::new(schema, &mut |statement| driver.query(statement).ok())
}

/// Calls after which a run with a budget of time may take away what nothing makes again.
const LATE: u64 = 1_000;

/// The same of any run: in the last quarter of its search, which has what nothing else is kept for.
fn late(settings: &Settings) -> u64 {
    settings.calls.map_or(LATE, |calls| (calls - kept(settings, calls)) / 4 * 3)
}

/// What looks after the logins of a service that nothing resets.
fn guard(settings: &Settings, users: &[User], connector: &Connector) -> LoginGuard {
    let guard = LoginGuard::new(users).taking_after(late(settings)).within(settings.calls);
    guard.ending_with(connector.stop())
}

/// The users of the authentication file, or else those that the driver tells.
fn users(
    settings: &Settings,
    info: Option<&SutInfo>,
    notes: &mut Vec<String>,
) -> Result<Vec<User>, RunError> {
    let of_header = header::user(settings)?;
    if let Some(path) = &settings.auth {
        let wrong = |reason: &dyn std::fmt::Display| {
            RunError::Settings(format!("the users in {}: {reason}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            wrong(&format!("the file cannot be read ({error}); docs/auth.md tells what it holds"))
        })?;
        let file =
            AuthFile::parse(&text, &|name| std::env::var(name).ok()).map_err(
                |error| match place_in(&text, &error.to_string()) {
                    Some((line, column)) => RunError::InFile {
                        path: path.clone(),
                        line,
                        column,
                        reason: error.to_string(),
                    },
                    None => wrong(&error),
                },
            )?;
        if file.users.is_empty() {
            return Err(wrong(&"it names nobody; docs/auth.md tells what it holds"));
        }
        notes.extend(file.warnings);
        return Ok(file.users);
    }
    if let Some(user) = of_header {
        return Ok(vec![user]);
    }
    let told = info.map_or(&[] as &[_], |info| &info.authentication);
    understood(settings, told)?;
    Ok(told.iter().map(User::from).collect())
}

/// Refuses users whose credentials would be missing without a word.
fn understood(settings: &Settings, told: &[Authentication]) -> Result<(), RunError> {
    let unknown = told.iter().find(|user| !user.unknown.is_empty());
    let Some(user) = unknown.filter(|_| settings.auth.is_none()) else { return Ok(()) };
    Err(RunError::Settings(format!(
        "the driver tells in a form that is not known how the user {:?} identifies itself ({}): \
         give the users in a file, --auth FILE",
        user.name,
        user.unknown.join(", ")
    )))
}

/// The line and character that a message about a text names: `line 3 column 5`, or the part that it
/// quotes as `auth[1].loginEndpointAuth`, whose last name is looked for.
fn place_in(text: &str, message: &str) -> Option<(u32, u32)> {
    let number = |word: &str| {
        let rest = message.split_once(word)?.1.trim_start();
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    };
    if let Some(line) = number("line ") {
        return Some((line, number("column ").unwrap_or(1).max(1)));
    }
    let part = message.split_once("wrong at ")?.1.split(':').next()?;
    let name = part.rsplit('.').next()?.split('[').next().filter(|name| !name.is_empty())?;
    let before = |line: &str| line.find(name).filter(|_| line.contains(&format!("{name}:")));
    let found = text.lines().zip(1..).find_map(|(line, number)| Some((number, before(line)?)));
    found.map(|(line, column)| (line, column as u32 + 1))
}

/// Calls are made over new connections of `connector`, by all of `users`; their logins are looked
/// after where no driver brings the service back.
fn evaluator<P: HttpProblem>(
    problem: &Arc<P>,
    base_url: &str,
    driver: Option<DriverClient>,
    users: Authenticator,
    guard: &LoginGuard,
    connector: &Connector,
) -> Result<HttpEvaluator<P>, RunError> {
    let transport = connector.open(base_url)?;
    let is_driven = driver.is_some();
    let driven = driver.map(|driver| Driven { driver, connect: connector.reconnect() });
    let mut evaluator = HttpEvaluator::new(Arc::clone(problem), transport, driven);
    if !is_driven {
        evaluator = evaluator.with_reconnect(connector.reconnect(), base_url);
        evaluator = evaluator.with_guard(guard.clone());
    }
    if !users.users().is_empty() {
        evaluator = evaluator.with_users(users);
    }
    Ok(evaluator)
}

/// The note that a filter of the user does nothing.
fn unused(pattern: &str) -> String {
    format!("no operation matches the filter {pattern:?}: --include and --exclude name operations")
}

/// The note that calls which may change something are left out.
fn unchanged(what: &str, host: &str) -> String {
    format!("{what} are not called, since {host} is another machine: --allow-mutations")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_without_credentials_are_refused_unless_a_file_gives_others() {
        let user = |unknown: &[&str]| Authentication {
            name: "ann".to_owned(),
            headers: Vec::new(),
            needs_login: false,
            login: None,
            create_users: None,
            unknown: unknown.iter().map(|name| (*name).to_owned()).collect(),
        };
        let mut settings = Settings::new("localhost:40100", "out");
        let error = understood(&settings, &[user(&[]), user(&["sessionLogin"])]);
        let error = error.map_err(|error| error.to_string()).unwrap_err();
        assert!(error.contains("\"ann\"") && error.contains("sessionLogin"), "{error}");
        assert!(understood(&settings, &[user(&[])]).is_ok());
        settings.auth = Some("users.yaml".into());
        assert!(understood(&settings, &[user(&["sessionLogin"])]).is_ok());
    }

    #[test]
    fn what_comes_late_in_a_search_comes_in_it() {
        for command in [None, Some("serve".to_owned())] {
            let mut settings = Settings::rest("http://localhost:1/openapi.json", "out");
            settings.start_command = command;
            settings.calls = Some(1_000);
            let search = 1_000 - kept(&settings, 1_000);
            assert!((search / 2..search * 4 / 5).contains(&late(&settings)), "{settings:?}");
        }
    }
}
