//! Services that are not wrong but have habits: a run goes on with its users, reaches what there is,
//! and blames nobody.

use std::path::Path;

use emb_fixtures::{Fixture, Habit, Options, Running};
use wallace::{Settings, Summary};

use crate::shop::users;
use crate::{black_box, covered, run, start};

/// Calls of one run.
const CALLS: u64 = 2_000;

fn shop_with(habit: Habit) -> Running {
    let habits = vec![habit];
    start("flawed-shop", Options { driver_port: None, habits, ..Options::default() })
}

fn settings(service: &Running, seed: u64, folder: &Path) -> Settings {
    let mut settings = black_box(service, CALLS, &folder.join(format!("out-{seed}")));
    settings.auth = Some(users(folder));
    settings.security = true;
    settings.search.seed = seed;
    settings
}

fn tested(habit: Habit, seed: u64) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let service = shop_with(habit);
    let mut settings = settings(&service, seed, folder.path());
    if habit == Habit::Prefix {
        settings.rest.base_url = Some(format!("{}/api/v1", service.base_url));
        let users = settings.auth.as_deref().unwrap();
        let text = std::fs::read_to_string(users).unwrap().replace("/login", "/api/v1/login");
        std::fs::write(users, text).unwrap();
    }
    let summary = run(&settings).unwrap();
    eprintln!(
        "{habit:?}, seed {seed}: {} of {} operations, {:?}, {:?}",
        summary.answered,
        summary.operations,
        covered(&summary, "fault:"),
        summary.warnings
    );
    summary
}

/// How many operations are answered well at least, of 28 and those of the habit.
const LEAST: usize = 20;

fn check(habits: &[Habit]) {
    for habit in habits {
        let summary = tested(*habit, 1);
        assert_eq!(summary.faults, 0, "{habit:?}: {:?}", covered(&summary, "fault:"));
        assert!(summary.answered >= LEAST, "{habit:?}: {}", summary.answered);
    }
}

#[test]
fn logins_that_end_are_made_again() {
    check(&[Habit::Logout401, Habit::Logout403, Habit::TokenRenewed, Habit::AccountDeleted]);
}

#[test]
fn refusals_are_read_in_every_dialect() {
    check(&[
        Habit::RefusalsSpring,
        Habit::RefusalsFastapi,
        Habit::RefusalsNest,
        Habit::RefusalsDjango,
        Habit::RefusalsRails,
        Habit::RefusalsAspnet,
    ]);
}

#[test]
fn places_orders_and_limits_are_no_faults() {
    check(&[
        Habit::ForbiddenAbsent,
        Habit::Prefix,
        Habit::Tenants,
        Habit::NamedTenants,
        Habit::RateLimit,
        Habit::SetOrder,
        Habit::RandomValues,
    ]);
}

/// What is called like a password is asked for and expected all the same, and the password stands
/// nowhere.
#[test]
fn a_password_that_is_a_common_word_spoils_no_suite() {
    let folder = tempfile::tempdir().unwrap();
    let service = shop_with(Habit::CommonPassword);
    let mut settings = settings(&service, 1, folder.path());
    let users = settings.auth.as_deref().unwrap();
    let text = std::fs::read_to_string(users).unwrap().replace("alice-pass", "product");
    std::fs::write(users, text).unwrap();
    settings.formats = vec![wallace::Format::Pytest];
    let summary = run(&settings).unwrap();
    assert!(summary.answered >= LEAST && summary.faults == 0, "{summary:?}");
    let mut suite = String::new();
    for entry in std::fs::read_dir(settings.out.join("pytest")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "py") {
            suite += &std::fs::read_to_string(path).unwrap();
        }
    }
    assert!(suite.contains("/products") && !suite.contains("[redacted]"), "{suite}");
}

/// The habits change nothing of what is wrong: a seeded fault is found all the same.
#[test]
fn a_fault_is_found_behind_a_habit() {
    let folder = tempfile::tempdir().unwrap();
    for habit in [Habit::Logout403, Habit::Tenants, Habit::RefusalsDjango] {
        let fixture = Fixture::find("flawed-shop").unwrap();
        let switches = fixture.parse_switches(&["rest-offset-past-end".to_owned()]).unwrap();
        let options =
            Options { driver_port: None, switches, habits: vec![habit], ..Options::default() };
        let service = start("flawed-shop", options);
        let mut settings = settings(&service, 1, folder.path());
        settings.force = true;
        let summary = run(&settings).unwrap();
        let faults = covered(&summary, "fault:100:GET ");
        assert!(faults.iter().any(|fault| fault.contains("/products:")), "{habit:?}: {faults:?}");
    }
}
