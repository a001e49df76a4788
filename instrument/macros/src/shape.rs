//! Turns literal patterns into the shapes on which the runtime defines a distance.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Lit, Pat, PatRange, PatSlice, RangeLimits, UnOp};

/// The shape of a pattern, and whether it holds anything that gives a gradient.
pub(crate) struct PatternShape {
    /// A constant of the runtime's type `Shape`.
    pub(crate) tokens: TokenStream,
    /// Whether there is a literal in it.
    pub(crate) is_graded: bool,
    /// Whether the literals are those of a tuple's elements.
    pub(crate) is_tuple: bool,
}

impl PatternShape {
    fn plain(tokens: TokenStream) -> Self {
        Self { tokens, is_graded: false, is_tuple: false }
    }

    fn graded(tokens: TokenStream) -> Self {
        Self { tokens, is_graded: true, is_tuple: false }
    }

    fn several(kind: &TokenStream, shapes: &[Self]) -> Self {
        let tokens = shapes.iter().map(|shape| &shape.tokens);
        Self {
            tokens: quote!(::wallace_instrument::__private::Shape::#kind(&[#(#tokens),*])),
            is_graded: shapes.iter().any(|shape| shape.is_graded),
            is_tuple: shapes.iter().any(|shape| shape.is_tuple),
        }
    }
}

/// The shape of `pattern`.
pub(crate) fn of(pattern: &Pat) -> PatternShape {
    let shape = quote!(::wallace_instrument::__private::Shape);
    match pattern {
        Pat::Lit(literal) => bounds(Some(&literal_expression(literal)), None),
        Pat::Range(range) => of_range(range),
        Pat::Paren(inner) => of(&inner.pat),
        Pat::Reference(inner) => of(&inner.pat),
        Pat::Or(alternatives) => several(&quote!(Either), alternatives.cases.iter()),
        Pat::Tuple(tuple) if !tuple.elems.iter().any(|element| matches!(element, Pat::Rest(_))) => {
            let mut shape = several(&quote!(Each), tuple.elems.iter());
            shape.is_tuple = true;
            shape
        }
        Pat::Slice(slice) => of_slice(slice),
        Pat::TupleStruct(error) if is_named(&error.path, "Err") => {
            PatternShape::plain(quote!(#shape::Absent))
        }
        Pat::TupleStruct(some)
            if (is_named(&some.path, "Some") || is_named(&some.path, "Ok"))
                && some.elems.len() == 1 =>
        {
            match of(&some.elems[0]) {
                inner if inner.is_graded => inner,
                _ => PatternShape::plain(quote!(#shape::Present)),
            }
        }
        Pat::Path(path) if is_named(&path.path, "None") => {
            PatternShape::plain(quote!(#shape::Absent))
        }
        Pat::Ident(name) if name.ident == "None" => PatternShape::plain(quote!(#shape::Absent)),
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) => of(inner),
            // Upper case names a constant, whose value is not known here.
            None if name.ident.to_string().starts_with(char::is_uppercase) => {
                PatternShape::plain(quote!(#shape::Unknown))
            }
            None => PatternShape::plain(quote!(#shape::Any)),
        },
        Pat::Wild(_) => PatternShape::plain(quote!(#shape::Any)),
        _ => PatternShape::plain(quote!(#shape::Unknown)),
    }
}

/// The shape of a slice is its length; what its elements must be has no gradient.
fn of_slice(slice: &PatSlice) -> PatternShape {
    let is_rest = |element: &&Pat| match element {
        Pat::Rest(_) => true,
        Pat::Ident(name) => {
            name.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_)))
        }
        _ => false,
    };
    let rest = slice.elems.iter().filter(is_rest).count();
    let least = slice.elems.len() - rest;
    let most = if rest == 0 { quote!(#least) } else { quote!(usize::MAX) };
    let shape = quote!(::wallace_instrument::__private::Shape);
    PatternShape::graded(quote!(#shape::Lengths(#least, #most)))
}

fn several<'a>(kind: &TokenStream, patterns: impl Iterator<Item = &'a Pat>) -> PatternShape {
    PatternShape::several(kind, &patterns.map(of).collect::<Vec<_>>())
}

fn is_named(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

fn literal_expression(literal: &syn::PatLit) -> Expr {
    Expr::Lit(literal.clone())
}

fn of_range(range: &PatRange) -> PatternShape {
    let is_closed = matches!(range.limits, RangeLimits::Closed(_));
    match (range.start.as_deref(), range.end.as_deref()) {
        (None, None) => PatternShape::plain(quote!(::wallace_instrument::__private::Shape::Any)),
        (start, end) => bounds(start, Some((end, is_closed))),
    }
}

/// A literal alone, or the range from `low` to an end that belongs to it or does not.
fn bounds(low: Option<&Expr>, end: Option<(Option<&Expr>, bool)>) -> PatternShape {
    let shape = quote!(::wallace_instrument::__private::Shape);
    let unknown = PatternShape::plain(quote!(#shape::Unknown));
    let Some(low) = low.map_or(Some(None), |low| literal(low).map(Some)) else {
        return unknown;
    };
    let Some((high, is_closed)) = end else {
        return low.map_or(unknown, |value| single(&value));
    };
    let Some(high) = high.map_or(Some(None), |high| literal(high).map(Some)) else {
        return unknown;
    };
    match (&low, &high) {
        (None | Some(Literal::Integer(_)), None | Some(Literal::Integer(_))) => {
            let low = integer(low.as_ref(), i128::MIN);
            let high = integer(high.as_ref(), i128::MAX);
            let high = if is_closed { high } else { high.saturating_sub(1) };
            PatternShape::graded(quote!(#shape::Integers(#low, #high)))
        }
        (None | Some(Literal::Float(_)), None | Some(Literal::Float(_))) => {
            let low = float(low.as_ref(), &quote!(f64::NEG_INFINITY));
            let high = float(high.as_ref(), &quote!(f64::INFINITY));
            PatternShape::graded(quote!(#shape::Floats(#low, #high)))
        }
        _ => unknown,
    }
}

/// A literal whose value is known here.
enum Literal {
    /// Also a character or a byte, by its number.
    Integer(i128),
    Float(f64),
    Text(String),
    Boolean(bool),
}

fn single(literal: &Literal) -> PatternShape {
    let shape = quote!(::wallace_instrument::__private::Shape);
    PatternShape::graded(match literal {
        Literal::Integer(value) => quote!(#shape::Integers(#value, #value)),
        Literal::Float(value) => quote!(#shape::Floats(#value, #value)),
        Literal::Text(text) => quote!(#shape::Text(#text)),
        Literal::Boolean(value) => return PatternShape::plain(quote!(#shape::Boolean(#value))),
    })
}

fn literal(expression: &Expr) -> Option<Literal> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) => value.base10_parse().ok().map(Literal::Integer),
            Lit::Float(value) => value.base10_parse().ok().map(Literal::Float),
            Lit::Char(value) => Some(Literal::Integer(u32::from(value.value()).into())),
            Lit::Byte(value) => Some(Literal::Integer(value.value().into())),
            Lit::Str(value) => Some(Literal::Text(value.value())),
            Lit::Bool(value) => Some(Literal::Boolean(value.value)),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match literal(&unary.expr)? {
            Literal::Integer(value) => Some(Literal::Integer(-value)),
            Literal::Float(value) => Some(Literal::Float(-value)),
            Literal::Text(_) | Literal::Boolean(_) => None,
        },
        _ => None,
    }
}

fn integer(literal: Option<&Literal>, otherwise: i128) -> i128 {
    match literal {
        Some(Literal::Integer(value)) => *value,
        _ => otherwise,
    }
}

fn float(literal: Option<&Literal>, otherwise: &TokenStream) -> TokenStream {
    match literal {
        Some(Literal::Float(value)) => quote!(#value),
        _ => otherwise.clone(),
    }
}
