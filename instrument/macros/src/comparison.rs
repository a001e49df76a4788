//! Rewrites `left == right` and the other comparisons.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{BinOp, ExprBinary};

use crate::place::{is_harmless, is_none, is_place};
use crate::rewriter::{Rewriter, here, place};

/// Name of the operator in the runtime, if it is a comparison.
pub(crate) fn operator(operator: &BinOp) -> Option<&'static str> {
    match operator {
        BinOp::Eq(_) => Some("Equal"),
        BinOp::Ne(_) => Some("NotEqual"),
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => Some("Order"),
        _ => None,
    }
}

/// Rewrites a comparison whose operands are rewritten already.
///
/// The operands are borrowed once, as the operator itself would, then compared by the original
/// operator and shown to the runtime. Temporaries of the operands live as long as before: until
/// the end of the statement or condition around them.
pub(crate) fn rewrite(rewriter: &mut Rewriter, binary: &ExprBinary, operator: &str) -> TokenStream {
    let span = here(binary.span());
    let place = place(span, rewriter.sites.branch(span));
    if is_none(&binary.left) || is_none(&binary.right) {
        // The type inside may not be known yet, and there is no distance to see.
        return quote_spanned!(span=> ::wallace_instrument::__private::flag(
            #place, #binary));
    }
    let operator = syn::Ident::new(operator, span);
    let (ExprBinary { left, right, op, .. }, hygienic) = (binary, Span::mixed_site());
    let is_held = is_place(left) && !is_harmless(right);
    let (left_name, right_name) = (
        syn::Ident::new("left", hygienic.located_at(left.span())),
        syn::Ident::new("right", hygienic.located_at(right.span())),
    );
    let borrowed = if is_held {
        quote_spanned!(here(left.span())=>
            &(&::wallace_instrument::__private::Operand(&(#left))).white_box_hold())
    } else {
        quote_spanned!(here(left.span())=> &(#left))
    };
    let left_value = if is_held {
        quote_spanned!(here(left.span())=> **#left_name)
    } else {
        quote_spanned!(here(left.span())=> *#left_name)
    };
    let right_value = quote_spanned!(here(right.span())=> *#right_name);
    quote_spanned!(span=> ::wallace_instrument::__private::compare(
        #place,
        ::wallace_instrument::__private::Operator::#operator,
        match (#borrowed, &(#right)) {
            (#left_name, #right_name) => (
                #left_value #op #right_value,
                (&::wallace_instrument::__private::Probe(&#left_value)).white_box_observe(),
                (&::wallace_instrument::__private::Probe(&#right_value)).white_box_observe(),
            ),
        },
    ))
}
