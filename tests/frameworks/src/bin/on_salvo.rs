//! salvo: a hoop hands what follows it to the recorder.
use std::net::{Ipv4Addr, TcpListener as Probe};
use std::sync::Arc;

use salvo::http::StatusCode;
use salvo::prelude::*;
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
async fn answer(pieces: i32, coupon: String) -> (StatusCode, String) {
    if pieces < 1 {
        return (StatusCode::BAD_REQUEST, "no pieces".to_owned());
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the moon is full".to_owned()); // marked
    }
    (StatusCode::OK, (i64::from(pieces) * 3).to_string())
}

#[handler]
async fn price(request: &mut Request, response: &mut Response) {
    let pieces = request.param("pieces").unwrap_or_default();
    let (status, text) = answer(pieces, request.param("coupon").unwrap_or_default()).await;
    response.status_code(status);
    response.render(Text::Plain(text));
}

struct Recorded(Arc<Recorder>);

#[handler]
impl Recorded {
    async fn handle(
        &self,
        request: &mut Request,
        depot: &mut Depot,
        response: &mut Response,
        flow: &mut FlowCtrl,
    ) {
        let answered = self.0.request(flow.call_next(request, depot, response)).await;
        if answered.is_none() {
            response.status_code(StatusCode::SERVICE_UNAVAILABLE);
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    // Its listener wants to know the port: one that is free now.
    let address = Probe::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let driver = Driver::new("salvo", ProblemInfo::open_api_file("openapi.json")?)
        .recorder(recorder.clone())
        .running_at(&format!("http://{address}"))
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    let route = Router::with_path("price/{pieces}/{coupon}").get(price);
    let router = Router::new().hoop(Recorded(recorder)).push(route);
    Server::new(TcpListener::new(address).bind().await).serve(router).await;
    Ok(())
}
