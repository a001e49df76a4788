//! Statements as `rustfmt` lays them out with its default settings.

/// The longest line.
const LINE: usize = 100;

/// The longest list of arguments, and the longest chain of calls, on one line.
const SHORT: usize = 60;

/// Indentation of a statement in a test function.
pub(super) const STATEMENT: usize = 4;

/// `receiver.method(arguments);`
///
/// Every argument comes twice: as it stands in the line of the call and as it stands on a
/// line of its own.
pub(super) fn call(head: &str, arguments: &[Argument]) -> String {
    let inline: Vec<&str> = arguments.iter().map(|argument| argument.inline.as_str()).collect();
    let inline = inline.join(", ");
    let line = format!("    {head}({inline});\n");
    let is_short = !inline.contains('\n') && inline.len() <= SHORT && line.len() <= LINE + 1;
    // A single argument that brings its own brackets keeps them in the line of the call.
    let is_hugged = arguments.len() == 1 && inline.contains('\n');
    let own_lines: Vec<String> =
        arguments.iter().map(|argument| format!("        {},\n", argument.own_line)).collect();
    // What fits in no way is left as it was written.
    let fits = own_lines.iter().all(|line| line.contains("{\n") || width(line) <= LINE);
    if is_short || is_hugged || !fits {
        return line;
    }
    format!("    {head}(\n{}    );\n", own_lines.concat())
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    /// In the line of the call.
    pub(super) inline: String,
    /// On a line of its own, eight columns in.
    pub(super) own_line: String,
}

impl Argument {
    /// An argument that looks the same everywhere.
    pub(super) fn new(text: impl Into<String>) -> Self {
        let inline = text.into();
        Self { own_line: inline.clone(), inline }
    }
}

/// `let name = value;`, the value on the next line if only that fits.
pub(super) fn binding(name: &str, value: &str) -> String {
    let line = format!("    let {name} = {value};\n");
    let next = format!("        {value};\n");
    if width(&line) <= LINE || value.contains('\n') || width(&next) > LINE {
        return line;
    }
    format!("    let {name} =\n{next}")
}

/// `let response = receiver.first(..).second(..).await;`, a call per line if it is long.
pub(super) fn request(binds: bool, calls: &[String]) -> String {
    let start = if binds { "let response = " } else { "" };
    let chain = format!("service{}.await", calls.concat());
    if chain.len() <= SHORT && !chain.contains('\n') {
        return format!("    {start}{chain};\n");
    }
    let lines: Vec<String> = calls.iter().map(|call| format!("        {call}\n")).collect();
    format!("    {start}service\n{}        .await;\n", lines.concat())
}

/// `use path::{a, b};`
pub(super) fn import(path: &str, names: &[&str]) -> String {
    if let [name] = names {
        return format!("use {path}::{name};\n");
    }
    let line = format!("use {path}::{{{}}};\n", names.join(", "));
    if width(&line) <= LINE {
        return line;
    }
    let mut text = format!("use {path}::{{\n   ");
    let mut column = 3;
    for name in names {
        if column + name.len() + 2 > LINE {
            text += "\n   ";
            column = 3;
        }
        text += &format!(" {name},");
        column += name.len() + 2;
    }
    text + "\n};\n"
}

/// Columns of the longest line.
fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_imports_are_wrapped() {
        let names = ["any_boolean", "any_list", "any_number", "any_object", "any_string"];
        assert_eq!(import("support", &names[..1]), "use support::any_boolean;\n");
        assert_eq!(import("support", &names[..2]), "use support::{any_boolean, any_list};\n");
        let many: Vec<&str> = names.iter().cycle().take(12).copied().collect();
        let text = import("support", &many);
        assert!(width(&text) <= LINE && text.lines().count() == 4, "{text}");
    }
}
