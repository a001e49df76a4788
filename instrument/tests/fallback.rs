//! Code outside any instance's tasks. One test, alone in its process: it is about which recorders
//! are alive.

#![allow(clippy::unwrap_used)]

use wallace_instrument::{Recorder, white_box};

#[white_box]
mod pool {
    pub(super) fn work(number: i64) -> bool {
        number > 3
    }
}

#[white_box]
mod elsewhere {
    pub(super) fn work(number: i64) -> bool {
        number > 3
    }
}

fn work_in_a_thread() {
    std::thread::spawn(|| (pool::work(1), elsewhere::work(1))).join().unwrap();
}

#[test]
fn the_only_instance_of_a_module_gets_what_belongs_to_nobody() {
    work_in_a_thread();
    let first = Recorder::new(&["fallback::pool"]);
    let other = Recorder::new(&["fallback::elsewhere"]);
    assert!(first.recorded().targets.is_empty());
    work_in_a_thread();
    let (seen, seen_elsewhere) = (first.recorded().targets, other.recorded().targets);
    assert_eq!((seen.len(), seen_elsewhere.len()), (3, 3));
    assert!(seen.iter().all(|target| target.name.contains("fallback::pool")));

    // Two instances: no telling whose it is, unless the code says so.
    let second = Recorder::new(&["fallback::pool"]);
    first.new_test();
    work_in_a_thread();
    assert!(first.recorded().targets.is_empty() && second.recorded().targets.is_empty());
    second.run(|| {
        let current = Recorder::current().unwrap();
        std::thread::spawn(move || current.run(|| pool::work(7))).join().unwrap();
    });
    assert_eq!((first.recorded().targets.len(), second.recorded().targets.len()), (0, 3));

    drop(second);
    work_in_a_thread();
    assert_eq!(first.recorded().targets.len(), 3);
}
