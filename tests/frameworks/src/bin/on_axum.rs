//! axum: the driver serves the router.
use axum::{Router, extract::Path, http::StatusCode, routing::get};
use wallace_instrument::{Driver, ProblemInfo, white_box};

#[white_box]
async fn price(Path((pieces, coupon)): Path<(i32, String)>) -> (StatusCode, String) {
    if pieces < 1 {
        return (StatusCode::BAD_REQUEST, "no pieces".to_owned());
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the moon is full".to_owned()); // marked
    }
    (StatusCode::OK, (i64::from(pieces) * 3).to_string())
}

fn router() -> Router {
    Router::new().route("/price/{pieces}/{coupon}", get(price))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let description = ProblemInfo::open_api_file("openapi.json")?;
    let driver = Driver::new("axum", description)
        .service(0, router)
        .on_async_reset(|| async { Ok(()) })
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    driver.wait()
}
