//! poem: `around` hands each request to the recorder.
use std::net::TcpListener;

use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::{Endpoint, EndpointExt, Error, IntoResponse, Route, Server, get, handler, web::Path};
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
#[handler]
async fn price(Path((pieces, coupon)): Path<(i32, String)>) -> (StatusCode, String) {
    if pieces < 1 {
        return (StatusCode::BAD_REQUEST, "no pieces".to_owned());
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the moon is full".to_owned()); // marked
    }
    (StatusCode::OK, (i64::from(pieces) * 3).to_string())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    let recording = recorder.clone();
    let app = Route::new().at("/price/:pieces/:coupon", get(price));
    let app = app.around(move |endpoint, request| {
        let recorder = recording.clone();
        async move {
            let answer = async { endpoint.call(request).await.map(IntoResponse::into_response) };
            let answer = recorder.request(answer).await;
            answer.unwrap_or_else(|| Err(Error::from_status(StatusCode::SERVICE_UNAVAILABLE)))
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let driver = Driver::new("poem", ProblemInfo::open_api_file("openapi.json")?)
        .recorder(recorder)
        .running_at(&format!("http://{}", listener.local_addr()?))
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    Ok(Server::new_with_acceptor(TcpAcceptor::from_std(listener)?).run(app).await?)
}
