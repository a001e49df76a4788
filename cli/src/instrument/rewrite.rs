//! Marks the items of a file.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item};

/// What is put before an item, on its line, so that all lines keep their numbers.
const MARK: &str = "#[::wallace_instrument::white_box] ";

/// The same for what is to stay as it is inside of a marked item.
const SKIP: &str = "#[::wallace_instrument::white_box(skip)] ";

/// For what does not compile with all that is seen of it.
const COARSE: &str = "#[::wallace_instrument::white_box(coarse)] ";

/// For what borrows fields of packed structs to see them.
const COPIED: &str = "#[::wallace_instrument::white_box(copied)] ";

/// How much of a function is seen that the compiler refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Left {
    /// All of it, of copies of its fields.
    Copied,
    /// All but the operands of what begins on this line.
    Line,
    /// Its lines and branches, without their operands.
    Coarse,
    /// Nothing: it stays as it is.
    Alone,
}

/// Functions, by name and line, of which less is seen: on which lines, and how much.
pub(super) type LeftFunctions = BTreeMap<String, Vec<(usize, Left)>>;

/// The text with a mark before each function, `impl` block and trait that has none, and the functions of which less is seen, since they stand on the lines `left`. A text that is not
/// Rust stays as it is: the compiler tells what is wrong with it.
pub(super) fn rewrite(text: &str, left: &[(usize, Left)]) -> (String, LeftFunctions) {
    let Ok(file) = syn::parse_file(text) else { return (text.to_owned(), BTreeMap::new()) };
    // The parser counts from behind a byte order mark and the line that names an interpreter.
    let order_mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let before = order_mark + file.shebang.as_ref().map_or(0, String::len);
    let (mut marks, mut names) = (BTreeMap::new(), LeftFunctions::new());
    for item in to_be_marked(&file.items) {
        let mut functions = Functions::default();
        functions.visit_item(item);
        let own = Named::new("an item", item.span());
        marks.insert(own.start, MARK.to_owned());
        for line in left.iter().filter(|(line, _)| own.lines.contains(line)) {
            let named = functions.innermost(line.0).unwrap_or(&own);
            let name = format!("{}, line {}", named.name, named.lines.start());
            let known: &mut Vec<_> = names.entry(name).or_default();
            known.push(*line);
            marks.insert(named.start, marks_of(known));
        }
    }
    let mut marked = String::with_capacity(text.len() + marks.len() * MARK.len());
    let mut done = 0;
    for (place, mark) in marks {
        marked.push_str(&text[done..before + place]);
        marked.push_str(&mark);
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

/// The marks of a function of which so much is seen.
fn marks_of(left: &[(usize, Left)]) -> String {
    let has = |wanted| left.iter().any(|(_, left)| *left == wanted);
    if has(Left::Alone) {
        return SKIP.to_owned();
    }
    if has(Left::Coarse) {
        return COARSE.to_owned();
    }
    let mut mark = if has(Left::Copied) { COPIED.to_owned() } else { String::new() };
    let lines = left.iter().filter(|(_, left)| *left == Left::Line);
    let lines: Vec<String> = lines.map(|(line, _)| line.to_string()).collect();
    if !lines.is_empty() {
        mark += &COARSE.replace("coarse", &format!("coarse({})", lines.join(", ")));
    }
    mark
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

/// The items that get a mark. Those in inline modules get marks of their own: an attribute before a
/// module is given its text, which may name modules of other files.
fn to_be_marked(items: &[Item]) -> Vec<&Item> {
    let mut found = Vec::new();
    for item in items {
        let (attributes, inside) = match item {
            Item::Fn(function) => (&function.attrs, None),
            Item::Impl(block) => (&block.attrs, None),
            Item::Trait(definition) => (&definition.attrs, None),
            Item::Mod(module) => match &module.content {
                Some((_, inside)) => (&module.attrs, Some(inside)),
                None => continue,
            },
            _ => continue,
        };
        if attributes.iter().any(|it| is_marked(it) || is_for_tests(it)) {
            continue;
        }
        match inside {
            Some(inside) => found.extend(to_be_marked(inside)),
            None => found.push(item),
        }
    }
    found
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
        let text = "//! Docs.\n\n/// One.\n#[inline]\npub fn one() {}\nmod below;\nmod inside { mod other; fn two() {} }\n\
                    #[cfg(test)]\nmod tests {}\n#[white_box]\nfn three() {}\nstruct Größe; impl Größe {}\n";
        let marked = rewrite(text, &[]).0;
        let at = |line: usize| marked.lines().nth(line).unwrap();
        assert_eq!(marked.lines().count(), text.lines().count());
        assert_eq!(at(2), format!("{MARK}/// One."));
        assert_eq!(at(5), "mod below;");
        assert_eq!(at(6), format!("mod inside {{ mod other; {MARK}fn two() {{}} }}"));
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
        let left = [(4, Left::Alone), (8, Left::Coarse), (8, Left::Alone), (10, Left::Coarse)];
        assert!(rewrite(text, &[(2, Left::Copied)]).0.contains(&format!("{COPIED}fn one()")));
        let (marked, names) = rewrite(text, &left);
        let at = |line: usize| marked.lines().nth(line - 1).unwrap();
        assert_eq!(at(1), format!("{MARK}impl A {{"));
        assert_eq!((at(2), at(3)), ("    fn one() {}", "    fn two() {"));
        assert_eq!(at(4), format!("        {SKIP}fn inner() {{}}"));
        assert_eq!(at(7), format!("{SKIP}fn three() {{"));
        assert_eq!(at(9), format!("{COARSE}impl B {{"));
        let expected = [
            ("an item, line 9", vec![(10, Left::Coarse)]),
            ("inner, line 4", vec![(4, Left::Alone)]),
            ("three, line 7", vec![(8, Left::Coarse), (8, Left::Alone)]),
        ];
        assert!(names.into_iter().eq(expected.map(|(name, left)| (name.to_owned(), left))));
    }

    #[test]
    fn lines_without_operands_stand_beside_copies() {
        let text = "fn one() {\n    a;\n    b;\n}\n";
        let left = [(2, Left::Line), (3, Left::Copied), (3, Left::Line)];
        let lines = COARSE.replace("coarse", "coarse(2, 3)");
        assert_eq!(rewrite(text, &left).0, format!("{COPIED}{lines}{text}"));
    }
}
