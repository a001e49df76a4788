//! What a driver tells about its system.

use std::net::IpAddr;

use super::DriverError;
use super::authentication::{Authentication, authentication};
use super::database::schema;
use crate::controller::{ProblemInfo, Units};
use crate::http::HttpAddress;
use crate::sql::SqlSchema;
use crate::target::DriverTarget;
use crate::wire::answer::{InfoSut, UnitsInfo};
use crate::wire::lenient::Text;

/// The system under test, as its driver describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct SutInfo {
    /// Name of the driver; for JVM drivers the class.
    pub driver_name: String,
    /// Path of the executable that the driver starts; `None` where the system runs in the
    /// driver's own process.
    pub executable: Option<String>,
    /// Kind of interface.
    pub problem: ProblemInfo,
    /// Where the system listens, without a final slash.
    pub base_url: String,
    /// Paths of the interface that shall not be called.
    pub endpoints_to_skip: Vec<String>,
    /// Users that the system knows; empty where it has none.
    pub authentication: Vec<Authentication>,
    /// Whether the driver gives access to an SQL database of the system.
    pub has_sql_database: bool,
    /// The schema of that database.
    pub sql_schema: Option<SqlSchema>,
    /// Sizes of the instrumented code seen so far: they grow while a JVM loads classes.
    pub units: Units,
    /// Targets that the start of the system reached, with their scores. Those with score 1 are
    /// covered without any test and not reported in results.
    pub boot_targets: Vec<(DriverTarget, f64)>,
}

/// Reads the answer of `infoSUT`.
pub(super) fn from_answer(
    answer: InfoSut<'_>,
    driver_name: &str,
    executable: Option<&str>,
) -> Result<SutInfo, DriverError> {
    let problem = problem(&answer)?;
    let base_url = answer.base_url.ok_or(DriverError::NoBaseUrl)?;
    let targets = answer.boot.targets.into_iter();
    let boot_targets = targets
        .filter_map(|it| Some((DriverTarget::read(it.descriptive_id.as_ref()?), it.value.0)));
    Ok(SutInfo {
        driver_name: driver_name.to_owned(),
        executable: executable.map(str::to_owned),
        problem,
        base_url: base_url.trim_end_matches('/').to_owned(),
        endpoints_to_skip: answer.rest.unwrap_or_default().endpoints_to_skip,
        authentication: answer.authentication.iter().map(authentication).collect(),
        has_sql_database: answer.sql_schema.is_some(),
        sql_schema: answer.sql_schema.map(schema),
        units: units(answer.units),
        boot_targets: boot_targets.collect(),
    })
}

impl SutInfo {
    /// What is told as seen from here: of a driver on another machine, an address of that machine's own
    /// loopback stands for the machine.
    pub(super) fn seen_from(mut self, driver: &HttpAddress) -> Self {
        self.base_url = reachable(&self.base_url, driver);
        if let ProblemInfo::Rest { open_api_url } = &mut self.problem {
            *open_api_url = reachable(open_api_url, driver);
        }
        self
    }
}

fn reachable(url: &str, driver: &HttpAddress) -> String {
    let Ok(told) = url.parse::<HttpAddress>() else { return url.to_owned() };
    let is_any = told.host().parse::<IpAddr>().is_ok_and(|host| host.is_unspecified());
    if driver.is_loopback() || !(is_any || told.is_loopback()) {
        return url.to_owned();
    }
    url.replacen(&*told.host_in_url(), &driver.host_in_url(), 1)
}

/// What can be told before the system runs: its users.
pub(super) fn preview(answer: &InfoSut<'_>) -> Result<Vec<Authentication>, DriverError> {
    problem(answer)?;
    Ok(answer.authentication.iter().map(authentication).collect())
}

fn problem(answer: &InfoSut<'_>) -> Result<ProblemInfo, DriverError> {
    if let Some(graphql) = &answer.graphql {
        let endpoint = text(graphql.endpoint.as_ref());
        return Ok(ProblemInfo::GraphQl { endpoint });
    }
    let kind = match &answer.rest {
        Some(rest) => match (&rest.open_api_url, &rest.open_api_schema) {
            (Some(url), _) => return Ok(ProblemInfo::Rest { open_api_url: url.to_string() }),
            (None, Some(text)) => {
                return Ok(ProblemInfo::RestInline { open_api: text.to_string() });
            }
            (None, None) => "a REST service without an OpenAPI description or its URL",
        },
        None if answer.rpc.is_some() => "a service of remote procedure calls",
        None if answer.web.is_some() => "a web site",
        None => "no kind of service at all",
    };
    Err(DriverError::UnsupportedProblem { kind })
}

