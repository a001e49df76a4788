//! `wallace replay`: tests of an earlier run again.

use wallace::replay::{ReplayChoice, ReplayTarget, Replayed, Verdict};

use crate::argument::Replay;
use crate::console::say;
use crate::exit::CommandError;
use crate::record::load;

/// Runs the tests; 1 where one fails that shows no fault, or where a fault is still there.
pub(crate) fn run(arguments: &Replay) -> Result<u8, CommandError> {
    let (_, record) = load(arguments.folder.as_deref())?;
    let target = match (&arguments.driver, &arguments.url) {
        (Some(driver), _) => ReplayTarget::Driver(driver.clone()),
        (None, Some(url)) => ReplayTarget::Url(url.clone()),
        (None, None) => ReplayTarget::Url(record.suite.default_base_url.clone()),
    };
    let choice = match (&arguments.fault, &arguments.test) {
        (Some(id), _) => ReplayChoice::Fault(id.clone()),
        (None, Some(text)) => ReplayChoice::Test(text.clone()),
        (None, None) => ReplayChoice::All,
    };
    let replayed =
        wallace::replay::replay(&record, &target, &choice, arguments.allow_mutations, &mut tell)?;
    let count = |word: &str| replayed.iter().filter(|one| state(one) == word).count();
    let (same, changed) = (count("SAME"), count("CHANGED"));
    let (there, gone, error) = (count("FAILED"), count("FIXED"), count("ERROR"));
    say(&format!(
        "{} tests: {same} as recorded, {changed} changed; faults: {there} still there, {gone} \
         changed or fixed; {error} could not be run",
        replayed.len()
    ));
    Ok(u8::from(changed + there + error > 0))
}

/// The word for what came of a test. A test of a fault holds on to the wrong answer.
fn state(one: &Replayed) -> &'static str {
    match (&one.verdict, one.faults.is_empty()) {
        (Verdict::Broken { .. }, _) => "ERROR",
        (Verdict::Passed, true) => "SAME",
        (Verdict::Failed { .. }, true) => "CHANGED",
        (Verdict::Passed, false) => "FAILED",
        (Verdict::Failed { .. }, false) => "FIXED",
    }
}

fn tell(one: &Replayed) {
    say(&format!("{:8} {} {}", state(one), one.test, one.faults.join(" ")));
    tell_reasons(&one.verdict);
}

/// What was other than expected.
pub(crate) fn tell_reasons(verdict: &Verdict) {
    match verdict {
        Verdict::Passed => {}
        Verdict::Failed { step, differences } => {
            for difference in differences {
                say(&format!("         answer {}: {difference}", step + 1));
            }
        }
        Verdict::Broken { step, reason } => {
            say(&format!("         request {}: {reason}", step + 1))
        }
    }
}
