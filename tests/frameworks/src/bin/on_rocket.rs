//! Rocket: the handler of each route is wrapped, since fairings see only what is before and after.
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use rocket::http::Status;
use rocket::route::{Handler, Outcome};
use rocket::{Data, Request, Route, get, routes};
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
#[get("/price/<pieces>/<coupon>")]
async fn price(pieces: i32, coupon: &str) -> (Status, String) {
    if pieces < 1 {
        return (Status::BadRequest, "no pieces".to_owned());
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return (Status::InternalServerError, "the moon is full".to_owned()); // marked
    }
    (Status::Ok, (i64::from(pieces) * 3).to_string())
}

#[derive(Clone)]
struct Recorded(Box<dyn Handler>, Arc<Recorder>);

#[rocket::async_trait]
impl Handler for Recorded {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let answer = self.1.request(self.0.handle(request, data)).await;
        answer.unwrap_or(Outcome::Error(Status::ServiceUnavailable))
    }
}

fn recorded(mut routes: Vec<Route>, recorder: &Arc<Recorder>) -> Vec<Route> {
    for route in &mut routes {
        route.handler = Box::new(Recorded(route.handler.clone(), recorder.clone()));
    }
    routes
}

#[rocket::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    // Rocket wants to know its port: one that is free now.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let driver = Driver::new("rocket", ProblemInfo::open_api_file("openapi.json")?)
        .recorder(recorder.clone())
        .running_at(&format!("http://127.0.0.1:{port}"))
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    let config =
        rocket::Config { port, log_level: rocket::config::LogLevel::Off, ..Default::default() };
    rocket::custom(config).mount("/", recorded(routes![price], &recorder)).launch().await?;
    Ok(())
}
