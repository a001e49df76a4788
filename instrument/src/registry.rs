//! Every target of the program, numbered once.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use wallace_sut_driver::Units;

use crate::site::{Function, Registered, SiteKind};

/// One target.
#[derive(Debug)]
pub(crate) struct Target {
    /// Descriptive name. Leaked on purpose: names live as long as the code they describe.
    pub(crate) name: &'static str,
    pub(crate) function: &'static Function,
    pub(crate) line: u32,
    pub(crate) kind: SiteKind,
}

/// All targets, ordered by module, then by line.
#[derive(Debug)]
pub(crate) struct Registry {
    functions: Vec<&'static Function>,
    targets: Vec<Target>,
}

/// The registry of this process, built at the first call.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let registered = inventory::iter::<Registered>.into_iter();
        Registry::build(registered.map(|entry| entry.0).collect())
    })
}

impl Registry {
    fn build(mut functions: Vec<&'static Function>) -> Self {
        // By path segments and not by text, so that a module and all below it are neighbours:
        // as text, `a::b0` stands between `a::b` and `a::b::c`.
        functions.sort_by(|left, right| {
            let key = |function: &Function| (function.line(), function.name);
            let segments = left.unit.split("::").cmp(right.unit.split("::"));
            segments.then_with(|| key(left).cmp(&key(right)))
        });
        let mut targets = Vec::new();
        let mut taken = HashSet::new();
        for function in &functions {
            function.number_from(u32::try_from(targets.len()).expect("fewer than 2^32 targets"));
            add_targets(function, &mut targets, &mut taken);
        }
        Self { functions, targets }
    }

    pub(crate) fn target(&self, number: u32) -> &Target {
        &self.targets[number as usize]
    }

    /// Numbers of the targets in the modules `prefixes` and below; of all without any prefix.
    pub(crate) fn ranges(&self, prefixes: &[String]) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for (number, target) in (0..).zip(&self.targets) {
            if !is_below(target.function.unit, prefixes) {
                continue;
            }
            match ranges.last_mut() {
                Some(range) if range.end == number => range.end += 1,
                _ => ranges.push(number..number + 1),
            }
        }
        ranges
    }

    /// Sizes of the code in the modules `prefixes` and below.
    pub(crate) fn units(&self, prefixes: &[String]) -> Units {
        let functions = self.functions.iter().map(|function| function.unit);
        let mut names: Vec<String> =
            functions.filter(|unit| is_below(unit, prefixes)).map(str::to_owned).collect();
        names.dedup();
        let covered = |target: &&Target| is_below(target.function.unit, prefixes);
        let targets = || self.targets.iter().filter(covered);
        let count = |kinds: fn(SiteKind) -> bool| targets().filter(|t| kinds(t.kind)).count();
        let lines = count(|kind| kind == SiteKind::Line);
        let branches = count(|kind| matches!(kind, SiteKind::Branch | SiteKind::Arms(_)));
        Units { names, lines, branches }
    }
}

fn is_below(unit: &str, prefixes: &[String]) -> bool {
    let is_prefix = |prefix: &String| {
        let rest = unit.strip_prefix(prefix.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    prefixes.is_empty() || prefixes.iter().any(is_prefix)
}

/// Functions made by one macro can share their lines: the second is called by its name too.
fn add_targets(
    function: &'static Function,
    targets: &mut Vec<Target>,
    taken: &mut HashSet<&'static str>,
) {
    for site in function.sites {
        let qualified = format!("{}::{}", function.unit, function.name);
        let names = site.target_names(function.unit);
        for (name, longer) in names.into_iter().zip(site.target_names(&qualified)) {
            let name = unused_name(name, &longer, taken);
            taken.insert(name);
            targets.push(Target { name, function, line: site.line, kind: site.kind });
        }
    }
}

fn unused_name(name: String, longer: &str, taken: &HashSet<&'static str>) -> &'static str {
    let numbered = (2..).map(|number| format!("{longer}#{number}"));
    let mut candidates = [name, longer.to_owned()].into_iter().chain(numbered);
    let free = candidates.find(|candidate| !taken.contains(candidate.as_str()));
    free.expect("the candidates do not end").leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Site;

    static SITES: [Site; 3] = [Site::line(3), Site::branch(3, 0), Site::arms(4, 0, 3)];
    static INNER: Function = Function::new("a::b::c", "inner", &SITES, &[]);
    static OUTER: Function = Function::new("a::b", "outer", &SITES, &[]);
    static TWIN: Function = Function::new("a::b", "twin", &SITES, &[]);
    static OTHER: Function = Function::new("a::b0", "other", &SITES, &[]);

    #[test]
    fn names_are_unique_and_modules_are_ranges() {
        let registry = Registry::build(vec![&OTHER, &INNER, &TWIN, &OUTER]);
        let ranges = |prefixes: &[&str]| {
            let prefixes: Vec<_> = prefixes.iter().map(|&prefix| prefix.to_owned()).collect();
            let ranges = registry.ranges(&prefixes);
            ranges.into_iter().map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        assert_eq!(ranges(&["a::b"]), [(0, 18)]);
        assert_eq!(ranges(&["a::b::c"]), [(12, 18)]);
        assert_eq!(ranges(&["a::b0", "a::b::c", "a::b"]), [(0, 24)]);
        assert_eq!(ranges(&[]), [(0, 24)]);
        assert!(ranges(&["a::c"]).is_empty());
        assert_eq!(registry.target(0).name, "Line_at_a::b_00003");
        let arm = "Branch_at_a::b_at_line_00004_position_0_arm_2";
        assert_eq!(registry.target(5).name, arm);
        assert_eq!(registry.target(6).name, "Line_at_a::b::twin_00003");
        let units = registry.units(&["a::b".to_owned()]);
        assert_eq!(units.names, ["a::b", "a::b::c"]);
        assert_eq!((units.lines, units.branches), (3, 15));
    }
}
