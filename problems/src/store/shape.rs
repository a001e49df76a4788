//! What documents are like: by the type that the driver tells, by objects seen, and by the inputs of
//! the call that looked for them.

use serde_json::{Map, Value};

use super::document::{ID, Leaf, Member};
use crate::binding::child_pointer;
use crate::sql::{BOUNDS, Input, tainted};
use crate::word::singulars;

/// Objects inside each other that are followed, and members that are taken.
const DEEPEST: usize = 6;
const MOST_MEMBERS: usize = 40;
/// Elements of a list that are taken from an object seen.
const MOST_ELEMENTS: usize = 2;
/// Names by which one of many is called.
const NAMES: [&str; 5] = ["id", "uuid", "key", "code", "slug"];
/// When things happened that nobody has told of.
const SOME_TIME: &str = "2024-06-15T12:00:00Z";

/// Members under construction. Texts that nobody gave are such that drivers recognise them wherever
/// the service uses them.
pub(super) struct Shape<'a> {
    /// Where the value goes, by which texts of different places differ.
    pub(super) place: &'a str,
    pub(super) members: Vec<Member>,
}

impl<'a> Shape<'a> {
    pub(super) fn new(place: &'a str) -> Self {
        Self { place, members: Vec::new() }
    }

    fn text(&self, pointer: &str) -> String {
        tainted(&format!("{} {pointer}", self.place))
    }

    fn push(&mut self, pointer: &str, leaf: Leaf) {
        if self.members.len() < MOST_MEMBERS {
            self.members.push(Member { pointer: pointer.to_owned(), leaf });
        }
    }

    /// Takes the members of a type as drivers write it; nothing of one that is only named.
    pub(super) fn add_type(&mut self, told: &str) {
        let told = told.trim();
        let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
        let Some(whole) = object(told).or_else(|| object(&format!("{{{told}}}"))) else { return };
        let is_schema = |it: &Map<String, Value>| {
            ["type", "properties", "$ref"]
                .iter()
                .any(|key| it.get(*key).is_some_and(|it| !it.is_object() || *key == "properties"))
        };
        if is_schema(&whole) {
            return self.add_schema(&Value::Object(whole.clone()), &whole, "", 0);
        }
        // `"Name": schema`, or `"Name": { "Name": schema, "Other": schema }`.
        let name = told.trim_start_matches('{').trim_start().trim_start_matches('"');
        let name = name.split('"').next().unwrap_or_default();
        let Some(own) = whole.get(name).or_else(|| whole.values().next()) else { return };
        match own.as_object() {
            Some(types) if !is_schema(types) => {
                let root = types.get(name).or_else(|| types.values().next());
                if let Some(root) = root {
                    self.add_schema(root, types, "", 0);
                }
            }
            _ => self.add_schema(own, &whole, "", 0),
        }
    }

