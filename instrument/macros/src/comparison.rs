//! Rewrites `left == right` and the other comparisons.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary};

use crate::place::{is_harmless, is_none, is_place, lent};
use crate::rewriter::{Rewriter, here, place};
use crate::sight::Sight;

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
    let sight = rewriter.view.at(binary.span());
    if sight == Sight::Coarse || is_none(&binary.left) || is_none(&binary.right) {
        // The type inside of `None` may not be known yet, and there is no distance to see.
        return quote_spanned!(span=> ::wallace_instrument::__private::flag(
            #place, #binary));
    }
    let (ExprBinary { left, right, op, .. }, hygienic) = (binary, Span::mixed_site());
    let (left_span, right_span) = (here(left.span()), here(right.span()));
    let left_name = syn::Ident::new("left", hygienic.located_at(left.span()));
    let right_name = syn::Ident::new("right", hygienic.located_at(right.span()));
    let private = quote_spanned!(span=> ::wallace_instrument::__private);
    let (lent_left, lent_right) = (lent(left, sight), lent(right, sight));
    let left_reference = if is_place(left) && !is_harmless(right) {
        quote_spanned!(left_span=> &*(&#private::Operand(&#lent_left)).white_box_hold())
    } else {
        quote_spanned!(left_span=> &#lent_left)
    };
    let (operands, pattern) = if takes_type(right) {
        let wrapper = if operator == "Order" { "Ordered" } else { "Equated" };
        let wrapper = syn::Ident::new(wrapper, span);
        let operands = quote_spanned!(span=> #private::#wrapper(#left_reference) % #lent_right);
        (operands, quote_spanned!(right_span=> (#left_name, ref #right_name)))
    } else {
        let operands = quote_spanned!(span=> (#left_reference, &#lent_right));
        (operands, quote_spanned!(right_span=> (#left_name, #right_name)))
    };
    let left_value = quote_spanned!(left_span=> *#left_name);
    let right_value = quote_spanned!(right_span=> *#right_name);
    let operator = syn::Ident::new(operator, span);
    // Observations are large: they are written once and lent. A bare `match` where a statement begins
    // would be one by itself.
    quote_spanned!(span=> (match #operands {
        #pattern => #private::compare(
            #place,
            #private::Operator::#operator,
            #left_value #op #right_value,
            &(&#private::Probe(&#left_value)).white_box_observe(),
            &(&#private::Probe(&#right_value)).white_box_observe(),
        ),
    }))
}

/// Whether what the left operand is compared with may decide the type of the right one.
fn takes_type(right: &Expr) -> bool {
    match right {
        Expr::Paren(inner) => takes_type(&inner.expr),
        Expr::Group(inner) => takes_type(&inner.expr),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase)),
            _ => false,
        },
        Expr::Tuple(_) | Expr::Array(_) => true,
        _ => false,
    }
}
