//! From text to the definitions of a document.
//!
//! The tokens are those that schemas are cut into too ([`scan`]). A document is read by descent,
//! one function for each rule of the grammar, since each needs one token of foresight at most.

mod value;

use std::sync::Arc;

use super::{
    Definition, ExecutableDocument, Field, Fragment, Invalid, Operation, Part, Selection,
    VariableDefinition,
};
use crate::graphql::document::Directive;
use crate::graphql::schema::{OperationKind, SchemaPosition, Wrapper};
use crate::graphql::sdl::{Token, TokenKind, scan};

/// Brackets within brackets, at most; what is deeper would not fit on the stack of a thread.
const MAX_DEPTH: usize = 128;

impl ExecutableDocument {
    /// Reads a document.
    ///
    /// # Errors
    /// The first place that is no GraphQL, or where brackets stand in more than 128 others.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let (tokens, problems) = scan(text);
        let unread = problems.into_iter().next().map(Invalid::from);
        let last = tokens.last().map_or(SchemaPosition { line: 1, column: 1 }, |it| it.position);
        let mut parser = Parser { tokens: &tokens, last, depth: 0 };
        let mut definitions = Vec::new();
        let parsed = loop {
            match parser.definition() {
                Ok(definition) => definitions.push(definition),
                Err(invalid) => break Err(invalid),
            }
            if parser.tokens.is_empty() {
                break Ok(());
            }
        };
        // What is no token is left out of the others, and may be why they make no sense.
        match (unread, parsed) {
            (Some(unread), Err(invalid)) => Err(unread.min(invalid)),
            (Some(invalid), Ok(())) | (None, Err(invalid)) => Err(invalid),
            (None, Ok(())) => Ok(Self { definitions }),
        }
    }
}

