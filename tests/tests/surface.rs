//! The public surface of each crate, beside the record of it in `docs/api`.
//!
//! `UPDATE_SURFACE=1 cargo test -p tests --test surface` writes the records anew; what changed stands in
//! the commit then. What is `pub` in the sources can be reached from outside: the lint `unreachable_pub`
//! finds the rest.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Fields, ImplItem, Item, ItemImpl, TraitItem, UseTree, Visibility};

/// Most names at the root of a crate.
const ROOT_NAMES: usize = 40;

/// Folders of the crates that users depend on.
const CRATES: [&str; 10] = [
    "campaign",
    "engine",
    "genes",
    "harvest",
    "instrument",
    "problems",
    "properties",
    "suite",
    "sut-driver",
    "wallace",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a crate shows, one line for each item, field, variant and function.
#[derive(Default)]
struct Surface {
    lines: BTreeSet<String>,
    /// Types and traits that are public.
    types: BTreeSet<String>,
    /// Implementations of traits, by the type they are for; told of public ones.
    implementations: Vec<(String, String)>,
}

impl Surface {
    fn of(folder: &Path) -> BTreeSet<String> {
        let mut surface = Self::default();
        surface.folder(folder, "");
        let Self { mut lines, types, implementations } = surface;
        let public = implementations.into_iter().filter(|(name, _)| types.contains(name));
        lines.extend(public.map(|(_, line)| line));
        lines
    }

    fn folder(&mut self, folder: &Path, module: &str) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let inside = if module.is_empty() { name.clone() } else { format!("{module}::{name}") };
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if path.is_dir() {
                self.folder(&path, &inside);
            } else if is_source && !["main", "tests", "testing"].contains(&name.as_str()) {
                let file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
                self.items(if name == "lib" { module } else { &inside }, file.items);
            }
        }
    }

    fn items(&mut self, module: &str, items: Vec<Item>) {
        for item in items {
            self.item(module, item);
        }
    }

    fn item(&mut self, module: &str, item: Item) {
        match item {
            Item::Fn(item) if is_public(&item.vis) => self.add(module, &item.sig),
            Item::Const(item) if is_public(&item.vis) => {
                self.line(module, &format!("const {}: {}", item.ident, text(&item.ty)));
            }
            Item::Type(item) if is_public(&item.vis) => self.add(module, &item),
            Item::Use(item) if is_public(&item.vis) => self.add(module, &item),
            Item::Mod(item) if is_public(&item.vis) && item.content.is_none() => {
                self.line(module, &format!("mod {}", item.ident));
            }
            Item::Struct(item) if is_public(&item.vis) => {
                self.declare(module, "struct", &item.ident, &item.generics);
                self.fields(module, &item.ident.to_string(), &item.fields, false);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                self.declare(module, "enum", &item.ident, &item.generics);
                for variant in item.variants {
                    let name = format!("{}::{}", item.ident, variant.ident);
                    self.line(module, &format!("variant {name}"));
                    self.fields(module, &name, &variant.fields, true);
                }
            }
            Item::Trait(item) if is_public(&item.vis) => {
                self.declare(module, "trait", &item.ident, &item.generics);
                for inner in &item.items {
                    match inner {
                        TraitItem::Fn(inner) => {
                            self.line(module, &format!("{}::{}", item.ident, text(&inner.sig)));
                        }
                        other => self.line(module, &format!("{}::{}", item.ident, text(other))),
                    }
                }
            }
            Item::Impl(item) => self.implementation(module, &item),
            // Settings are declared by a macro.
            Item::Macro(item) if item.mac.path.is_ident("settings") => {
                self.line(module, &format!("settings! {}", text(&item.mac.tokens)));
            }
            _ => {}
        }
    }

    fn implementation(&mut self, module: &str, item: &ItemImpl) {
        let syn::Type::Path(path) = &*item.self_ty else { return };
        let name = path.path.segments.last().unwrap().ident.to_string();
        let of = text(&item.self_ty);
        if let Some((_, implemented, _)) = &item.trait_ {
            let generics = text(&item.generics);
            let line = format!("impl{generics} {} for {of}", text(implemented));
            self.implementations.push((name, at(module, &line)));
            return;
        }
        for inner in &item.items {
            let line = match inner {
                ImplItem::Fn(inner) if is_public(&inner.vis) => text(&inner.sig),
                ImplItem::Const(inner) if is_public(&inner.vis) => {
                    format!("const {}: {}", inner.ident, text(&inner.ty))
                }
                _ => continue,
            };
            self.line(module, &format!("{of}::{line}"));
        }
    }

    fn declare(&mut self, module: &str, kind: &str, name: &syn::Ident, generics: &syn::Generics) {
        self.types.insert(name.to_string());
        self.line(module, &format!("{kind} {name}{}", text(generics)));
    }

    fn fields(&mut self, module: &str, of: &str, fields: &Fields, all: bool) {
        for (place, field) in fields.iter().enumerate() {
            if all || is_public(&field.vis) {
                let name = field.ident.as_ref().map_or(place.to_string(), ToString::to_string);
                self.line(module, &format!("field {of}.{name}: {}", text(&field.ty)));
            }
        }
    }

    fn add(&mut self, module: &str, item: &impl ToTokens) {
        self.line(module, &text(item));
    }

    fn line(&mut self, module: &str, line: &str) {
        self.lines.insert(at(module, line));
    }
}

