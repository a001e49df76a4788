//! How near a call came to the side of a decision that it did not take.
use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
fn price(pieces: i32) -> i32 {
    if pieces > 100 { 90 * pieces } else { 100 * pieces }
}

#[test]
fn the_other_side_is_nearer_with_more_pieces() {
    let recorder = Recorder::new(&[]);
    let graphql = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let driver = Driver::new("shop", graphql).running_at("http://127.0.0.1:1");
    let controller = driver.recorder(recorder.clone()).controller().unwrap();
    controller.new_search();
    let nearest = |pieces: i32| {
        controller.new_test();
        recorder.run(|| price(pieces));
        let open = controller.recorded().targets.into_iter().filter(|target| target.score < 1.0);
        open.map(|target| target.score).fold(0.0, f64::max)
    };
    let (far, near) = (nearest(2), nearest(99));
    assert!(0.0 < far && far < near, "{far} {near}");
}
