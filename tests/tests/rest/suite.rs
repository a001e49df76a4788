//! Suites that come of searches on REST services, run by their real runner.

use emb_fixtures::Fixture;
use tests::{cargo_test, is_slow_stage};

use crate::{white_box, without_driver};

#[test]
fn the_suite_passes_on_the_service_and_fails_on_a_changed_one() {
    if !is_slow_stage() {
        return;
    }
    for name in ["rest-ncs", "rest-scs"] {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite");
        white_box(name, 42, 5_000, &suite);
        let suite = suite.join("rust");
        let same = without_driver(&[], name);
        let (passes, text) = cargo_test(&suite, ("WALLACE_BASE_URL", &same.base_url));
        assert!(passes, "{text}");
        let mut caught = 0;
        let switches = Fixture::find(name).unwrap().switches();
        for switch in switches.iter().take(10) {
            let changed = without_driver(&[switch.name], name);
            caught += usize::from(!cargo_test(&suite, ("WALLACE_BASE_URL", &changed.base_url)).0);
        }
        assert!(caught >= 6, "{name}: {caught} of 10 switches noticed");
    }
}
