//! Schema definition language: text to schema model.
//!
//! The text is cut into tokens, the tokens into definitions, and each definition is parsed by
//! itself, so that one that cannot be read does not hide what is wrong with the others.

mod canonical;
mod define;
mod definition;
mod directive;
mod literal;
mod merge;
mod name;
mod position;
mod read;
mod text;
mod token;

pub(crate) use read::{read, read_what_can_be_read};
pub(crate) use text::meaning;
pub(crate) use token::{Token, TokenKind, scan};
