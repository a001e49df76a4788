//! Completions and manual pages, made from the arguments.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::argument::Wallace;
use crate::console::say;
use crate::exit::CommandError;
use crate::record::write;

/// Prints completions for a shell.
pub(crate) fn completions(shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Wallace::command(), "wallace", &mut script);
    // A reader that went away, such as `head`, must not end the command.
    let _ = std::io::stdout().write_all(&script);
}

/// Writes a manual page for the command and each of its parts.
pub(crate) fn manual(folder: &Path) -> Result<(), CommandError> {
    let mut command = Wallace::command();
    command.build();
    page(&command, "wallace", folder)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        page(part, &format!("wallace-{}", part.get_name()), folder)?;
    }
    say(&format!("man -l {}", folder.join("wallace.1").display()));
    Ok(())
}

fn page(command: &clap::Command, name: &str, folder: &Path) -> Result<(), CommandError> {
    let mut text = Vec::new();
    let named = command.clone().name(name.to_owned());
    let rendered = clap_mangen::Man::new(named).render(&mut text);
    rendered.expect("writing to memory cannot fail");
    write(&folder.join(format!("{name}.1")), &String::from_utf8_lossy(&text))
}
