//! Progress of a campaign on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wallace_campaign::Event;

/// A line that moves on a terminal, and one line a failure elsewhere.
pub(super) struct Display {
    bar: ProgressBar,
    is_quiet: bool,
    failed: usize,
}

impl Display {
    pub(super) fn new(is_quiet: bool, runs: usize) -> Self {
        let target =
            if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(runs as u64), target);
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} runs, {elapsed} gone, {eta} left  {msg}",
        );
        bar.set_style(style.expect("the template is right"));
        Self { bar, is_quiet, failed: 0 }
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        self.bar.inc(1);
        if let Event::Failed { run, reason } = event {
            self.failed += 1;
            self.bar.set_message(format!("{} failed", self.failed));
            if !self.is_quiet {
                let (system, configuration) = (&run.system.name, &run.configuration.name);
                let line =
                    format!("failed: {system}, {configuration}, seed {}: {reason}", run.seed);
                self.bar.println(line);
            }
        }
    }

    pub(super) fn set(&self, done: usize) {
        self.bar.set_position(done as u64);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