    fn add_schema(&mut self, schema: &Value, types: &Map<String, Value>, at: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            if let Some(schema) = types.get(name) {
                self.add_schema(schema, types, at, depth + 1);
            }
            return;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.add_schema(part, types, at, depth + 1);
        }
        if let Some(properties) = schema["properties"].as_object() {
            for (name, schema) in properties {
                // The id of a document has a type of the database's own.
                let pointer = child_pointer(at, name);
                if pointer != ID || schema["properties"].is_null() {
                    self.add_schema(schema, types, &pointer, depth + 1);
                }
            }
            return;
        }
        let options = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let options: Vec<String> = options.map(str::to_owned).collect();
        let is_kind = |kind: &&Value| **kind != "null";
        let kind =
            schema["type"].as_array().map_or(Some(&schema["type"]), |it| it.iter().find(is_kind));
        let format = schema["format"].as_str().unwrap_or_default();
        let leaf = match kind.and_then(Value::as_str).unwrap_or_default() {
            _ if at.is_empty() => return,
            _ if !options.is_empty() => Leaf::Listed(options, 0),
            "array" => {
                return self.add_schema(&schema["items"], types, &format!("{at}/[0]"), depth + 1);
            }
            "integer" => Leaf::Whole(1),
            "number" => Leaf::Number(1.5),
            "boolean" => Leaf::Truth(true),
            "string" if format.starts_with("date") => Leaf::Time(SOME_TIME.to_owned()),
            "string" => Leaf::Text(self.text(at)),
            _ => return,
        };
        self.push(at, leaf);
    }

    /// Takes the members of an object, with its values.
    pub(super) fn add_object(&mut self, value: &Value, at: &str) {
        let depth = at.matches('/').count();
        match value {
            Value::Object(members) if depth < DEEPEST => {
                members
                    .iter()
                    .for_each(|(name, value)| self.add_object(value, &child_pointer(at, name)));
            }
            Value::Array(elements) if depth < DEEPEST => {
                let elements = elements.iter().take(MOST_ELEMENTS).enumerate();
                elements
                    .for_each(|(index, value)| self.add_object(value, &format!("{at}/[{index}]")));
            }
            Value::Bool(is_true) => self.push(at, Leaf::Truth(*is_true)),
            Value::Number(number) => match number.as_i64() {
                Some(number) => self.push(at, Leaf::Whole(number)),
                None => self.push(at, Leaf::Number(number.as_f64().unwrap_or(1.5))),
            },
            Value::String(text) => {
                let leaf = Leaf::Text(self.text(at)).with(&Value::from(&**text));
                self.push(at, leaf.unwrap_or(Leaf::Text(String::new())));
            }
            Value::Null => self.push(at, Leaf::Text(self.text(at))),
            Value::Object(_) | Value::Array(_) => {}
        }
    }

    /// Gives members that are called like inputs of the call their values; those of inputs that no
    /// member is called like are added where nothing else tells what there is. The members that have
    /// the very value of an input, by their numbers, with it.
    pub(super) fn bind(&mut self, inputs: &[Input], is_open: bool) -> Vec<(usize, Value)> {
        let mut taken: Vec<(usize, Value)> = Vec::new();
        for (input, value) in inputs {
            let (wanted, is_bound) = without_bound(input);
            if is_name(&wanted, self.place) {
                self.add_id(value, &mut taken);
            }
            let found = self.likest(&wanted);
            let place = match found {
                Some(place) => place,
                None if is_open => {
                    let name = input.rsplit(' ').next().unwrap_or(input);
                    self.add_object(value, &child_pointer("", name));
                    self.members.len().saturating_sub(1)
                }
                None => continue,
            };
            let Some(member) = self.members.get_mut(place) else { continue };
            if let Some(leaf) = member.leaf.with(value) {
                member.leaf = leaf;
                if !is_bound && !taken.iter().any(|(known, _)| *known == place) {
                    taken.push((place, value.clone()));
                }
            }
        }
        taken
    }

    /// What names a document may be its id, whatever members it has besides.
    fn add_id(&mut self, value: &Value, taken: &mut Vec<(usize, Value)>) {
        let find = |pointer: &str| self.members.iter().position(|it| it.pointer == pointer);
        let known = find(ID);
        let place = known.unwrap_or(self.members.len());
        if known.is_none() {
            // Of what kind ids are, the type says by another name, or else the call.
            let leaf = match find("/id").map(|place| self.members[place].leaf.clone()) {
                Some(leaf) => leaf,
                None if value.is_i64() => Leaf::Whole(0),
                None => Leaf::Text(String::new()),
            };
            // A document keeps room for its id.
            self.members.push(Member { pointer: ID.to_owned(), leaf });
        }
        if let Some(leaf) = self.members[place].leaf.with(value) {
            self.members[place].leaf = leaf;
            taken.retain(|(known, _)| *known != place);
            taken.push((place, value.clone()));
        }
    }

    /// The member that is called most like an input.
    fn likest(&self, wanted: &[String]) -> Option<usize> {
        let own = singulars(self.place);
        let bare = |words: &[String]| -> Vec<String> {
            words.iter().filter(|word| !own.contains(word)).cloned().collect()
        };
        let stripped = bare(wanted);
        let likeness = |member: &Member| {
            let names =
                member.pointer.split('/').filter(|it| !it.is_empty() && !it.starts_with('['));
            let names: Vec<&str> = names.collect();
            let last = singulars(names.last().copied().unwrap_or_default());
            let all: Vec<String> = names.iter().flat_map(|name| singulars(name)).collect();
            match () {
                () if last == wanted && names.len() == 1 => 6,
                () if all == wanted => 5,
                () if last == wanted => 4,
                () if !stripped.is_empty() && bare(&last) == stripped => 3,
                () if !stripped.is_empty() && bare(&all) == stripped => 2,
                () if last.len() > 1
                    && last.ends_with(wanted)
                    && wanted.last().is_some_and(|it| it != "id") =>
                {
                    1
                }
                () => 0,
            }
        };
        let members = self.members.iter().enumerate().filter(|(_, it)| it.pointer != ID);
        let best = members.map(|(place, member)| (likeness(member), usize::MAX - place)).max();
        best.filter(|(likeness, _)| *likeness > 0).map(|(_, place)| usize::MAX - place)
    }
}

