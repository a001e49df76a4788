//! Errors that show the place in a file of the user's.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, Severity, SourceCode};

/// What is wrong, where, and what to do.
#[derive(Debug)]
pub(crate) struct Located {
    message: String,
    advice: Option<String>,
    source: Option<NamedSource<String>>,
    span: Option<Range<usize>>,
}

impl Located {
    /// An error at a place of the text of a file.
    pub(crate) fn new(
        name: &str,
        text: &str,
        span: Option<Range<usize>>,
        message: String,
        advice: String,
    ) -> Self {
        let source = NamedSource::new(name, text.to_owned());
        Self { message, advice: Some(advice), source: Some(source), span }
    }

    /// An error without a place.
    pub(crate) fn plain(message: String) -> Self {
        Self { message, advice: None, source: None, span: None }
    }

    /// An error at a line and character of a file, both from 1.
    pub(crate) fn at(
        name: &str,
        text: &str,
        (line, column): (u32, u32),
        message: String,
        advice: &str,
    ) -> Self {
        let before: usize =
            text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
        let rest = text.get(before..).unwrap_or_default();
        let inside = rest.char_indices().nth(column.saturating_sub(1) as usize);
        let start = before + inside.map_or(0, |(start, _)| start);
        let word = text.get(start..).unwrap_or_default();
        let length = word.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(1);
        let span = start..(start + length.max(1)).min(text.len());
        Self::new(name, text, Some(span), message, advice.to_owned())
    }

    /// Tells the error: with the lines of the file where the place is known.
    #[expect(clippy::print_stderr, reason = "this is where errors are told")]
    pub(crate) fn tell(self) {
        if self.span.is_none() {
            eprintln!("wallace: {self}");
            return;
        }
        eprintln!("{:?}", miette::Report::new(self));
    }
}

impl fmt::Display for Located {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.advice {
            Some(advice) => write!(formatter, ": {advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Located {}

impl Diagnostic for Located {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.advice.as_ref().map(|advice| Box::new(advice) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        let label = LabeledSpan::new_with_span(Some("here".to_owned()), span);
        Some(Box::new(std::iter::once(label)))
    }
}

#[cfg(test)]
impl Located {
    /// Line of the place, from 1.
    pub(crate) fn line(&self) -> Option<usize> {
        let text = self.source.as_ref()?.inner();
        Some(text.get(..self.span.as_ref()?.start)?.matches('\n').count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_the_text() {
        let text = "type A {\n  größe: Strnig\n}";
        let error = Located::at("a.graphql", text, (2, 10), "unknown type".to_owned(), "see");
        assert_eq!(error.span.clone().map(|span| &text[span]), Some("Strnig"));
        let shown = format!("{:?}", miette::Report::new(error));
        assert!(shown.contains("a.graphql") && shown.contains("größe"), "{shown}");
        let outside = Located::at("a", "x", (9, 9), String::new(), "");
        assert!(outside.span.is_some_and(|span| span.end <= 1));
    }
}
