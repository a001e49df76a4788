//! What texts in source files have in common, whatever the language.

/// Whether a text shows in a source file as what it is: nothing that controls, hides or
/// turns the direction of text. The compiler refuses some of these, and its lints others.
pub(crate) fn is_harmless(text: &str) -> bool {
    text.chars().all(|character| character == '\n' || !is_hidden(character))
}

/// Whether a character controls, hides or turns what stands around it.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text for use in a comment: one line, nothing hidden.
pub(crate) fn comment_text(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            '\n' | '\r' | '\t' => line.push(' '),
            hidden if is_hidden(hidden) => line.extend(hidden.escape_unicode()),
            plain => line.push(plain),
        }
    }
    line
}
