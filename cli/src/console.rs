//! Lines for whoever reads them. A reader that went away, such as `head`, must not end the command.

use std::io::Write;

/// Prints a line of the result.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Tells how it goes, beside the result.
pub(crate) fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Tells what is wrong, in one line.
pub(crate) fn complain(reason: &str) {
    note(&format!("wallace: {reason}"));
}
