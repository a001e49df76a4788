//! Subscriptions over both protocols: their first events are asked for, judged, and never waited
//! for longer than is allowed.

#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use emb_fixtures::{Feed, FeedProtocol};
use wallace::{Settings, StopReason, StopSignal, Summary, settings::SubscriptionLimits};

fn settings(url: &str, calls: u64, out: &std::path::Path) -> Settings {
    let mut settings = Settings::black_box(url, out);
    settings.calls = Some(calls);
    let wait = Duration::from_millis(150);
    settings.graphql.subscriptions = SubscriptionLimits { wait, ..SubscriptionLimits::default() };
    settings
}

fn run(settings: &Settings) -> Summary {
    wallace::run(settings, &StopSignal::default(), &mut |_| {}).unwrap()
}

fn has(summary: &Summary, name: &str) -> bool {
    let mut targets = summary.targets.iter();
    targets.any(|it| it.score.is_covered() && it.name.as_str().starts_with(name))
}

#[test]
fn the_first_events_of_a_stream_are_judged_over_either_protocol() {
    for protocol in [FeedProtocol::WebSocket, FeedProtocol::EventStream, FeedProtocol::Both] {
        let folder = tempfile::tempdir().unwrap();
        let feed = Feed::start(protocol).unwrap();
        let summary = run(&settings(&feed.url, 80, &folder.path().join("out")));
        assert_eq!((summary.reason.clone(), summary.operations), (StopReason::BudgetUsed, 5));
        for reached in [
            "gql:ok:Subscriptions.countdown",
            "gql:ok:Subscriptions.items",
            "gql:field:Item.name",
            "fault:971:Subscriptions.broken",
        ] {
            assert!(has(&summary, reached), "{protocol:?}: {reached} in {:#?}", summary.targets);
        }
        assert!(!has(&summary, "gql:ok:Subscriptions.silence"));
        // What is wrong in the second event is the only fault.
        let faults = summary.targets.iter().filter(|it| it.name.as_str().starts_with("fault:"));
        assert_eq!(faults.count(), 1, "{:#?}", summary.targets);
    }
}

#[test]
fn a_service_without_streams_says_so_and_is_tested_on() {
    let folder = tempfile::tempdir().unwrap();
    let feed = Feed::start(FeedProtocol::None).unwrap();
    let summary = run(&settings(&feed.url, 40, &folder.path().join("out")));
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    assert!(has(&summary, "gql:ok:Query.item") && !has(&summary, "gql:ok:Subscriptions"));
}

#[test]
fn subscriptions_are_left_out_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let feed = Feed::start(FeedProtocol::Both).unwrap();
    let mut settings = settings(&feed.url, 20, &folder.path().join("out"));
    settings.graphql.subscriptions.events = 0;
    assert_eq!(run(&settings).operations, 1);
}

/// Whatever a service does instead of streaming, the run ends.
#[test]
fn streams_that_are_none_end_in_time() {
    const UPGRADE: &str = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\
        connection: upgrade\r\nsec-websocket-accept: x\r\n\r\n";
    const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let endless = format!("{STREAM}{}", ": hello\n\n".repeat(300_000));
    let one_line = format!("{STREAM}data: {}", "x".repeat(3_000_000));
    for answer in ["", "nonsense\r\n\r\n", UPGRADE, STREAM, &endless, &one_line] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/graphql", listener.local_addr().unwrap());
        let answer = answer.to_owned();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let answer = answer.clone();
                std::thread::spawn(move || {
                    let _ = stream.read(&mut [0; 8_192]);
                    let _ = stream.write_all(answer.as_bytes());
                    std::thread::sleep(Duration::from_millis(400));
                });
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let schema = folder.path().join("schema.graphql");
        std::fs::write(&schema, "type Query { a: Int } type Subscription { b: Int }").unwrap();
        let mut settings = settings(&url, 8, &folder.path().join("out"));
        settings.graphql.schema = Some(schema);
        settings.call_timeout = Duration::from_millis(150);
        settings.include = vec!["Subscription.b".to_owned()];
        let reason = run(&settings).reason;
        let is_in_vain = reason.to_string().starts_with("none of");
        assert!(reason == StopReason::BudgetUsed || is_in_vain, "{reason}");
    }
}
