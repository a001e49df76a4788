//! The client and the server of this crate, talking to each other over real sockets.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Arc;

use common::system::{System, name};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, DriverServer, DriverTarget, ProblemInfo,
    ResultsQuery, SpecialisationKind, TestResults,
};

fn pair(system: System) -> (Arc<System>, DriverServer, DriverClient) {
    let system = Arc::new(system);
    let server = DriverServer::start(system.clone(), 0).unwrap();
    let runtime = BlockingRuntime::new().unwrap();
    let client = DriverClient::connect(&server.url(), &runtime).unwrap();
    (system, server, client)
}

fn started(system: System) -> (Arc<System>, DriverServer, DriverClient) {
    let (system, server, mut client) = pair(system);
    client.start_sut().unwrap();
    client.new_search().unwrap();
    client.reset().unwrap();
    (system, server, client)
}

fn reaches(results: &TestResults) -> Vec<(&str, f64, Option<usize>)> {
    let targets = results.targets.iter();
    targets.map(|target| (&*target.target.name, target.score, target.action)).collect()
}

fn named(names: &[&str]) -> Vec<Arc<str>> {
    names.iter().map(|name| Arc::from(*name)).collect()
}

#[test]
fn the_start_tells_everything_about_the_system() {
    let mut system = System::graphql();
    system.boot = vec![(name(7), 1.0), (name(8), 0.25)];
    let (system, _server, mut client) = pair(system);
    let info = client.start_sut().unwrap();
    let endpoint = "/graphql".to_owned();
    assert_eq!(info.problem, ProblemInfo::GraphQl { endpoint });
    assert_eq!(
        (info.driver_name.as_str(), info.base_url.as_str()),
        ("demo", "http://127.0.0.1:12345")
    );
    assert_eq!((info.units.lines, info.units.branches), (40, 12));
    assert_eq!(
        info.boot_targets,
        [(DriverTarget::read(name(7)), 1.0), (DriverTarget::read(name(8)), 0.25)]
    );
    client.start_sut().unwrap();
    let state = system.state();
    assert_eq!((state.starts, state.resets), (1, 2));
}

#[test]
fn a_test_gives_scores_with_the_action_that_reached_them() {
    let (system, _server, mut client) = started(System::graphql());
    client.begin_action(0, "first", &["secret".to_owned()]).unwrap();
    system.hit(name(100), 0.25);
    system.hit(name(101), 0.0);
    client.begin_action(1, "second \"quoted\" ünï", &[]).unwrap();
    system.hit(name(100), 1.0);
    let results = client.results(ResultsQuery::default()).unwrap();
    assert_eq!(results.targets.len(), 13, "{results:?}");
    assert!(reaches(&results).contains(&(name(100), 1.0, Some(1))));
    assert!(reaches(&results).contains(&(name(0), 0.5, Some(0))));
    let announced = system.state().announced.clone();
    assert_eq!(announced[0], (0, "first".to_owned(), vec!["secret".to_owned()]));
    assert_eq!(announced[1].1, "second \"quoted\" ünï");
}

#[test]
fn feedback_belongs_to_its_action() {
    let (_system, _server, mut client) = started(System::graphql());
    client.begin_action(0, "a", &[]).unwrap();
    client.begin_action(1, "b", &[]).unwrap();
    let results = client.results(ResultsQuery::default()).unwrap();
    assert_eq!(results.actions.len(), 2);
    let second = &results.actions[1];
    assert_eq!(second.last_statement.as_deref(), Some("demo_1_run"));
    assert_eq!((second.headers[0].as_str(), second.query_parameters[0].as_str()), ("Origin", "q"));
    let taint = &second.specialisations[0];
    assert_eq!(taint.kind, SpecialisationKind::Constant);
    assert_eq!(taint.value.as_deref(), Some("constant \"1\""));
    assert!(!taint.is_full_match && results.actions[0].specialisations[0].is_full_match);
    assert_eq!(second.sql, None);
}

#[test]
fn names_come_back_shared_and_need_no_second_telling() {
    let (_system, _server, mut client) = started(System::graphql());
    let mut tests = (0..2).map(|_| {
        client.reset().unwrap();
        client.begin_action(0, "a", &[]).unwrap();
        client.results(ResultsQuery::default()).unwrap()
    });
    let (first, second) = (tests.next().unwrap(), tests.next().unwrap());
    assert_eq!(reaches(&first), reaches(&second));
    assert!(Arc::ptr_eq(&first.targets[0].target, &second.targets[0].target));
}

#[test]
fn only_what_is_wanted_or_new_comes_back() {
    let (system, _server, mut client) = started(System::graphql());
    client.begin_action(0, "a", &[]).unwrap();
    client.results(ResultsQuery::default()).unwrap();

    client.reset().unwrap();
    client.begin_action(0, "a", &[]).unwrap();
    system.hit(name(200), 0.75);
    let wanted = named(&[name(3), name(999)]);
    let query = ResultsQuery { wanted: &wanted, ..ResultsQuery::default() };
    let results = client.results(query).unwrap();
    assert_eq!(reaches(&results), [(name(3), 0.5, Some(0)), (name(200), 0.75, Some(0))]);

    let unseen = named(&[name(999)]);
    let nothing_known = ResultsQuery { wanted: &unseen, ..ResultsQuery::default() };
    let results = client.results(nothing_known).unwrap();
    assert_eq!(reaches(&results), [(name(200), 0.75, Some(0))]);

    system.hit(name(3), 1.0);
    let covered = ResultsQuery { fully_covered: true, ..ResultsQuery::default() };
    assert_eq!(reaches(&client.results(covered).unwrap()), [(name(3), 1.0, Some(0))]);
}