fn units(units: UnitsInfo) -> Units {
    let count = |number: i64| usize::try_from(number).unwrap_or(0);
    Units {
        names: units.unit_names,
        lines: count(units.number_of_lines),
        branches: count(units.number_of_branches),
    }
}

fn text(text: Option<&Text<'_>>) -> String {
    text.map(|text| text.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Result<SutInfo, DriverError> {
        from_answer(serde_json::from_str(text).unwrap(), "driver", None)
    }

    #[test]
    fn nulls_and_unknown_fields_are_no_trouble() {
        let info = read(
            r#"{"graphQLProblem":{"endpoint":"/graphql","later":1},"restProblem":null,
            "baseUrlOfSUT":"http://localhost:8080/","infoForAuthentication":null,
            "unitsInfoDto":null,"bootTimeInfoDto":null,"sqlSchemaDto":null,"later":[]}"#,
        )
        .unwrap();
        assert_eq!(info.base_url, "http://localhost:8080");
        assert_eq!(info.units, Units::default());
        assert!(!info.has_sql_database);
    }

    #[test]
    fn the_loopback_of_another_machine_is_that_machine() {
        let seen = |url: &str, driver: &str| reachable(url, &driver.parse().unwrap());
        for (url, driver, expected) in [
            ("http://localhost:8080", "localhost:40100", "http://localhost:8080"),
            ("http://localhost:8080/a", "10.1.2.3:40100", "http://10.1.2.3:8080/a"),
            ("http://127.0.0.1:8080", "http://sut.test:40100", "http://sut.test:8080"),
            ("http://0.0.0.0:8080", "sut.test:40100", "http://sut.test:8080"),
            ("http://[::1]:8080/x", "http://[fd00::2]:40100", "http://[fd00::2]:8080/x"),
            ("http://other.test:8080", "10.1.2.3:40100", "http://other.test:8080"),
            ("classpath:/openapi.json", "10.1.2.3:40100", "classpath:/openapi.json"),
        ] {
            assert_eq!(seen(url, driver), expected);
        }
    }

    #[test]
    fn users_keep_their_headers() {
        let info = read(
            r#"{"restProblem":{"openApiUrl":"http://x/api","endpointsToSkip":["/health"]},
            "baseUrlOfSUT":"http://localhost:8080","sqlSchemaDto":{"tables":[]},
            "infoForAuthentication":[{"name":"a","fixedHeaders":[{"name":"K","value":"v",
            "additionalProperties":{}}],"loginEndpointAuth":null},
            {"name":"b","fixedHeaders":null,"loginEndpointAuth":{"endpoint":"/login"}}]}"#,
        )
        .unwrap();
        assert_eq!(info.authentication[0].headers, [("K".to_owned(), "v".to_owned())]);
        assert!(!info.authentication[0].needs_login && info.authentication[1].needs_login);
        assert_eq!(info.endpoints_to_skip, ["/health"]);
        assert!(info.has_sql_database);
    }

    #[test]
    fn a_description_that_is_handed_over_is_taken_where_there_is_no_url() {
        let problem = |rest: &str| {
            let answer =
                format!(r#"{{"restProblem":{rest},"baseUrlOfSUT":"http://localhost:80"}}"#);
            read(&answer).unwrap().problem
        };
        let inline = problem(r#"{"openApiUrl":null,"openApiSchema":"{\"openapi\":\"3.0.0\"}"}"#);
        let open_api = r#"{"openapi":"3.0.0"}"#.to_owned();
        assert_eq!(inline, ProblemInfo::RestInline { open_api });
        let both = problem(r#"{"openApiUrl":"http://x/api","openApiSchema":"{}"}"#);
        assert!(matches!(both, ProblemInfo::Rest { .. }));
    }

    #[test]
    fn other_interfaces_are_refused_by_name() {
        for (answer, part) in [
            (r#"{"rpcProblem":{}}"#, "remote procedure"),
            (r#"{"webProblem":{}}"#, "web site"),
            (r#"{"restProblem":{"endpointsToSkip":["/a"]}}"#, "without an OpenAPI"),
            ("{}", "no kind"),
        ] {
            let message = read(answer).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let stopped = read(r#"{"graphQLProblem":{"endpoint":"/graphql"},"baseUrlOfSUT":null}"#);
        assert!(matches!(stopped, Err(DriverError::NoBaseUrl)));
    }
}
