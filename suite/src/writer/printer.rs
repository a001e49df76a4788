//! Prints a [`Function`] in a language: statements on lines that are not too long.

use crate::writer::dialect::{Dialect, Order};
use crate::writer::program::{Call, Expression, Function, Statement};

/// The longest line, as long as what stands on it can be broken.
const LINE: usize = 100;

/// The longest list or object inside of another one that stays on one line, in characters.
const LONGEST_INNER: usize = 72;

/// One function on its way to a text.
pub(crate) struct Printer<'a, D> {
    dialect: &'a D,
    function: &'a Function,
    /// Variables that have a value already.
    assigned: Vec<&'a str>,
}

impl<'a, D: Dialect> Printer<'a, D> {
    pub(crate) fn new(dialect: &'a D, function: &'a Function) -> Self {
        Self { dialect, function, assigned: Vec::new() }
    }

    /// The whole test with this name.
    pub(crate) fn test(mut self, name: &str) -> String {
        let dialect = self.dialect;
        let levels = dialect.depth() - 1;
        let margin = " ".repeat(levels * dialect.step());
        let comments = self.function.comments.iter().map(|line| {
            let text = dialect.comment_text(line);
            format!("{margin}{} {text}", dialect.comment()).trim_end().to_owned() + "\n"
        });
        let comments: String = comments.collect();
        let statements = &self.function.body;
        let body: String = statements.iter().map(|statement| self.statement(statement)).collect();
        dialect.test(name, &comments, &body)
    }

    fn statement(&mut self, statement: &'a Statement) -> String {
        let dialect = self.dialect;
        if let Some(lines) = dialect.laid_out(statement) {
            return lines;
        }
        let indentation = dialect.depth() * dialect.step();
        let margin = " ".repeat(indentation);
        match statement {
            Statement::Blank => "\n".to_owned(),
            Statement::Comment(text) => format!("{margin}{} {text}\n", dialect.comment()),
            Statement::Do(value) => {
                let value = self.expression(value, indentation, indentation + 1);
                format!("{margin}{value}{}\n", dialect.end())
            }
            Statement::Assign(variable, value) => {
                let order = self.order(variable);
                let variable = dialect.variable(variable);
                let head = dialect.assignment(&variable, "", order).trim_end().len();
                let value = self.expression(value, indentation, indentation + head + 2);
                let assignment = dialect.assignment(&variable, &value, order);
                format!("{margin}{assignment}{}\n", dialect.end())
            }
        }
    }

    fn order(&mut self, variable: &'a str) -> Order {
        if self.assigned.contains(&variable) {
            return Order::Again;
        }
        self.assigned.push(variable);
        if self.function.assignments(variable) > 1 { Order::First } else { Order::Only }
    }

    /// An expression whose first line begins at a column and whose others are indented.
    fn expression(&self, value: &Expression, indentation: usize, column: usize) -> String {
        if let Expression::Block(text) = value {
            let block = self.dialect.block(text, indentation);
            return block.unwrap_or_else(|| self.dialect.string(text));
        }
        let inline = self.inline(value);
        if column + inline.chars().count() <= LINE && !inline.contains('\n') {
            return inline;
        }
        self.broken(value, indentation)
    }

    /// An expression on several lines, if it has parts.
    fn broken(&self, value: &Expression, indentation: usize) -> String {
        match value {
            Expression::List(elements) if !elements.is_empty() => {
                let [(open, close), _] = self.dialect.brackets();
                let inner = indentation + self.dialect.step();
                let lines = elements.iter().map(|element| self.inner(element, inner));
                self.lines((open, close), &lines.collect::<Vec<_>>(), indentation)
            }
            Expression::Object(fields) if !fields.is_empty() => {
                let [_, brackets] = self.dialect.brackets();
                let inner = indentation + self.dialect.step();
                let lines = fields
                    .iter()
                    .map(|(key, field)| self.dialect.field(key, &self.inner(field, inner)));
                self.lines(brackets, &lines.collect::<Vec<_>>(), indentation)
            }
            Expression::Call(name, arguments) => {
                self.arguments(&self.dialect.function(name), arguments, indentation)
            }
            Expression::OfResponse(call) => {
                self.arguments(&self.method(call), &call.arguments, indentation)
            }
            Expression::Send(calls) => self.chain(calls, indentation),
            other => self.inline(other),
        }
    }

