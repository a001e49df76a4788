//! Options of every command that searches: what it may use, and what it leaves behind.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use wallace::{Format, settings::Idle};

use super::option::THIS_RUN;

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Switch {
    /// Do it
    #[default]
    On,
    /// Do not
    Off,
}

/// Of which tests it is told which call reached what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum When {
    /// Of every test
    #[default]
    Always,
    /// Of tests that are better for something than any before
    OnDemand,
}

/// When a run counts as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// A fault that no baseline knows
    #[default]
    Fault,
    /// Such a fault of severity medium or high
    Medium,
    /// Such a fault of severity high
    High,
    /// Never for its faults
    Never,
}

/// Options of every command that searches.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) budget: Budget,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// When a run ends.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(crate) struct Budget {
    /// Most calls to the service; only a budget in calls makes a run repeatable [default: 10000]
    #[arg(
        long,
        value_name = "N",
        env = "WALLACE_CALLS",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) calls: Option<u64>,
    /// Most time of the whole run, such as 90s, 5m or 1h
    #[arg(long, value_name = "D", env = "WALLACE_TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// End early when nothing new was found for so many calls, such as 2000, for such a share of the
    /// budget, 20%, or for so long, 5m
    #[arg(long, value_name = "LIMIT", env = "WALLACE_STOP_AFTER_IDLE", value_parser = idle)]
    pub(crate) stop_after_idle: Option<Idle>,
}

/// How a search goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct Search {
    /// Seed of the search: same seed and calls, same tests [default: 42]
    #[arg(long, value_name = "N", env = "WALLACE_SEED")]
    pub(crate) seed: Option<u64>,
    /// Tests that evolve side by side, so many of which run at a time on as many instances: same seed, calls
    /// and lineages, same tests on any number of instances [default: 1, or twice the instances]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) lineages: Option<u32>,
    /// Folder of tests that go from one run to the next
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Let tests begin with rows, documents and keys, and conditions of queries guide the search, where
    /// a driver gives access to a database
    #[arg(long, value_name = "WHETHER", value_enum, default_value = "on")]
    pub(crate) sql: Switch,
    /// Of which tests the driver is told where each call begins: with a driver that takes longer for
    /// that than the call itself, `on-demand` runs only the best ones in full, a second time
    #[arg(long, value_name = "WHEN", value_enum, default_value = "always")]
    pub(crate) attribution: When,
}

/// What a run leaves behind.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Folder for the test suite and the report [default: wallace-out/suite, and wallace-out/demo-NAME of a demo]
    #[arg(long, value_name = "DIR", env = "WALLACE_OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Formats of the test suite, each in a folder of its own; `all` for all of them
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "rust", value_parser = format_names())]
    pub(crate) format: Vec<String>,
    /// Replace what an earlier run wrote to the folder
    #[arg(long)]
    pub(crate) force: bool,
    /// File for the figures of the run, as CSV, besides the one among the results
    #[arg(long, value_name = "FILE")]
    pub(crate) statistics: Option<PathBuf>,
    /// File for the state of the run [default: beside the results, until the run ends]
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two writings of the state: the most that a crash loses
    #[arg(long, value_name = "D", value_parser = duration, default_value = "30s")]
    pub(crate) checkpoint_interval: Duration,
    /// Faults that are known, as `wallace baseline` writes them: only others count
    #[arg(long, value_name = "FILE", env = "WALLACE_BASELINE")]
    pub(crate) baseline: Option<PathBuf>,
    /// What makes the command exit with 1
    #[arg(long, value_name = "WHAT", value_enum, default_value = "fault", env = "WALLACE_FAIL_ON")]
    pub(crate) fail_on: FailOn,
}

/// What is asked of one run.
#[derive(Debug, Args)]
#[command(next_help_heading = THIS_RUN)]
pub(crate) struct Run {
    /// Go on with the interrupted run whose results were to go to this folder, or whose checkpoint this is
    ///
    /// Its seed is that of that run, and so are the limits unless others are given.
    #[arg(long, value_name = "DIR", conflicts_with = "force")]
    pub(crate) resume: Option<PathBuf>,
    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print progress and summary as JSON, one object on each line, for other programs
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json_lines: bool,
}

impl Run {
    /// Where the results of the run that goes on were to go, as far as that can be told.
    fn resumed_folder(&self) -> Option<PathBuf> {
        let named = self.resume.as_ref()?;
        if !named.is_file() {
            return Some(named.clone());
        }
        let is_beside = named.extension().is_some_and(|extension| extension == "checkpoint");
        is_beside.then(|| named.with_extension(""))
    }
}

impl Common {
    /// The folder for the results.
    pub(crate) fn out(&self, name: &str) -> PathBuf {
        let given = self.output.out.clone().or_else(|| self.run.resumed_folder());
        given.unwrap_or_else(|| PathBuf::from("wallace-out").join(name))
    }

    /// The formats of the test suite.
    pub(crate) fn formats(&self) -> Vec<Format> {
        let named = |name: &String| match name.parse() {
            Ok(format) => vec![format],
            // The parser lets nothing else through than `all`.
            Err(_) => Format::ALL.to_vec(),
        };
        let mut formats: Vec<Format> = Vec::new();
        for format in self.output.format.iter().flat_map(named) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        formats
    }

    /// The limits of the run: the default number of calls unless another limit is given.
    pub(crate) fn calls(&self) -> Option<u64> {
        self.budget.calls.or_else(|| self.budget.time.is_none().then_some(10_000))
    }
}

fn format_names() -> clap::builder::PossibleValuesParser {
    Format::ALL.map(Format::name).into_iter().chain(["all"]).collect::<Vec<_>>().into()
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let parsed = humantime::parse_duration(text)
        .map_err(|error| format!("{error}; write a number and a unit, such as 90s, 5m or 1h"))?;
    if parsed.is_zero() {
        return Err("the time must be longer than zero".to_owned());
    }
    Ok(parsed)
}

fn idle(text: &str) -> Result<Idle, String> {
    if let Some(percent) = text.strip_suffix('%') {
        let share = percent.trim().parse().map(|percent: f64| percent / 100.0);
        let share = share.ok().filter(|share| *share > 0.0 && *share <= 1.0);
        return share.map(Idle::Share).ok_or("a share is over 0% and at most 100%".to_owned());
    }
    match text.parse() {
        Ok(0) => Err("the number of calls must be at least 1".to_owned()),
        Ok(calls) => Ok(Idle::Calls(calls)),
        Err(_) => duration(text).map(Idle::Time).map_err(|error| {
            format!("{error}; or a number of calls, 2000, or a share of the budget, 20%")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_in_calls_in_shares_or_in_time() {
        assert_eq!(idle("2000"), Ok(Idle::Calls(2_000)));
        assert_eq!(idle("20%"), Ok(Idle::Share(0.2)));
        assert_eq!(idle("5m"), Ok(Idle::Time(Duration::from_secs(300))));
        for wrong in ["0", "0%", "101%", "nan%", "soon", "-5"] {
            assert!(idle(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 5m"), Ok(Duration::from_secs(3900)));
        for wrong in ["", "5", "0s", "-1s", "soon"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
