//! What known pieces of code register, and what running them records.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use wallace_instrument::{Recorder, white_box};
use wallace_sut_driver::Recorded;

/// Best score of the only target whose name ends with `end`.
fn score(recorded: &Recorded, end: &str) -> f64 {
    let mut found = recorded.targets.iter().filter(|target| target.name.ends_with(end));
    let score = found.next().map_or(0.0, |target| target.score);
    assert!(found.next().is_none(), "{end} is ambiguous");
    score
}

/// Records one run alone.
fn run<T>(recorder: &Arc<Recorder>, function: impl FnOnce() -> T) -> Recorded {
    recorder.new_test();
    recorder.run(function);
    recorder.recorded()
}

#[white_box]
mod counted {
    /// One line; branches: `a > 3`, `b == 2`, `!c`.
    pub(super) fn conditions(a: i32, b: i32, c: bool) -> u8 {
        if a > 3 && b == 2 || !c { 1 } else { 2 }
    }

    /// Three arms, and the guard.
    pub(super) fn arms(a: i32) -> u8 {
        match a {
            0 => 1,
            n if n > 10 => 2,
            _ => 3,
        }
    }

    const fn constant(a: i32) -> bool {
        a > 3
    }

    #[white_box(skip)]
    pub(super) fn skipped(a: i32) -> bool {
        a > 3 && constant(a)
    }

    pub(super) fn kept(a: Option<i32>) -> i32 {
        let Some(a) = a else { return 0 };
        if let 1..=3 = a { 1 } else { 2 }
    }

    #[cfg(test)]
    mod tests {
        #[allow(dead_code)]
        fn helper(a: i32) -> bool {
            a > 3
        }
    }
}

#[test]
fn every_side_is_registered_before_it_runs() {
    let recorder = Recorder::new(&["sites::counted"]);
    let units = recorder.units();
    assert_eq!(units.names, ["sites::counted"]);
    // conditions 3 x 2, arms 3 + 2, kept 2 x 2.
    assert_eq!(units.branches, 15);
    assert_eq!(units.lines, 1 + 4 + 2);
    let names = recorder.target_names();
    assert_eq!(names.len(), units.branches + units.lines);
    let line = |what: &str| names.iter().filter(|name| name.contains(what)).count();
    assert_eq!(line("_arm_"), 3);
    assert_eq!(line("position_2_"), 2);
    assert!(names.iter().all(|name| {
        name.starts_with("Line_at_sites::counted_00")
            || name.starts_with("Branch_at_sites::counted_at_line_00")
    }));
    assert!(recorder.recorded().targets.is_empty());
    assert!(!counted::skipped(1));
    assert_eq!(counted::kept(Some(2)) + counted::kept(None), 1);
}

#[test]
fn both_sides_of_evaluated_conditions_are_graded() {
    let recorder = Recorder::new(&["sites::counted"]);
    let sides = |a, b, c| {
        let recorded = run(&recorder, || counted::conditions(a, b, c));
        let score = |end: &str| score(&recorded, end);
        [0, 1, 2].map(|position| {
            (
                score(&format!("position_{position}_trueBranch")),
                score(&format!("position_{position}_falseBranch")),
            )
        })
    };
    let [first, second, third] = sides(1, 0, true);
    assert_eq!(first, (1.0 / 3.1, 1.0));
    assert_eq!(second, (0.0, 0.0));
    // The atom of `!c` is `c`.
    assert_eq!(third, (1.0, 0.5));
    let [first, second, third] = sides(5, 7, false);
    assert_eq!(first, (1.0, 1.0 / 3.1));
    assert_eq!(second, (1.0 / 6.0, 1.0));
    assert_eq!(third, (0.5, 1.0));
}

