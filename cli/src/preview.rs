//! What a run would do, and whether it would work: `--dry-run`, `--show-config`, `wallace doctor`.

use wallace::{Settings, doctor::CheckState, plan::Plan};

use crate::console::say;
use crate::project::{Found, Project};

/// Tells what would be called, and how.
pub(crate) fn tell_plan(plan: &Plan, settings: &Settings) {
    let kind = if plan.is_white_box { "white-box" } else { "black-box" };
    let budget = match (settings.calls, settings.time) {
        (Some(calls), _) => format!("{calls} calls"),
        (None, Some(time)) => format!("{} s", time.as_secs()),
        (None, None) => "no limit".to_owned(),
    };
    let count = plan.operations.len();
    say(&format!("{}: {kind}, {count} operations, {budget}; nothing is called", plan.service));
    if !plan.users.is_empty() {
        say(&format!("users: {}", plan.users.join(", ")));
    }
    for operation in &plan.operations {
        say(&format!("\n{}", operation.name));
        if let Some(example) = &operation.example {
            let body: serde_json::Value =
                serde_json::from_str(&example.body).unwrap_or(serde_json::Value::Null);
            let text = body.get("query").and_then(|query| query.as_str()).unwrap_or(&example.body);
            say(&format!("  {} {}", example.method, example.path));
            text.lines().for_each(|line| say(&format!("  {line}")));
        }
    }
    for note in plan.notes.iter().chain(&plan.left_out) {
        say(&format!("note: {note}"));
    }
}

/// Tells every setting with its origin.
pub(crate) fn tell_settings(settings: &[[String; 3]]) {
    for [key, value, origin] in settings {
        say(&format!("{key:26} {value:40} {origin}"));
    }
}

/// Tells whether a project could be started under its driver; the exit code.
pub(crate) fn doctor_of_project(project: &Project) -> u8 {
    let checks = project.checks();
    for Found { name, what } in &checks {
        match what {
            Ok(detail) => say(&format!("ok   {name:8} {detail}")),
            Err(error) => say(&format!("FAIL {name:8} {error}")),
        }
    }
    if checks.iter().any(|check| check.what.is_err()) {
        return 3;
    }
    say(&format!("\nnext: {}", project.command()));
    0
}

/// Looks at everything, and tells it; the exit code.
pub(crate) fn doctor(settings: &Settings) -> u8 {
    let checks = wallace::doctor::doctor(settings);
    for check in &checks {
        let mark = match check.state {
            CheckState::Good => "ok  ",
            CheckState::Limiting => "note",
            CheckState::Failing => "FAIL",
        };
        say(&format!("{mark} {:8} {}", check.name, check.detail));
    }
    let failing = checks.iter().find(|check| check.state == CheckState::Failing);
    match failing.map(|check| check.name) {
        None => {
            say("\na run will work: wallace fuzz");
            0
        }
        Some("driver" | "service" | "calls" | "reset") => 3,
        Some(_) => 2,
    }
}
