//! Nested structure: objects, lists and optional parts.

use std::sync::Arc;

use wallace_engine::Action;
use wallace_genes::{
    Field, Gene, GeneSpec, ObjectGene, SpecBuilder, SpecId, SpecRef,
    spec::{ArraySpec, EnumSpec, IntegerSpec, ObjectPurpose, ObjectSpec, StringSpec},
};

use super::distance::Truth;
use super::problem::{Landscape, Program};
use super::step::{Step, Trace};

const BRANCHES: usize = 14;

/// One call with one object: `{ mode, filter?: { tags: [..], range?: { from, to }, name? },
/// items: [{ kind, amount, note? }] }`. Fourteen branches, most inside each other, ask for present
/// parts, sizes of lists, a total, differences and texts; both sides of each are targets, so there
/// are 28. Optimum: all 28.
#[must_use]
pub fn nested() -> Landscape {
    Landscape {
        specs: vec![order_spec()],
        names: Landscape::names(2 * BRANCHES),
        feasible: 2 * BRANCHES,
        most_steps: 1,
        is_tainting: false,
        calls: 5_000,
        program: Arc::new(Order),
    }
}

fn order_spec() -> SpecRef {
    let mut specs = SpecBuilder::new();
    let integer =
        |specs: &mut SpecBuilder, min, max| specs.add(GeneSpec::Integer(IntegerSpec { min, max }));
    let amount = integer(&mut specs, 0, 10_000);
    let end = integer(&mut specs, i32::MIN, i32::MAX);
    let kind = {
        let values = ["a", "b", "c", "d"].map(Into::into).into();
        specs.add(GeneSpec::Enum(EnumSpec { values }))
    };
    let text = specs.add(GeneSpec::String(StringSpec { min: 0, max: 40 }));
    let optional_text = specs.optional(text, false);
    let tags = list(&mut specs, kind);
    let range = object(&mut specs, "Range", &[("from", end), ("to", end)]);
    let range = specs.optional(range, false);
    let filter =
        object(&mut specs, "Filter", &[("tags", tags), ("range", range), ("name", optional_text)]);
    let filter = specs.optional(filter, false);
    let item =
        object(&mut specs, "Item", &[("kind", kind), ("amount", amount), ("note", optional_text)]);
    let items = list(&mut specs, item);
    let order =
        object(&mut specs, "Order", &[("mode", kind), ("filter", filter), ("items", items)]);
    SpecRef::new(specs.build(), order)
}

fn object(specs: &mut SpecBuilder, type_name: &str, fields: &[(&str, SpecId)]) -> SpecId {
    let fields = fields.iter().map(|(name, spec)| Field::new(*name, *spec)).collect();
    let purpose = ObjectPurpose::Input;
    specs.add(GeneSpec::Object(ObjectSpec { type_name: type_name.into(), purpose, fields }))
}

fn list(specs: &mut SpecBuilder, element: SpecId) -> SpecId {
    specs.add(GeneSpec::Array(ArraySpec { element, min: 0, max: 8 }))
}

#[derive(Debug)]
struct Order;

impl Program for Order {
    fn call(&self, step: &Step, _state: &mut Vec<i64>, trace: &mut Trace) {
        let order = step.gene();
        let filter = field(order, 1);
        if trace.branch(0, Truth::flat(filter.is_some()))
            && let Some(filter) = filter
        {
            check_filter(filter, trace);
        }
        let items: Vec<&Gene> = field(order, 2).into_iter().flat_map(Gene::parts).collect();
        check_items(&items, trace);
        if trace.branch(22, Truth::flat(name(field(order, 0)) == 2)) {
            let alike = items.iter().filter(|item| name(field(item, 0)) == 2).count() as i64;
            if trace.branch(24, Truth::less(2, alike)) {
                let largest = items.iter().map(|item| integer(field(item, 1))).max();
                trace.branch(26, Truth::less(9_900, largest.unwrap_or(0)));
            }
        }
    }

    fn witness(&self, target: usize) -> Vec<Step> {
        let covers = |gene: &Gene| {
            let mut trace = Trace::default();
            self.call(&Step::new(0, gene.clone()), &mut Vec::new(), &mut trace);
            trace.reached.contains(&(target, 1.0))
        };
        let found = witnesses().into_iter().find(covers);
        found.map(|gene| Step::new(0, gene)).into_iter().collect()
    }
}

