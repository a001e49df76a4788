//! The `white_box` attribute.
//!
//! The attribute rewrites function bodies and nothing else: it adds a table of the places that
//! can be reached, and calls that say so when they are. Signatures, types and the order of
//! evaluation stay; what it cannot rewrite without risk it leaves alone. From outside to inside:
//! `item` finds the bodies, `rewriter` walks them, `condition` takes conditions apart,
//! `comparison`, `predicate` and `matching` rewrite their leaves.

mod comparison;
mod condition;
mod item;
mod matching;
mod place;
mod predicate;
mod rewriter;
mod shape;
mod sight;
mod site;

use proc_macro::TokenStream;
use quote::ToTokens;

use crate::sight::View;

/// Makes a function, an `impl` block, a trait or an inline module white-box.
///
/// Every line with a statement, both sides of every condition and every arm of a `match` become
/// targets, known before the code runs. In a module it reaches functions, `impl` blocks, traits and
/// inline modules inside; `const fn`, constants, macros' contents and items for tests only
/// (`#[test]`, `#[cfg(test)]`) stay as they are, and so do items marked `#[white_box(skip)]`.
///
/// `#[white_box(coarse)]` before a function inside of such an item sees its lines, arms and the sides of
/// its conditions, and nothing of their operands: for code whose types are not known where they are
/// compared. `#[white_box(coarse(3, 14))]` does so for what begins on these lines of the file only.
/// `#[white_box(copied)]` sees all of it, and copies fields where others are borrowed: for code
/// that compares fields of packed structs.
///
/// With the feature `off` everything stays as it is, but for the marks themselves.
///
/// Put it before other attributes that rewrite the item (`#[async_trait]`, `#[Object]`,
/// `#[tracing::instrument]`), so that it sees the code as it was written.
#[proc_macro_attribute]
pub fn white_box(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let word = arguments.to_string();
    if word == "skip" {
        return item;
    }
    let Some(view) = View::of(arguments.into()) else {
        let message =
            format!("white_box takes no argument but `skip`, `copied` or `coarse`, found `{word}`");
        return error(&syn::Error::new(proc_macro2::Span::call_site(), message), item);
    };
    match syn::parse::<syn::Item>(item.clone()) {
        Ok(mut parsed) => match item::instrument(&mut parsed, &view) {
            Ok(()) => parsed.into_token_stream().into(),
            Err(refused) => error(&refused, item),
        },
        Err(refused) => error(&refused, item),
    }
}

/// The item as it was, so that one error does not cause a hundred others, and the error.
fn error(refused: &syn::Error, item: TokenStream) -> TokenStream {
    let mut output = TokenStream::from(refused.to_compile_error());
    output.extend(item);
    output
}
