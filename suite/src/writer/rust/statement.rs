//! Statements of a test as Rust: requests are chains that are awaited, JSON stands in `json!`.

use super::layout::{self, Argument, STATEMENT};
use super::{RustWriter, json, literal};
use crate::writer::dialect::{Dialect, holds_json};
use crate::writer::program::{Call, Expression, Statement};

/// The lines of a statement with a value; none of any other.
pub(super) fn source(statement: &Statement) -> Option<String> {
    Some(match statement {
        Statement::Comment(_) | Statement::Blank => return None,
        Statement::Do(Expression::Send(calls)) => layout::request(false, &all(calls)),
        Statement::Assign(_, Expression::Send(calls)) => layout::request(true, &all(calls)),
        Statement::Do(Expression::OfResponse(call)) => {
            layout::statement("response", &laid_out(call))
        }
        Statement::Do(value) => format!("    {};\n", plain(value)),
        Statement::Assign(variable, value) if holds_json(variable) => {
            layout::binding(variable, &json::expression(value, STATEMENT))
        }
        Statement::Assign(variable, value) if variable == "service" => {
            layout::binding(variable, &(plain(value) + ".await"))
        }
        Statement::Assign(variable, value) => layout::binding(variable, &plain(value)),
    })
}

/// What is awaited is sent.
fn all(calls: &[Call]) -> Vec<layout::Call> {
    calls.iter().filter(|call| call.method != "send").map(laid_out).collect()
}

/// A call of a method with its arguments.
fn laid_out(call: &Call) -> layout::Call {
    let arguments = call.arguments.iter().enumerate().map(|(place, argument)| {
        if !json::takes_json(call.method, place) {
            return Argument::new(plain(argument));
        }
        let inline = json::expression(argument, STATEMENT);
        Argument { inline, own_line: json::expression(argument, 2 * STATEMENT) }
    });
    layout::Call::new(&RustWriter.function(call.method), &arguments.collect::<Vec<_>>())
}

/// A value that is no JSON.
fn plain(value: &Expression) -> String {
    match value {
        Expression::Block(text) => {
            RustWriter.block(text, STATEMENT).unwrap_or_else(|| literal::string(text))
        }
        Expression::Call(function, arguments) => {
            let arguments = arguments.iter().map(|argument| match argument {
                Expression::Variable(name) => format!("&{name}"),
                other => plain(other),
            });
            format!("{function}({})", arguments.collect::<Vec<_>>().join(", "))
        }
        Expression::OfResponse(call) => format!("response{}", laid_out(call).inline()),
        other => json::inline(other),
    }
}
