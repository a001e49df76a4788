//! GraphQL face of the numerical case study.

use async_graphql::Object;
use axum::Router;
use wallace_instrument::white_box;

use crate::graphql::{self, Answer, missing};
use crate::numeric::{NumericOperations, messages};
use crate::switch::Switches;

/// The service, with these switches on.
pub(crate) fn router(switches: Switches) -> Router {
    graphql::router(Query { operations: NumericOperations::new(&switches) }, messages(switches))
}

struct Query {
    operations: NumericOperations,
}

#[white_box]
#[Object]
impl Query {
    /// 0 no triangle, 1 scalene, 2 isosceles, 3 equilateral.
    async fn triangle_classification(
        &self,
        a: Option<i32>,
        b: Option<i32>,
        c: Option<i32>,
    ) -> Answer<i32> {
        let Some(a) = a else { return missing("a") };
        let Some(b) = b else { return missing("b") };
        let Some(c) = c else { return missing("c") };
        Some(Ok(self.operations.triangle_classification(a, b, c)))
    }

    /// Remainder of a divided by b, up to 10000 each; -1 for b = 0.
    async fn remainder(&self, a: Option<i32>, b: Option<i32>) -> Answer<i32> {
        let Some(a) = a else { return missing("a") };
        let Some(b) = b else { return missing("b") };
        Some(self.operations.remainder(a, b))
    }

    /// Bessel function of the first kind, of order 3 to 1000.
    async fn bessj(&self, n: Option<i32>, x: Option<f64>) -> Answer<f64> {
        let Some(n) = n else { return missing("n") };
        let Some(x) = x else { return missing("x") };
        Some(self.operations.bessj(n, x))
    }

    /// Exponential integral of order n.
    async fn expint(&self, n: Option<i32>, x: Option<f64>) -> Answer<f64> {
        let Some(n) = n else { return missing("n") };
        let Some(x) = x else { return missing("x") };
        Some(self.operations.expint(n, x))
    }

    /// F-distribution with m and n degrees of freedom, up to 1000 each.
    async fn fisher(&self, m: Option<i32>, n: Option<i32>, x: Option<f64>) -> Answer<f64> {
        let Some(m) = m else { return missing("m") };
        let Some(n) = n else { return missing("n") };
        let Some(x) = x else { return missing("x") };
        Some(self.operations.fisher(m, n, x))
    }

    /// Incomplete gamma function Q.
    async fn gammq(&self, a: Option<f64>, x: Option<f64>) -> Answer<f64> {
        let Some(a) = a else { return missing("a") };
        let Some(x) = x else { return missing("x") };
        Some(self.operations.gammq(a, x))
    }
}