/// The words of an input but for one that makes a bound of it, and whether there is one.
fn without_bound(input: &str) -> (Vec<String>, bool) {
    let mut wanted = singulars(input);
    let bound = wanted.iter().position(|word| BOUNDS.iter().any(|(bound, _)| bound == word));
    let bound = bound.filter(|_| wanted.len() > 1);
    if let Some(place) = bound {
        wanted.remove(place);
    }
    (wanted, bound.is_some())
}

/// Whether an input names one of the documents of a place: `id`, `petId`, `{pet}`.
fn is_name(wanted: &[String], place: &str) -> bool {
    let own = singulars(place);
    let Some((last, first)) = wanted.split_last() else { return false };
    let is_own = |words: &[String]| words.iter().all(|word| own.contains(word));
    NAMES.contains(&&**last) && is_own(first) || is_own(wanted)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::{gene, json as document};
    use super::*;

    fn of_type(told: &str) -> Value {
        let mut shape = Shape::new("shop.orders");
        shape.add_type(told);
        document(&gene(&[], &shape.members), false)
    }

    #[test]
    fn types_are_read_in_every_form_that_drivers_write() {
        let text = tainted("shop.orders /name");
        let properties = r#"{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer","format":"int32"},"_id":{"type":"object","properties":{"timestamp":{"type":"integer"}}}}}"#;
        for told in [
            format!(r#""com.Order":{properties}"#),
            format!(r#"{{"com.Order":{properties}}}"#),
            format!(r#""com.Order":{{"com.Order":{properties}}}"#),
            properties.to_owned(),
        ] {
            assert_eq!(of_type(&told), json!({ "name": text, "count": 1 }), "{told}");
        }
        let nested = r##""A":{"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"},"list":{"type":"array","items":{"$ref":"#/components/schemas/B"}},"a":{"$ref":"#/components/schemas/A"}}},"B":{"type":"object","properties":{"is":{"type":"boolean"},"state":{"type":"string","enum":["x","y"]}}}}"##;
        let inner = json!({ "is": true, "state": "x" });
        let told = of_type(nested);
        assert_eq!((&told["b"], &told["list"]), (&inner, &json!([inner])));
        for told in ["com.example.Order", "", "org.bson.Document", "null", "[1]"] {
            assert_eq!(of_type(told), json!({}), "{told}");
        }
    }

    #[test]
    fn members_called_like_inputs_take_their_values() {
        let mut shape = Shape::new("shop.orders");
        shape.add_object(
            &json!({ "id": 1, "total": 5, "state": "a", "address": { "city": "b" } }),
            "",
        );
        let inputs: Vec<Input> = vec![
            ("order id".to_owned(), json!(7)),
            ("minTotal".to_owned(), json!("30")),
            ("city".to_owned(), json!("Ulm")),
            ("orderState".to_owned(), json!("open")),
            ("page".to_owned(), json!(1)),
        ];
        let taken = shape.bind(&inputs, false);
        let pointers: Vec<&str> =
            taken.iter().map(|(place, _)| &*shape.members[*place].pointer).collect();
        assert_eq!(pointers, [ID, "/id", "/address/city", "/state"]);
        let expected = json!({
            "id": 7, "total": 30, "state": "open", "address": { "city": "Ulm" }, "_id": 7,
        });
        assert_eq!(document(&gene(&[], &shape.members), true), expected);
        assert_eq!(
            shape.bind(&inputs, true).len(),
            5,
            "what is open takes what it has no name for"
        );
    }
}
