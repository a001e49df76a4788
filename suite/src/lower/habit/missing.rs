//! Lists that some answers of an operation have and others leave out: encoders leave out what is empty,
//! so that a list is there as soon as somebody made something.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MOST_PARTS, any_index, for_each_child};

/// The lists of an operation, by where they stand; any index is `*`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Lists {
    /// Objects that answers had.
    objects: BTreeSet<Box<str>>,
    /// Lists in them, and whether an answer with the object had none.
    is_missing: BTreeMap<Box<str>, bool>,
}

/// Which lists were missing, by operation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct MissingLists {
    operations: BTreeMap<Box<str>, Lists>,
    noted: usize,
}

impl MissingLists {
    /// Looks at a good answer of an operation.
    pub(super) fn learn(&mut self, operation: &str, answer: &Value) {
        let (mut objects, mut lists) = (BTreeSet::new(), BTreeSet::new());
        visit("", answer, &mut objects, &mut lists);
        let known = self.operations.entry(operation.into()).or_default();
        for (list, is_missing) in &mut known.is_missing {
            let above = list.rsplit_once('/').map_or("", |(above, _)| above);
            *is_missing |= objects.contains(above) && !lists.contains(&**list);
        }
        for list in lists {
            let above = list.rsplit_once('/').map_or("", |(above, _)| above);
            let was_there = known.objects.contains(above);
            if self.noted < MOST_PARTS && !known.is_missing.contains_key(&*list) {
                known.is_missing.insert(list.into(), was_there);
                self.noted += 1;
            }
        }
        for object in objects {
            if self.noted < MOST_PARTS && known.objects.insert(object.into()) {
                self.noted += 1;
            }
        }
    }

    /// The last steps to the lists that were missing in the object at a pointer in some answer of the
    /// operation.
    pub(super) fn of_object(&self, operation: &str, pointer: &str) -> impl Iterator<Item = &str> {
        let above = any_index(pointer) + "/";
        let lists = self.operations.get(operation).map(|lists| &lists.is_missing);
        let lists = lists.into_iter().flatten().filter(|(_, is_missing)| **is_missing);
        let steps = lists.filter_map(move |(list, _)| list.strip_prefix(&*above));
        steps.filter(|step| !step.contains('/'))
    }
}

fn visit(
    pointer: &str,
    value: &Value,
    objects: &mut BTreeSet<String>,
    lists: &mut BTreeSet<String>,
) {
    if value.is_object() {
        objects.insert(any_index(pointer));
    }
    for_each_child(pointer, value, &mut |inner, child| {
        if value.is_object() && child.is_array() {
            lists.insert(any_index(inner));
        }
        visit(inner, child, objects, lists);
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_was_missing_before_or_after_it_came() {
        let (with, without) = (json!({ "a": { "b": [1] } }), json!({ "a": { "c": 1 } }));
        for answers in [[&with, &without], [&without, &with]] {
            let mut missing = MissingLists::default();
            answers.iter().for_each(|answer| missing.learn("GET /a", answer));
            assert!(missing.of_object("GET /a", "/a").eq(["b"]));
            assert_eq!(missing.of_object("GET /b", "/a").count(), 0);
        }
    }

    #[test]
    fn a_list_is_not_missing_where_nothing_holds_it_or_it_is_there_each_time() {
        let mut missing = MissingLists::default();
        missing.learn("GET /a", &json!({ "a": [{ "b": [] }] }));
        missing.learn("GET /a", &json!({ "a": [] }));
        missing.learn("GET /a", &json!({ "a": [{ "b": [2] }, { "b": [] }] }));
        assert_eq!(missing.of_object("GET /a", "").count(), 0);
        assert_eq!(missing.of_object("GET /a", "/a/7").count(), 0);
    }
}
