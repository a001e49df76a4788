//! Several instances in one process, and the life of one.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use wallace_instrument::{Driver, DriverError, ProblemInfo, Recorder, SutController, white_box};

#[white_box]
mod service {
    pub(super) fn boot() -> u8 {
        1
    }

    pub(super) async fn judge(number: i64) -> &'static str {
        tokio::task::yield_now().await;
        if number == 7 {
            return "lucky";
        }
        "plain"
    }

    /// Never ends by itself.
    pub(super) async fn wait() -> &'static str {
        std::future::pending::<()>().await;
        "never"
    }

    /// Never ends by itself, and never waits.
    pub(super) async fn spin() -> &'static str {
        let mut turns = 0_u64;
        loop {
            turns = turns.wrapping_add(1);
        }
    }

    /// The work of a task of the host.
    pub(super) fn turn(turns: &std::sync::atomic::AtomicU64) {
        turns.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    pub(super) fn background(number: i64) -> bool {
        number > 3
    }
}

fn router() -> Router {
    service::boot();
    Router::new().route("/{number}", get(|Path(number): Path<i64>| service::judge(number)))
}

fn controller() -> Arc<dyn SutController> {
    let problem = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("instances", problem).unit_prefix("instances::service");
    driver.service(0, router).controller().unwrap()
}

fn answer(base_url: &str, path: &str) -> String {
    use std::io::{Read, Write};
    let address = base_url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn lucky(controller: &dyn SutController) -> f64 {
    let recorded = controller.recorded();
    let side = recorded.targets.iter().find(|target| target.name.ends_with("trueBranch"));
    side.map_or(0.0, |side| side.score)
}

#[test]
fn two_instances_of_one_service_do_not_mix() {
    let (first, second) = (controller(), controller());
    let (first_url, second_url) = (first.start().unwrap(), second.start().unwrap());
    assert_ne!(first_url, second_url);
    for controller in [&first, &second] {
        controller.new_search();
        controller.new_test();
        controller.begin_action(0, "GET:/{number}", &[]);
    }
    std::thread::scope(|scope| {
        scope.spawn(|| (0..50).for_each(|_| drop(answer(&first_url, "/7"))));
        scope.spawn(|| (0..50).for_each(|_| drop(answer(&second_url, "/5"))));
    });
    assert_eq!((lucky(&*first), lucky(&*second)), (1.0, 1.0 / 3.0));
}

#[test]
fn start_reset_and_stop_follow_the_contract() {
    let controller = controller();
    assert_eq!(controller.base_url(), None);
    let url = controller.start().unwrap();
    assert_eq!(controller.start().unwrap(), url);
    assert_eq!(controller.base_url().as_deref(), Some(url.as_str()));
    let ProblemInfo::Rest { open_api_url } = controller.problem() else { panic!("a REST service") };
    assert_eq!(open_api_url, format!("{url}/openapi.json"));
    let boot: Vec<_> = controller.boot_targets();
    assert_eq!(boot.len(), 1, "{boot:?}");
    assert!(controller.recorded().targets.is_empty());
    assert!(answer(&url, "/7").ends_with("lucky"));
    controller.stop();
    controller.stop();
    assert_eq!(controller.base_url(), None);
    assert!(std::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).is_err());
    assert_eq!(controller.start().unwrap(), url);
    assert!(answer(&url, "/1").ends_with("plain"));
    controller.reset().unwrap();
}

#[test]
fn tests_actions_and_ids_follow_the_contract() {
    let recorder = Recorder::new(&["instances::service"]);
    recorder.new_search();
    recorder.run(|| service::background(2));
    let before = recorder.recorded();
    assert_eq!(before.actions.len(), 1);
    assert!(before.targets.iter().all(|target| target.action.is_none() && target.is_first_seen));
    assert_eq!(recorder.recorded(), before, "reading twice changes nothing");

    recorder.new_test();
    assert!(recorder.recorded().targets.is_empty());
    for (index, number) in [(0, 1), (1, 3), (2, 9), (3, 9)] {
        recorder.begin_action(index, &[]);
        recorder.run(|| service::background(number));
    }
    let recorded = recorder.recorded();
    assert_eq!(recorded.actions.len(), 4);
    let side =
        |end: &str| recorded.targets.iter().find(|target| target.name.ends_with(end)).unwrap();
    assert_eq!((side("trueBranch").score, side("trueBranch").action), (1.0, Some(2)));
    assert_eq!((side("falseBranch").score, side("falseBranch").action), (1.0, Some(0)));
    assert!(recorded.targets.iter().all(|target| !target.is_first_seen));
    let ids: Vec<u32> = recorded.targets.iter().map(|target| target.id).collect();
    assert!(ids.is_sorted());
    assert_eq!(recorder.target_name(side("trueBranch").id), Some(side("trueBranch").name));
    assert_eq!(recorder.target_name(1_000_000), None);
    let statement = recorded.actions[3].last_statement.as_deref().unwrap();
    assert!(statement.starts_with("instances::service_") && statement.ends_with("_background"));

    recorder.new_search();
    assert_eq!(recorder.target_name(0), None);
    recorder.begin_action(4_000_000_000, &[]);
    recorder.run(|| service::background(2));
    assert!(recorder.recorded().targets.iter().all(|target| target.is_first_seen));
}

