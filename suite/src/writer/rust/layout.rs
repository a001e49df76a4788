//! Statements as `rustfmt` lays them out with its default settings.

/// The longest line.
const LINE: usize = 100;

/// The longest list of arguments, and the longest chain of calls, on one line.
const SHORT: usize = 60;

/// Indentation of a statement in a test function.
pub(super) const STATEMENT: usize = 4;

/// A call of a method: its name, and its arguments.
#[derive(Debug, Clone)]
pub(super) struct Call {
    method: String,
    arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    /// In the line of the call.
    pub(super) inline: String,
    /// On a line of its own, one level deeper.
    pub(super) own_line: String,
}

impl Argument {
    /// An argument that looks the same everywhere.
    pub(super) fn new(text: impl Into<String>) -> Self {
        let inline = text.into();
        Self { own_line: inline.clone(), inline }
    }
}

impl Call {
    pub(super) fn new(method: &str, arguments: &[Argument]) -> Self {
        Self { method: method.to_owned(), arguments: arguments.to_vec() }
    }

    /// `.method(a, b)` on one line.
    pub(super) fn inline(&self) -> String {
        format!(".{}({})", self.method, self.inline_arguments())
    }

    fn inline_arguments(&self) -> String {
        let arguments: Vec<&str> =
            self.arguments.iter().map(|argument| argument.inline.as_str()).collect();
        arguments.join(", ")
    }

    /// The call after `head`, an argument per line if they are long.
    fn source(&self, indentation: usize, head: &str, tail: &str) -> String {
        let (margin, arguments) = (" ".repeat(indentation), self.inline_arguments());
        let line = format!("{margin}{head}{}{tail}\n", self.inline());
        // The limit for arguments does not hold for a single text or list.
        let is_text = self.arguments.len() == 1
            && (arguments.ends_with(['"', '#']) || arguments.starts_with("json!(["));
        let is_short = !arguments.contains('\n')
            && (width(&arguments) <= SHORT || is_text)
            && width(&line) <= LINE;
        // A single argument that brings its own brackets keeps them in the line of the call.
        let is_hugged = self.arguments.len() == 1 && arguments.contains('\n');
        let lines = self.arguments.iter().map(|one| format!("{margin}    {},\n", one.own_line));
        let lines: Vec<String> = lines.collect();
        // What fits in no way is left as it was written.
        let fits = lines.iter().all(|line| line.contains("{\n") || width(line) <= LINE);
        if is_short || is_hugged || !fits {
            return line;
        }
        format!("{margin}{head}.{}(\n{}{margin}){tail}\n", self.method, lines.concat())
    }
}

/// `receiver.method(arguments);`
pub(super) fn statement(receiver: &str, call: &Call) -> String {
    call.source(STATEMENT, receiver, ";")
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

/// `let response = service.first(..).second(..).await;`, a call per line if it is long.
pub(super) fn request(binds: bool, calls: &[Call]) -> String {
    let start = if binds { "let response = " } else { "" };
    let inline: String = calls.iter().map(Call::inline).collect();
    let chain = format!("service{inline}.await");
    if width(&chain) <= SHORT && !chain.contains('\n') {
        return format!("    {start}{chain};\n");
    }
    let lines: String = calls.iter().map(|call| call.source(2 * STATEMENT, "", "")).collect();
    format!("    {start}service\n{lines}        .await;\n")
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
pub(super) fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().map(columns).sum()).max().unwrap_or(0)
}

/// Columns of one character: pictures and East Asian signs take two (Unicode Standard
/// Annex 11, by blocks).
fn columns(character: char) -> usize {
    match character {
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
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
