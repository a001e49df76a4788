//! REST face of the numerical case study.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};
use wallace_instrument::white_box;

use crate::numeric::{NumericOperations, statuses};
use crate::rest::Kind::{Integer, Number};
use crate::rest::{Arguments, Refusal, RestService};
use crate::switch::Switches;

/// The service, with these switches on.
pub(crate) fn router(switches: Switches) -> Router {
    RestService::new("Numerical case study", &content())
        .get(
            "/api/triangle/{a}/{b}/{c}",
            "0 no triangle, 1 scalene, 2 isosceles, 3 equilateral",
            &[Integer, Integer, Integer],
            get(triangle),
        )
        .get(
            "/api/remainder/{a}/{b}",
            "remainder of a divided by b, up to 10000 each; -1 for b = 0",
            &[Integer, Integer],
            get(remainder),
        )
        .get(
            "/api/bessj/{n}/{x}",
            "Bessel function of the first kind, of order 3 to 1000",
            &[Integer, Number],
            get(bessj),
        )
        .get(
            "/api/expint/{n}/{x}",
            "exponential integral of order n",
            &[Integer, Number],
            get(expint),
        )
        .get(
            "/api/fisher/{m}/{n}/{x}",
            "F-distribution with m and n degrees of freedom, up to 1000 each",
            &[Integer, Integer, Number],
            get(fisher),
        )
        .get("/api/gammq/{a}/{x}", "incomplete gamma function Q", &[Number, Number], get(gammq))
        .router(NumericOperations::new(&switches), statuses(switches))
}

/// The result in the member of its type. A float that is not finite is left out, because JSON
/// cannot write it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NumericResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_as_int: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_as_double: Option<f64>,
}

/// What the description says of [`NumericResult`].
fn content() -> Value {
    let schema = json!({
        "type": "object",
        "properties": {
            "resultAsInt": { "type": "integer", "format": "int32" },
            "resultAsDouble": { "type": "number", "format": "double" },
        },
    });
    json!({ "application/json": { "schema": schema } })
}

type Operations = State<NumericOperations>;
type Answer = Result<Json<NumericResult>, Refusal>;

fn integer(value: i32) -> Answer {
    Ok(Json(NumericResult { result_as_int: Some(value), result_as_double: None }))
}

fn double(value: f64) -> Answer {
    let result_as_double = value.is_finite().then_some(value);
    Ok(Json(NumericResult { result_as_int: None, result_as_double }))
}

#[white_box]
async fn triangle(
    State(operations): Operations,
    Arguments((a, b, c)): Arguments<(i32, i32, i32)>,
) -> Answer {
    integer(operations.triangle_classification(a, b, c))
}

#[white_box]
async fn remainder(
    State(operations): Operations,
    Arguments((a, b)): Arguments<(i32, i32)>,
) -> Answer {
    integer(operations.remainder(a, b)?)
}

#[white_box]
async fn bessj(State(operations): Operations, Arguments((n, x)): Arguments<(i32, f64)>) -> Answer {
    double(operations.bessj(n, x)?)
}

#[white_box]
async fn expint(State(operations): Operations, Arguments((n, x)): Arguments<(i32, f64)>) -> Answer {
    double(operations.expint(n, x)?)
}

#[white_box]
async fn fisher(
    State(operations): Operations,
    Arguments((m, n, x)): Arguments<(i32, i32, f64)>,
) -> Answer {
    double(operations.fisher(m, n, x)?)
}

#[white_box]
async fn gammq(State(operations): Operations, Arguments((a, x)): Arguments<(f64, f64)>) -> Answer {
    double(operations.gammq(a, x)?)
}
