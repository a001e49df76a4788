//! The machine, in one line.

use std::fs;

/// Processor, number of cores and operating system, as far as the system tells.
pub(super) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, {cores} cores, {} {}",
        processor.as_deref().unwrap_or(std::env::consts::ARCH),
        std::env::consts::OS,
        kernel.trim()
    )
}
