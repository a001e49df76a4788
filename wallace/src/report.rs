//! What a run leaves behind, for programs that read it: its record, and the reports made of it.

pub use wallace_engine::solution::TargetResult;
pub use wallace_suite::record::{
    LedgerRow, LedgerSum, Phase, RECORD_FILE, RecordError, RunRecord, TargetRecord,
};
pub use wallace_suite::report::{
    Baseline, Severity, explain, explain_faults, fault_code, report_files,
};
