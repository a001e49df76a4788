//! actix-web: a middleware hands each request to the recorder. Its futures need not be `Send`.
use actix_web::dev::Service;
use actix_web::error::ErrorServiceUnavailable;
use actix_web::{App, HttpResponse, HttpServer, get, web};
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
#[get("/price/{pieces}/{coupon}")]
async fn price(path: web::Path<(i32, String)>) -> HttpResponse {
    let (pieces, coupon) = path.into_inner();
    if pieces < 1 {
        return HttpResponse::BadRequest().body("no pieces");
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return HttpResponse::InternalServerError().body("the moon is full"); // marked
    }
    HttpResponse::Ok().body((i64::from(pieces) * 3).to_string())
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = Recorder::new(&[]);
    let recording = recorder.clone();
    let server = HttpServer::new(move || {
        let recorder = recording.clone();
        let app = App::new().wrap_fn(move |request, service| {
            let (recorder, answer) = (recorder.clone(), service.call(request));
            async move {
                let answer = recorder.request(answer).await;
                answer.unwrap_or_else(|| Err(ErrorServiceUnavailable("given up")))
            }
        });
        let description = || async { include_str!("../../openapi.json") };
        app.service(price).route("/openapi.json", web::get().to(description))
    });
    let server = server.workers(1).bind(("127.0.0.1", 0))?;
    let address = server.addrs()[0];
    let driver = Driver::new("actix-web", ProblemInfo::open_api_at("/openapi.json"))
        .recorder(recorder)
        .running_at(&format!("http://{address}"))
        .on_async_reset(|| async { Ok(()) })
        .start(0)?;
    println!("wallace fuzz --driver {}", driver.url());
    Ok(server.run().await?)
}
