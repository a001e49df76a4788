//! What kind of value an expression gives, as far as its syntax tells.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprAsync, ExprAwait, Item, UnOp};

use crate::rewriter::here;
use crate::sight::Sight;

/// Whether the expression can be evaluated twice: it has no effect, and gives the same again.
pub(crate) fn is_repeatable(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_repeatable(&field.base),
        Expr::Paren(inner) => is_repeatable(&inner.expr),
        Expr::Group(inner) => is_repeatable(&inner.expr),
        Expr::Reference(inner) => inner.mutability.is_none() && is_repeatable(&inner.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_repeatable(&unary.expr),
        _ => false,
    }
}

/// Whether the expression names a place and not a value, so that it may not be moved.
pub(crate) fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Group(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// Whether the expression certainly gives a value of its own, which may be moved.
pub(crate) fn is_value(expression: &Expr) -> bool {
    match expression {
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Await(_)
        | Expr::Try(_)
        | Expr::Lit(_)
        | Expr::Reference(_)
        | Expr::Binary(_)
        | Expr::Cast(_)
        | Expr::Range(_)
        | Expr::Array(_)
        | Expr::Tuple(_) => true,
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_value(&inner.expr),
        Expr::Group(inner) => is_value(&inner.expr),
        Expr::Macro(call) => {
            let name = call.mac.path.segments.last();
            name.is_some_and(|last| last.ident == "format" || last.ident == "vec")
        }
        _ => false,
    }
}

/// Whether a `let` may keep temporaries of the expression alive: those that are borrowed in it.
pub(crate) fn may_extend(expression: &Expr) -> bool {
    match expression {
        Expr::Call(call) => call.args.iter().any(may_extend),
        Expr::Paren(inner) => may_extend(&inner.expr),
        Expr::Group(inner) => may_extend(&inner.expr),
        Expr::Cast(cast) => may_extend(&cast.expr),
        Expr::Reference(_) | Expr::Tuple(_) | Expr::Array(_) => true,
        _ => false,
    }
}

/// The operand as it may be borrowed.
pub(crate) fn lent(expression: &Expr, sight: Sight) -> TokenStream {
    let span = here(expression.span());
    match (expression, sight) {
        (Expr::Field(field), Sight::Copied) => quote_spanned!(span=> { #field }),
        (Expr::Paren(inner), Sight::Copied) => lent(&inner.expr, sight),
        (other, _) => quote_spanned!(span=> (#other)),
    }
}

/// Whether evaluating the expression cannot change anything that another operand reads.
pub(crate) fn is_harmless(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_harmless(&field.base),
        Expr::Paren(inner) => is_harmless(&inner.expr),
        Expr::Group(inner) => is_harmless(&inner.expr),
        Expr::Reference(inner) => inner.mutability.is_none() && is_harmless(&inner.expr),
        Expr::Unary(unary) => is_harmless(&unary.expr),
        Expr::Cast(cast) => is_harmless(&cast.expr),
        Expr::Index(index) => is_harmless(&index.expr) && is_harmless(&index.index),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_harmless),
        Expr::Binary(binary) => is_harmless(&binary.left) && is_harmless(&binary.right),
        _ => false,
    }
}

/// Whether evaluating the expression may wait: there is an `.await` in it that is not that of another
/// future. What is in macros is not seen, and may be one.
pub(crate) fn waits(expression: &Expr) -> bool {
    struct Waits(bool);
    impl<'ast> Visit<'ast> for Waits {
        fn visit_expr_await(&mut self, _: &'ast ExprAwait) {
            self.0 = true;
        }
        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
        fn visit_item(&mut self, _: &'ast Item) {}
        fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
            self.0 |= has_await(tokens.clone());
        }
    }
    let mut waits = Waits(false);
    waits.visit_expr(expression);
    waits.0
}

/// Whether tokens name `await`, at any depth.
fn has_await(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "await",
        TokenTree::Group(group) => has_await(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether the expression is the path `None`.
pub(crate) fn is_none(expression: &Expr) -> bool {
    matches!(expression, Expr::Path(path) if path.path.segments.last()
        .is_some_and(|last| last.ident == "None"))
}

/// The expression without the references around it: each would be a temporary of its own, and
/// what is seen through it would end with it.
pub(crate) fn behind_references(expression: &Expr) -> &Expr {
    match expression {
        Expr::Reference(reference) => behind_references(&reference.expr),
        other => other,
    }
}
