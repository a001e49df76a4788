//! REST services: their description, and the problem that it makes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use http::Method;

use wallace_genes::{GenePath, GeneSettings, TemplateId, simplest};
use wallace_problems::rest::{
    CallbackListener, Description, Deviation, Location, OperationFilter, OracleSettings,
    ReadSettings, RestAction, RestProblem, RestSettings, Templates,
};
use wallace_problems::{
    HttpEvaluator, HttpOutcome, HttpProblem,
    auth::{Authenticator, LoginGuard, User},
    limit::MutationGuard,
    store::Stores,
};
use wallace_suite::report::OperationFacts;
use wallace_sut_driver::{DriverClient, SutInfo, http::HttpAddress};

use super::connection::{Connector, address, origin};
use super::instances::instances;
use super::{Given, TargetSystem, evaluator, reader, remark, sql_tables, unchanged, users};
use crate::error::RunError;
use crate::local_service::{elsewhere, is_description};
use crate::service_family::ServiceFamily;
use crate::settings::{Settings, Target};

/// Reading operations of which one must be there before a run begins.
const READS: usize = 3;
/// Deepest objects in bodies: descriptions nest more deeply than inputs of GraphQL.
const BODY_DEPTH: u32 = 8;

/// Where a description comes from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// A file or a URL.
    Place(&'a str),
    /// The description itself, and where it came from: a driver hands it over with the address of the
    /// service, from which it may refer to others.
    Text { text: &'a str, place: Option<&'a str> },
}

/// A service with its description; one that runs already where there is no driver.
pub(super) fn prepare(
    source: Source<'_>,
    driven: Option<(DriverClient, SutInfo)>,
    settings: &Settings,
    connector: &Connector,
    given: Given,
) -> Result<TargetSystem<RestProblem>, RunError> {
    if !settings.seeds.is_empty() {
        let reason = "only searches of GraphQL services begin with production operations";
        return Err(RunError::Settings(reason.to_owned()));
    }
    let (driver, info) = driven.unzip();
    let wrong = |error: &dyn std::fmt::Display| RunError::Settings(error.to_string());
    let base_url = base_url(source, settings, info.as_ref())?;
    let address = address(&base_url)?;
    let mut notes = Vec::new();
    let users = users(settings, info.as_ref(), &mut notes)?;
    let mut authenticator = connector.users(&users, settings.search.seed);
    let mut description =
        read(source, &base_url, settings, connector, &mut authenticator, &mut notes)?;
    let filter = OperationFilter::new(&settings.include, &settings.exclude)
        .map_err(|error| wrong(&error))?
        .skipping(info.as_ref().map_or(&[], |info| &info.endpoints_to_skip));
    let filtered = description.retain(&filter).map_err(|error| wrong(&error))?;
    notes.extend(remark::filters(&filtered));
    notes.extend(remark::defects(&description.diagnostics));
    let own = |user: &User| user.headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    // What only some users send, the others may still be asked for.
    let shared = users.first().map(own).unwrap_or_default();
    let shared = shared.iter().filter(|name| {
        let has = |user: &User| user.headers.iter().any(|it| it.0.eq_ignore_ascii_case(name));
        users.iter().all(has)
    });
    let sent = connector.headers().keys().map(|name| name.as_str());
    description.without_headers(shared.map(String::as_str).chain(sent));
    let guard = MutationGuard::new(&address, settings.allow_mutations || driver.is_some());
    if !guard.permits_mutation() {
        notes.push(unchanged("operations that may change something", address.host()));
    }
    let base_path = settings.rest.base_url.as_ref().map(|_| address.path().to_owned());
    let rest = RestSettings {
        base_path: base_path.filter(|path| !path.is_empty()),
        users: u16::try_from(users.len()).unwrap_or(u16::MAX),
        may_change: guard.permits_mutation(),
        is_white_box: driver.is_some() && !given.is_blind,
        oracles: OracleSettings { off: settings.oracles_off.clone(), security: settings.security },
        callback: callback(settings, &address, &mut notes),
        tests: given.tests(settings),
    };
    let mut search = given.search(settings, Settings::rest("", ""));
    search.genes.input_depth = search.genes.input_depth.max(BODY_DEPTH);
    let templates = Arc::new(Templates::new(Arc::new(description))?);
    let mut driver = driver;
    let tables = driver.as_mut().zip(info.as_ref());
    let tables = tables.and_then(|(driver, info)| sql_tables(driver, info, settings.sql));
    let problem = RestProblem::new(templates, &rest, &search)?.with_sql(tables);
    let problem = problem.with_headers(connector.headers());
    let stores = (settings.sql && driver.is_some()).then(Stores::default);
    let problem = problem.with_stores(stores);
    let problem = Arc::new(given.into_rest(problem));
    if let Some(process) = connector.process() {
        let reads = problem.simplest_reads();
        let paths =
            reads.iter().take(READS).map(|it| HttpProblem::request(&*problem, it).path.to_string());
        process.wait_for(paths.collect())?;
    }
    if !users.is_empty() {
        let errors = authenticator.check(&mut *connector.open(&base_url)?);
        notes.extend(errors.iter().map(ToString::to_string));
    }
    let other = other_version(settings, &problem, &users, connector)?;
    let guard = super::guard(settings, &users, connector);
    let driver = driver.map(|mut driver| driver.new_search().map(|()| driver)).transpose()?;
    let service = info.as_ref().map_or_else(|| address.to_string(), |i| i.driver_name.clone());
    Ok(TargetSystem {
        calls_before: connector.count().get(),
        count: connector.count().clone(),
        base_url: origin(&address),
        process: connector.process(),
        instances: instances(
            settings,
            &problem,
            (&base_url, info.as_ref()),
            &users,
            &guard,
            connector,
        )?,
        evaluator: evaluator(&problem, &base_url, driver, authenticator, &guard, connector)?,
        problem,
        users,
        other,
        service,
        info,
        seeds: Vec::new(),
        search,
        guard,
        notes,
    })
}

