//! Rewrites `match`: a target per arm, graded where the patterns are literals.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit_mut::VisitMut;
use syn::{Arm, Expr, ExprMacro, ExprMatch, Pat};

use crate::condition::{block, prepend};
use crate::place::{behind_references, is_repeatable, is_value, lent, may_extend};
use crate::rewriter::{Rewriter, here, is_conditional, place};
use crate::shape::{self, PatternShape};
use crate::sight::Sight;

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
        match self.view.at(expression.expr.span()) {
            Sight::Coarse => Expr::Match(expression),
            sight => grade(expression, target, sight),
        }
    }

    /// As [`grade_pattern`], unless operands are not looked at.
    pub(crate) fn grade_pattern(
        &self,
        pattern: &Pat,
        value: &mut Expr,
        target: u32,
    ) -> Option<TokenStream> {
        match self.view.at(value.span()) {
            Sight::Coarse => None,
            sight => grade_pattern(pattern, value, target, sight),
        }
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
fn grade(mut expression: ExprMatch, target: u32, sight: Sight) -> Expr {
    let shapes: Vec<PatternShape> = expression.arms.iter().map(|arm| shape::of(&arm.pat)).collect();
    let Some(before) = show(&mut expression.expr, (target, 0), &shapes, sight) else {
        return Expr::Match(expression);
    };
    let attributes = std::mem::take(&mut expression.attrs);
    let mut outer = block(expression.brace_token, &before, Some(Expr::Match(expression)));
    if let Expr::Block(block) = &mut outer {
        block.attrs = attributes;
    }
    outer
}

/// Shows a value to the runtime before a single pattern is tried on it. What is given, if
/// anything, must stand before the expression that tries it.
fn grade_pattern(
    pattern: &Pat,
    value: &mut Expr,
    target: u32,
    sight: Sight,
) -> Option<TokenStream> {
    // What is remembered under the first target of a condition is of both sides; nothing is under the other.
    show(value, (target, 1), &[shape::of(pattern)], sight)
}

/// As [`grade_pattern`], for the value of a `let else`: nothing that the `let` keeps alive may
/// be moved, and no brace may stand before the `else`.
pub(crate) fn grade_let(
    pattern: &Pat,
    value: &mut Expr,
    target: u32,
    sight: Sight,
) -> Option<TokenStream> {
    if !is_repeatable(value) && may_extend(value) {
        return None;
    }
    let before = grade_pattern(pattern, value, target, sight);
    if let Expr::Verbatim(shown) = value {
        let span = here(shown.span());
        *shown = quote_spanned!(span=> ::core::convert::identity(#shown));
    }
    before
}

/// Shows `matched` to the runtime if any of the shapes gives a gradient: inside the expression
/// if that gives a value of its own, otherwise in statements that must stand before it.
fn show(
    matched: &mut Expr,
    (target, memo): (u32, u32),
    shapes: &[PatternShape],
    sight: Sight,
) -> Option<TokenStream> {
    if !shapes.iter().any(|shape| shape.is_graded) {
        return None;
    }
    let span = here(matched.span());
    let graded = (0u32..).zip(shapes).filter(|(_, shape)| shape.is_graded);
    let shapes_of_arms = graded.map(|(arm, shape)| {
        let tokens = &shape.tokens;
        quote!((#arm, #tokens))
    });
    let shapes_of_arms = quote!(&[#(#shapes_of_arms),*]);
    let near = |elements: &TokenStream| {
        quote_spanned!(span=>
        ::wallace_instrument::__private::near(&__WHITE_BOX, (#target, #memo), #elements, #shapes_of_arms);)
    };
    let is_tuple = shapes.iter().any(|shape| shape.is_tuple);
    if is_repeatable(matched) && !is_tuple {
        let place = lent(behind_references(matched), sight);
        return Some(near(&elements(span, &place, None)));
    }
    let arity = match &*matched {
        Expr::Tuple(tuple) if is_tuple => Some(tuple.elems.len()),
        other if is_value(other) && !is_tuple => None,
        _ => return None,
    };
    let value = syn::Ident::new("value", Span::mixed_site().located_at(matched.span()));
    let near = near(&elements(span, &quote!(#value), arity));
    let shown = quote_spanned!(span=> match (#matched) { #value => { #near #value } });
    *matched = Expr::Verbatim(shown);
    None
}

/// Whether the call is one of `matches!`.
pub(crate) fn is_matches(call: &ExprMacro) -> bool {
    let name = call.mac.path.segments.last();
    name.is_some_and(|last| last.ident == "matches") && call.attrs.is_empty()
}

/// What `matches!` was called with.
struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<syn::Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Self { value, pattern, guard })
    }
}

impl Rewriter {
    /// Rewrites a call of `matches!`; nothing for other macros.
    pub(crate) fn rewrite_matches(&mut self, call: &ExprMacro) -> Option<TokenStream> {
        if !is_matches(call) {
            return None;
        }
        let Matches { mut value, pattern, mut guard } = call.mac.parse_body().ok()?;
        let span = here(call.span());
        let target = self.sites.branch(span);
        let place = place(span, target);
        self.visit_expr_mut(&mut value);
        if let Some(guard) = &mut guard {
            self.condition(guard);
        }
        let before = self.grade_pattern(&pattern, &mut value, target);
        let (path, guard) = (&call.mac.path, guard.map(|guard| quote!(if #guard)));
        let matches = quote_spanned!(span=> ::wallace_instrument::__private::flag(
            #place, #path!(#value, #pattern #guard)));
        Some(match before {
            // No bare block: at the start of a statement it would be one by itself.
            Some(before) => quote_spanned!(span=> ::core::convert::identity({ #before #matches })),
            None => matches,
        })
    }
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
