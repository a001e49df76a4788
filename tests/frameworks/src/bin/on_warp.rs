//! warp: its filters are a `tower` service, which the recorder wraps.
use std::net::SocketAddr;

use hyper::StatusCode;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};
use warp::Filter;

#[white_box]
async fn price(pieces: i32, coupon: String) -> impl warp::Reply {
    if pieces < 1 {
        return warp::reply::with_status("no pieces".to_owned(), StatusCode::BAD_REQUEST);
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        let full = "the moon is full".to_owned(); // marked
        return warp::reply::with_status(full, StatusCode::INTERNAL_SERVER_ERROR);
    }
    warp::reply::with_status((i64::from(pieces) * 3).to_string(), StatusCode::OK)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let driver = Driver::new("warp", ProblemInfo::open_api(include_str!("../../openapi.json")))
        .recorder(recorder.clone())
        .running_at(&format!("http://{}", listener.local_addr()?))
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    let service = recorder.record(warp::service(warp::path!("price" / i32 / String).then(price)));
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}