#[test]
fn forgotten_names_are_asked_for_once_more() {
    let (_system, server, mut client) = started(System::graphql());
    client.begin_action(0, "a", &[]).unwrap();
    client.results(ResultsQuery::default()).unwrap();
    // A second engine takes over in the middle of the search, and was never told the names.
    let runtime = BlockingRuntime::new().unwrap();
    let mut other = DriverClient::connect(&server.url(), &runtime).unwrap();
    other.reset().unwrap();
    other.begin_action(0, "a", &[]).unwrap();
    let results = other.results(ResultsQuery::default()).unwrap();
    assert_eq!(results.targets.len(), 12);
    assert_eq!(&*results.targets[3].target.name, name(3));
}

#[test]
fn a_new_search_forgets_the_numbers() {
    let (system, _server, mut client) = started(System::graphql());
    client.begin_action(0, "a", &[]).unwrap();
    client.results(ResultsQuery::default()).unwrap();
    client.new_search().unwrap();
    client.reset().unwrap();
    let wanted = named(&[name(3)]);
    let query = ResultsQuery { wanted: &wanted, ..ResultsQuery::default() };
    assert_eq!(reaches(&client.results(query).unwrap()), []);
    // The numbers are given out again, in another order.
    system.hit(name(3), 0.125);
    assert_eq!(reaches(&client.results(query).unwrap()), [(name(3), 0.125, Some(0))]);
}

#[test]
fn what_the_start_covers_is_not_reported() {
    let mut system = System::graphql();
    system.boot = vec![(name(2), 1.0), (name(3), 0.5)];
    let (_system, _server, mut client) = started(system);
    client.begin_action(0, "a", &[]).unwrap();
    let results = client.results(ResultsQuery::default()).unwrap();
    assert_eq!(results.targets.len(), 11);
    assert!(!reaches(&results).iter().any(|(target, ..)| *target == name(2)));
    assert!(reaches(&results).iter().any(|(target, ..)| *target == name(3)));
}

#[test]
fn the_kill_switch_is_on_only_after_results_that_ask_for_it() {
    let (system, _server, mut client) = started(System::graphql());
    let without = ResultsQuery { kill_switch: false, ..ResultsQuery::default() };
    client.results(without).unwrap();
    assert!(!system.state().kill_switch);
    client.results(ResultsQuery::default()).unwrap();
    assert!(system.state().kill_switch);
    client.reset().unwrap();
    assert!(!system.state().kill_switch);
}

#[test]
fn before_any_action_there_is_one_empty_feedback() {
    let (_system, _server, mut client) = started(System::graphql());
    let results = client.results(ResultsQuery::default()).unwrap();
    assert_eq!((results.targets.len(), results.actions.len()), (0, 1));
}

#[test]
fn actions_out_of_order_are_refused_before_they_are_sent() {
    let (system, _server, mut client) = started(System::graphql());
    let refused = client.begin_action(1, "a", &[]);
    assert!(matches!(refused, Err(DriverError::ActionOutOfOrder { expected: 0, index: 1 })));
    client.begin_action(0, "a", &[]).unwrap();
    assert!(client.begin_action(0, "a", &[]).is_err());
    client.reset().unwrap();
    client.begin_action(0, "a", &[]).unwrap();
    assert_eq!(system.state().announced.len(), 2);
}

#[test]
fn a_stopped_system_is_lost_until_it_is_started_again() {
    let (_system, _server, mut client) = started(System::graphql());
    client.stop_sut().unwrap();
    for lost in [
        client.begin_action(0, "a", &[]).unwrap_err(),
        client.results(ResultsQuery::default()).map(drop).unwrap_err(),
        client.info().map(drop).unwrap_err(),
    ] {
        assert!(matches!(lost, DriverError::SutLost { .. }), "{lost:?}");
    }
    client.start_sut().unwrap();
    client.new_search().unwrap();
    client.begin_action(0, "a", &[]).unwrap();
    assert_eq!(client.results(ResultsQuery::default()).unwrap().targets.len(), 12);
}

#[test]
fn sizes_that_were_told_outlive_the_system() {
    let (system, _server, mut client) = started(System::graphql());
    system.state().loaded = 60;
    for _ in 0..250 {
        client.reset().unwrap();
    }
    client.stop_sut().unwrap();
    assert_eq!((client.units().lines, client.units().branches), (100, 12));
    system.state().loaded = 0;
    assert_eq!(client.start_sut().unwrap().units.lines, 100);
}

#[test]
fn the_reasons_of_the_controller_reach_the_engine() {
    let (system, _server, mut client) = pair(System::graphql());
    system.state().fails_to_start = true;
    let message = client.start_sut().unwrap_err().to_string();
    assert!(message.contains("the port is taken"), "{message}");
    system.state().fails_to_start = false;
    client.start_sut().unwrap();
    system.state().fails_to_reset = true;
    let message = client.reset().unwrap_err().to_string();
    assert!(message.contains("the database is locked"), "{message}");
}

#[test]
fn a_dropped_server_is_gone_and_its_port_free() {
    let (_system, server, mut client) = started(System::graphql());
    let port = server.address().port();
    drop(server);
    assert!(matches!(client.reset(), Err(DriverError::Unreachable { .. })));
    let again = DriverServer::start(Arc::new(System::graphql()), port).unwrap();
    assert_eq!(again.address().port(), port);
    client.start_sut().unwrap();
}
