//! How much of a body is seen.

use proc_macro2::{Span, TokenStream};
use syn::punctuated::Punctuated;
use syn::{LitInt, Meta, Token};

/// How much is seen of the operands of conditions.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sight {
    #[default]
    Whole,
    /// All of it, but fields are copied to be seen: those of packed structs may not be borrowed.
    Copied,
    /// Lines, arms and sides, without operands.
    Coarse,
}

/// What is asked for of a body.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) sight: Sight,
    /// Lines on which everything is seen without operands.
    coarse_lines: Vec<usize>,
}

impl View {
    /// What `#[white_box(arguments)]` asks for: nothing more, `copied`, `coarse` or `coarse(3, 14)`.
    pub(crate) fn of(arguments: TokenStream) -> Option<Self> {
        if arguments.is_empty() {
            return Some(Self::default());
        }
        let (mut view, meta) = (Self::default(), syn::parse2::<Meta>(arguments).ok()?);
        match &meta {
            Meta::Path(word) if word.is_ident("copied") => view.sight = Sight::Copied,
            Meta::Path(word) if word.is_ident("coarse") => view.sight = Sight::Coarse,
            Meta::List(list) if list.path.is_ident("coarse") => {
                let lines = list.parse_args_with(Punctuated::<LitInt, Token![,]>::parse_terminated);
                let lines = lines.ok()?;
                let lines = lines.iter().map(LitInt::base10_parse).collect::<syn::Result<_>>();
                view.coarse_lines = lines.ok()?;
            }
            _ => return None,
        }
        Some(view)
    }

    /// What is seen where both are asked for.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.sight = self.sight.max(other.sight);
        self.coarse_lines.extend(&other.coarse_lines);
        self
    }

    /// How much is seen of what begins at `span`.
    pub(crate) fn at(&self, span: Span) -> Sight {
        match self.coarse_lines.contains(&span.start().line) {
            true => Sight::Coarse,
            false => self.sight,
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::*;

    #[test]
    fn arguments_say_what_is_seen() {
        let of = |arguments: TokenStream| View::of(arguments).map(|view| view.sight);
        assert_eq!(of(quote!()), Some(Sight::Whole));
        assert_eq!(of(quote!(copied)), Some(Sight::Copied));
        assert_eq!(of(quote!(coarse)), Some(Sight::Coarse));
        assert_eq!(of(quote!(coarse(3, 14))), Some(Sight::Whole));
        assert_eq!([of(quote!(fine)), of(quote!(coarse(a)))], [None, None]);
    }

    #[test]
    fn of_some_lines_no_operands_are_seen() {
        let text = r#"fn ends(a: &str, b: &[T]) -> bool {
            a.is_empty()
                || !(b[0] == b[1])
                || b.contains(&b[0])
                || matches!(a, "x") && a.parse::<u8>().is_ok()
                && if let Some("y") = a.get(1..) { true } else { b.first()? < b.last() }
        }"#;
        let seen = |lines: TokenStream| {
            let mut item = syn::parse_str(text).expect("it is Rust");
            let view = View::of(quote!(coarse(#lines))).expect("a list of lines");
            crate::item::instrument(&mut item, &view).expect("a function has a body");
            let text = item.into_token_stream().to_string();
            (text.matches("white_box_o").count(), text.matches(":: branch (").count())
        };
        let [whole, some, none] = [quote!(), quote!(3, 4), quote!(2, 3, 4, 5, 6)].map(seen);
        assert!(whole.0 > some.0 && some.0 > 0, "{whole:?} {some:?}");
        assert_eq!(none.0, 0);
        assert!(whole.1 == some.1 && some.1 == none.1, "sides stay: {whole:?} {none:?}");
    }
}
