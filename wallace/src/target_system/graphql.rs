//! GraphQL services: their schema, and the problem that it makes.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use wallace_engine::Individual;
use wallace_genes::{GenePath, GeneSettings, simplest};
use wallace_harvest::{Harvest, HarvestSettings, Reading};
use wallace_problems::graphql::{
    CheckSettings, GraphqlAction, GraphqlProblem, INTROSPECTION_QUERY, IntrospectionSupport,
    OperationFilter, OperationKind, OperationPattern, PatternError, Response, ResponseData, Schema,
    SchemaCoverage, SchemaError, Templates,
};
use wallace_problems::{
    HttpOutcome, HttpRequest, HttpResponse, Transport, auth::Authenticator, limit::MutationGuard,
    store::Stores, told,
};
use wallace_suite::report::OperationFacts;
use wallace_sut_driver::{DriverClient, SutInfo, http::HttpAddress};

use super::connection::{Connector, address, origin};
use super::instances::instances;
use super::{Given, TargetSystem, evaluator, reader, remark, sql_tables, unchanged, unused, users};
use crate::error::RunError;
use crate::service_family::ServiceFamily;
use crate::settings::{Settings, Target};

/// Most characters of what a service says that are told.
const LONGEST_REASON: usize = 200;
/// Seeds that cannot be used, at most, that are told one by one.
const TOLD: usize = 10;

/// A service that its driver has started.
pub(super) fn behind_driver(
    endpoint: &str,
    driven: (DriverClient, SutInfo),
    settings: &Settings,
    connector: &Connector,
    given: Given,
) -> Result<TargetSystem<GraphqlProblem>, RunError> {
    let path = PathAndQuery::from_str(endpoint).map_err(|error| {
        let reason =
            format!("the driver tells the endpoint {endpoint:?}, which is no path ({error})");
        RunError::Settings(reason)
    })?;
    let base_url = driven.1.base_url.clone();
    prepare(&base_url, path, Some(driven), settings, connector, given)
}

/// A service that runs already.
pub(super) fn black_box(
    url: &str,
    settings: &Settings,
    connector: &Connector,
    given: Given,
) -> Result<TargetSystem<GraphqlProblem>, RunError> {
    let address = address(url)?;
    let path = path_of(url, &address)?;
    prepare(&address.to_string(), path, None, settings, connector, given)
}

/// A service at `base_url`, with its endpoint at `path`; one that runs already where there is no
/// driver.
fn prepare(
    base_url: &str,
    path: PathAndQuery,
    driven: Option<(DriverClient, SutInfo)>,
    settings: &Settings,
    connector: &Connector,
    given: Given,
) -> Result<TargetSystem<GraphqlProblem>, RunError> {
    let (mut driver, info) = driven.unzip();
    let address = address(base_url)?;
    let mut notes = Vec::new();
    let users = users(settings, info.as_ref(), &mut notes)?;
    let mut authenticator = connector.users(&users, settings.search.seed);
    let (schema, reader) =
        schema(settings, base_url, &path, connector, &mut authenticator, &mut notes)?;
    let guard = MutationGuard::new(&address, settings.allow_mutations || driver.is_some());
    if !guard.permits_mutation() && schema.root(OperationKind::Mutation).is_some() {
        notes.push(unchanged("mutations", address.host()));
    }
    let tables = driver.as_mut().zip(info.as_ref());
    let tables = tables.and_then(|(driver, info)| sql_tables(driver, info, settings.sql));
    let problem = problem(settings, schema, path, guard.permits_mutation(), &mut notes)?;
    let problem = match driver {
        Some(_) if given.is_blind => problem.black_box(),
        Some(_) => problem.with_sql(tables).with_stores(settings.sql.then(Stores::default)),
        None => problem.black_box().with_checks(CheckSettings {
            injection: settings.graphql.checks.injection || settings.security,
            ..settings.graphql.checks
        }),
    };
    let problem = problem.with_users(users.len()).without_codes(settings.oracles_off.clone());
    let problem = problem.with_schema_of(reader).with_headers(connector.headers());
    let search = given.search(settings, Settings::black_box("", ""));
    let problem = Arc::new(given.into_graphql(problem));
    let seeds = seeds(settings, &problem, &mut notes)?;
    let guard = super::guard(settings, &users, connector);
    let driver = driver.map(|mut driver| driver.new_search().map(|()| driver)).transpose()?;
    Ok(TargetSystem {
        process: connector.process(),
        calls_before: connector.count().get(),
        count: connector.count().clone(),
        base_url: origin(&address),
        instances: instances(
            settings,
            &problem,
            (base_url, info.as_ref()),
            &users,
            &guard,
            connector,
        )?,
        evaluator: evaluator(&problem, base_url, driver, authenticator, &guard, connector)?,
        problem,
        users,
        other: None,
        service: info.as_ref().map_or_else(|| address.authority(), |info| info.driver_name.clone()),
        info,
        seeds,
        search,
        guard,
        notes,
    })
}