    /// An element of a list or a field, on a line of its own if it is not long.
    fn inner(&self, value: &Expression, indentation: usize) -> String {
        let inline = self.inline(value);
        if inline.chars().count() <= LONGEST_INNER {
            inline
        } else {
            self.broken(value, indentation)
        }
    }

    fn lines(&self, (open, close): (&str, &str), lines: &[String], indentation: usize) -> String {
        let margin = " ".repeat(indentation);
        let inner = " ".repeat(indentation + self.dialect.step());
        let last = if self.dialect.has_last_comma() { "," } else { "" };
        let separator = format!(",\n{inner}");
        format!("{open}\n{inner}{}{last}\n{margin}{close}", lines.join(&separator))
    }

    /// A call whose last argument is long: it begins on the line of the call.
    fn arguments(&self, head: &str, arguments: &[Expression], indentation: usize) -> String {
        let Some((last, first)) = arguments.split_last() else { return format!("{head}()") };
        let first: String = first.iter().map(|one| self.inline(one) + ", ").collect();
        format!("{head}({first}{})", self.broken(last, indentation))
    }

    fn method(&self, call: &Call) -> String {
        let dialect = self.dialect;
        let response = dialect.variable("response");
        format!("{response}{}{}", dialect.access(), dialect.function(call.method))
    }

    fn chain(&self, calls: &[Call], indentation: usize) -> String {
        let dialect = self.dialect;
        let inner = indentation + dialect.step();
        let margin = " ".repeat(inner);
        let lines: String = calls
            .iter()
            .map(|call| {
                let head = format!("{}{}", dialect.access(), dialect.function(call.method));
                let line = format!("{head}({})", self.inline_all(&call.arguments));
                let fits = inner + line.chars().count() <= LINE;
                let line = if fits { line } else { self.arguments(&head, &call.arguments, inner) };
                format!("\n{margin}{line}")
            })
            .collect();
        dialect.chain(&dialect.awaited(&dialect.variable("service")), &lines, indentation)
    }

    fn inline_all(&self, values: &[Expression]) -> String {
        values.iter().map(|value| self.inline(value)).collect::<Vec<_>>().join(", ")
    }

    /// An expression on one line.
    fn inline(&self, value: &Expression) -> String {
        let dialect = self.dialect;
        let [null, no, yes] = dialect.constants();
        match value {
            Expression::Null => null.to_owned(),
            Expression::Boolean(value) => (if *value { yes } else { no }).to_owned(),
            Expression::Number(number) => dialect.number(number),
            Expression::Text(text) | Expression::Block(text) => dialect.string(text),
            Expression::Variable(name) => dialect.variable(name),
            Expression::List(elements) => {
                let [(open, close), _] = dialect.brackets();
                format!("{open}{}{close}", self.inline_all(elements))
            }
            Expression::Object(fields) if fields.is_empty() => dialect.empty_object(),
            Expression::Object(fields) => {
                let [_, (open, close)] = dialect.brackets();
                let pad = if dialect.pads_objects() { " " } else { "" };
                let fields: Vec<String> =
                    fields.iter().map(|(key, it)| dialect.field(key, &self.inline(it))).collect();
                format!("{open}{pad}{}{pad}{close}", fields.join(", "))
            }
            Expression::Call(name, arguments) => {
                format!("{}({})", dialect.function(name), self.inline_all(arguments))
            }
            Expression::OfResponse(call) => {
                format!("{}({})", self.method(call), self.inline_all(&call.arguments))
            }
            Expression::Send(calls) => {
                let calls = calls.iter().map(|call| {
                    let (access, method) = (dialect.access(), dialect.function(call.method));
                    format!("{access}{method}({})", self.inline_all(&call.arguments))
                });
                let head = dialect.awaited(&dialect.variable("service"));
                format!("{head}{}", calls.collect::<String>())
            }
        }
    }
}
