//! The machine, in one line.

use std::fs;

/// Processor, number of cores and operating system, as far as the system tells.
pub(super) fn describe() -> String {
    // Not the cores that this process may use: a run may be confined to some.
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    let model = text.lines().find(|line| line.starts_with("model name"));
    let processor = model.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, {cores} cores, {} {}",
        processor.unwrap_or(std::env::consts::ARCH),
        std::env::consts::OS,
        kernel.trim()
    )
}
