//! Walks a function body: lines of statements, and every expression that branches.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, BinOp, Block, Expr, ExprConst, ExprMacro, ExprRepeat, GenericArgument, Item, Local,
    Macro, Pat, Stmt, StmtMacro, Type,
};

use crate::condition::{matched, prepend};
use crate::matching::grade_let;
use crate::sight::{Sight, View};
use crate::site::SiteTable;
use crate::{comparison, item, predicate};

/// The span of generated code: names of its own, but errors point to the original.
pub(crate) fn here(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// The argument that says where a line or a condition is: its target. One word is all that loops pay.
pub(crate) fn place(span: Span, target: u32) -> TokenStream {
    let index = target as usize;
    quote_spanned!(span=> &__WHITE_BOX_TARGETS[#index])
}

/// Where the calls that look at the operands of an expression are put.
fn place_of(expression: &Expr) -> Span {
    match expression {
        Expr::Try(inner) => inner.question_token.span(),
        other => other.span(),
    }
}

/// Whether the code exists only in some builds; its targets could not be known, so it has none.
pub(crate) fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr"))
}

/// Rewrites one function.
#[derive(Debug, Default)]
pub(crate) struct Rewriter {
    pub(crate) sites: SiteTable,
    /// Line that is recorded already where the walk is now.
    pub(crate) line: usize,
    /// How much is seen.
    pub(crate) view: View,
}

impl Rewriter {
    /// Whether the operands of what begins at `span` are not looked at.
    pub(crate) fn is_coarse(&self, span: Span) -> bool {
        self.view.at(span) == Sight::Coarse
    }

    /// Rewrites the body of the function.
    pub(crate) fn body(&mut self, block: &mut Block) {
        self.visit_block_mut(block);
    }

    /// The call that records the line of `span`, unless it is recorded already.
    pub(crate) fn line_of(&mut self, span: Span) -> Option<TokenStream> {
        let line = span.start().line;
        if line == self.line || line == 0 {
            return None;
        }
        self.line = line;
        let span = here(span);
        let place = place(span, self.sites.line(span));
        Some(quote_spanned!(span=>
            ::wallace_instrument::__private::line(#place);))
    }

    fn statement(&mut self, mut statement: Stmt, statements: &mut Vec<Stmt>) {
        if let Stmt::Item(item) = &mut statement {
            item::rewrite(item, &self.view);
            statements.push(statement);
            return;
        }
        if is_conditional(attributes(&statement)) {
            statements.push(statement);
            return;
        }
        if let Some(call) = self.line_of(statement.span()) {
            statements.push(Stmt::Expr(Expr::Verbatim(call), None));
        }
        let around = match &mut statement {
            Stmt::Local(local) => self.local(local),
            other => {
                visit_mut::visit_stmt_mut(self, other);
                None
            }
        };
        let (before, after) = around.unwrap_or_default();
        statements.extend(before.map(|call| Stmt::Expr(Expr::Verbatim(call), None)));
        statements.push(statement);
        statements.extend(after.map(|call| Stmt::Expr(Expr::Verbatim(call), None)));
    }

    /// Rewrites a `let`; for `let else`, gives the calls that show its value and record its true
    /// side, to stand before and behind it.
    fn local(&mut self, local: &mut Local) -> Option<(Option<TokenStream>, Option<TokenStream>)> {
        let span = here(local.span());
        let init = local.init.as_mut()?;
        self.visit_expr_mut(&mut init.expr);
        let (_, otherwise) = init.diverge.as_mut()?;
        let target = self.sites.branch(span);
        let before = match self.view.at(init.expr.span()) {
            Sight::Coarse => None,
            sight => grade_let(&local.pat, &mut init.expr, target, sight),
        };
        self.visit_expr_mut(otherwise);
        if let Expr::Block(block) = &mut **otherwise {
            prepend(&mut block.block, &matched(span, target, false));
        }
        Some((before, Some(matched(span, target, true))))
    }

    fn expression(&mut self, expression: Expr) -> Expr {
        match expression {
            Expr::If(inner) => self.rewrite_if(inner),
            Expr::While(inner) => self.rewrite_while(inner),
            Expr::Match(inner) => self.rewrite_match(inner),
            Expr::Binary(mut inner) => match (&inner.op, comparison::operator(&inner.op)) {
                (BinOp::And(_) | BinOp::Or(_), _) => {
                    self.condition(&mut inner.left);
                    self.condition(&mut inner.right);
                    Expr::Binary(inner)
                }
                (_, Some(operator)) => {
                    visit_mut::visit_expr_binary_mut(self, &mut inner);
                    Expr::Verbatim(comparison::rewrite(self, &inner, operator))
                }
                _ => {
                    visit_mut::visit_expr_binary_mut(self, &mut inner);
                    Expr::Binary(inner)
                }
            },
            mut other @ (Expr::MethodCall(_) | Expr::Call(_) | Expr::Try(_))
                if self.is_coarse(place_of(&other)) =>
            {
                visit_mut::visit_expr_mut(self, &mut other);
                other
            }
            Expr::MethodCall(mut inner) => {
                let (method, is_parse) = (predicate::method(&inner), predicate::is_parse(&inner));
                visit_mut::visit_expr_method_call_mut(self, &mut inner);
                match method {
                    Some(known) => Expr::Verbatim(predicate::rewrite(self, &inner, known)),
                    None if is_parse => Expr::Verbatim(predicate::rewrite_parse(self, &inner)),
                    None => Expr::MethodCall(inner),
                }
            }
            Expr::Call(mut inner) => {
                visit_mut::visit_expr_call_mut(self, &mut inner);
                let reading = predicate::rewrite_reading(self, &inner);
                reading.map_or(Expr::Call(inner), Expr::Verbatim)
            }
            Expr::Macro(inner) => {
                let matches = self.rewrite_matches(&inner);
                matches.map_or(Expr::Macro(inner), Expr::Verbatim)
            }
            Expr::Try(mut inner) => {
                self.visit_expr_mut(&mut inner.expr);
                predicate::rewrite_try(self, inner)
            }
            mut other => {
                visit_mut::visit_expr_mut(self, &mut other);
                other
            }
        }
    }
}

impl VisitMut for Rewriter {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = self.line;
        let mut statements = Vec::with_capacity(block.stmts.len() * 2);
        for statement in std::mem::take(&mut block.stmts) {
            self.statement(statement, &mut statements);
        }
        block.stmts = statements;
        self.line = outer;
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let taken = std::mem::replace(expression, Expr::Verbatim(TokenStream::new()));
        *expression = self.expression(taken);
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut ExprRepeat) {
        // The length is a constant.
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        item::rewrite(item, &self.view);
    }

    // Constants, types, patterns and what belongs to other macros stay as they are.
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_expr_macro_mut(&mut self, _: &mut ExprMacro) {}
    fn visit_stmt_macro_mut(&mut self, _: &mut StmtMacro) {}
    fn visit_macro_mut(&mut self, _: &mut Macro) {}
    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}

/// Attributes of a statement, those of its expression included.
fn attributes(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Macro(call) => &call.attrs,
        Stmt::Expr(expression, _) => expression_attributes(expression),
        Stmt::Item(_) => &[],
    }
}

/// Those of an operator stand on what is leftmost in it, as in the text.
fn expression_attributes(expression: &Expr) -> &[Attribute] {
    macro_rules! attributes {
        ($($kind:ident)*) => {
            match expression {
                Expr::Assign(inner) => expression_attributes(&inner.left),
                Expr::Binary(inner) => expression_attributes(&inner.left),
                Expr::Cast(inner) => expression_attributes(&inner.expr),
                $(Expr::$kind(inner) => &inner.attrs,)*
                _ => &[],
            }
        };
    }
    attributes! {
        Array Async Await Block Break Call Closure Const Continue Field ForLoop Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield
    }
}