/// The production operations that the search begins with.
fn seeds(
    settings: &Settings,
    problem: &GraphqlProblem,
    notes: &mut Vec<String>,
) -> Result<Vec<Individual<GraphqlAction>>, RunError> {
    if settings.seeds.is_empty() {
        return Ok(Vec::new());
    }
    let mut reading = Reading::default();
    for path in &settings.seeds {
        let read = wallace_harvest::read(path);
        reading.extend(read.map_err(|error| RunError::Settings(error.to_string()))?);
    }
    let schema = Arc::clone(problem.templates().schema());
    let harvest = Harvest::new(schema, reading, &mut HarvestSettings::default());
    for rejected in harvest.rejected().iter().take(TOLD) {
        notes.push(format!("{}: not used as a seed: {}", rejected.origin, rejected.reason));
    }
    let seeds = harvest.seeds(problem.templates());
    let (all, used) = (harvest.operations().len() + harvest.rejected().len(), seeds.len());
    notes.push(format!("the search begins with {used} of {all} different operations"));
    Ok(seeds.into_iter().map(Individual::new).collect())
}

/// The problem that the settings and the schema make.
fn problem(
    settings: &Settings,
    schema: Schema,
    path: PathAndQuery,
    has_mutations: bool,
    notes: &mut Vec<String>,
) -> Result<GraphqlProblem, RunError> {
    let patterns = |texts: &[String]| -> Result<Vec<OperationPattern>, RunError> {
        let parsed = texts.iter().map(|text| text.parse());
        parsed
            .collect::<Result<_, _>>()
            .map_err(|error: PatternError| RunError::Settings(error.to_string()))
    };
    let (include, exclude) = (patterns(&settings.include)?, patterns(&settings.exclude)?);
    let templates = Arc::new(Templates::new(Arc::new(schema))?);
    let texts = settings.include.iter().chain(&settings.exclude);
    for (text, pattern) in texts.zip(include.iter().chain(&exclude)) {
        let mut operations = templates.operations().iter();
        if !operations.any(|operation| pattern.matches(templates.schema(), operation)) {
            notes.push(unused(text));
        }
    }
    notes.extend(remark::scalars(templates.schema(), settings.graphql.scalars.keys()));
    let filter = OperationFilter { include, exclude, has_mutations };
    let problem = GraphqlProblem::new(templates, path, &settings.search)?;
    let problem = match (&settings.target, settings.graphql.subscriptions.events) {
        (Target::Graphql(_), 1..) => problem.with_subscriptions(&settings.search.genes),
        _ => problem,
    };
    let problem = problem.with_filter(&filter)?;
    let problem = problem.with_tests(settings.rest.tests.clone());
    Ok(problem.with_scalars(settings.graphql.scalars.clone()))
}

/// Path and query of a URL; `/graphql` where it names only a host.
fn path_of(url: &str, address: &HttpAddress) -> Result<PathAndQuery, RunError> {
    let query = url.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    // A slash at the end is a part of it: services that keep to theirs know nothing without.
    let slash =
        if url.split(['?', '#']).next().is_some_and(|it| it.ends_with('/')) { "/" } else { "" };
    let path = match address.path() {
        "" => "/graphql".to_owned(),
        path => format!("{path}{slash}"),
    };
    PathAndQuery::from_str(&format!("{path}{query}"))
        .map_err(|error| RunError::Settings(format!("the path of {url:?} cannot be sent: {error}")))
}

/// The schema of the file that is given, or else the fullest that the service tells anybody, and the
/// user whom it told that.
fn schema(
    settings: &Settings,
    base_url: &str,
    path: &PathAndQuery,
    connector: &Connector,
    users: &mut Authenticator,
    notes: &mut Vec<String>,
) -> Result<(Schema, Option<usize>), RunError> {
    if let Some(file) = &settings.graphql.schema {
        let text = std::fs::read_to_string(file).map_err(|error| {
            RunError::Settings(format!(
                "the schema {} cannot be read ({error}): name a file of SDL, or one with the answer to \
                 an introspection",
                file.display()
            ))
        })?;
        let schema = match settings.graphql.allow_broken_schema {
            true => Schema::from_broken_text(&text),
            false => Schema::from_text(&text),
        };
        // Whose it is the file does not tell: mostly that of the first user.
        let reader = (!users.users().is_empty()).then_some(0);
        return schema.map(|schema| (schema, reader)).map_err(|error| in_file(file, error));
    }
    let mut transport = connector.open(base_url)?;
    let (schema, teller) = reader::fullest(users, operations, |reader, users| {
        introspect(&mut *transport, path, &mut |request, transport| {
            let Some(user) = reader else { return Ok(()) };
            let result = users.authenticate(user, request, transport);
            result.map_err(|error| RunError::Settings(error.to_string()))
        })
    })?;
    notes.extend(reader::note(users, teller, "the schema"));
    Ok((schema, teller))
}

