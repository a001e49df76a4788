//! Live progress: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wallace::{FoundFault, Progress, counted};

use crate::console::{note, say};

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);
/// Time between two updates of the bar: drawing for every test would slow the search.
const BAR_PAUSE: Duration = Duration::from_millis(100);
/// Time between two lines for other programs.
const JSON_PAUSE: Duration = Duration::from_secs(1);
/// Steps of the bar.
const STEPS: u64 = 1000;

/// Where progress is shown. All of it goes to standard error.
pub(crate) enum Display {
    Bar {
        bar: ProgressBar,
        next: Duration,
    },
    Lines {
        next: Duration,
    },
    /// JSON on standard output.
    Json {
        next: Duration,
    },
    Silent,
}

impl Display {
    /// The display that fits the place where standard error goes.
    pub(crate) fn new(is_quiet: bool, is_json: bool) -> Self {
        if is_json {
            return Self::Json { next: Duration::ZERO };
        }
        if is_quiet {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { next: PAUSE };
        }
        let bar =
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {msg}");
        bar.set_style(style.expect("the template is valid"));
        Self::Bar { bar, next: Duration::ZERO }
    }

    /// Shows where the run is, and each fault when it is found.
    pub(crate) fn show(&mut self, progress: &Progress) {
        for found in &progress.found {
            self.tell(found);
        }
        match self {
            Self::Silent => {}
            Self::Json { next } => {
                if progress.elapsed >= *next {
                    *next = progress.elapsed + JSON_PAUSE;
                    print_json(progress);
                }
            }
            Self::Bar { bar, next } => {
                if progress.elapsed >= *next {
                    *next = progress.elapsed + BAR_PAUSE;
                    bar.set_position((progress.used * STEPS as f64) as u64);
                    bar.set_message(describe(progress));
                }
            }
            Self::Lines { next } => {
                if progress.elapsed >= *next {
                    *next = progress.elapsed + PAUSE;
                    print_line(progress);
                }
            }
        }
    }

    fn tell(&self, found: &FoundFault) {
        match self {
            Self::Silent => {}
            Self::Bar { bar, .. } => bar.println(in_words(found)),
            Self::Lines { .. } => note(&in_words(found)),
            Self::Json { .. } => say(&serde_json::json!({
                "version": 1,
                "event": "fault",
                "code": found.code,
                "title": found.title,
                "operation": found.operation,
                "context": found.context,
                "callsBefore": found.calls_before,
                "request": found.request,
                "answer": found.answer,
                "meaning": found.meaning,
                "advice": found.advice,
            })
            .to_string()),
        }
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// What is wrong, the request to see it again, what came, what is wrong with it, and what to do.
fn in_words(found: &FoundFault) -> String {
    let FoundFault { code, title, operation, context, request, answer, meaning, advice, .. } =
        found;
    let before = match found.calls_before {
        0 => String::new(),
        before => format!(
            "{} of the same test; the suite keeps those that it needs",
            counted(before, "call")
        ),
    };
    let about = if context.is_empty() { String::new() } else { format!(" ({context})") };
    let mut text = format!("F{code} {title}: {operation}{about}");
    let lines = [
        ("after", &before),
        ("request", request),
        ("answer", answer),
        ("wrong", meaning),
        ("next", advice),
    ];
    for (name, line) in lines {
        if !line.is_empty() {
            text += &format!("\n      {name:7} {line}");
        }
    }
    text
}

fn print_line(progress: &Progress) {
    note(&format!("{:3.0}%  {}", progress.used * 100.0, describe(progress)));
}

fn print_json(progress: &Progress) {
    say(&serde_json::json!({
        "version": 1,
        "event": "progress",
        "used": progress.used,
        "seconds": progress.elapsed.as_secs_f64(),
        "calls": progress.calls,
        "callsPerSecond": progress.calls_per_second,
        "covered": progress.covered,
        "reached": progress.reached,
        "faults": progress.faults,
        "operations": progress.operations,
        "answered": progress.answered,
    })
    .to_string());
}

fn describe(progress: &Progress) -> String {
    let Progress { covered, reached, faults, calls, calls_per_second, .. } = progress;
    let Progress { operations, answered, .. } = progress;
    format!(
        "{calls} calls, {calls_per_second:.0}/s  {covered} of {reached} targets covered  \
         {answered} of {operations} operations  {}",
        counted(*faults, "fault")
    )
}
