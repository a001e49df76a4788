//! Arguments of `wallace campaign`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Campaign {
    #[command(subcommand)]
    pub(crate) command: CampaignCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CampaignCommand {
    /// Write down the runs of a campaign file
    ///
    /// A folder that holds an earlier plan keeps its results: only runs that are new will be
    /// executed.
    Plan {
        /// The campaign file, or the name of a built-in campaign
        file: PathBuf,
        /// Folder for the plan and its results
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Execute the runs that have no result yet
    Run {
        /// Folder of the plan
        plan: PathBuf,
        /// Where to execute
        #[arg(long, value_enum, default_value = "local")]
        on: Place,
        /// Runs at the same time, instead of what the campaign file says
        #[arg(long, value_name = "N")]
        parallel: Option<usize>,
        /// Print the result only
        #[arg(long, short)]
        quiet: bool,
    },
    /// Tell how far the runs are
    Status {
        /// Folder of the plan
        plan: PathBuf,
        /// List every run
        #[arg(long)]
        runs: bool,
    },
    /// Compare the configurations: tables, figures and statistics
    Report {
        /// Folder of the plan
        plan: PathBuf,
        /// Folder for the report [default: PLAN/report]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Execute some runs again and check that their results are equal
    Verify {
        /// Folder of the plan
        plan: PathBuf,
        /// How many runs
        #[arg(long, value_name = "N", default_value_t = 5)]
        sample: usize,
    },
    /// Tell what the systems of a campaign file need and what is missing
    Doctor {
        /// The campaign file, or the name of a built-in campaign
        file: PathBuf,
    },
    /// Print the description of a built-in campaign, to be changed and planned
    Preset {
        /// Its name; without one, all names are listed
        name: Option<String>,
    },
    /// Write a Kubernetes job that executes the runs
    Kubernetes {
        /// Folder of the plan
        plan: PathBuf,
        /// Image with this command
        #[arg(long)]
        image: String,
        /// Volume claim that holds the plan
        #[arg(long)]
        claim: String,
    },
    /// Execute one run; how runs are started by the other commands
    #[command(hide = true)]
    Work {
        plan: PathBuf,
        id: String,
        #[arg(long = "core")]
        cores: Vec<usize>,
    },
    /// Execute the run of a list whose number the cluster tells; how clusters start runs
    #[command(hide = true)]
    Element { plan: PathBuf, list: PathBuf },
    /// Become a command that ends with the process that started it
    #[command(hide = true)]
    Guard {
        #[arg(last = true)]
        command: Vec<OsString>,
    },
}

/// Where runs are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    /// On this machine
    Local,
    /// On a Slurm cluster that shares the folder
    Slurm,
}