#[test]
fn arms_are_graded_by_their_literals() {
    let recorder = Recorder::new(&["sites::counted"]);
    let near = |a| score(&run(&recorder, || counted::arms(a)), "arm_0");
    assert_eq!(near(0), 1.0);
    assert!(near(1) < 1.0 && near(1) > near(5) && near(5) > near(50) && near(50) > 0.1);
    let recorded = run(&recorder, || counted::arms(5));
    assert_eq!((score(&recorded, "arm_2"), score(&recorded, "arm_1")), (1.0, 0.05));
}

#[white_box]
mod graded {
    pub(super) fn number(a: i64) -> bool {
        a == 1_000
    }
    pub(super) fn unsigned(a: u128) -> bool {
        a >= 1_000
    }
    pub(super) fn float(a: f64) -> bool {
        a < -2.5
    }
    pub(super) fn text(a: &str) -> bool {
        a == "session"
    }
    pub(super) fn order(a: &str) -> bool {
        *a > *"mmm"
    }
    pub(super) fn prefix(a: &str) -> bool {
        a.starts_with("user")
    }
    pub(super) fn suffix(a: &str) -> bool {
        a.ends_with(".txt")
    }
    pub(super) fn part(a: &str) -> bool {
        a.contains("see")
    }
    pub(super) fn case(a: &str) -> bool {
        a.eq_ignore_ascii_case("Mon")
    }
    pub(super) fn empty(a: &str) -> bool {
        a.is_empty()
    }
    pub(super) fn option(a: Option<u8>) -> bool {
        a == Some(9)
    }
    pub(super) fn range(a: i32) -> bool {
        (10..20).contains(&a)
    }
    pub(super) fn letter(a: char) -> bool {
        a >= 'x'
    }
    pub(super) fn negative(a: i32) -> bool {
        match a {
            -70..=-60 | -7 => true,
            _ => false,
        }
    }
    pub(super) fn literal(a: &str) -> bool {
        match a {
            "dec" => true,
            _ => false,
        }
    }
}

#[track_caller]
fn climbs<T: Copy + std::fmt::Debug>(test: fn(T) -> bool, steps: &[T]) {
    let recorder = Recorder::new(&["sites::graded"]);
    let scores: Vec<f64> = steps
        .iter()
        .map(|&step| {
            let recorded = run(&recorder, || test(step));
            let sides = recorded.targets.iter().filter(|target| {
                target.name.ends_with("_trueBranch") || target.name.ends_with("_arm_0")
            });
            sides.map(|side| side.score).next().expect("the condition was evaluated")
        })
        .collect();
    let is_climbing = scores.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(is_climbing && scores[0] > 0.0 && scores.last() == Some(&1.0), "{steps:?} {scores:?}");
}

#[test]
fn scores_climb_towards_the_true_side() {
    climbs(graded::number, &[i64::MIN, -1_000_000_007, 0, 900, 999, 1_000]);
    climbs(graded::unsigned, &[0, 900, 999, 1_000]);
    climbs(graded::float, &[f64::INFINITY, 1e300, 3.0, 0.0, -2.499_999_9, -2.6]);
    climbs(graded::text, &["", "sess", "sessiox", "sessiom", "session"]);
    climbs(graded::order, &["", "aaa", "lll", "mma", "mmm", "mmn"]);
    climbs(graded::prefix, &["", "use", "xxxx", "usex", "user1"]);
    climbs(graded::suffix, &["", "txt", "a.pdf", "a.txs", "a.txt"]);
    climbs(graded::part, &["zzzzz", "xxsedxx", "xxseexx"]);
    climbs(graded::case, &["", "xxx", "MOM", "mON"]);
    climbs(graded::empty, &["abc", "a", ""]);
    climbs(graded::option, &[None, Some(0), Some(8), Some(9)]);
    climbs(graded::range, &[-5, 9, 10]);
    climbs(graded::letter, &['a', 'w', 'z']);
    climbs(graded::negative, &[50, 0, -6, -7]);
    climbs(graded::negative, &[-100, -71, -70]);
    climbs(graded::literal, &["", "xxx", "ded", "dec"]);
}

