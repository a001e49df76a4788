//! Takes conditions apart: `&&`, `||`, `!` and `let` down to what is atomic.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, ExprBlock, ExprIf, ExprLet, ExprWhile, Stmt, UnOp};

use crate::matching::is_matches;
use crate::rewriter::{Rewriter, here, place};
use crate::{comparison, predicate};

impl Rewriter {
    /// Rewrites an expression that is used as a truth value.
    pub(crate) fn condition(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Paren(inner) => self.condition(&mut inner.expr),
            Expr::Group(inner) => self.condition(&mut inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                if self.is_boolean(&unary.expr) {
                    self.condition(&mut unary.expr);
                } else {
                    self.negated(&mut unary.expr);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.condition(&mut binary.left);
                self.condition(&mut binary.right);
            }
            // Without operands it has two sides like any other.
            Expr::MethodCall(_) if self.is_coarse(expression.span()) => {
                self.flag(expression);
            }
            Expr::Binary(binary) if comparison::operator(&binary.op).is_some() => {
                self.visit_expr_mut(expression);
            }
            Expr::MethodCall(call) if predicate::is_condition(call) => {
                self.visit_expr_mut(expression);
            }
            Expr::Lit(_) | Expr::Verbatim(_) | Expr::Let(_) => {}
            Expr::Macro(call) if call.mac.path.is_ident("cfg") => {}
            Expr::Macro(call) => match self.rewrite_matches(call) {
                Some(matches) => *expression = Expr::Verbatim(matches),
                None => self.flag(expression),
            },
            _ => self.flag(expression),
        }
    }