/// How many operations a schema has.
fn operations(schema: &Schema) -> usize {
    OperationKind::ALL
        .into_iter()
        .filter_map(|kind| schema.root(kind))
        .map(|root| schema.fields(root).len())
        .sum()
}

/// The first problem in the text of a file.
fn in_file(file: &std::path::Path, error: SchemaError) -> RunError {
    let SchemaError::Syntax { problems } = &error else { return error.into() };
    let Some(first) = problems.first() else { return error.into() };
    let more = match problems.len() {
        1 => String::new(),
        count => format!(" (and {} more problems)", count - 1),
    };
    let (line, column) = (first.position.line, first.position.column);
    let reason = format!("{}{more}", first.message);
    RunError::InFile { path: file.to_path_buf(), line, column, reason }
}

/// A request with a query that has no variables.
fn question(path: &PathAndQuery, query: &str) -> HttpRequest {
    let body = serde_json::json!({ "query": query }).to_string();
    let json = HeaderValue::from_static("application/json");
    let headers = HeaderMap::from_iter([
        (http::header::CONTENT_TYPE, json.clone()),
        (http::header::ACCEPT, json),
    ]);
    HttpRequest { method: Method::POST, path: path.clone(), headers, body: body.into() }
}

/// Adds the credentials of a user to a request.
type Authenticate<'a> =
    &'a mut dyn FnMut(&mut HttpRequest, &mut dyn Transport) -> Result<(), RunError>;

/// Asks a service for its schema: first what it can be asked for, then for all of that. A service
/// that refuses the longer question gets the one that every service knows.
pub(crate) fn introspect(
    transport: &mut dyn Transport,
    path: &PathAndQuery,
    authenticate: Authenticate<'_>,
) -> Result<Schema, RunError> {
    let mut ask = |query: &str| -> Result<HttpResponse, RunError> {
        let mut request = question(path, query);
        authenticate(&mut request, transport)?;
        transport
            .send(&request)
            .map_err(|failure| RunError::NoAnswer(format!("{path} ({})", failure.as_str())))
    };
    let known = ask(IntrospectionSupport::QUERY)?;
    let support = IntrospectionSupport::read(known.body.as_bytes());
    if support != IntrospectionSupport::default() {
        let response = ask(&support.query())?;
        if let Ok(schema) = Schema::from_introspection(response.body.as_bytes()) {
            return Ok(schema);
        }
    }
    let response = ask(INTROSPECTION_QUERY)?;
    let schema = Schema::from_introspection(response.body.as_bytes());
    if schema.is_err() && response.status != 200 {
        return Err(RunError::Settings(unread(path.as_str(), &response)));
    }
    Ok(schema?)
}

/// Why the schema was not told, in the words of the service where it has any, and what to do.
fn unread(path: &str, response: &HttpResponse) -> String {
    let status = response.status;
    let said = told(&response.body).map(|it| it.chars().take(LONGEST_REASON).collect::<String>());
    let said = said.map_or_else(String::new, |said| format!(" and says: {said:?}"));
    let next = match status {
        401 | 403 => "give a user (--auth, --header), or the schema as a file (--schema)",
        _ if !said.is_empty() => "if it does not tell its schema, give that as a file (--schema)",
        _ => "see whether that is the GraphQL endpoint, or give the schema as a file (--schema)",
    };
    format!("{path} answers the question for its schema with status {status}{said}: {next}")
}

impl ServiceFamily for GraphqlProblem {
    fn operations(&self) -> Vec<String> {
        let operations = self.templates().operations().iter();
        operations.map(|operation| operation.coordinate.to_string()).collect()
    }

    fn names(&self) -> BTreeSet<String> {
        self.templates().schema().names().map(str::to_owned).collect()
    }

    fn callable(&self) -> usize {
        self.callable().len()
    }

    fn left_out(&self) -> Vec<String> {
        let templates = self.templates();
        let skipped = templates.skipped().iter().map(|skipped| format!("not tested: {skipped}"));
        skipped.chain(templates.schema().warnings().iter().map(ToString::to_string)).collect()
    }