#[white_box]
mod tainted {
    pub(super) fn lowered(day: &str, month: &str) -> bool {
        let day = day.to_lowercase();
        if day == "mon" || "tue" == day {
            return true;
        }
        match month {
            "jan" | "feb" => true,
            other => other.trim().to_uppercase() == "MAR",
        }
    }
    pub(super) fn parsed(a: &str) -> Option<i64> {
        let small: i32 = a.parse().ok()?;
        let large = a.trim().parse::<u64>().ok()?;
        Some(i64::from(small) + i64::try_from(large).ok()?)
    }
    pub(super) fn parsed_alone(a: &str) -> bool {
        a.parse::<f64>().is_ok()
    }
    pub(super) fn pair(a: &str, b: &str) -> bool {
        a != b
    }
    pub(super) fn pattern(a: &str) -> bool {
        let date = regex::Regex::new("^[0-9]+-[a-z]+$").expect("a valid pattern");
        date.is_match(a)
    }
    pub(super) fn bound(a: &str) -> bool {
        a > "abab"
    }
}

fn uses<T>(function: impl FnOnce() -> T) -> Vec<(String, &'static str, Option<String>)> {
    let recorder = Recorder::new(&["sites::tainted"]);
    let recorded = run(&recorder, function);
    let uses = recorded.actions.into_iter().flat_map(|action| action.string_uses);
    uses.map(|use_| (use_.tainted, use_.specialisation, use_.value)).collect()
}

#[test]
fn tainted_inputs_are_reported_with_what_the_code_wants() {
    let day = |specialisation, value: &str| {
        ("_em_1_xyz_".to_owned(), specialisation, Some(value.to_owned()))
    };
    let month = |value: &str| ("_EM_2_XYZ_".to_owned(), "CONSTANT", Some(value.to_owned()));
    let found = uses(|| tainted::lowered("_EM_1_XYZ_", "_EM_2_XYZ_"));
    let ignoring = "CONSTANT_IGNORE_CASE";
    assert_eq!(
        found,
        [day(ignoring, "mon"), day(ignoring, "tue"), month("jan"), month("feb"), month("MAR"),]
    );
    let found = uses(|| tainted::parsed("_EM_1_XYZ_"));
    assert_eq!(found, [("_EM_1_XYZ_".to_owned(), "INTEGER", None)]);
    let found = uses(|| tainted::parsed_alone("_EM_1_XYZ_"));
    assert_eq!(found, [("_EM_1_XYZ_".to_owned(), "DOUBLE", None)]);
    let found = uses(|| tainted::pair("_EM_1_XYZ_", "_EM_2_XYZ_"));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].1, "EQUAL");
    let found = uses(|| tainted::pattern("_EM_1_XYZ_"));
    assert_eq!(found[0].1, "REGEX_WHOLE");
    let found = uses(|| tainted::bound("_EM_1_XYZ_"));
    assert_eq!(found[0].2.as_deref(), Some("abab"));
    assert!(uses(|| tainted::lowered("monday", "x")).is_empty());
    let bounded = uses(|| {
        (0..1_000).for_each(|number| drop(vec![tainted::pair("_EM_1_XYZ_", &number.to_string())]));
        tainted::pair("_EM_1_XYZ_", &"x".repeat(1 << 20));
    });
    assert_eq!(bounded.len(), 200);
}

#[test]
fn announced_inputs_of_any_shape_are_tainted_until_the_next_test() {
    let recorder = Recorder::new(&["sites::tainted"]);
    let uses = |inputs: &[String], function: fn()| {
        recorder.new_test();
        recorder.begin_action(0, inputs);
        recorder.run(function);
        recorder.recorded().actions.remove(0).string_uses.len()
    };
    let functions: [fn(); 3] = [
        || _ = tainted::lowered("x", "monday"),
        || _ = tainted::parsed("monday"),
        || _ = tainted::bound("monday"),
    ];
    for (function, wanted) in functions.into_iter().zip([2, 1, 1]) {
        assert_eq!(uses(&["monday".to_owned()], function), wanted);
        assert_eq!(uses(&[], function), 0);
    }
}

