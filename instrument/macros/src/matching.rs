//! Rewrites `match`: a target per arm, graded where the patterns are literals.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit_mut::VisitMut;
use syn::{Arm, Expr, ExprMatch};

use crate::condition::{block, prepend};
use crate::place::{behind_references, is_repeatable, is_value};
use crate::rewriter::{Rewriter, here, is_conditional};
use crate::shape::{self, PatternShape};

impl Rewriter {
    /// Rewrites a `match`.
    pub(crate) fn rewrite_match(&mut self, mut expression: ExprMatch) -> Expr {
        let brace_token = expression.brace_token;
        self.visit_expr_mut(&mut expression.expr);
        let is_branching = expression.arms.len() > 1
            && !expression.arms.iter().any(|arm| is_conditional(&arm.attrs));
        if !is_branching {
            expression.arms.iter_mut().for_each(|arm| self.arm(arm, brace_token, None));
            return Expr::Match(expression);
        }
        let count = u32::try_from(expression.arms.len()).unwrap_or(u32::MAX);
        let span = here(expression.match_token.span());
        let target = self.sites.arms(span, count);
        for (number, arm) in (0..count).zip(&mut expression.arms) {
            let span = here(arm.span());
            let taken = quote_spanned!(span=>
                ::wallace_instrument::__private::arm(&__WHITE_BOX, #target, #number, #count););
            self.arm(arm, brace_token, Some(&taken));
        }
        grade(expression, target)
    }

    fn arm(&mut self, arm: &mut Arm, brace_token: Brace, taken: Option<&TokenStream>) {
        if let Some((_, guard)) = &mut arm.guard {
            self.condition(guard);
        }
        let outer = self.line;
        let is_block = matches!(&*arm.body, Expr::Block(block) if block.label.is_none());
        let line = if is_block { None } else { self.line_of(arm.body.span()) };
        self.visit_expr_mut(&mut arm.body);
        self.line = outer;
        if taken.is_some() || line.is_some() {
            enter(arm, brace_token, &quote!(#taken #line));
        }
    }
}

/// Puts statements before the body of an arm, which is made a block if it is none.
fn enter(arm: &mut Arm, brace_token: Brace, statements: &TokenStream) {
    if let Expr::Block(inner) = &mut *arm.body
        && inner.label.is_none()
        && inner.attrs.is_empty()
    {
        prepend(&mut inner.block, statements);
        return;
    }
    let body = std::mem::replace(&mut *arm.body, Expr::Verbatim(TokenStream::new()));
    *arm.body = block(brace_token, statements, Some(body));
}

/// Shows the matched value to the runtime if any pattern gives a gradient.
fn grade(mut expression: ExprMatch, target: u32) -> Expr {
    let shapes: Vec<PatternShape> = expression.arms.iter().map(|arm| shape::of(&arm.pat)).collect();
    if !shapes.iter().any(|shape| shape.is_graded) {
        return Expr::Match(expression);
    }
    let span = here(expression.expr.span());
    let shapes_of_arms =
        (0u32..).zip(&shapes).filter(|(_, shape)| shape.is_graded).map(|(arm, shape)| {
            let tokens = &shape.tokens;
            quote!((#arm, #tokens))
        });
    let shapes_of_arms = quote!(&[#(#shapes_of_arms),*]);
    let near = |elements: &TokenStream| {
        quote_spanned!(span=>
        ::wallace_instrument::__private::near(&__WHITE_BOX, #target, #elements, #shapes_of_arms);)
    };
    let matched = &expression.expr;
    let is_tuple = shapes.iter().any(|shape| shape.is_tuple);
    if is_repeatable(matched) && !is_tuple {
        let place = behind_references(matched);
        let near = near(&elements(span, &quote!(#place), None));
        let attributes = std::mem::take(&mut expression.attrs);
        let mut outer = block(expression.brace_token, &near, Some(Expr::Match(expression)));
        if let Expr::Block(block) = &mut outer {
            block.attrs = attributes;
        }
        return outer;
    }
    let arity = match &**matched {
        Expr::Tuple(tuple) if is_tuple => Some(tuple.elems.len()),
        other if is_value(other) && !is_tuple => None,
        _ => return Expr::Match(expression),
    };
    let value = syn::Ident::new("value", Span::mixed_site().located_at(matched.span()));
    let near = near(&elements(span, &quote!(#value), arity));
    let shown = quote_spanned!(span=> match #matched { #value => { #near #value } });
    *expression.expr = Expr::Verbatim(shown);
    Expr::Match(expression)
}

/// Observations of a value, or of the elements of a tuple.
fn elements(span: Span, value: &TokenStream, arity: Option<usize>) -> TokenStream {
    let observe = |part: TokenStream| {
        quote_spanned!(span=>
        (&::wallace_instrument::__private::Probe(&#part)).white_box_observe())
    };
    let parts = match arity {
        None => vec![observe(quote!((#value)))],
        Some(arity) => (0..arity)
            .map(|index| {
                let index = syn::Index::from(index);
                observe(quote!(#value.#index))
            })
            .collect(),
    };
    quote!(&[#(#parts),*])
}