    /// Rewrites a condition on which no distance is defined.
    fn flag(&mut self, expression: &mut Expr) {
        let span = here(expression.span());
        let place = place(span, self.sites.branch(span));
        self.visit_expr_mut(expression);
        *expression = Expr::Verbatim(quote_spanned!(span=>
            ::wallace_instrument::__private::flag(#place, #expression)));
    }

    /// Rewrites what is behind a `!`: it may be a reference, or have a `Not` of its own. Only what
    /// the operator gives is certainly a truth value, so that it is applied twice more.
    fn negated(&mut self, expression: &mut Expr) {
        let span = here(expression.span());
        let place = place(span, self.sites.branch(span));
        self.visit_expr_mut(expression);
        *expression = Expr::Verbatim(quote_spanned!(span=>
            ::wallace_instrument::__private::flag(#place, !(!(#expression)))));
    }

    /// Rewrites `if`; a chain with `let` becomes a block around it.
    pub(crate) fn rewrite_if(&mut self, mut expression: ExprIf) -> Expr {
        if has_let(&expression.cond) {
            return self.rewrite_let(expression, &TokenStream::new());
        }
        self.condition(&mut expression.cond);
        self.visit_block_mut(&mut expression.then_branch);
        self.visit_else(&mut expression);
        Expr::If(expression)
    }

    /// Rewrites `if` with `let`. The false side ends with the statements `leave`.
    fn rewrite_let(&mut self, mut expression: ExprIf, leave: &TokenStream) -> Expr {
        let (before, false_side) = match &mut *expression.cond {
            Expr::Let(pattern) => self.single_let(pattern, &mut expression.then_branch),
            condition => {
                let false_side = self.chain(condition);
                self.visit_block_mut(&mut expression.then_branch);
                let pending = pending();
                let declared =
                    quote!(let mut #pending = ::wallace_instrument::__private::Pending::new(););
                (Some(declared), false_side)
            }
        };
        self.visit_else(&mut expression);
        enter_else(&mut expression, &quote!(#false_side #leave));
        match before {
            Some(before) => behind(&before, expression),
            None => Expr::If(expression),
        }
    }

    fn visit_else(&mut self, expression: &mut ExprIf) {
        if let Some((_, otherwise)) = &mut expression.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    /// Rewrites `while`; with `let` it becomes the loop that it stands for.
    pub(crate) fn rewrite_while(&mut self, mut expression: ExprWhile) -> Expr {
        if !has_let(&expression.cond) {
            self.condition(&mut expression.cond);
            self.visit_block_mut(&mut expression.body);
            return Expr::While(expression);
        }
        let ExprWhile { attrs, label, while_token, cond, body } = expression;
        let span = here(while_token.span());
        let brace_token = body.brace_token;
        let inner = ExprIf {
            attrs: Vec::new(),
            if_token: syn::Token![if](while_token.span()),
            cond,
            then_branch: body,
            else_branch: None,
        };
        let inner = self.rewrite_let(inner, &quote_spanned!(span=> break;));
        let body = block(brace_token, &TokenStream::new(), Some(inner));
        Expr::Verbatim(quote_spanned!(span=> #(#attrs)* #label loop #body))
    }

    /// `if let`: the block is the true side, the `else` the false side. Gives what must stand
    /// before, and the false side.
    fn single_let(
        &mut self,
        pattern: &mut ExprLet,
        block: &mut Block,
    ) -> (Option<TokenStream>, TokenStream) {
        let span = here(pattern.span());
        let target = self.sites.branch(span);
        self.visit_expr_mut(&mut pattern.expr);
        let before = self.grade_pattern(&pattern.pat, &mut pattern.expr, target);
        self.visit_block_mut(block);
        prepend(block, &matched(span, target, true));
        (before, matched(span, target, false))
    }

    /// A chain remembers which pattern is being tried: the false side does not say it by itself.
    fn chain(&mut self, condition: &mut Expr) -> TokenStream {
        let pending = pending();
        let span = here(condition.span());
        let mut links = Vec::new();
        self.links(condition, &mut links);
        *condition = Expr::Verbatim(quote!(#(#links)&&*));
        quote_spanned!(span=> #pending.fails(&__WHITE_BOX);)
    }

    fn links(&mut self, condition: &mut Expr, links: &mut Vec<TokenStream>) {
        match condition {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.links(&mut binary.left, links);
                self.links(&mut binary.right, links);
            }
            Expr::Let(pattern) => {
                let (span, pending) = (here(pattern.span()), pending());
                let target = self.sites.branch(span);
                self.visit_expr_mut(&mut pattern.expr);
                links.push(quote_spanned!(span=> #pending.attempt(#target)));
                let before = self.grade_pattern(&pattern.pat, &mut pattern.expr, target);
                links.extend(before.map(|before| quote_spanned!(span=> { #before true })));
                links.push(quote!(#pattern));
                links.push(quote_spanned!(span=> #pending.fits(&__WHITE_BOX, #target)));
            }
            condition => {
                self.condition(condition);
                links.push(quote!(#condition));
            }
        }
    }

    /// Whether the expression is a `bool` and nothing that a `!` turns into one.
    fn is_boolean(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Paren(inner) => self.is_boolean(&inner.expr),
            Expr::Group(inner) => self.is_boolean(&inner.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)) && self.is_boolean(&unary.expr),
            Expr::Binary(binary) => {
                matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
                    || comparison::operator(&binary.op).is_some()
            }
            // With its operands its call stays what it is, whatever it gives.
            Expr::MethodCall(call) => predicate::is_condition(call) && !self.is_coarse(call.span()),
            Expr::Macro(call) => is_matches(call) || call.mac.path.is_ident("cfg"),
            Expr::Lit(_) | Expr::Verbatim(_) => true,
            _ => false,
        }
    }
}

/// The call that records one side of a pattern.
pub(crate) fn matched(span: Span, target: u32, outcome: bool) -> TokenStream {
    quote_spanned!(span=>
        ::wallace_instrument::__private::matched(&__WHITE_BOX, #target, #outcome);)
}

/// Puts statements before the first statement of a block.
pub(crate) fn prepend(block: &mut Block, statements: &TokenStream) {
    block.stmts.insert(0, Stmt::Expr(Expr::Verbatim(statements.clone()), None));
}

/// A block of statements and a value.
///
/// It gets the braces of code that was there: their span tells the compiler the edition, and
/// the edition decides when the temporaries of the code inside and around are dropped.
pub(crate) fn block(brace_token: Brace, statements: &TokenStream, value: Option<Expr>) -> Expr {
    let statements = Stmt::Expr(Expr::Verbatim(statements.clone()), None);
    let value = value.map(|value| Stmt::Expr(value, None));
    let stmts = std::iter::once(statements).chain(value).collect();
    let block = Block { brace_token, stmts };
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
}

/// Puts statements before the `else` part, which is made if there is none.
fn enter_else(expression: &mut ExprIf, statements: &TokenStream) {
    let brace_token = expression.then_branch.brace_token;
    let Some((_, otherwise)) = &mut expression.else_branch else {
        let otherwise = block(brace_token, statements, None);
        let else_token = syn::Token![else](brace_token.span.close());
        expression.else_branch = Some((else_token, Box::new(otherwise)));
        return;
    };
    match &mut **otherwise {
        Expr::Block(inner) if inner.label.is_none() => prepend(&mut inner.block, statements),
        // An `else if`: a branch of its own, which is where its temporaries end anyway.
        other => {
            let other = std::mem::replace(other, Expr::Verbatim(TokenStream::new()));
            **otherwise = block(brace_token, statements, Some(other));
        }
    }
}

/// The expression in a block, behind `statements`.
fn behind(statements: &TokenStream, mut expression: ExprIf) -> Expr {
    let attributes = std::mem::take(&mut expression.attrs);
    let brace_token = expression.then_branch.brace_token;
    let mut outer = block(brace_token, statements, Some(Expr::If(expression)));
    if let Expr::Block(block) = &mut outer {
        block.attrs = attributes;
    }
    outer
}

fn pending() -> syn::Ident {
    syn::Ident::new("pending", Span::mixed_site())
}

/// Whether a condition is, or chains, a `let`.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        _ => false,
    }
}