struct Parser<'t> {
    /// What was not read yet.
    tokens: &'t [Token<'t>],
    /// Where the text ends, nearly.
    last: SchemaPosition,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn position(&self) -> SchemaPosition {
        self.tokens.first().map_or(self.last, |token| token.position)
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, Invalid> {
        let found = match self.tokens.first() {
            Some(token) => format!("`{}`", token.text.chars().take(60).collect::<String>()),
            None => "the end of the document".to_owned(),
        };
        let reason = format!("expected {expected}, found {found}");
        Err(Invalid { position: self.position(), reason })
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    fn is(&self, text: &str) -> bool {
        self.tokens.first().is_some_and(|token| token.is(text))
    }

    fn take(&mut self, text: &str) -> bool {
        let is_there = self.is(text);
        if is_there {
            self.next();
        }
        is_there
    }

    fn expect(&mut self, text: &str) -> Result<(), Invalid> {
        if self.take(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }

    fn name(&mut self, what: &str) -> Result<Arc<str>, Invalid> {
        match self.tokens.first() {
            Some(token) if token.kind == TokenKind::Name => {
                self.next();
                Ok(token.text.into())
            }
            _ => self.unexpected(what),
        }
    }

    /// What stands between two brackets: at least one of `part`.
    fn bracketed<T>(
        &mut self,
        (open, close): (&str, &str),
        part: impl Fn(&mut Self) -> Result<T, Invalid>,
    ) -> Result<Vec<T>, Invalid> {
        let position = self.position();
        self.expect(open)?;
        if self.depth == MAX_DEPTH {
            let reason = format!("more than {MAX_DEPTH} brackets inside one another");
            return Err(Invalid { position, reason });
        }
        self.depth += 1;
        let mut parts = vec![part(self)?];
        while !self.take(close) {
            parts.push(part(self)?);
        }
        self.depth -= 1;
        Ok(parts)
    }

    fn definition(&mut self) -> Result<Definition, Invalid> {
        let position = self.position();
        if self.is("{") {
            let selections = self.selections()?;
            let (name, variables, directives) = (None, Vec::new(), Vec::new());
            let kind = OperationKind::Query;
            let operation = Operation { kind, name, variables, directives, selections, position };
            return Ok(Definition::Operation(operation));
        }
        if self.take("fragment") {
            return self.fragment(position).map(Definition::Fragment);
        }
        match OperationKind::ALL.into_iter().find(|kind| self.take(kind.keyword())) {
            Some(kind) => self.operation(kind, position).map(Definition::Operation),
            None => self.unexpected("an operation or a fragment"),
        }
    }

    fn operation(
        &mut self,
        kind: OperationKind,
        position: SchemaPosition,
    ) -> Result<Operation, Invalid> {
        let is_named = self.tokens.first().is_some_and(|token| token.kind == TokenKind::Name);
        let name = if is_named { Some(self.name("a name")?) } else { None };
        let variables =
            if self.is("(") { self.bracketed(("(", ")"), Self::variable)? } else { Vec::new() };
        let directives = self.directives()?;
        let selections = self.selections()?;
        Ok(Operation { kind, name, variables, directives, selections, position })
    }

    fn fragment(&mut self, position: SchemaPosition) -> Result<Fragment, Invalid> {
        if self.is("on") {
            return self.unexpected("the name of a fragment");
        }
        let name = self.name("the name of a fragment")?;
        self.expect("on")?;
        let on = self.name("the name of a type")?;
        let directives = self.directives()?;
        let selections = self.selections()?;
        Ok(Fragment { name, on, directives, selections, position })
    }

    fn variable(&mut self) -> Result<VariableDefinition, Invalid> {
        let position = self.position();
        self.expect("$")?;
        let name = self.name("the name of a variable")?;
        self.expect(":")?;
        let (type_name, wrappers) = self.type_reference()?;
        let default = if self.take("=") { Some(self.value(true)?) } else { None };
        let directives = self.directives()?;
        Ok(VariableDefinition { name, type_name, wrappers, default, directives, position })
    }

    /// A type inside its marks; they are found from the outermost bracket to the name and back.
    fn type_reference(&mut self) -> Result<(Arc<str>, Box<[Wrapper]>), Invalid> {
        let mut lists = 0;
        while self.take("[") {
            lists += 1;
        }
        let name = self.name("the name of a type")?;
        let mut inside_out = Vec::new();
        if self.take("!") {
            inside_out.push(Wrapper::NonNull);
        }
        for _ in 0..lists {
            self.expect("]")?;
            inside_out.push(Wrapper::List);
            if self.take("!") {
                inside_out.push(Wrapper::NonNull);
            }
        }
        inside_out.reverse();
        Ok((name, inside_out.into()))
    }

    fn directives(&mut self) -> Result<Vec<Directive>, Invalid> {
        let mut directives = Vec::new();
        while self.take("@") {
            let name = self.name("the name of a directive")?;
            directives.push(Directive { name, arguments: self.arguments()? });
        }
        Ok(directives)
    }

    fn selections(&mut self) -> Result<Vec<Selection>, Invalid> {
        self.bracketed(("{", "}"), Self::selection)
    }

    fn selection(&mut self) -> Result<Selection, Invalid> {
        let position = self.position();
        if !self.take("...") {
            return self.field(position);
        }
        let part = if self.take("on") {
            Part::Inline(Some(self.name("the name of a type")?))
        } else if self.is("{") || self.is("@") {
            Part::Inline(None)
        } else {
            Part::Spread(self.name("the name of a fragment")?)
        };
        let directives = self.directives()?;
        let selections = match part {
            Part::Spread(_) => Vec::new(),
            Part::Field(_) | Part::Inline(_) => self.selections()?,
        };
        Ok(Selection { part, directives, selections, position })
    }

    fn field(&mut self, position: SchemaPosition) -> Result<Selection, Invalid> {
        let mut name = self.name("a field")?;
        let mut alias = None;
        if self.take(":") {
            alias = Some(std::mem::replace(&mut name, self.name("a field")?));
        }
        let field = Field { alias, name, arguments: self.arguments()? };
        let directives = self.directives()?;
        let selections = if self.is("{") { self.selections()? } else { Vec::new() };
        Ok(Selection { part: Part::Field(field), directives, selections, position })
    }
}
