//! JSON values and shapes as the inside of `json!`.

use super::{layout, literal};
use crate::writer::dialect::holds_json;
use crate::writer::program::{Expression, Function, Statement};

/// Longest value that stays on the line of a statement, in characters.
const LONGEST_INLINE: usize = 60;

/// Longest list or object inside of another one that stays on one line, in characters.
const LONGEST_INNER: usize = 72;

/// Name of the function that describes the start of a list.
const LIST_START: &str = "list_starting_with";

/// What a file must import and allow for the values in it.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Whether `json!` occurs.
    pub(super) uses_macro: bool,
    /// Whether a float literal occurs.
    pub(super) has_floats: bool,
    /// How deep the compiler must follow macros.
    pub(super) recursion: usize,
}

impl Values {
    pub(super) fn of(functions: &[Function]) -> Self {
        let mut values = Self::default();
        for statement in functions.iter().flat_map(|function| &function.body) {
            match statement {
                Statement::Assign(variable, value) if holds_json(variable) => values.note(value),
                Statement::Do(Expression::OfResponse(call)) => {
                    values.note_arguments(call.method, &call.arguments);
                }
                _ => {}
            }
        }
        values
    }

    fn note_arguments(&mut self, function: &str, arguments: &[Expression]) {
        let json = arguments.iter().enumerate().filter(|(at, _)| takes_json(function, *at));
        json.for_each(|(_, argument)| self.note(argument));
    }

    fn note(&mut self, value: &Expression) {
        self.has_floats |= has_float(value);
        self.recursion = self.recursion.max(recursion(value));
        match value {
            Expression::Call(function, arguments) => self.note_arguments(function, arguments),
            _ => self.uses_macro = true,
        }
    }
}

fn has_float(value: &Expression) -> bool {
    match value {
        Expression::Number(number) => number.is_f64(),
        Expression::List(parts) | Expression::Call(_, parts) => parts.iter().any(has_float),
        Expression::Object(fields) => fields.iter().any(|(_, field)| has_float(field)),
        _ => false,
    }
}

/// Whether a function or method takes JSON as its argument at a place.
pub(super) fn takes_json(function: &str, place: usize) -> bool {
    match function {
        "expect_json" | "by_type" | LIST_START => place == 1,
        "expect_errors" | "nullable" | "each" | "one_of" | "including" => place == 0,
        _ => false,
    }
}

/// How a list begins: its length and its first elements.
fn list_start(value: &Expression) -> Option<(&Expression, &[Expression])> {
    match value {
        Expression::Call(name, arguments) if *name == LIST_START => match &arguments[..] {
            [length, Expression::List(first)] => Some((length, first)),
            _ => None,
        },
        _ => None,
    }
}

