//! What `main` runs before there is a recorder is covered by the start of the service.

#![allow(clippy::unwrap_used, missing_docs)]

use std::net::TcpListener;

use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
fn configured(port: u16) -> u16 {
    if port > 0 { port } else { 80 }
}

#[white_box]
fn answered() -> u16 {
    200
}

#[white_box]
fn run_late() -> u16 {
    3
}

fn main() {
    let port = configured(0);
    // Another thread answers already: the start is over.
    std::thread::spawn(answered).join().unwrap();
    run_late();
    let recorder = Recorder::new(&[]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let rest = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("start", rest).recorder(recorder).running_at(&url);
    let controller = driver.controller().unwrap();
    controller.start().unwrap();
    let lines: Vec<u32> = controller.boot_targets().iter().map(|(name, _)| line(name)).collect();
    assert_eq!((port, lines), (80, vec![11]));
}

fn line(name: &str) -> u32 {
    name.rsplit('_').next().unwrap().parse().unwrap()
}
