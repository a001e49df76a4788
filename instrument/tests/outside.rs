//! The line that code of no task executed last, in a process of its own: nobody else has one there.

#![allow(missing_docs, clippy::unwrap_used)]

use std::sync::mpsc;
use std::thread;

use wallace_instrument::{Recorder, white_box};

#[white_box]
mod work {
    pub(crate) fn first(rounds: u32) -> u32 {
        rounds + 1
    }

    pub(crate) fn second(rounds: u32) -> u32 {
        let mut sum = 0;
        for round in 0..rounds {
            sum += round;
        }
        sum
    }
}

/// A thread that runs what it is sent, and says when that is done.
fn worker(work: fn(u32) -> u32) -> impl Fn(u32) -> u32 {
    let (send, receive) = mpsc::channel();
    let (done, wait) = mpsc::channel();
    thread::spawn(move || receive.iter().try_for_each(|rounds| done.send(work(rounds))));
    move |rounds| {
        send.send(rounds).unwrap();
        wait.recv().unwrap()
    }
}

#[test]
fn of_threads_that_run_one_after_the_other_the_last_one_counts() {
    let recorder = Recorder::new(&[]);
    let (first, second) = (worker(work::first), worker(work::second));
    let last = |action: usize| {
        let actions = recorder.recorded().actions;
        actions[action].last_statement.clone().unwrap_or_default()
    };
    for action in (0..6).step_by(2) {
        recorder.begin_action(action, &[]);
        first(1);
        second(9);
        assert!(last(action as usize).ends_with("_second"), "{}", last(action as usize));
        recorder.begin_action(action + 1, &[]);
        second(40);
        first(1);
        assert!(last(action as usize + 1).ends_with("_first"), "{}", last(action as usize + 1));
    }
}