#[white_box]
mod patterns {
    pub(super) fn guarded(a: i32, guard: bool) -> u8 {
        match a {
            5 if guard => 1,
            _ => 2,
        }
    }

    pub(super) fn unless(a: Option<u8>) -> u8 {
        let Some(a) = a else { return 0 };
        a
    }

    pub(super) fn chained(a: Option<i32>, b: Result<i32, ()>) -> u8 {
        if let Some(a) = a
            && a > 3
            && let Ok(b) = b
        {
            return u8::from(b > a);
        }
        2
    }

    pub(super) fn drained(mut a: Vec<i32>) -> i32 {
        let mut sum = 0;
        while let Some(next) = a.pop() {
            sum += next;
        }
        sum
    }
}

/// Scores of the true sides, then of the false sides, in the order of the code.
fn sides(function: impl FnOnce()) -> [Vec<f64>; 2] {
    let recorder = Recorder::new(&["sites::patterns"]);
    let recorded = run(&recorder, function);
    ["trueBranch", "falseBranch"].map(|side| {
        let targets = recorded.targets.iter().filter(|target| target.name.ends_with(side));
        targets.map(|target| target.score).collect()
    })
}

#[test]
fn patterns_have_both_sides() {
    let unless = |a| sides(|| assert_eq!(patterns::unless(a), 0));
    assert_eq!(unless(Some(0)), [[1.0], [0.1]]);
    assert_eq!(unless(None), [[0.1], [1.0]]);

    let chained = |a, b| sides(|| drop(vec![patterns::chained(a, b)]));
    assert_eq!(chained(None, Ok(1)), [[0.1], [1.0]]);
    let [when_true, when_false] = chained(Some(1), Ok(1));
    assert_eq!((when_true[0], when_true.len(), when_false[0]), (1.0, 2, 0.1));
    let [when_true, when_false] = chained(Some(9), Err(()));
    assert_eq!((when_true[2], when_false[2]), (0.1, 1.0));

    assert_eq!(sides(|| assert_eq!(patterns::drained(vec![1, 2]), 3)), [[1.0], [1.0]]);
    assert_eq!(sides(|| assert_eq!(patterns::drained(vec![]), 0)), [[0.1], [1.0]]);
}

#[test]
fn a_rewritten_loop_has_no_line_but_those_written() {
    let lines = Recorder::new(&["sites::patterns"]).target_names();
    let lines = lines.iter().filter(|name| name.starts_with("Line_"));
    // guarded 3, unless 2, chained 3, drained 4.
    assert_eq!(lines.count(), 12);
}

#[test]
fn an_arm_that_its_guard_refuses_is_near_and_not_covered() {
    let recorder = Recorder::new(&["sites::patterns"]);
    let arm = |a, guard| score(&run(&recorder, || patterns::guarded(a, guard)), "arm_0");
    assert_eq!((arm(5, true), arm(5, false)), (1.0, 0.9));
    assert!(arm(6, true) < 0.9);
}

#[white_box]
mod called {
    use std::collections::HashMap;

    use axum::http::HeaderMap;

    pub(super) fn reads(text: &str) -> Result<i32, std::num::ParseIntError> {
        let number: i32 = text.parse()?;
        Ok(number)
    }

    pub(super) fn looks_up(map: &HashMap<String, u8>, list: &[u8], key: &str, at: usize) -> bool {
        let found = map.get(key);
        let element = list.get(at);
        found.is_some() && element.is_some()
    }

    pub(super) fn matches_date(text: &str, pattern: &regex::Regex) -> bool {
        pattern.is_match(text)
    }

    pub(super) fn literal(text: Option<&str>, bytes: &[u8]) -> u8 {
        if let Some("monday") = text {
            1
        } else if matches!(bytes, [_, _, _]) {
            2
        } else {
            3
        }
    }

    pub(super) fn asks(headers: &HeaderMap, query: &HashMap<String, String>) -> bool {
        headers.get("x-tenant").is_some() | query.contains_key("verbose")
    }