fn check_filter(filter: &Gene, trace: &mut Trace) {
    let tags: Vec<i64> =
        field(filter, 0).into_iter().flat_map(Gene::parts).map(|tag| name(Some(tag))).collect();
    if trace.branch(2, Truth::equal(tags.len() as i64, 4)) {
        let repeated = (1..4).filter(|place| tags[..*place].contains(&tags[*place])).count();
        trace.branch(4, Truth::equal(repeated as i64, 0));
    }
    if let Some(range) = field(filter, 1) {
        let (from, to) = (integer(field(range, 0)), integer(field(range, 1)));
        if trace.branch(6, Truth::less(from, to)) && trace.branch(8, Truth::equal(to - from, 365)) {
            trace.branch(10, Truth::equal(from, 20_260));
        }
    }
    trace.branch(12, Truth::same_text(text(field(filter, 2)), "urgent"));
}

fn check_items(items: &[&Gene], trace: &mut Trace) {
    if trace.branch(14, Truth::equal(items.len() as i64, 4)) {
        let total = items.iter().map(|item| integer(field(item, 1))).sum();
        trace.branch(16, Truth::equal(total, 12_345));
        if trace.branch(18, Truth::flat(name(field(items[2], 0)) == 3)) {
            trace.branch(20, Truth::starts_with(text(field(items[2], 2)), "re:"));
        }
    }
}

fn field(gene: &Gene, position: u32) -> Option<&Gene> {
    if let Gene::Object(object) = gene { object.get(position) } else { None }
}

fn name(gene: Option<&Gene>) -> i64 {
    if let Some(Gene::Enum(index)) = gene { i64::from(*index) } else { 0 }
}

fn integer(gene: Option<&Gene>) -> i64 {
    if let Some(Gene::Integer(value)) = gene { i64::from(*value) } else { 0 }
}

fn text(gene: Option<&Gene>) -> &str {
    if let Some(Gene::String(string)) = gene { &string.text } else { "" }
}

/// Orders that cover all targets between them.
fn witnesses() -> [Gene; 6] {
    let item = |kind, amount, note: &str| {
        record([(0, Gene::Enum(kind)), (1, Gene::Integer(amount)), (2, Gene::text(note))])
    };
    let order =
        |mode, filter, items| record([(0, Gene::Enum(mode)), (1, filter), (2, Gene::Array(items))]);
    let filter = |tags: &[u32], from, to, name: &str| {
        let range = record([(0, Gene::Integer(from)), (1, Gene::Integer(to))]);
        let tags = Gene::Array(tags.iter().copied().map(Gene::Enum).collect());
        record([(0, tags), (1, range), (2, Gene::text(name))])
    };
    let alike = || vec![item(2, 9_901, ""), item(2, 0, ""), item(2, 0, "")];
    let small = || vec![item(2, 1, ""), item(2, 0, ""), item(2, 0, "")];
    let noted =
        |note| vec![item(0, 9_000, ""), item(0, 3_000, ""), item(3, 345, note), item(0, 0, "")];
    let plain = vec![item(0, 1, ""), item(0, 0, ""), item(0, 0, ""), item(0, 0, "")];
    [
        order(0, filter(&[0, 1, 2, 3], 20_260, 20_625, "urgent"), noted("re: it")),
        order(2, filter(&[0, 0, 0, 0], 0, 365, "x"), noted("x")),
        order(2, filter(&[], 0, 1, ""), alike()),
        order(2, filter(&[], 1, 0, ""), small()),
        order(0, Gene::Absent, plain),
        order(0, Gene::Absent, Vec::new()),
    ]
}

fn record<const N: usize>(fields: [(u32, Gene); N]) -> Gene {
    let mut object = ObjectGene::default();
    for (position, value) in fields {
        object.set(position, value);
    }
    Gene::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable() {
        verify(&nested());
    }

    #[test]
    fn parts_that_are_absent_hide_what_is_in_them() {
        let mut trace = Trace::default();
        let [.., empty] = witnesses();
        Order.call(&Step::new(0, empty), &mut Vec::new(), &mut trace);
        assert!(trace.reached.iter().all(|(target, _)| !(2..14).contains(target)));
        assert!(trace.reached.contains(&(1, 1.0)) && trace.reached.contains(&(15, 1.0)));
    }
}