/// The other version of the service, called by the same users.
fn other_version(
    settings: &Settings,
    problem: &Arc<RestProblem>,
    users: &[User],
    connector: &Connector,
) -> Result<Option<HttpEvaluator<RestProblem>>, RunError> {
    let Some(url) = &settings.rest.compare_with else { return Ok(None) };
    let guard = MutationGuard::new(&address(url)?, settings.allow_mutations);
    if !guard.permits_mutation() {
        return Err(RunError::Settings(format!(
            "the tests of a run may change something at {url}, which is another machine: \
             --allow-mutations"
        )));
    }
    let users = connector.users(users, settings.search.seed);
    evaluator(problem, url, None, users, &LoginGuard::default(), connector).map(Some)
}

/// The listener that the service may be made to call; only for services on this machine, since
/// nobody else could reach it.
fn callback(
    settings: &Settings,
    address: &HttpAddress,
    notes: &mut Vec<String>,
) -> Option<Arc<CallbackListener>> {
    if !settings.security || !MutationGuard::new(address, false).permits_mutation() {
        return None;
    }
    match CallbackListener::start() {
        Ok(listener) => Some(Arc::new(listener)),
        Err(error) => {
            notes.push(format!("calls of the service to others are not looked for: {error}"));
            None
        }
    }
}

/// Reads the description: what a driver handed over, a file, or the fullest that the service tells
/// anybody.
fn read(
    source: Source<'_>,
    base_url: &str,
    settings: &Settings,
    connector: &Connector,
    users: &mut Authenticator,
    notes: &mut Vec<String>,
) -> Result<Description, RunError> {
    let external_references = settings.rest.external_references;
    let read = ReadSettings { external_references, ..ReadSettings::default() };
    let place = match source {
        Source::Text { text, place } => {
            // References to other documents would be beside the service.
            let location = place.map_or_else(
                || Location::Url(base_url.to_owned()),
                |place| Location::Text(place.to_owned()),
            );
            let users = RefCell::new(users);
            let fetch =
                |url: &str| reader::fetch(connector, base_url, url, None, &mut users.borrow_mut());
            return Ok(Description::from_text(text, location, &read, &fetch)?);
        }
        Source::Place(place) if place.contains("://") => place,
        Source::Place(file) => return Ok(Description::from_file(file, &read)?),
    };
    let operations = |description: &Description| description.operations.len();
    let (description, teller) = reader::fullest(users, operations, |user, users| {
        let users = RefCell::new(users);
        let fetch =
            |url: &str| reader::fetch(connector, base_url, url, user, &mut users.borrow_mut());
        let missing = |reason: &str| RunError::NoDescription {
            place: place.to_owned(),
            reason: reason.to_owned(),
            elsewhere: elsewhere(place, &fetch),
        };
        let text = match fetch(place) {
            Ok(text) => text,
            Err(reason) if reason == "status 404" => return Err(missing(&reason)),
            Err(reason) if ["status 401", "status 403"].contains(&&*reason) => {
                return Err(RunError::Settings(format!(
                    "{place} answers with {reason}: say who may read the description with --auth FILE, or \
                     hand it over as a file"
                )));
            }
            Err(reason) => return Err(RunError::NoAnswer(format!("{place} ({reason})"))),
        };
        match Description::from_text(&text, Location::Url(place.to_owned()), &read, &fetch) {
            Err(_) if !is_description(&text) => Err(missing("what is there is none")),
            read => Ok(read?),
        }
    })?;
    notes.extend(reader::note(users, teller, "the description"));
    Ok(description)
}