fn at(module: &str, line: &str) -> String {
    if module.is_empty() { format!("crate: {line}") } else { format!("{module}: {line}") }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Without attributes and comments, on one line.
fn text(item: &impl ToTokens) -> String {
    let spaced = plain(item.to_token_stream()).to_string().replace('\n', " ");
    let pairs = [
        (" :: ", "::"),
        (" : ", ": "),
        (" ,", ","),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ;", ";"),
        (" !", "!"),
    ];
    pairs.iter().fold(spaced, |text, (from, to)| text.replace(from, to))
}

fn plain(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && kept.last().is_some_and(|last: &TokenTree| last.to_string() == "#");
                if is_attribute {
                    kept.pop();
                } else {
                    let inside = Group::new(group.delimiter(), plain(group.stream()));
                    kept.push(TokenTree::Group(inside));
                }
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

/// Names that the root of a crate gives.
fn root_names(lib: &Path) -> BTreeSet<String> {
    let file = syn::parse_file(&std::fs::read_to_string(lib).unwrap()).unwrap();
    let is_hidden = |item: &Item| text(item).contains("__private");
    let mut names = BTreeSet::new();
    for item in file.items.iter().filter(|item| !is_hidden(item)) {
        match item {
            Item::Use(item) if is_public(&item.vis) => leaves(&item.tree, &mut names),
            Item::Mod(item) if is_public(&item.vis) => drop(names.insert(item.ident.to_string())),
            _ => {}
        }
    }
    names
}

fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(name) => drop(names.insert(name.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Glob(_) => panic!("a root names what it gives"),
    }
}

#[test]
fn roots_hold_few_names() {
    for folder in CRATES {
        let names = root_names(&root().join(folder).join("src/lib.rs"));
        println!("{folder}: {} names at the root", names.len());
        assert!(names.len() <= ROOT_NAMES, "{folder}: {} names: {names:?}", names.len());
    }
}

#[test]
fn what_is_public_is_what_the_records_say() {
    let mut wrong = Vec::new();
    for folder in CRATES {
        let now = Surface::of(&root().join(folder).join("src"));
        assert!(now.len() > 20, "{folder}: {now:?}");
        let record = root().join("docs/api").join(format!("{folder}.txt"));
        if std::env::var_os("UPDATE_SURFACE").is_some() {
            let text: String = now.iter().map(|line| format!("{line}\n")).collect();
            std::fs::write(&record, text).unwrap();
        }
        let recorded = std::fs::read_to_string(&record).unwrap_or_default();
        let before: BTreeSet<String> = recorded.lines().map(str::to_owned).collect();
        wrong.extend(before.difference(&now).map(|line| format!("{folder} lost {line}")));
        wrong.extend(now.difference(&before).map(|line| format!("{folder} has new {line}")));
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_SURFACE=1 records what is meant", wrong.join("\n"));
}
