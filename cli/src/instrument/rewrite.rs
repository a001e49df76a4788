//! Marks the items of a file.

use syn::spanned::Spanned;
use syn::{Attribute, Item};

/// What is put before an item, on its line, so that all lines keep their numbers.
const MARK: &str = "#[::wallace_instrument::white_box] ";

/// The text with a mark before each function, `impl` block, trait and inline module that has none.
/// A text that is not Rust stays as it is: the compiler tells what is wrong with it.
pub(super) fn rewrite(text: &str) -> String {
    let Ok(file) = syn::parse_file(text) else { return text.to_owned() };
    // The parser counts from behind a byte order mark and the line that names an interpreter.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let before = mark + file.shebang.as_ref().map_or(0, String::len);
    let places = file.items.iter().filter_map(place).map(|place| before + place);
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    let mut marked = String::with_capacity(text.len() + places.len() * MARK.len());
    let mut done = 0;
    for place in places {
        marked.push_str(&text[done..place]);
        marked.push_str(MARK);
        done = place;
    }
    marked + &text[done..]
}

/// Where an item begins that is to be marked, in bytes.
fn place(item: &Item) -> Option<usize> {
    let attributes = match item {
        Item::Fn(function) => &function.attrs,
        Item::Impl(block) => &block.attrs,
        Item::Trait(definition) => &definition.attrs,
        Item::Mod(module) if module.content.is_some() => &module.attrs,
        _ => return None,
    };
    let is_left = attributes.iter().any(|it| is_marked(it) || is_for_tests(it));
    (!is_left).then(|| item.span().byte_range().start)
}

fn is_marked(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "white_box")
}

fn is_for_tests(attribute: &Attribute) -> bool {
    let is_condition = |list: &syn::MetaList| list.tokens.to_string() == "test";
    attribute.path().is_ident("test")
        || (attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(is_condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_marked_on_their_lines() {
        let text = "//! Docs.\n\n/// One.\n#[inline]\npub fn one() {}\nmod below;\nmod inside { fn two() {} }\n\
                    #[cfg(test)]\nmod tests {}\n#[white_box]\nfn three() {}\nstruct Größe; impl Größe {}\n";
        let marked = rewrite(text);
        let at = |line: usize| marked.lines().nth(line).unwrap();
        assert_eq!(marked.lines().count(), text.lines().count());
        assert_eq!(at(2), format!("{MARK}/// One."));
        assert_eq!(at(5), "mod below;");
        assert_eq!(at(6), format!("{MARK}mod inside {{ fn two() {{}} }}"));
        assert_eq!(at(8), "mod tests {}");
        assert_eq!(at(10), "fn three() {}");
        assert_eq!(at(11), format!("struct Größe; {MARK}impl Größe {{}}"));
    }

    #[test]
    fn what_stands_before_the_source_is_counted() {
        let marked = rewrite("\u{feff}#!/usr/bin/env run\nfn one() {}\n");
        assert_eq!(marked, format!("\u{feff}#!/usr/bin/env run\n{MARK}fn one() {{}}\n"));
    }

    #[test]
    fn what_is_no_rust_stays() {
        assert_eq!(rewrite("fn ("), "fn (");
    }
}