    pub(super) fn splits(text: &str) -> usize {
        text.split('.').count()
    }
}

#[test]
fn calls_that_can_fail_are_targets_of_their_own() {
    let recorder = Recorder::new(&["sites::called"]);
    let names = recorder.target_names();
    let calls = names.iter().filter(|name| name.starts_with("MethodReplacement_at_")).count();
    // The parse and its `?`, and the two `get`, and the `get` of the header.
    assert_eq!(calls, 2 * 5);
    let units = recorder.units();
    assert_eq!(units.lines + units.branches + calls, names.len());
    let parsed = |text| score(&run(&recorder, || called::reads(text)), "_0_EXCEPTION_true");
    assert_eq!(parsed("12"), 1.0);
    assert!(parsed("1:") > parsed("1x") && parsed("1x") > 0.1 && parsed("x") < 1.0);
    let recorded = run(&recorder, || called::reads("x"));
    assert_eq!(score(&recorded, "_1_EXCEPTION_false"), 1.0);
}

#[test]
fn look_ups_are_graded_by_the_nearest_key() {
    let recorder = Recorder::new(&["sites::called"]);
    let map = [("tuesday".to_owned(), 1), ("friday".to_owned(), 2)].into();
    let near = |key, at| {
        let recorded = run(&recorder, || called::looks_up(&map, &[1, 2], key, at));
        let names = recorder.target_names();
        let get = |number: usize| {
            let name = names.iter().filter(|name| name.ends_with("_0_EXCEPTION_true")).nth(number);
            score(&recorded, name.unwrap())
        };
        (get(1), get(2))
    };
    assert_eq!(near("friday", 1), (1.0, 1.0));
    assert!(near("fridax", 9).0 > near("xx", 9).0);
    assert!(near("x", 2).1 > near("x", 9).1 && near("x", 2).1 < 1.0);
}

#[test]
fn patterns_and_literals_of_single_tests_are_graded() {
    let recorder = Recorder::new(&["sites::called"]);
    let date = regex::Regex::new("^[0-9]{4}-[0-9]{2}$").unwrap();
    let matched = |text| {
        let recorded = run(&recorder, || called::matches_date(text, &date));
        let best = recorded.targets.iter().filter(|target| target.name.ends_with("_trueBranch"));
        best.map(|target| target.score).fold(0.0, f64::max)
    };
    assert_eq!((matched("2026-11"), matched("2026-1x"), matched("x")), (1.0, 0.5, 0.125));
    let literal = |text, bytes: &[u8]| {
        let recorded = run(&recorder, || called::literal(text, bytes));
        let sides = recorded.targets.iter().filter(|target| target.name.ends_with("_trueBranch"));
        sides.map(|target| target.score).collect::<Vec<_>>()
    };
    assert!(literal(Some("mondax"), b"")[0] > literal(Some("mxxxxx"), b"")[0]);
    assert!(literal(None, b"ab")[1] > literal(None, b"")[1]);
}

#[test]
fn names_that_are_asked_for_are_told() {
    let recorder = Recorder::new(&["sites::called"]);
    let headers = axum::http::HeaderMap::new();
    let mut query = std::collections::HashMap::new();
    query.insert("page".to_owned(), "1".to_owned());
    let asked = |query: &_| {
        let recorded = run(&recorder, || called::asks(&headers, query));
        let action = recorded.actions.into_iter().next().unwrap();
        (action.headers, action.query_parameters)
    };
    assert_eq!(asked(&query), (vec!["x-tenant".to_owned()], vec![]));
    query.insert("EMextraParam123".to_owned(), "1".to_owned());
    assert_eq!(asked(&query).1, ["verbose"]);
    let recorded = run(&recorder, || called::splits("_EM_7_XYZ_"));
    let uses = &recorded.actions[0].string_uses;
    assert_eq!(uses[0].value.as_deref(), Some("_EM_7_XYZ_._EM_70_XYZ_"));
}
