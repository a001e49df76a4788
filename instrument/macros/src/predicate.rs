//! Rewrites calls of methods that answer yes or no, known by their names, and of `parse`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMethodCall, ExprTry};

use crate::place::{behind_references, is_none, is_repeatable, is_value, waits};
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

/// A method that the attribute knows by its name. A call of that name on a type without a distance
/// is covered or not, like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Answers yes or no: a condition.
    Condition(&'static str),
    /// The same, of a part of a text or an element of a collection.
    Membership(&'static str),
    /// Gives an `Option`, which may borrow from the receiver.
    Search(&'static str),
    /// Looks for a part of a text, with an outcome of its own.
    Use,
}

/// What is known of the method of a call.
pub(crate) fn method(call: &ExprMethodCall) -> Option<Known> {
    if call.turbofish.is_some() {
        return None;
    }
    let known = match (call.method.to_string().as_str(), call.args.len()) {
        ("is_empty", 0) => Known::Condition("IsEmpty"),
        ("starts_with", 1) => Known::Condition("StartsWith"),
        ("ends_with", 1) => Known::Condition("EndsWith"),
        ("eq_ignore_ascii_case", 1) => Known::Condition("EqualIgnoringCase"),
        ("is_match", 1) => Known::Condition("IsMatch"),
        ("contains", 1) => Known::Membership("Contains"),
        ("contains_key", 1) => Known::Membership("Key"),
        ("get", 1) => Known::Search("Key"),
        ("strip_prefix", 1) => Known::Search("StartsWith"),
        ("strip_suffix", 1) => Known::Search("EndsWith"),
        ("find" | "rfind" | "split_once" | "rsplit_once", 1) => Known::Search("Find"),
        ("captures", 1) => Known::Search("IsMatch"),
        (
            "split" | "rsplit" | "split_terminator" | "rsplit_terminator" | "split_inclusive"
            | "matches" | "trim_start_matches" | "trim_end_matches",
            1,
        )
        | ("splitn" | "rsplitn" | "replace" | "replacen", 2..) => Known::Use,
        ("split_whitespace", 0) => Known::Use,
        _ => return None,
    };
    is_observable(call, known).then_some(known)
}

/// Whether the call gives a truth value, so that it is a condition where it stands.
pub(crate) fn is_condition(call: &ExprMethodCall) -> bool {
    matches!(method(call), Some(Known::Condition(_) | Known::Membership(_)))
}

fn is_observable(call: &ExprMethodCall, known: Known) -> bool {
    let is_text = is_repeatable(&call.receiver) || is_text(&call.receiver);
    match known {
        // What is seen of a collection may not be kept while the code waits, or the future could not
        // go to another thread.
        Known::Search("Key") | Known::Membership("Key") if call.args.iter().any(waits) => false,
        Known::Condition(_) | Known::Membership(_) => has_observable_receiver(call),
        // Adapters of iterators have these names too, with closures.
        _ if call.args.iter().any(|argument| matches!(argument, Expr::Closure(_))) => false,
        // A receiver without a name may be consumed by the call.
        Known::Search("Key") => is_repeatable(&call.receiver),
        Known::Search(_) => is_text,
        Known::Use => is_text && call.args.iter().all(is_repeatable),
    }
}

fn has_observable_receiver(call: &ExprMethodCall) -> bool {
    is_repeatable(&call.receiver) || is_value(&call.receiver)
}

/// Whether the expression is a call that certainly gives a text.
fn is_text(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(inner) => TEXT_METHODS.iter().any(|name| inner.method == name),
        _ => false,
    }
}

/// Whether the call is `parse` on what is likely to be a text.
pub(crate) fn is_parse(call: &ExprMethodCall) -> bool {
    if call.method != "parse" || !call.args.is_empty() {
        return false;
    }
    is_repeatable(&call.receiver)
        || is_text(&call.receiver)
        || (call.turbofish.is_some() && is_value(&call.receiver))
}

/// Rewrites a call of a known method whose operands are rewritten already.
///
/// Receiver and argument are shown to the runtime before the call: what can be evaluated twice
/// is, other values are bound to a name first. An observation borrows only from types whose
/// methods of these names borrow too, so that a `&mut self` of another type is no conflict.
pub(crate) fn rewrite(rewriter: &mut Rewriter, call: &ExprMethodCall, known: Known) -> TokenStream {
    let span = here(call.span());
    let receiver = match known {
        Known::Condition(_) | Known::Membership(_) => Operand::new("receiver", &call.receiver),
        Known::Search(_) | Known::Use => Operand::lasting("receiver", &call.receiver),
    };
    let (name, target) = match known {
        Known::Condition(name) | Known::Membership(name) => (name, rewriter.sites.branch(span)),
        Known::Search(name) => (name, rewriter.sites.call(span)),
        Known::Use => return rewrite_use(call, &receiver),
    };
    // Methods of these names of other types may take their argument by value.
    let is_kept = matches!(known, Known::Search(_) | Known::Membership("Key"));
    let argument = call.args.first().map(|argument| match is_kept {
        true => Operand::in_place(argument),
        false => Operand::new("argument", argument),
    });
    let mut call = call.clone();
    *call.receiver = Expr::Verbatim(receiver.tokens.clone());
    if let (Some(argument), Some(place)) = (&argument, call.args.first_mut()) {
        *place = Expr::Verbatim(argument.tokens.clone());
    }
    let seen = argument.as_ref().map_or_else(|| unknown(span), |argument| argument.observe(span));
    let (observed, name) = (receiver.observe_called(span), Ident::new(name, span));
    let private = quote_spanned!(span=> ::wallace_instrument::__private);
    let is_look_up = matches!(known, Known::Membership(_) | Known::Search("Key" | "Find"));
    let (place, key) = (&receiver.place, argument.as_ref().filter(|key| key.is_observable));
    let key = key.map_or_else(|| quote!(0_u8), |key| key.place.clone());
    let collection = is_look_up.then(|| {
        quote_spanned!(span=>
            (&&(#place).white_box_look_up(&(#key))).white_box_collection(),)
    });
    let (seen, kept) = if is_kept {
        (quote_spanned!(span=> #private::Kept::new(#seen)), Some(quote_spanned!(span=> .observe())))
    } else {
        (seen, None)
    };
    let report = if is_look_up {
        quote_spanned!(span=>
            #private::look_up(&__WHITE_BOX, #target, #private::Predicate::#name,
                #private::LookedUp::collection(&observed.0), (succeeded, observed.1, seen #kept));)
    } else {
        quote_spanned!(span=>
            #private::call(&__WHITE_BOX, #target, #private::Predicate::#name,
                (succeeded, observed.0, seen #kept));)
    };
    let body = quote_spanned!(span=> {
        let observed = (#collection #observed,);
        let seen = #seen;
        #private::noted(#call, |outcome| {
            let succeeded = (&#private::OutcomeProbe(outcome)).white_box_outcome();
            #report
        })
    });
    let body = argument.map_or(body.clone(), |argument| argument.bind(span, &body));
    let body = receiver.bind(span, &body);
    quote_spanned!(span=> ::core::convert::identity(#body))
}

/// Shows receiver and separator to the runtime, then calls the method as it was.
fn rewrite_use(call: &ExprMethodCall, receiver: &Operand<'_>) -> TokenStream {
    let span = here(call.span());
    // `splitn` has the separator last, `replace` and all others first.
    let is_last = call.method == "splitn" || call.method == "rsplitn";
    let separator = if is_last { call.args.last() } else { call.args.first() };
    let seen = separator.map_or_else(
        || quote_spanned!(span=> ::wallace_instrument::__private::Observation::Character(' ')),
        |separator| Operand::new("separator", separator).observe(span),
    );
    let observed = receiver.observe_called(span);
    let mut call = call.clone();
    *call.receiver = Expr::Verbatim(receiver.tokens.clone());
    let body = quote_spanned!(span=> {
        ::wallace_instrument::__private::seek(
            &__WHITE_BOX, ::wallace_instrument::__private::Predicate::Find, #observed, #seen);
        #call
    });
    let body = receiver.bind(span, &body);
    quote_spanned!(span=> ::core::convert::identity(#body))
}

/// Rewrites a `parse` whose receiver is rewritten already.
pub(crate) fn rewrite_parse(rewriter: &mut Rewriter, call: &ExprMethodCall) -> TokenStream {
    let span = here(call.span());
    let (receiver, mut call) = (Operand::new("receiver", &call.receiver), call.clone());
    *call.receiver = Expr::Verbatim(receiver.tokens.clone());
    let observed = receiver.observe_called(span);
    let nothing = (unknown(span), TokenStream::new());
    let body = parsed(rewriter, span, (&(observed, TokenStream::new()), &nothing), &quote!(#call));
    let body = receiver.bind(span, &body);
    quote_spanned!(span=> ::core::convert::identity(#body))
}

/// Functions that read a text, by name: the places of the text and of the format, if there is one.
fn reading(function: &Expr, arguments: usize) -> Option<(usize, Option<usize>)> {
    let Expr::Path(path) = function else { return None };
    if path.path.segments.len() < 2 {
        return None;
    }
    match (path.path.segments.last()?.ident.to_string().as_str(), arguments) {
        ("from_str" | "parse_str" | "parse_from_rfc3339", 1) | ("from_str_radix", 2) => {
            Some((0, None))
        }
        ("parse_from_str" | "parse", 2) => Some((0, Some(1))),
        ("strptime", 2) => Some((1, Some(0))),
        _ => None,
    }
}

/// Rewrites a call like `Date::parse_from_str(text, "%Y")`, whose arguments are rewritten
/// already; nothing for other calls.
pub(crate) fn rewrite_reading(rewriter: &mut Rewriter, call: &ExprCall) -> Option<TokenStream> {
    let (text, format) = reading(&call.func, call.args.len())?;
    let text = call.args.get(text).filter(|text| is_repeatable(text))?;
    let format = match format {
        Some(place) => Some(call.args.get(place).filter(|format| is_repeatable(format))?),
        None => None,
    };
    let span = here(call.span());
    let observed = seen_before(span, "text", text);
    let seen = match format {
        Some(format) => seen_before(span, "format", format),
        None => (unknown(span), TokenStream::new()),
    };
    let body = parsed(rewriter, span, (&observed, &seen), &quote!(#call));
    Some(quote_spanned!(span=> ::core::convert::identity(#body)))
}

/// What is seen of an argument that a function may take by value, and how the copy is opened.
fn seen_before(span: Span, name: &str, argument: &Expr) -> Seen {
    let observed = Operand::new(name, argument).observe(span);
    if matches!(argument, Expr::Reference(_) | Expr::Lit(_)) {
        return (observed, TokenStream::new());
    }
    let kept = quote_spanned!(span=> ::wallace_instrument::__private::Kept::new(#observed));
    (kept, quote_spanned!(span=> .observe()))
}

/// An expression made before a call, and what behind it gives the observation after the call.
type Seen = (TokenStream, TokenStream);

/// Reads a text, and shows text and outcome to the runtime.
fn parsed(
    rewriter: &mut Rewriter,
    span: Span,
    ((text, open_text), (format, open_format)): (&Seen, &Seen),
    call: &TokenStream,
) -> TokenStream {
    let target = rewriter.sites.call(span);
    quote_spanned!(span=> {
        let observed = (#text, #format);
        ::wallace_instrument::__private::noted(#call, |outcome| {
            let succeeded =
                (&::wallace_instrument::__private::OutcomeProbe(outcome)).white_box_outcome();
            ::wallace_instrument::__private::parse(&__WHITE_BOX, #target,
                (observed.0 #open_text, observed.1 #open_format), succeeded, outcome);
        })
    })
}

/// Rewrites `value?`, whose value is rewritten already: going on and leaving are two targets.
pub(crate) fn rewrite_try(rewriter: &mut Rewriter, mut expression: ExprTry) -> Expr {
    let span = here(expression.question_token.span());
    let target = rewriter.sites.call(span);
    let value = Ident::new("value", Span::mixed_site().located_at(expression.expr.span()));
    let inner = &expression.expr;
    let shown = quote_spanned!(span=> match (#inner) { #value => {
        ::wallace_instrument::__private::tried(&__WHITE_BOX, #target,
            (&::wallace_instrument::__private::OutcomeProbe(&#value)).white_box_outcome());
        #value
    } });
    *expression.expr = Expr::Verbatim(shown);
    Expr::Try(expression)
}

/// A receiver or an argument: used in place, or bound to a name.
struct Operand<'a> {
    /// What stands for it in the call.
    tokens: TokenStream,
    /// The same behind its references, which would be temporaries of their own.
    place: TokenStream,
    /// The name and the expression it is bound to.
    bound: Option<(Ident, &'a Expr)>,
    /// Whether the name is bound to a reference, so that the value lives to the end of the
    /// statement and what the call gives may borrow from it.
    is_lasting: bool,
    is_observable: bool,
}

impl<'a> Operand<'a> {
    fn new(name: &str, expression: &'a Expr) -> Self {
        // A closure needs its place in the call: its parameters get their types there.
        let is_closure = matches!(expression, Expr::Closure(_));
        let name = Ident::new(name, Span::mixed_site().located_at(expression.span()));
        // A field of a packed struct may not be borrowed: what is given away is bound first.
        let is_given = name == "argument" && matches!(expression, Expr::Field(_));
        let is_bound = !is_closure && (is_given || !is_repeatable(expression));
        let referenced = behind_references(expression);
        Self {
            tokens: if is_bound { quote!(#name) } else { quote!(#expression) },
            place: if is_bound { quote!(#name) } else { quote!(#referenced) },
            bound: is_bound.then_some((name, inside_parentheses(expression))),
            is_lasting: false,
            is_observable: !is_closure,
        }
    }

    /// An argument that stays where it is, and is seen if that needs no name.
    fn in_place(expression: &'a Expr) -> Self {
        Self {
            bound: None,
            tokens: quote!(#expression),
            is_observable: is_repeatable(expression) && !is_none(expression),
            ..Self::new("kept", expression)
        }
    }

    fn lasting(name: &str, expression: &'a Expr) -> Self {
        Self { is_lasting: true, ..Self::new(name, expression) }
    }

    fn observe(&self, span: Span) -> TokenStream {
        if !self.is_observable {
            return unknown(span);
        }
        let place = &self.place;
        quote_spanned!(span=>
            (&::wallace_instrument::__private::Probe(&(#place))).white_box_observe())
    }

    /// The same of what the method is called on.
    fn observe_called(&self, span: Span) -> TokenStream {
        let place = &self.place;
        quote_spanned!(span=> (&(#place).white_box_probe()).white_box_observe())
    }

    /// Puts the binding, if there is one, around `body`.
    fn bind(&self, span: Span, body: &TokenStream) -> TokenStream {
        match &self.bound {
            Some((name, expression)) if self.is_lasting => quote_spanned!(span=>
                match (&mut (#expression)) { #name => #body }),
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
