//! The feature `off`: marked code is code as it was written.

#![allow(clippy::unwrap_used)]

use wallace_instrument::{Driver, ProblemInfo, Recorder, white_box};

#[white_box]
mod marked {
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct NoDistance;

    #[white_box(skip)]
    pub(crate) fn skipped(value: u8) -> bool {
        value > 3
    }

    pub(crate) fn compared(value: u8) -> Option<NoDistance> {
        if skipped(value) && NoDistance == NoDistance { Some(NoDistance) } else { None }
    }
}

#[test]
fn nothing_is_registered_and_nothing_recorded() {
    assert_eq!((marked::compared(4), marked::compared(3)), (Some(marked::NoDistance), None));
    let recorder = Recorder::new(&["off::marked"]);
    let graphql = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let driver = Driver::new("off", graphql).recorder(recorder.clone());
    let controller = driver.in_process().controller().unwrap();
    controller.new_test();
    controller.begin_action(0, "compared", &[]);
    assert!(recorder.run(|| marked::compared(4)).is_some());
    assert!(controller.placed_targets().is_empty());
    assert!(controller.recorded().targets.is_empty());
}
