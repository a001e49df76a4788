//! Rewrites calls of methods that answer yes or no, known by their names, and of `parse`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

use crate::place::{behind_references, is_repeatable, is_value};
use crate::rewriter::{Rewriter, here};

/// Methods that certainly give or take a text, so that a `parse` behind them is that of `str`.
const TEXT_METHODS: [&str; 12] = [
    "as_deref",
    "as_ref",
    "as_str",
    "clone",
    "to_ascii_lowercase",
    "to_lowercase",
    "to_owned",
    "to_string",
    "trim",
    "trim_end",
    "trim_start",
    "unwrap_or_default",
];

/// Name of a known predicate in the runtime. A call of that name on a type without a distance is
/// covered or not, like any other condition.
pub(crate) fn method(call: &ExprMethodCall) -> Option<&'static str> {
    if call.turbofish.is_some() || !has_observable_receiver(call) {
        return None;
    }
    match (call.method.to_string().as_str(), call.args.len()) {
        ("is_empty", 0) => Some("IsEmpty"),
        ("starts_with", 1) => Some("StartsWith"),
        ("ends_with", 1) => Some("EndsWith"),
        ("contains", 1) => Some("Contains"),
        ("eq_ignore_ascii_case", 1) => Some("EqualIgnoringCase"),
        ("is_match", 1) => Some("IsMatch"),
        _ => None,
    }
}

fn has_observable_receiver(call: &ExprMethodCall) -> bool {
    is_repeatable(&call.receiver) || is_value(&call.receiver)
}

/// Whether the call is `parse` on what is likely to be a text.
pub(crate) fn is_parse(call: &ExprMethodCall) -> bool {
    if call.method != "parse" || !call.args.is_empty() {
        return false;
    }
    let is_text = |receiver: &Expr| match receiver {
        Expr::MethodCall(inner) => TEXT_METHODS.iter().any(|name| inner.method == name),
        _ => false,
    };
    is_repeatable(&call.receiver)
        || is_text(&call.receiver)
        || (call.turbofish.is_some() && is_value(&call.receiver))
}

/// Rewrites a call of a known predicate whose operands are rewritten already.
///
/// Receiver and argument are shown to the runtime before the call: what can be evaluated twice
/// is, other values are bound to a name first. An observation borrows only from types whose
/// methods of these names borrow too, so that a `&mut self` of another type is no conflict.
pub(crate) fn rewrite(rewriter: &mut Rewriter, call: &ExprMethodCall, name: &str) -> TokenStream {
    let span = here(call.span());
    let target = rewriter.sites.branch(span);
    let receiver = Operand::new("receiver", &call.receiver);
    let argument = call.args.first().map(|argument| Operand::new("argument", argument));
    let mut call = call.clone();
    *call.receiver = Expr::Verbatim(receiver.tokens.clone());
    if let (Some(argument), Some(place)) = (&argument, call.args.first_mut()) {
        *place = Expr::Verbatim(argument.tokens.clone());
    }
    let seen = argument.as_ref().map_or_else(|| unknown(span), |argument| argument.observe(span));
    let (observed, name) = (receiver.observe(span), Ident::new(name, span));
    let body = quote_spanned!(span=> {
        let observed = #observed;
        let seen = #seen;
        let outcome = #call;
        ::wallace_instrument::__private::call(
            &__WHITE_BOX,
            #target,
            ::wallace_instrument::__private::Predicate::#name,
            ((&::wallace_instrument::__private::Probe(&outcome)).white_box_observe(), observed, seen),
        );
        outcome
    });
    let body = argument.map_or(body.clone(), |argument| argument.bind(span, &body));
    let body = receiver.bind(span, &body);
    quote_spanned!(span=> ::core::convert::identity(#body))
}

/// Rewrites a `parse` whose receiver is rewritten already.
pub(crate) fn rewrite_parse(call: &ExprMethodCall) -> TokenStream {
    let span = here(call.span());
    let (receiver, mut call) = (Operand::new("receiver", &call.receiver), call.clone());
    *call.receiver = Expr::Verbatim(receiver.tokens.clone());
    let observed = receiver.observe(span);
    let body = quote_spanned!(span=>
        ::wallace_instrument::__private::parse(&__WHITE_BOX, #observed, #call));
    let body = receiver.bind(span, &body);
    quote_spanned!(span=> ::core::convert::identity(#body))
}

/// A receiver or an argument: used in place, or bound to a name.
struct Operand<'a> {
    /// What stands for it in the call.
    tokens: TokenStream,
    /// The same behind its references, which would be temporaries of their own.
    place: TokenStream,
    /// The name and the expression it is bound to.
    bound: Option<(Ident, &'a Expr)>,
    is_observable: bool,
}

impl<'a> Operand<'a> {
    fn new(name: &str, expression: &'a Expr) -> Self {
        // A closure needs its place in the call: its parameters get their types there.
        let is_closure = matches!(expression, Expr::Closure(_));
        let name = Ident::new(name, Span::mixed_site().located_at(expression.span()));
        let is_bound = !is_closure && !is_repeatable(expression);
        let referenced = behind_references(expression);
        Self {
            tokens: if is_bound { quote!(#name) } else { quote!(#expression) },
            place: if is_bound { quote!(#name) } else { quote!(#referenced) },
            bound: is_bound.then_some((name, inside_parentheses(expression))),
            is_observable: !is_closure,
        }
    }

    fn observe(&self, span: Span) -> TokenStream {
        if !self.is_observable {
            return unknown(span);
        }
        let place = &self.place;
        quote_spanned!(span=>
            (&::wallace_instrument::__private::Probe(&(#place))).white_box_observe())
    }

    /// Puts the binding, if there is one, around `body`.
    fn bind(&self, span: Span, body: &TokenStream) -> TokenStream {
        match &self.bound {
            Some((name, expression)) => quote_spanned!(span=>
                match (#expression) { #[allow(unused_mut)] mut #name => #body }),
            None => body.clone(),
        }
    }
}

fn inside_parentheses(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => inside_parentheses(&inner.expr),
        other => other,
    }
}

fn unknown(span: Span) -> TokenStream {
    quote_spanned!(span=> ::wallace_instrument::__private::Observation::Unknown)
}
