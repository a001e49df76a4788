//! What of a budget is kept for what comes after the search.

use crate::settings::{ResultSettings, Settings};

/// Part of the most that sharpening may take which is kept for it: what it does first notices most.
const SHARPENED: f64 = 0.4;

/// Share of the calls that is kept for running the tests again on fresh starts, where there are any:
/// these are its repeats, and a test that was on none of them is not written.
const FRESH: f64 = 0.25;

/// Calls that are kept for what comes after the search: at least those of one test, by which a
/// search may go beyond its own.
pub(crate) fn kept(settings: &Settings, calls: u64) -> u64 {
    let share = (calls as f64 * kept_share(settings)) as u64;
    share.max(settings.search.max_size as u64).min(calls / 2)
}

/// Share of a budget that is kept for what comes after the search, at most half of it.
pub(crate) fn kept_share(settings: &Settings) -> f64 {
    let ResultSettings { after_share, sharpen_share } = &settings.result;
    let is_sharpened = settings.target.is_white_box();
    let fresh = if settings.start_command.is_some() { FRESH } else { 0.0 };
    let sharpened = if is_sharpened { SHARPENED * sharpen_share } else { 0.0 };
    (after_share + fresh + sharpened).min(0.5)
}
