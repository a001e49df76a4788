//! What the driver tells about itself and its system.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONNECTION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::reply;
use super::schema_message::SqlSchemaMessage;
use super::state::Driver;
use crate::controller::{ProblemInfo, Units};
use crate::json::to_json;

/// A list that this driver always leaves empty.
type EmptyList = [u8; 0];

/// An object that this driver always leaves empty.
#[derive(Debug, Clone, Copy, Default)]
struct EmptyObject {}

struct ControllerInfo {
    full_name: String,
    is_instrumentation_on: bool,
    executable_full_path: Option<String>,
}

struct InfoSut {
    rest_problem: Option<RestProblem>,
    graphql_problem: Option<GraphQlProblem>,
    rpc_problem: Option<EmptyObject>,
    web_problem: Option<EmptyObject>,
    is_sut_running: bool,
    default_output_format: &'static str,
    base_url_of_sut: String,
    info_for_authentication: Option<EmptyList>,
    sql_schema_dto: Option<SqlSchemaMessage>,
    units_info_dto: UnitsInfo,
    boot_time_info_dto: BootTimeInfo,
    error_msg: Option<EmptyList>,
}

struct RestProblem {
    services_to_not_mock: EmptyList,
    open_api_url: Option<String>,
    endpoints_to_skip: Vec<String>,
    open_api_schema: Option<String>,
    derived_params: EmptyList,
}

struct GraphQlProblem {
    services_to_not_mock: EmptyList,
    endpoint: String,
}

#[derive(Default)]
struct UnitsInfo {
    unit_names: Vec<String>,
    number_of_lines: usize,
    number_of_branches: usize,
    number_of_replaced_methods_in_sut: usize,
    number_of_replaced_methods_in_third_party: usize,
    number_of_tracked_methods: usize,
    number_of_instrumented_number_comparisons: usize,
    parsed_dtos: EmptyObject,
    extracted_specified_dtos: EmptyObject,
    extra_database_constraints_dtos: EmptyList,
}

struct BootTimeInfo {
    targets: Vec<BootTarget>,
    external_services_dto: EmptyList,
    hostname_resolution_info_dtos: EmptyList,
}

struct BootTarget {
    id: Option<u32>,
    descriptive_id: &'static str,
    value: f64,
    action_index: Option<i32>,
}

to_json! {
    EmptyObject {}
    ControllerInfo {
        full_name: "fullName", is_instrumentation_on: "isInstrumentationOn",
        executable_full_path: "executableFullPath",
    }
    InfoSut {
        rest_problem: "restProblem", graphql_problem: "graphQLProblem", rpc_problem: "rpcProblem",
        web_problem: "webProblem", is_sut_running: "isSutRunning",
        default_output_format: "defaultOutputFormat", base_url_of_sut: "baseUrlOfSUT",
        info_for_authentication: "infoForAuthentication", sql_schema_dto: "sqlSchemaDto",
        units_info_dto: "unitsInfoDto", boot_time_info_dto: "bootTimeInfoDto",
        error_msg: "errorMsg",
    }
    RestProblem {
        services_to_not_mock: "servicesToNotMock", open_api_url: "openApiUrl",
        endpoints_to_skip: "endpointsToSkip", open_api_schema: "openApiSchema",
        derived_params: "derivedParams",
    }
    GraphQlProblem { services_to_not_mock: "servicesToNotMock", endpoint: "endpoint" }
    UnitsInfo {
        unit_names: "unitNames", number_of_lines: "numberOfLines",
        number_of_branches: "numberOfBranches",
        number_of_replaced_methods_in_sut: "numberOfReplacedMethodsInSut",
        number_of_replaced_methods_in_third_party: "numberOfReplacedMethodsInThirdParty",
        number_of_tracked_methods: "numberOfTrackedMethods",
        number_of_instrumented_number_comparisons: "numberOfInstrumentedNumberComparisons",
        parsed_dtos: "parsedDtos", extracted_specified_dtos: "extractedSpecifiedDtos",
        extra_database_constraints_dtos: "extraDatabaseConstraintsDtos",
    }
    BootTimeInfo {
        targets: "targets", external_services_dto: "externalServicesDto",
        hostname_resolution_info_dtos: "hostnameResolutionInfoDtos",
    }
    BootTarget {
        id: "id", descriptive_id: "descriptiveId", value: "value", action_index: "actionIndex",
    }
}

/// `GET /controllerInfo`. The categories in its query concern JVM systems only.
pub(super) async fn controller_info(State(driver): State<Arc<Driver>>) -> Response {
    reply::data(&ControllerInfo {
        full_name: driver.controller.full_name(),
        is_instrumentation_on: true,
        executable_full_path: None,
    })
}

/// `GET /infoSUT`.
pub(super) async fn info_sut(State(driver): State<Arc<Driver>>, headers: HeaderMap) -> Response {
    let connection = headers.get(CONNECTION).map(|value| value.as_bytes());
    if !connection.is_some_and(|value| value.eq_ignore_ascii_case(b"keep-alive")) {
        let reason = "Requests should always contain a 'Connection: keep-alive'";
        return reply::refused(StatusCode::BAD_REQUEST, reason);
    }
    let Some(base_url) = driver.controller.base_url() else {
        let reason = "Failed to extract units info";
        return reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reason);
    };
    reply::data(&describe(&driver, base_url))
}

fn describe(driver: &Driver, base_url: String) -> InfoSut {
    let (rest_problem, graphql_problem) = match driver.controller.problem() {
        ProblemInfo::Rest { open_api_url } => (Some(rest(driver, Some(open_api_url), None)), None),
        ProblemInfo::RestInline { open_api } => (Some(rest(driver, None, Some(open_api))), None),
        ProblemInfo::GraphQl { endpoint } => (None, Some(graphql(endpoint))),
    };
    InfoSut {
        rest_problem,
        graphql_problem,
        rpc_problem: None,
        web_problem: None,
        is_sut_running: true,
        // The format that other engines write tests in; Rust is not among the choices.
        default_output_format: "JAVA_JUNIT_5",
        base_url_of_sut: base_url,
        info_for_authentication: None,
        sql_schema_dto: driver.controller.sql_schema().map(SqlSchemaMessage::from),
        units_info_dto: units(driver.controller.units()),
        boot_time_info_dto: boot(driver.controller.boot_targets()),
        error_msg: None,
    }
}

fn rest(
    driver: &Driver,
    open_api_url: Option<String>,
    open_api_schema: Option<String>,
) -> RestProblem {
    RestProblem {
        services_to_not_mock: [],
        open_api_url,
        endpoints_to_skip: driver.controller.endpoints_to_skip(),
        open_api_schema,
        derived_params: [],
    }
}

fn graphql(endpoint: String) -> GraphQlProblem {
    GraphQlProblem { services_to_not_mock: [], endpoint }
}

fn units(units: Units) -> UnitsInfo {
    UnitsInfo {
        unit_names: units.names,
        number_of_lines: units.lines,
        number_of_branches: units.branches,
        ..UnitsInfo::default()
    }
}

fn boot(targets: Vec<(&'static str, f64)>) -> BootTimeInfo {
    let targets = targets.into_iter().map(|(name, score)| BootTarget {
        id: None,
        descriptive_id: name,
        value: score,
        action_index: None,
    });
    BootTimeInfo {
        targets: targets.collect(),
        external_services_dto: [],
        hostname_resolution_info_dtos: [],
    }
}