#[test]
fn failures_are_messages() {
    let problem = || ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let missing = Driver::new("none", problem()).start(0);
    assert!(matches!(missing, Err(DriverError::NoSystem { .. })));
    let broken = Driver::new("broken", problem()).service(0, || panic!("no database"));
    let broken = broken.on_reset(|| panic!("no table")).controller().unwrap();
    assert!(broken.start().unwrap_err().contains("panicked"));
    assert!(broken.reset().unwrap_err().contains("panicked"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let refused = Driver::new("late", problem()).service(port, Router::new).controller().unwrap();
    assert!(refused.start().unwrap_err().contains(&port.to_string()));
    let driver = Driver::new("late", problem()).service(0, Router::new).start(port);
    assert!(matches!(driver, Err(DriverError::Port { .. })));
    let odd = Driver::new("odd", problem()).running_at("nonsense").controller().unwrap();
    assert!(odd.start().unwrap_err().contains("host:port"));
}

#[test]
fn a_foreign_service_is_driven_at_its_url() {
    let recorder = Recorder::new(&["instances::service"]);
    let host = controller();
    let url = host.start().unwrap();
    let problem = ProblemInfo::GraphQl { endpoint: "/".to_owned() };
    let driver = Driver::new("foreign", problem).recorder(Arc::clone(&recorder)).running_at(&url);
    let running = driver.start(0).unwrap();
    assert!(answer(&running.url(), "/controller/api/controllerInfo").contains("foreign"));
    assert_eq!(running.controller().start().unwrap(), url);
    running.controller().stop();
    assert!(answer(&url, "/7").ends_with("lucky"));
}

#[test]
fn a_scope_inside_another_ends() {
    let outer = Recorder::new(&["instances::service"]);
    let inner = Recorder::new(&["instances::service"]);
    outer.run(|| {
        inner.run(|| service::background(1));
        service::background(1);
    });
    assert_eq!(inner.recorded().targets.len(), 3);
    assert_eq!(outer.recorded().targets.len(), 3);
    assert!(outer.recorded().actions[0].last_statement.is_some());
}

fn in_thread(url: &str, path: &'static str) -> std::thread::JoinHandle<String> {
    let url = url.to_owned();
    std::thread::spawn(move || answer(&url, path))
}

#[test]
fn the_kill_switch_ends_requests_and_nothing_else() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    static TURNS: AtomicU64 = AtomicU64::new(0);
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    let router = move || {
        let over = Arc::clone(&over);
        let recorder = Recorder::current();
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                // Recorded, and still no request.
                recorder.as_ref().map_or_else(
                    || service::turn(&TURNS),
                    |recorder| {
                        recorder.run(|| service::turn(&TURNS));
                    },
                );
                std::thread::yield_now();
            }
        });
        let router = Router::new().route("/wait", get(service::wait));
        router.route("/spin", get(service::spin)).route("/seven", get(|| service::judge(7)))
    };
    let problem = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("killed", problem).unit_prefix("instances::service");
    let controller = driver.service(0, router).controller().unwrap();
    let url = controller.start().unwrap();
    for path in ["/wait", "/spin"] {
        controller.new_test();
        controller.begin_action(0, path, &[]);
        let request = in_thread(&url, path);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!request.is_finished());
        controller.set_kill_switch(true);
        let turns = TURNS.load(Ordering::Relaxed);
        assert!(request.join().unwrap().starts_with("HTTP/1.1 503"), "{path}");
        assert!(answer(&url, "/seven").starts_with("HTTP/1.1 503"), "also new requests");
        while TURNS.load(Ordering::Relaxed) == turns {
            std::thread::yield_now();
        }
    }
    controller.new_test();
    assert!(answer(&url, "/seven").ends_with("lucky"));
    is_over.store(true, Ordering::Relaxed);
}

#[test]
fn what_is_unrecorded_leaves_no_trace() {
    let recorder = Recorder::new(&["instances::service"]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    recorder.run(|| wallace_instrument::unrecorded(|| service::background(9)));
    runtime.block_on(Arc::clone(&recorder).scope(async {
        wallace_instrument::unrecorded_scope(service::judge(7)).await;
    }));
    assert!(recorder.recorded().targets.is_empty());
    recorder.run(|| service::background(9));
    assert!(!recorder.recorded().targets.is_empty());
}
