//! Finds the function bodies of an item.

use syn::{Attribute, Block, ImplItem, Item, ItemImpl, Meta, Signature, Stmt, TraitItem};

use crate::rewriter::Rewriter;

/// How much of a body is seen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sight {
    #[default]
    Whole,
    /// All of it, but fields are copied to be seen: those of packed structs may not be borrowed.
    Copied,
    /// Lines, arms and sides, without operands.
    Coarse,
}

impl Sight {
    /// What `#[white_box(word)]` asks for.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word {
            "" => Some(Self::Whole),
            "copied" => Some(Self::Copied),
            "coarse" => Some(Self::Coarse),
            _ => None,
        }
    }
}

/// Rewrites all bodies of `item`.
///
/// # Errors
/// When the item has no bodies that could be rewritten.
pub(crate) fn instrument(item: &mut Item, sight: Sight) -> syn::Result<()> {
    match item {
        Item::Mod(module) if module.content.is_none() => Err(syn::Error::new_spanned(
            &module.ident,
            "white_box sees only modules whose body is here: `mod name { ... }`",
        )),
        Item::Mod(_) | Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
            rewrite(item, sight);
            Ok(())
        }
        other => Err(syn::Error::new_spanned(
            other,
            "white_box goes before a function, an impl block, a trait or an inline module",
        )),
    }
}

/// Rewrites the bodies of an item, of which at most `sight` is seen; items without any stay as they are.
pub(crate) fn rewrite(item: &mut Item, sight: Sight) {
    let Some(wish) = attributes(item).map_or(Some(Sight::Whole), wish) else { return };
    let sight = sight.max(wish);
    match item {
        Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            body(&function.sig, &name, &mut function.block, sight);
        }
        // What records may allocate.
        Item::Impl(block) if is_allocator(block) => {}
        Item::Impl(block) => {
            let owner = owner(&block.self_ty);
            block.items.iter_mut().for_each(|item| impl_item(&owner, item, sight));
        }
        Item::Trait(definition) => {
            let owner = definition.ident.to_string();
            definition.items.iter_mut().for_each(|item| trait_item(&owner, item, sight));
        }
        Item::Mod(module) => {
            if let Some((_, items)) = &mut module.content {
                items.iter_mut().for_each(|item| rewrite(item, sight));
            }
        }
        _ => {}
    }
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Fn(function) => Some(&mut function.attrs),
        Item::Impl(block) => Some(&mut block.attrs),
        Item::Trait(definition) => Some(&mut definition.attrs),
        Item::Mod(module) => Some(&mut module.attrs),
        _ => None,
    }
}

fn impl_item(owner: &str, item: &mut ImplItem, sight: Sight) {
    let ImplItem::Fn(function) = item else { return };
    if let Some(wish) = wish(&mut function.attrs) {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, &mut function.block, sight.max(wish));
    }
}

fn trait_item(owner: &str, item: &mut TraitItem, sight: Sight) {
    let TraitItem::Fn(function) = item else { return };
    if let (Some(wish), Some(block)) = (wish(&mut function.attrs), &mut function.default) {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, block, sight.max(wish));
    }
}

/// Constant functions may run in the compiler, where nothing can be recorded. With the feature `off`
/// an item is walked all the same: marks inside of it need not be in scope there.
fn body(signature: &Signature, name: &str, block: &mut Block, sight: Sight) {
    if signature.constness.is_some() || cfg!(feature = "off") {
        return;
    }
    let mut rewriter = Rewriter { sight, ..Rewriter::default() };
    rewriter.body(block);
    if let Some(items) = rewriter.sites.into_items(name) {
        let items: Block = syn::parse_quote!({ #items });
        let statements: Vec<Stmt> = items.stmts;
        block.stmts.splice(0..0, statements);
    }
}

fn is_allocator(block: &ItemImpl) -> bool {
    let name = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    name.is_some_and(|last| last.ident == "GlobalAlloc")
}

/// Last segment of the type of an `impl`, for the names of statements.
fn owner(self_type: &syn::Type) -> String {
    match self_type {
        syn::Type::Path(path) => {
            path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string())
        }
        _ => String::from("impl"),
    }
}

/// How much of the item is seen at most; `None` where it is for tests or marked to be skipped. An inner
/// `white_box` is removed: the outer one does its work.
fn wish(attributes: &mut Vec<Attribute>) -> Option<Sight> {
    let is_alone = attributes.iter().any(|attribute| is_test(attribute) || says(attribute, "skip"));
    let asked =
        ["copied", "coarse"].into_iter().filter(|word| attributes.iter().any(|it| says(it, word)));
    let sight = asked.filter_map(Sight::of).max().unwrap_or_default();
    attributes.retain(|attribute| !is_white_box(attribute));
    (!is_alone).then_some(sight)
}

fn is_white_box(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "white_box")
}

/// Whether it is `#[white_box(word)]`.
fn says(attribute: &Attribute, word: &str) -> bool {
    is_white_box(attribute)
        && matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == word)
}

/// For tests, or without a body in Rust.
fn is_test(attribute: &Attribute) -> bool {
    let is_named = attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| last.ident == "test" || last.ident == "naked");
    let is_configured = attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == "test");
    is_named || is_configured
}