    fn result(outcome: &HttpOutcome) -> (bool, bool) {
        let response = outcome.response.as_ref().ok().and_then(|it| Response::of(it).ok());
        response.map_or((false, false), |response| {
            let has_errors = !response.errors.is_empty();
            let has_data = response.data == ResponseData::Present;
            // A field that failed is null, and data is there all the same; one that finds nothing is
            // null as well, and no error is told.
            let gave = if has_errors { has_values(outcome) } else { !is_nothing(outcome) };
            (has_data && gave, has_errors)
        })
    }

    fn is_probe(action: &GraphqlAction) -> bool {
        action.check.is_some() || !action.form.has_shape()
    }

    fn schema_coverage(&self) -> Option<SchemaCoverage> {
        Some(SchemaCoverage::new(self.templates().schema()))
    }

    fn cover(&self, coverage: &mut SchemaCoverage, action: &GraphqlAction, outcome: &HttpOutcome) {
        coverage.record(self.templates(), action, outcome);
    }

    fn simplest_reads(&self) -> Vec<GraphqlAction> {
        let callable = GraphqlProblem::callable(self).iter();
        let reads = callable.filter_map(|id| self.templates().operation(*id));
        let reads = reads.filter(|operation| operation.kind == OperationKind::Query);
        let settings = GeneSettings::default();
        reads.map(|it| GraphqlAction::new(it.id, simplest(&it.spec, &settings))).collect()
    }

    fn subject(&self, action: &GraphqlAction) -> String {
        let operation = self.templates().operation(action.template);
        operation.map(|operation| operation.full_name.to_string()).unwrap_or_default()
    }

    fn arguments(&self, action: &GraphqlAction) -> Vec<(String, GenePath)> {
        self.named_arguments(action)
    }

    fn widened(&self, action: &GraphqlAction) -> Option<GraphqlAction> {
        GraphqlProblem::widened(self, action)
    }

    fn endpoints(&self, calls: Vec<OperationFacts>) -> (Vec<String>, Vec<OperationFacts>) {
        (vec![format!("POST:{}", self.path().path())], calls)
    }
}

/// What a response shows at its top: all calls are looked at, so that nothing below is built.
#[derive(Deserialize)]
struct Shown {
    data: BTreeMap<String, Option<IgnoredAny>>,
}

/// Whether all that was asked for is null.
fn is_nothing(outcome: &HttpOutcome) -> bool {
    let response = outcome.response.as_ref().ok();
    let shown = response.and_then(|it| serde_json::from_str::<Shown>(&it.body).ok());
    shown.is_some_and(|Shown { data }| !data.is_empty() && data.values().all(Option::is_none))
}

/// Whether some field of an answer gave a value.
fn has_values(outcome: &HttpOutcome) -> bool {
    let tree = outcome.response.as_ref().ok().and_then(HttpResponse::tree);
    tree.is_some_and(|tree| tree.get("data").is_some_and(has_value))
}

fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Object(members) => {
            members.iter().any(|(name, member)| name != "__typename" && has_value(member))
        }
        Value::Array(elements) => elements.is_empty() || elements.iter().any(has_value),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_field_that_failed_gave_nothing() {
        for (body, result) in [
            (r#"{"data":{"a":null},"errors":[{"message":"no"}]}"#, (false, true)),
            (r#"{"data":{"a":{"b":null}},"errors":[{"message":"no"}]}"#, (false, true)),
            (r#"{"data":{"a":{"b":null,"c":1}},"errors":[{"message":"no"}]}"#, (true, true)),
            (r#"{"data":{"a":null}}"#, (false, false)),
            (r#"{"data":{"a":null,"b":{"c":null}}}"#, (true, false)),
            (r#"{"data":{}}"#, (true, false)),
            (r#"{"data":null,"errors":[{"message":"no"}]}"#, (false, true)),
        ] {
            let body = body.to_owned();
            let outcome =
                HttpOutcome::new(Ok(HttpResponse { status: 200, body, ..Default::default() }));
            assert_eq!(<GraphqlProblem as ServiceFamily>::result(&outcome), result);
        }
    }

    #[test]
    fn a_slash_at_the_end_of_an_endpoint_is_kept() {
        let path = |url: &str| {
            let address = HttpAddress::from_str(url).unwrap();
            path_of(url, &address).unwrap().to_string()
        };
        assert_eq!(path("http://localhost:1"), "/graphql");
        assert_eq!(path("http://localhost:1/"), "/graphql");
        assert_eq!(path("http://localhost:1/graphql"), "/graphql");
        assert_eq!(path("http://localhost:1/graphql/"), "/graphql/");
        assert_eq!(path("http://localhost:1/a/?key=b/"), "/a/?key=b/");
    }
}
