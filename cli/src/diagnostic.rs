//! Errors that show the place in a file of the user's.

use std::fmt;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::console::{complain, note};
use crate::is_coloured;

/// What is wrong, where, and what to do.
#[derive(Debug)]
pub(crate) struct Located {
    message: String,
    advice: Option<String>,
    /// Name and text of the file.
    source: Option<(String, String)>,
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
        let source = Some((name.to_owned(), text.to_owned()));
        Self { message, advice: Some(advice), source, span }
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
    pub(crate) fn tell(self) {
        let renderer = if is_coloured() { Renderer::styled() } else { Renderer::plain() };
        match self.shown(&renderer) {
            Some(shown) => note(&shown),
            None => complain(&self.to_string()),
        }
    }

    /// The error with the lines of its place, where that is known.
    fn shown(&self, renderer: &Renderer) -> Option<String> {
        let ((name, text), span) = (self.source.as_ref()?, self.span.clone()?);
        let place = AnnotationKind::Primary.span(span).label("here");
        let lines = Snippet::source(text.as_str()).path(name.as_str()).annotation(place);
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(lines);
        if let Some(advice) = &self.advice {
            group = group.element(Level::HELP.message(advice.as_str()));
        }
        Some(renderer.clone().decor_style(DecorStyle::Unicode).render(&[group]))
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

#[cfg(test)]
impl Located {
    /// Line of the place, from 1.
    pub(crate) fn line(&self) -> Option<usize> {
        let (_, text) = self.source.as_ref()?;
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
        let shown = error.shown(&Renderer::plain()).unwrap_or_default();
        assert!(shown.contains("a.graphql:2:10") && shown.contains("größe"), "{shown}");
        assert!(shown.contains("unknown type") && shown.contains("see"), "{shown}");
        let outside = Located::at("a", "x", (9, 9), String::new(), "");
        assert!(outside.span.is_some_and(|span| span.end <= 1));
    }
}