/// Where the service is: as given, as the driver tells, or beside its description.
fn base_url(
    source: Source<'_>,
    settings: &Settings,
    info: Option<&SutInfo>,
) -> Result<String, RunError> {
    let Source::Place(place) = source else {
        let told = info.map(|info| info.base_url.clone());
        let given = settings.rest.base_url.clone().or(told);
        return given.ok_or_else(|| RunError::Internal("a driver without a service".to_owned()));
    };
    let beside = || {
        let (scheme, rest) = place.split_once("://")?;
        Some(format!("{scheme}://{}", rest.split('/').next()?))
    };
    let is_beside = matches!(settings.target, Target::OpenApi(_));
    let given = settings.rest.base_url.clone();
    let told = given
        .or_else(|| info.map(|info| info.base_url.clone()))
        .or_else(|| if is_beside { beside() } else { None });
    told.map_or_else(|| Err(without_base_url(place)), Ok)
}

/// What to say where only a file describes a service: what is wrong with the file, or else where the
/// service is, since the addresses in the file are those of other people's.
fn without_base_url(place: &str) -> RunError {
    let path = match Description::from_file(place, &ReadSettings::default()) {
        Ok(description) => description.base_path,
        Err(error) => return error.into(),
    };
    RunError::Settings(format!(
        "nothing tells where the service of {place} runs here: say it with \
         --base-url http://localhost:PORT{path}"
    ))
}

impl ServiceFamily for RestProblem {
    fn operations(&self) -> Vec<String> {
        let templates = self.templates();
        let operations = templates.operations().iter();
        operations.map(|template| templates.operation(template.id).id.to_string()).collect()
    }

    fn names(&self) -> BTreeSet<String> {
        self.templates().description().names().map(str::to_owned).collect()
    }

    fn base_path(&self) -> &str {
        RestProblem::base_path(self)
    }

    fn callable(&self) -> usize {
        self.callable().len()
    }

    fn left_out(&self) -> Vec<String> {
        let skipped = self.templates().skipped().iter();
        skipped.map(|skipped| format!("not tested: {skipped}")).collect()
    }

    fn result(outcome: &HttpOutcome) -> (bool, bool) {
        outcome.status().map_or((false, false), |status| (status < 400, status >= 400))
    }

    fn is_probe(action: &RestAction) -> bool {
        action.deviation.is_some()
    }

    fn is_of_operation(action: &RestAction) -> bool {
        !matches!(action.deviation.as_deref(), Some(Deviation::Verb(_)))
    }

    fn simplest_reads(&self) -> Vec<RestAction> {
        let templates = self.templates();
        let callable = RestProblem::callable(self).iter();
        let reads = callable.filter(|id| templates.operation(**id).method == Method::GET);
        let settings = GeneSettings::default();
        let gene = |id: TemplateId| simplest(&templates.template(id).spec, &settings);
        reads.map(|id| RestAction::new(*id, gene(*id))).collect()
    }

    /// The last fixed segment of the path.
    fn subject(&self, action: &RestAction) -> String {
        let mut segments = self.templates().operation(action.template).segments();
        let fixed = segments.rfind(|segment| !segment.contains('{'));
        fixed.unwrap_or_default().to_owned()
    }

    fn arguments(&self, action: &RestAction) -> Vec<(String, GenePath)> {
        let named = self.templates().named_values(action.template, &action.gene).into_iter();
        named.map(|(path, name)| (name.to_string(), path)).collect()
    }

    fn endpoints(&self, _: Vec<OperationFacts>) -> (Vec<String>, Vec<OperationFacts>) {
        let templates = self.templates();
        let called = self.callable().iter();
        (called.map(|id| templates.operation(*id).id.to_string()).collect(), Vec::new())
    }
}
