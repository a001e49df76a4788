//! Finds the function bodies of an item.

use proc_macro2::TokenStream;
use syn::{Attribute, Block, ImplItem, Item, ItemImpl, Meta, Signature, Stmt, TraitItem};

use crate::rewriter::Rewriter;
use crate::sight::View;

/// Rewrites all bodies of `item`.
///
/// # Errors
/// When the item has no bodies that could be rewritten.
pub(crate) fn instrument(item: &mut Item, view: &View) -> syn::Result<()> {
    match item {
        Item::Mod(module) if module.content.is_none() => Err(syn::Error::new_spanned(
            &module.ident,
            "white_box sees only modules whose body is here: `mod name { ... }`",
        )),
        Item::Mod(_) | Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
            rewrite(item, view);
            Ok(())
        }
        other => Err(syn::Error::new_spanned(
            other,
            "white_box goes before a function, an impl block, a trait or an inline module",
        )),
    }
}

/// Rewrites the bodies of an item, of which at most `view` is seen; items without any stay as they are.
pub(crate) fn rewrite(item: &mut Item, view: &View) {
    let Some(wish) = attributes(item).map_or_else(|| Some(View::default()), wish) else { return };
    let view = &wish.and(view);
    match item {
        Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            body(&function.sig, &name, &mut function.block, view);
        }
        // What records may allocate.
        Item::Impl(block) if is_allocator(block) => {}
        Item::Impl(block) => {
            let owner = owner(&block.self_ty);
            block.items.iter_mut().for_each(|item| impl_item(&owner, item, view));
        }
        Item::Trait(definition) => {
            let owner = definition.ident.to_string();
            definition.items.iter_mut().for_each(|item| trait_item(&owner, item, view));
        }
        Item::Mod(module) => {
            if let Some((_, items)) = &mut module.content {
                items.iter_mut().for_each(|item| rewrite(item, view));
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

fn impl_item(owner: &str, item: &mut ImplItem, view: &View) {
    let ImplItem::Fn(function) = item else { return };
    if let Some(wish) = wish(&mut function.attrs) {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, &mut function.block, &wish.and(view));
    }
}

fn trait_item(owner: &str, item: &mut TraitItem, view: &View) {
    let TraitItem::Fn(function) = item else { return };
    if let (Some(wish), Some(block)) = (wish(&mut function.attrs), &mut function.default) {
        let name = format!("{owner}::{}", function.sig.ident);
        body(&function.sig, &name, block, &wish.and(view));
    }
}

/// Constant functions may run in the compiler, where nothing can be recorded. With the feature `off`
/// an item is walked all the same: marks inside of it need not be in scope there.
fn body(signature: &Signature, name: &str, block: &mut Block, view: &View) {
    if signature.constness.is_some() || cfg!(feature = "off") {
        return;
    }
    let mut rewriter = Rewriter { view: view.clone(), ..Rewriter::default() };
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
fn wish(attributes: &mut Vec<Attribute>) -> Option<View> {
    let is_alone = attributes.iter().any(|attribute| is_test(attribute) || is_skip(attribute));
    let asked = attributes.iter().filter(|attribute| is_white_box(attribute));
    let asked = asked.filter_map(|attribute| View::of(arguments(attribute)));
    let view = asked.fold(View::default(), |view, other| view.and(&other));
    attributes.retain(|attribute| !is_white_box(attribute));
    (!is_alone).then_some(view)
}

fn is_white_box(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "white_box")
}

fn is_skip(attribute: &Attribute) -> bool {
    is_white_box(attribute) && arguments(attribute).to_string() == "skip"
}

fn arguments(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
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
