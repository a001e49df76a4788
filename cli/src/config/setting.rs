//! What the file may hold, read from the options of `wallace fuzz`.

use std::any::TypeId;

use clap::{Arg, ArgAction, CommandFactory};
use serde_json::{Value, json};
use toml::de::DeValue;

use super::FILE;
use crate::argument::{SECTIONS, THIS_RUN, Wallace};

/// What a value is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Number,
    String,
}

impl Kind {
    fn of(arg: &Arg) -> Self {
        let kind = arg.get_value_parser().type_id();
        let is = |known: TypeId| kind == known;
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            Self::Boolean
        } else if is(TypeId::of::<u64>())
            || is(TypeId::of::<u32>())
            || is(TypeId::of::<u16>())
            || is(TypeId::of::<usize>())
        {
            Self::Integer
        } else if is(TypeId::of::<f64>()) {
            Self::Number
        } else {
            Self::String
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

/// A setting of the file, as its option declares it.
pub(crate) struct Setting {
    pub(crate) section: String,
    /// Its key in the section, which is also the name of the option.
    pub(crate) key: String,
    /// What the parser of arguments calls it.
    pub(crate) option: String,
    pub(crate) about: String,
    kind: Kind,
    is_list: bool,
    /// Whether one value may stand for a list of it.
    may_be_one: bool,
    /// The default, or else what stands for a value in the help.
    example: String,
    arg: Arg,
}

/// Every setting, in the order of the file.
pub(crate) fn settings() -> Vec<Setting> {
    let command = Wallace::command();
    let fuzz = command.find_subcommand("fuzz").expect("the command has it");
    let mut settings: Vec<Setting> = fuzz.get_arguments().filter_map(Setting::of).collect();
    let place = |setting: &Setting| SECTIONS.iter().position(|(name, _)| *name == setting.section);
    settings.sort_by_key(place);
    settings
}

impl Setting {
    fn of(arg: &Arg) -> Option<Self> {
        let heading = arg.get_help_heading().filter(|heading| *heading != THIS_RUN)?;
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let told = about.split_once("[default: ").map(|(_, rest)| rest.trim_end_matches(']'));
        let told = told.filter(|told| !told.contains(' '));
        let usual = arg.get_default_values().first().map(|value| value.to_string_lossy());
        let stand_in =
            arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        let example = usual.map(Into::into).or(told.map(str::to_owned)).or(stand_in);
        Some(Self {
            section: heading.split(' ').next()?.to_lowercase(),
            key: arg.get_long()?.to_owned(),
            option: arg.get_id().to_string(),
            about: about.clone(),
            kind: Kind::of(arg),
            is_list: matches!(arg.get_action(), ArgAction::Append),
            may_be_one: arg.get_value_delimiter().is_some(),
            example: example.unwrap_or_default(),
            arg: arg.clone(),
        })
    }

    /// The line of the file that gives it a value.
    pub(crate) fn line(&self, value: Option<&str>) -> String {
        let text = value.unwrap_or(&self.example);
        let value = match self.kind {
            Kind::Boolean => "false".to_owned(),
            Kind::Integer | Kind::Number if text.parse::<f64>().is_err() => {
                // What is counted or measured takes ten; a code of a fault is one that there is.
                if self.key == "oracle-off" { "101" } else { "10" }.to_owned()
            }
            Kind::Integer | Kind::Number => text.to_owned(),
            Kind::String => toml::Value::String(text.to_owned()).to_string(),
        };
        let is_one = !self.is_list || self.may_be_one;
        let (key, value) = (&self.key, if is_one { value } else { format!("[{value}]") });
        format!("{key} = {value}\n")
    }

    fn schema(&self) -> Value {
        let listed: Vec<String> = self
            .arg
            .get_possible_values()
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect();
        let mut value = json!({ "type": self.kind.name() });
        if self.kind == Kind::String && !listed.is_empty() {
            value["enum"] = listed.into();
        }
        let list = json!({ "type": "array", "items": value });
        let mut schema = match (self.is_list, self.may_be_one) {
            (true, true) => json!({ "anyOf": [value, list] }),
            (true, false) => list,
            (false, _) => value,
        };
        schema["description"] = self.about.as_str().into();
        if let Some(variable) = self.arg.get_env() {
            schema["x-environment"] = variable.to_string_lossy().into();
        }
        if let Some(usual) = self.arg.get_default_values().first() {
            schema["x-default"] = usual.to_string_lossy().into();
        }
        schema
    }

    /// What its values are.
    pub(super) fn kind(&self) -> String {
        let kind = self.kind.name();
        match (self.is_list, self.may_be_one) {
            (true, true) => format!("of type {kind}, or a list of them"),
            (true, false) => format!("a list of {kind}"),
            (false, _) => format!("of type {kind}"),
        }
    }

    /// The values as the option takes them; `None` where the type is another.
    pub(super) fn values(&self, value: &DeValue<'_>) -> Option<Vec<String>> {
        if let (true, Some(elements)) = (self.is_list, value.as_array()) {
            return elements.iter().map(|element| self.value(element.get_ref())).collect();
        }
        if self.is_list && !self.may_be_one { None } else { Some(vec![self.value(value)?]) }
    }

    fn value(&self, value: &DeValue<'_>) -> Option<String> {
        match (value, self.kind) {
            (DeValue::Boolean(value), Kind::Boolean) => Some(value.to_string()),
            (DeValue::Integer(value), Kind::Integer | Kind::Number) => {
                Some(i128::from_str_radix(value.as_str(), value.radix()).ok()?.to_string())
            }
            (DeValue::Float(value), Kind::Number) => Some(value.as_str().to_owned()),
            (DeValue::String(value), Kind::String) => Some(value.to_string()),
            _ => None,
        }
    }
}

/// The schema of the file.
pub(crate) fn schema() -> Value {
    let mut sections = json!({});
    for (name, about) in SECTIONS {
        sections[name] = json!({ "type": "object", "description": about, "additionalProperties": false, "properties": {} });
    }
    for setting in settings() {
        sections[&setting.section]["properties"][&setting.key] = setting.schema();
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE,
        "description": "Settings of `wallace fuzz` and `wallace doctor`",
        "type": "object",
        "additionalProperties": false,
        "properties": sections,
    })
}
