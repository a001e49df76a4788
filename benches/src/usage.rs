//! What this process uses, as Linux tells it.

use std::time::Duration;

/// CPU time of the calling thread so far.
///
/// # Panics
/// Where the system does not tell it: a rate of wall time must not pass for one of CPU.
#[must_use]
pub fn thread_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split_whitespace().next()?.parse().ok());
    nanoseconds.map(Duration::from_nanos).expect("Linux tells the CPU time of a thread")
}

/// Memory of this process, in megabytes.
///
/// # Panics
/// Where the system does not tell it.
#[must_use]
pub fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|it| it.parse::<f64>().ok());
    pages.expect("Linux tells the memory of a process") * 4_096.0 / 1e6
}
