//! Documents and values of keys as genes.
//!
//! A gene holds where the value goes, the names of its members, and for each kind of value a list
//! of members of that kind. Places and names stay as they are; a member that mutation takes out of
//! its list is left out of the document.

use serde_json::{Value, json};
use wallace_genes::{
    Field, Gene, GeneSpec, SpecBuilder, SpecId, SpecRef,
    spec::{
        ArraySpec, DateTimeSpec, FloatSpec, FormatSpec, IntegerSpec, LongSpec, StringSpec,
        TupleSpec,
    },
};

/// Longest text of a member, in characters.
const LONGEST: u32 = 200;
/// Most members of a kind that a document has.
const MOST: u32 = 64;
/// Position of the list of places, of that of names, and of the first kind.
pub(super) const PLACES: u32 = 0;
pub(super) const NAMES: u32 = 1;
const FIRST_KIND: usize = 2;
/// The largest number that stands for one of the values that are listed.
const MOST_LISTED: i32 = 1_000;

/// What a member holds. The order is that of the lists in a gene.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaf {
    Text(String),
    Whole(i64),
    Number(f64),
    Truth(bool),
    Time(String),
    /// One of some texts.
    Listed(Vec<String>, i32),
}

/// A member and where it is: names after slashes, `[0]` for an element of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) pointer: String,
    pub(super) leaf: Leaf,
}

