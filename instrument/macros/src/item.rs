//! Finds the function bodies of an item.

use syn::{Attribute, Block, ImplItem, Item, ItemImpl, Meta, Signature, Stmt, TraitItem};

use crate::rewriter::Rewriter;

/// Rewrites all bodies of `item`.
///
/// # Errors
/// When the item has no bodies that could be rewritten.
pub(crate) fn instrument(item: &mut Item) -> syn::Result<()> {
    match item {
        Item::Mod(module) if module.content.is_none() => Err(syn::Error::new_spanned(
            &module.ident,
            "white_box sees only modules whose body is here: `mod name { ... }`",
        )),
        Item::Mod(_) | Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
            rewrite(item);
            Ok(())
        }
        other => Err(syn::Error::new_spanned(
            other,
            "white_box goes before a function, an impl block, a trait or an inline module",
        )),
    }
}

/// Rewrites the bodies of an item; items without any stay as they are.
pub(crate) fn rewrite(item: &mut Item) {
    if attributes(item).is_some_and(is_left_alone) {
        return;
    }
    match item {
        Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            body(&function.sig, &name, &mut function.block);
        }
        // What records may allocate.
        Item::Impl(block) if is_allocator(block) => {}
        Item::Impl(block) => {
            let owner = owner(&block.self_ty);
            block.items.iter_mut().for_each(|item| impl_item(&owner, item));
        }
        Item::Trait(definition) => {
            let owner = definition.ident.to_string();
            definition.items.iter_mut().for_each(|item| trait_item(&owner, item));
        }
        Item::Mod(module) => {
            if let Some((_, items)) = &mut module.content {
                items.iter_mut().for_each(rewrite);
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

fn impl_item(owner: &str, item: &mut ImplItem) {
    if let ImplItem::Fn(function) = item
        && !is_left_alone(&mut function.attrs)
    {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, &mut function.block);
    }
}

fn trait_item(owner: &str, item: &mut TraitItem) {
    if let TraitItem::Fn(function) = item
        && !is_left_alone(&mut function.attrs)
        && let Some(block) = &mut function.default
    {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, block);
    }
}

/// Constant functions may run in the compiler, where nothing can be recorded. With the feature `off`
/// an item is walked all the same: marks inside of it need not be in scope there.
fn body(signature: &Signature, name: &str, block: &mut Block) {
    if signature.constness.is_some() || cfg!(feature = "off") {
        return;
    }
    let mut rewriter = Rewriter::default();
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

/// Whether the item is for tests or marked to be skipped. An inner `white_box` is removed: the
/// outer one does its work.
fn is_left_alone(attributes: &mut Vec<Attribute>) -> bool {
    let is_left_alone = attributes.iter().any(|attribute| is_test(attribute) || is_skip(attribute));
    attributes.retain(|attribute| !is_white_box(attribute));
    is_left_alone
}

fn is_white_box(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "white_box")
}

fn is_skip(attribute: &Attribute) -> bool {
    let skips = |meta: &Meta| matches!(meta, Meta::List(list) if list.tokens.to_string() == "skip");
    is_white_box(attribute) && skips(&attribute.meta)
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