/// The source on one line.
pub(super) fn inline(value: &Expression) -> String {
    match value {
        Expression::Null => "null".to_owned(),
        Expression::Boolean(value) => value.to_string(),
        Expression::Number(number) => literal::number(number),
        Expression::Text(text) | Expression::Block(text) => literal::string(text),
        Expression::Variable(name) => name.clone(),
        Expression::List(elements) => format!("[{}]", inline_elements(elements)),
        Expression::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Expression::Object(fields) => {
            let fields = fields.iter();
            let fields =
                fields.map(|(key, it)| format!("{}: {}", literal::string(key), inline(it)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Expression::Call(function, arguments) => call(function, arguments, &inline),
        // These stand in statements of their own.
        Expression::Send(_) | Expression::OfResponse(_) => String::new(),
    }
}

fn inline_elements(elements: &[Expression]) -> String {
    elements.iter().map(inline).collect::<Vec<_>>().join(", ")
}

/// A call of the support library; JSON in it stands in a macro again.
fn call(
    function: &str,
    arguments: &[Expression],
    source: &dyn Fn(&Expression) -> String,
) -> String {
    let arguments = arguments.iter().enumerate().map(|(at, argument)| match argument {
        Expression::Call(..) => source(argument),
        _ if takes_json(function, at) => format!("json!({})", source(argument)),
        _ => source(argument),
    });
    format!("{function}({})", arguments.collect::<Vec<_>>().join(", "))
}

/// A Rust expression of a JSON value, for a place where lines are indented so far; on several lines
/// if it is long.
pub(super) fn expression(value: &Expression, indentation: usize) -> String {
    if let Some((length, first)) = list_start(value) {
        let (length, first) = (inline(length), Expression::List(first.to_vec()));
        let line = format!("{length}, {}", expression(&first, 0));
        if layout::width(&line) <= LONGEST_INLINE && !line.contains('\n') {
            return format!("{LIST_START}({line})");
        }
        let (margin, first) = (" ".repeat(indentation), expression(&first, indentation + 4));
        return format!("{LIST_START}(\n{margin}    {length},\n{margin}    {first},\n{margin})");
    }
    match value {
        Expression::Call(function, arguments) => {
            call(function, arguments, &|one| source(one, indentation, LONGEST_INNER))
        }
        _ => format!("json!({})", source(value, indentation, longest_inline(value))),
    }
}

/// What stands inside of `json!`, on several lines if it is longer than `longest`.
fn source(value: &Expression, indentation: usize, longest: usize) -> String {
    let line = inline(value);
    if layout::width(&line) <= longest {
        return line;
    }
    if let Some((length, first)) = list_start(value) {
        let lines = lines(value, first, indentation);
        return format!("{LIST_START}({}, json!([{lines}]))", inline(length));
    }
    match value {
        Expression::Call(function, arguments) => {
            call(function, arguments, &|one| source(one, indentation, LONGEST_INNER))
        }
        Expression::List(elements) => format!("[{}]", lines(value, elements, indentation)),
        Expression::Object(fields) => {
            let margin = " ".repeat(indentation);
            let mut text = String::from("{\n");
            for (key, field) in fields {
                let field = source(field, indentation + 4, LONGEST_INNER);
                text += &format!("{margin}    {}: {field},\n", literal::string(key));
            }
            text + &margin + "}"
        }
        _ => line,
    }
}

/// Elements of a value on a line each, with the line breaks around them.
fn lines(of: &Expression, elements: &[Expression], indentation: usize) -> String {
    if elements.is_empty() {
        return String::new();
    }
    let margin = " ".repeat(indentation);
    // A formatter that understands the macro lays out its inside as well: it breaks lists earlier
    // and takes the last comma away.
    let (longest, last) =
        if is_plain(of) { (longest_inline(of), "") } else { (LONGEST_INNER, ",") };
    let lines: Vec<String> = elements
        .iter()
        .map(|element| format!("{margin}    {}", source(element, indentation + 4, longest)))
        .collect();
    format!("\n{}{last}\n{margin}", lines.join(",\n"))
}

/// How long a value may be on the line of a statement. Of a list that a formatter understands only
/// the inside counts.
fn longest_inline(value: &Expression) -> usize {
    if is_plain(value) { LONGEST_INLINE + 2 } else { LONGEST_INLINE }
}

/// Whether all of a value could stand in Rust without the macro.
fn is_plain(value: &Expression) -> bool {
    match value {
        Expression::Call(_, parts) | Expression::List(parts) => parts.iter().all(is_plain),
        Expression::Object(fields) => fields.is_empty(),
        _ => true,
    }
}

/// How deep the compiler must follow `json!` to the end of this value. The macro takes three steps
/// for a field and one for an element; measured with serde_json 1.0.
fn recursion(value: &Expression) -> usize {
    let deepest = |parts: &mut dyn Iterator<Item = &Expression>, steps: usize| {
        let depths = parts.enumerate();
        depths.map(|(index, part)| (index + 1) * steps + recursion(part)).max().unwrap_or(0)
    };
    4 + match value {
        Expression::Object(fields) => deepest(&mut fields.iter().map(|(_, field)| field), 3),
        Expression::List(parts) | Expression::Call(_, parts) => deepest(&mut parts.iter(), 1),
        _ => 0,
    }
}