impl Leaf {
    fn kind(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Whole(_) => 1,
            Self::Number(_) => 2,
            Self::Truth(_) => 3,
            Self::Time(_) => 4,
            Self::Listed(..) => 5,
        }
    }

    /// The same kind with a value from elsewhere; none where the kind does not hold it.
    pub(super) fn with(&self, value: &Value) -> Option<Self> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => return None,
        };
        Some(match self {
            Self::Text(_) => Self::Text(text.chars().take(LONGEST as usize).collect()),
            Self::Whole(_) => Self::Whole(text.trim().parse().ok()?),
            Self::Number(_) => {
                Self::Number(text.trim().parse().ok().filter(|it: &f64| it.is_finite())?)
            }
            Self::Truth(_) => Self::Truth(text.trim().parse().ok()?),
            Self::Time(_) => Self::Time(text.contains('T').then_some(text)?),
            Self::Listed(options, _) => {
                let place = options.iter().position(|option| *option == text)?;
                Self::Listed(options.clone(), i32::try_from(place).ok()?)
            }
        })
    }

    /// The value without what says its kind.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) | Self::Time(text) => Value::from(&**text),
            Self::Whole(number) => Value::from(*number),
            Self::Number(number) => Value::from(*number),
            Self::Truth(is_true) => Value::from(*is_true),
            Self::Listed(options, place) => {
                let place = usize::try_from(*place).unwrap_or(0) % options.len().max(1);
                options.get(place).map_or(Value::Null, |option| Value::from(&**option))
            }
        }
    }

    fn gene(&self) -> Gene {
        match self {
            Self::Text(text) | Self::Time(text) => Gene::text(&**text),
            Self::Whole(number) => Gene::Long(*number),
            Self::Number(number) => Gene::float(*number),
            Self::Truth(is_true) => Gene::Boolean(*is_true),
            Self::Listed(options, place) => {
                Gene::Tuple(vec![texts(options.iter().map(String::as_str)), Gene::Integer(*place)])
            }
        }
    }

    fn of(kind: usize, gene: &Gene) -> Option<Self> {
        Some(match (kind, gene) {
            (0, Gene::String(string)) => Self::Text(string.text.to_string()),
            (1, Gene::Long(number)) => Self::Whole(*number),
            (2, Gene::Float(number)) => Self::Number(number.get()),
            (3, Gene::Boolean(is_true)) => Self::Truth(*is_true),
            (4, Gene::String(string)) => Self::Time(string.text.to_string()),
            (5, Gene::Tuple(parts)) => match &parts[..] {
                [options, Gene::Integer(place)] => {
                    Self::Listed(text_list(options).map(str::to_owned).collect(), *place)
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// The specification of documents and of values under keys.
pub(super) fn spec() -> SpecRef {
    let mut builder = SpecBuilder::new();
    let long = builder.add(GeneSpec::String(StringSpec { min: 0, max: 100_000 }));
    let list = |builder: &mut SpecBuilder, element, max| {
        builder.add(GeneSpec::Array(ArraySpec { element, min: 0, max }))
    };
    let tuple = |builder: &mut SpecBuilder, elements: &[(&str, SpecId)]| {
        let elements = elements.iter().map(|(name, spec)| Field::new(*name, *spec)).collect();
        builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }))
    };
    let fixed = list(&mut builder, long, 100_000);
    let fixed = builder.add(GeneSpec::Immutable(fixed));
    let name = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let name = builder.add(GeneSpec::Immutable(name));
    let place = builder.add(GeneSpec::Integer(IntegerSpec { min: 0, max: MOST_LISTED }));
    let kinds = [
        ("texts", builder.add(GeneSpec::String(StringSpec { min: 0, max: LONGEST }))),
        ("wholes", builder.add(GeneSpec::Long(LongSpec::default()))),
        ("numbers", builder.add(GeneSpec::Float(FloatSpec::default()))),
        ("truths", builder.add(GeneSpec::Boolean)),
        ("times", builder.add(GeneSpec::Format(FormatSpec::DateTime(DateTimeSpec::default())))),
        ("listed", tuple(&mut builder, &[("options", fixed), ("place", place)])),
    ];
    let mut fields = vec![("places", fixed), ("names", fixed)];
    for (kind, value) in kinds {
        let member = tuple(&mut builder, &[("name", name), ("value", value)]);
        fields.push((kind, list(&mut builder, member, MOST)));
    }
    let whole = tuple(&mut builder, &fields);
    SpecRef::new(builder.build(), whole)
}

fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Gene {
    Gene::Array(texts.into_iter().map(Gene::text).collect())
}

fn text_list(gene: &Gene) -> impl Iterator<Item = &str> {
    let elements = if let Gene::Array(elements) = gene { &elements[..] } else { &[] };
    elements.iter().map(|element| match element {
        Gene::String(string) => &*string.text,
        _ => "",
    })
}

/// The gene of a value with these members at a place.
pub(super) fn gene(places: &[&str], members: &[Member]) -> Gene {
    let mut lists = vec![Vec::new(); 6];
    for (name, member) in (0..).zip(members) {
        let list = &mut lists[member.leaf.kind()];
        if list.len() < MOST as usize {
            list.push(Gene::Tuple(vec![Gene::Integer(name), member.leaf.gene()]));
        }
    }
    let names = texts(members.iter().map(|member| &*member.pointer));
    let fixed = [texts(places.iter().copied()), names];
    Gene::Tuple(fixed.into_iter().chain(lists.into_iter().map(Gene::Array)).collect())
}

fn parts(gene: &Gene) -> &[Gene] {
    if let Gene::Tuple(parts) = gene { parts } else { &[] }
}

/// Part `index` of the place where a value goes.
pub(super) fn place(gene: &Gene, index: usize) -> &str {
    parts(gene).first().and_then(|places| text_list(places).nth(index)).unwrap_or_default()
}

/// The names of all members, those that are left out too.
pub(super) fn names(gene: &Gene) -> impl Iterator<Item = &str> {
    parts(gene).get(NAMES as usize).into_iter().flat_map(text_list)
}

/// The members that are there, by the numbers of their names and in their order.
pub(super) fn members(gene: &Gene) -> Vec<(usize, Member)> {
    let Some(names) = parts(gene).get(NAMES as usize) else { return Vec::new() };
    let mut found = Vec::new();
    for (kind, list) in parts(gene).iter().skip(FIRST_KIND).enumerate() {
        let Gene::Array(list) = list else { continue };
        for member in list {
            let [Gene::Integer(name), value] = parts(member) else { continue };
            let name = usize::try_from(*name).ok();
            let pointer = name.and_then(|name| text_list(names).nth(name));
            if let (Some(name), Some(pointer), Some(leaf)) = (name, pointer, Leaf::of(kind, value))
            {
                found.push((name, Member { pointer: pointer.to_owned(), leaf }));
            }
        }
    }
    found.sort_by_key(|(name, _)| *name);
    found.dedup_by_key(|(name, _)| *name);
    found
}

/// The member whose name has this number.
pub(super) fn member(gene: &Gene, name: usize) -> Option<Member> {
    members(gene).into_iter().find(|(known, _)| *known == name).map(|(_, member)| member)
}

/// The same gene with these members, each under the number that its name has.
pub(super) fn with_members(gene: &Gene, members: &[(usize, Member)]) -> Gene {
    let mut lists = vec![Vec::new(); 6];
    for (name, member) in members {
        let name = Gene::Integer(i32::try_from(*name).unwrap_or(-1));
        lists[member.leaf.kind()].push(Gene::Tuple(vec![name, member.leaf.gene()]));
    }
    let fixed = parts(gene).iter().take(FIRST_KIND).cloned();
    Gene::Tuple(fixed.chain(lists.into_iter().map(Gene::Array)).collect())
}

/// The value as JSON, or as extended JSON, which tells times and ids of documents apart.
pub(super) fn json(gene: &Gene, is_extended: bool) -> Value {
    let mut root = json!({});
    for (_, Member { pointer, leaf }) in members(gene) {
        let value = match &leaf {
            Leaf::Time(text) if is_extended => json!({ "$date": text }),
            Leaf::Text(text) if is_extended && pointer == ID && is_object_id(text) => {
                json!({ "$oid": text })
            }
            other => other.value(),
        };
        put(&mut root, pointer.split('/').skip(1), value);
    }
    root
}

/// The id of a document.
pub(super) const ID: &str = "/_id";

fn is_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn put<'a>(place: &mut Value, mut path: impl Iterator<Item = &'a str>, value: Value) {
    let Some(segment) = path.next() else {
        *place = value;
        return;
    };
    let element = segment.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    if let Some(index) = element.and_then(|index| index.parse::<usize>().ok()) {
        if !place.is_array() {
            *place = json!([]);
        }
        let Value::Array(list) = place else { return };
        // A member that is left out leaves no gap behind it.
        if index >= list.len() {
            list.push(Value::Null);
        }
        let last = list.len() - 1;
        return put(&mut list[index.min(last)], path, value);
    }
    if !place.is_object() {
        *place = json!({});
    }
    let Value::Object(members) = place else { return };
    let name = segment.replace("~1", "/").replace("~0", "~");
    put(members.entry(name).or_insert(Value::Null), path, value);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use wallace_genes::check;

    use super::*;

    fn member(pointer: &str, leaf: Leaf) -> Member {
        Member { pointer: pointer.to_owned(), leaf }
    }

    #[test]
    fn a_gene_is_the_document_that_it_was_made_of() {
        let options = vec!["open".to_owned(), "closed".to_owned()];
        let gene = gene(
            &["db", "things"],
            &[
                member(ID, Leaf::Text("0123456789abcdef01234567".to_owned())),
                member("/a~1b/c", Leaf::Whole(7)),
                member("/list/[0]/x", Leaf::Truth(true)),
                member("/list/[0]/y", Leaf::Number(1.5)),
                member("/state", Leaf::Listed(options, 3)),
                member("/since", Leaf::Time("2026-11-25T10:00:00Z".to_owned())),
            ],
        );
        check(&spec(), &gene).unwrap();
        assert_eq!((place(&gene, 0), place(&gene, 1), place(&gene, 2)), ("db", "things", ""));
        let plain = json!({
            "_id": "0123456789abcdef01234567", "a/b": { "c": 7 },
            "list": [{ "x": true, "y": 1.5 }], "state": "closed",
            "since": "2026-11-25T10:00:00Z",
        });
        assert_eq!(json(&gene, false), plain);
        let mut extended = plain;
        extended["_id"] = json!({ "$oid": "0123456789abcdef01234567" });
        extended["since"] = json!({ "$date": "2026-11-25T10:00:00Z" });
        assert_eq!(json(&gene, true), extended);
    }

    #[test]
    fn members_that_no_name_stands_for_are_left_out() {
        let whole = gene(&["db", "things"], &[member("/a", Leaf::Whole(1))]);
        let mut strange = whole.clone();
        if let Gene::Tuple(parts) = &mut strange
            && let Gene::Array(wholes) = &mut parts[FIRST_KIND + 1]
        {
            wholes.push(Gene::Tuple(vec![Gene::Integer(77), Gene::Long(2)]));
            wholes.push(Gene::Tuple(vec![Gene::Integer(-1), Gene::Long(3)]));
            wholes.push(Gene::Tuple(vec![Gene::Integer(0), Gene::Long(4)]));
        }
        assert_eq!(with_members(&strange, &members(&strange)), whole);
    }
}
