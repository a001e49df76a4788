//! What runs may use of the machine.

use serde::{Deserialize, Serialize};

/// Limits of the runs; they are no part of what a run is, so changing them repeats nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resources {
    /// Runs at the same time on one machine. Default 1.
    pub parallel: usize,
    /// Cores of one run; each run is kept on cores of its own when there are enough. Default 1.
    pub cores: usize,
    /// Most seconds for one run with all its processes. Default 3,600.
    pub seconds: u64,
    /// Most mebibytes of memory for one run with all its processes. Default 4,096.
    pub memory: u64,
    /// First port for systems started by a command; each run at the same time has ten of its own.
    /// Default: free ports, as the operating system gives them.
    pub ports: Option<u16>,
    /// Tries of a run that fails. Default 2.
    pub tries: u32,
}

impl Default for Resources {
    fn default() -> Self {
        Self { parallel: 1, cores: 1, seconds: 3_600, memory: 4_096, ports: None, tries: 2 }
    }
}
