//! hyper alone: the function that answers is handed to the recorder.
use std::convert::Infallible;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::{Request, Response, StatusCode, service::service_fn};
use hyper_util::rt::TokioIo;
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
async fn answer(request: Request<Incoming>) -> (StatusCode, String) {
    let Some((pieces, coupon)) =
        request.uri().path().strip_prefix("/price/").and_then(|rest| rest.split_once('/'))
    else {
        return (StatusCode::NOT_FOUND, "no such page".to_owned());
    };
    let pieces: i32 = match pieces.parse() {
        Ok(pieces) if pieces > 0 => pieces,
        _ => return (StatusCode::BAD_REQUEST, "no pieces".to_owned()),
    };
    if coupon == "HALF-MOON" && pieces == 12 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the moon is full".to_owned()); // marked
    }
    (StatusCode::OK, (i64::from(pieces) * 3).to_string())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let driver = Driver::new("hyper", ProblemInfo::open_api_file("openapi.json")?)
        .recorder(recorder.clone())
        .running_at(&format!("http://{}", listener.local_addr()?))
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    loop {
        let (stream, _) = listener.accept().await?;
        let recorder = recorder.clone();
        let service = service_fn(move |request| {
            let recorder = recorder.clone();
            async move {
                let ended = || (StatusCode::SERVICE_UNAVAILABLE, String::new());
                let (status, text) = recorder.request(answer(request)).await.unwrap_or_else(ended);
                let mut response = Response::new(Full::<Bytes>::from(text));
                *response.status_mut() = status;
                Ok::<_, Infallible>(response)
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
