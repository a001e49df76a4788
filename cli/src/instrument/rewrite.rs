//! Marks the items of a file.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item};

/// What is put before an item, on its line, so that all lines keep their numbers.
const MARK: &str = "#[::wallace_instrument::white_box] ";

/// The same for what is to stay as it is inside of a marked item.
const SKIP: &str = "#[::wallace_instrument::white_box(skip)] ";

/// The text with a mark before each function, `impl` block, trait and inline module that has none,
/// and the names of the functions that are left as they are, since they stand on the lines `left`.
/// A text that is not Rust stays as it is: the compiler tells what is wrong with it.
pub(super) fn rewrite(text: &str, left: &[usize]) -> (String, BTreeSet<String>) {
    let Ok(file) = syn::parse_file(text) else { return (text.to_owned(), BTreeSet::new()) };
    // The parser counts from behind a byte order mark and the line that names an interpreter.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let before = mark + file.shebang.as_ref().map_or(0, String::len);
    let (mut marks, mut names) = (BTreeSet::new(), BTreeSet::new());
    for item in file.items.iter().filter(|item| is_to_be_marked(item)) {
        let mut functions = Functions::default();
        functions.visit_item(item);
        let own = Named::new("an item", item.span());
        let is_left = left.iter().filter(|line| own.lines.contains(line)).any(|line| {
            let function = functions.innermost(*line);
            let named = function.unwrap_or(&own);
            names.insert(format!("{}, line {}", named.name, named.lines.start()));
            let is_inside = named.start != own.start;
            if is_inside {
                marks.insert((named.start, SKIP));
            }
            !is_inside
        });
        if !is_left {
            marks.insert((own.start, MARK));
        }
    }
    let mut marked = String::with_capacity(text.len() + marks.len() * MARK.len());
    let mut done = 0;
    for (place, mark) in marks {
        marked.push_str(&text[done..before + place]);
        marked.push_str(mark);
        done = before + place;
    }
    (marked + &text[done..], names)
}

/// Something with a name, and where it stands.
struct Named {
    name: String,
    /// In bytes.
    start: usize,
    lines: RangeInclusive<usize>,
}

impl Named {
    fn new(name: &str, span: Span) -> Self {
        let lines = span.start().line..=span.end().line;
        Self { name: name.to_owned(), start: span.byte_range().start, lines }
    }
}

/// The functions of an item, at any depth.
#[derive(Default)]
struct Functions(Vec<Named>);

impl Functions {
    fn innermost(&self, line: usize) -> Option<&Named> {
        let around = self.0.iter().filter(|function| function.lines.contains(&line));
        around.max_by_key(|function| function.start)
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.0.push(Named::new(&function.sig.ident.to_string(), function.span()));
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.0.push(Named::new(&function.sig.ident.to_string(), function.span()));
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.0.push(Named::new(&function.sig.ident.to_string(), function.span()));
        visit::visit_trait_item_fn(self, function);
    }
}

fn is_to_be_marked(item: &Item) -> bool {
    let attributes = match item {
        Item::Fn(function) => &function.attrs,
        Item::Impl(block) => &block.attrs,
        Item::Trait(definition) => &definition.attrs,
        Item::Mod(module) if module.content.is_some() => &module.attrs,
        _ => return false,
    };
    !attributes.iter().any(|it| is_marked(it) || is_for_tests(it))
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
        let marked = rewrite(text, &[]).0;
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
        let marked = rewrite("\u{feff}#!/usr/bin/env run\nfn one() {}\n", &[]).0;
        assert_eq!(marked, format!("\u{feff}#!/usr/bin/env run\n{MARK}fn one() {{}}\n"));
    }

    #[test]
    fn what_is_no_rust_stays() {
        assert_eq!(rewrite("fn (", &[]).0, "fn (");
    }

    #[test]
    fn functions_on_lines_that_are_left_have_no_mark() {
        let text = "impl A {\n    fn one() {}\n    fn two() {\n        fn inner() {}\n    }\n}\n\
                    fn three() {\n}\nimpl B {\n    const C: u8 = 1;\n}\n";
        let (marked, names) = rewrite(text, &[4, 8, 10]);
        let at = |line: usize| marked.lines().nth(line - 1).unwrap();
        assert_eq!(at(1), format!("{MARK}impl A {{"));
        assert_eq!((at(2), at(3)), ("    fn one() {}", "    fn two() {"));
        assert_eq!(at(4), format!("        {SKIP}fn inner() {{}}"));
        assert_eq!((at(7), at(9)), ("fn three() {", "impl B {"));
        let expected = ["an item, line 9", "inner, line 4", "three, line 7"];
        assert!(names.iter().eq(expected), "{names:?}");
    }
}
