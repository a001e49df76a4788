//! The table of one function while it is being rewritten.

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::quote;

/// Sites in the order of their targets.
#[derive(Debug, Default)]
pub(crate) struct SiteTable {
    sites: Vec<TokenStream>,
    targets: u32,
    lines: HashMap<usize, u32>,
    /// Branches of each line so far.
    positions: HashMap<usize, u32>,
    /// Calls of each line so far.
    calls: HashMap<usize, u32>,
}

impl SiteTable {
    /// Target of a line; the same one for every statement of that line.
    pub(crate) fn line(&mut self, span: Span) -> u32 {
        let line = span.start().line;
        if let Some(&target) = self.lines.get(&line) {
            return target;
        }
        let target = self.add(1, |line, _| quote!(line(#line)), line);
        self.lines.insert(line, target);
        target
    }

    /// First of the two targets of a condition.
    pub(crate) fn branch(&mut self, span: Span) -> u32 {
        self.add(2, |line, position| quote!(branch(#line, #position)), span.start().line)
    }

    /// First of the targets of a `match`.
    pub(crate) fn arms(&mut self, span: Span, count: u32) -> u32 {
        let site = |line, position| quote!(arms(#line, #position, #count));
        self.add(count, site, span.start().line)
    }

    /// First of the two targets of a call that can fail.
    pub(crate) fn call(&mut self, span: Span) -> u32 {
        let line = span.start().line;
        let position = self.calls.entry(line).or_default();
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        self.sites.push(quote!(call(#number, #position)));
        *position += 1;
        let first = self.targets;
        self.targets += 2;
        first
    }

    fn add(
        &mut self,
        targets: u32,
        site: impl FnOnce(u32, u32) -> TokenStream,
        line: usize,
    ) -> u32 {
        let position = self.positions.entry(line).or_default();
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        self.sites.push(site(number, *position));
        if targets > 1 {
            *position += 1;
        }
        let first = self.targets;
        self.targets += targets;
        first
    }

    /// The items that hold and register the table, for the top of the function `name`.
    pub(crate) fn into_items(self, name: &str) -> Option<TokenStream> {
        if self.sites.is_empty() {
            return None;
        }
        let (sites, targets, numbers) = (self.sites, self.targets as usize, 0..self.targets);
        Some(quote! {
            #[allow(unused_imports)]
            use ::wallace_instrument::__private::{
                CollectKnown as _, CollectQuery as _, CollectUnknown as _, HoldCopy as _, HoldReference as _,
                ObserveKnown as _, ObserveUnknown as _, OutcomeKnown as _, OutcomeUnknown as _, Probing as _,
            };
            static __WHITE_BOX_TARGETS: [::wallace_instrument::__private::Target; #targets] =
                [#(::wallace_instrument::__private::Target::new(&__WHITE_BOX, #numbers)),*];
            static __WHITE_BOX: ::wallace_instrument::__private::Function =
                ::wallace_instrument::__private::Function::new(
                    ::core::module_path!(),
                    #name,
                    &[#(::wallace_instrument::__private::Site::#sites),*],
                    &__WHITE_BOX_TARGETS,
                )
                .in_file(::core::file!());
            ::wallace_instrument::__private::inventory::submit! {
                ::wallace_instrument::__private::Registered(&__WHITE_BOX)
            }
        })
    }
}
