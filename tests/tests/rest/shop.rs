//! The shop with seeded faults, seen without a driver by its users.

use std::path::{Path, PathBuf};

use emb_fixtures::Fixture;

use crate::{black_box, covered, run, without_driver};

/// The users of the shop, in a file.
pub(crate) fn users(folder: &Path) -> PathBuf {
    let file = folder.join("auth.yaml");
    std::fs::write(&file, Fixture::find("flawed-shop").unwrap().auth().unwrap()).unwrap();
    file
}

#[test]
fn a_service_without_a_driver_is_tested_as_its_users() {
    let folder = tempfile::tempdir().unwrap();
    let service = without_driver(&[], "flawed-shop");
    let mut settings = black_box(&service, 1_500, &folder.path().join("out"));
    settings.auth = Some(users(folder.path()));
    settings.security = true;
    let summary = run(&settings).unwrap();
    assert!(!summary.is_white_box);
    assert_eq!(summary.faults, 0, "{:?}", covered(&summary, "fault:"));
    assert_eq!(summary.operations, 28);
    assert!(summary.answered >= 20, "{:?}", covered(&summary, "rest:ok:"));
    let report = std::fs::read_to_string(&summary.report).unwrap();
    assert!(!report.contains("alice-pass"), "passwords are not written");
}

#[test]
fn what_is_wrong_is_reported_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (switch, wanted) in [
        ("rest-users-open", "fault:207:GET /users:"),
        ("rest-get-takes-stock", "fault:988:GET /products/{productId}:"),
        ("rest-offset-past-end", "fault:100:GET /products:"),
    ] {
        let mut missed = Vec::new();
        for seed in 1..=3 {
            let service = without_driver(&[switch], "flawed-shop");
            let out = folder.path().join(format!("{switch}-{seed}"));
            let mut settings = black_box(&service, 3_125, &out);
            settings.auth = Some(users(folder.path()));
            settings.security = true;
            settings.search.seed = seed;
            let summary = run(&settings).unwrap();
            let faults = covered(&summary, "fault:");
            if !faults.iter().any(|fault| fault.starts_with(wanted)) {
                missed.push(format!("seed {seed}: {faults:?}"));
            }
        }
        // What a search finds is a rate: each of these is found in 19 of 20 seeds.
        assert!(missed.len() <= 1, "{switch}: {missed:?}");
    }
}

#[test]
fn a_service_that_calls_what_it_is_told_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let service = without_driver(&["rest-callback-fetched"], "flawed-shop");
    let mut settings = black_box(&service, 4_000, &folder.path().join("out"));
    settings.auth = Some(users(folder.path()));
    settings.include = vec!["/orders*".into(), "/cart*".into(), "/products*".into()];
    settings.security = true;
    let summary = run(&settings).unwrap();
    let faults = covered(&summary, "fault:");
    let wanted = "fault:202:POST /orders/{orderId}/export:callbackUrl";
    assert!(faults.contains(&wanted), "{faults:?}");
}

#[test]
fn filters_choose_and_codes_are_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let service = without_driver(&["rest-offset-past-end"], "flawed-shop");
    let mut settings = black_box(&service, 400, &folder.path().join("out"));
    settings.include = vec!["/products*".into()];
    settings.exclude = vec!["method:DELETE".into()];
    let summary = run(&settings).unwrap();
    assert_eq!(summary.operations, 7, "the paths below /products without DELETE");
    assert!(summary.faults > 0, "{:?}", covered(&summary, "fault:"));
    settings.oracles_off = [100].into();
    settings.force = true;
    let without = run(&settings).unwrap();
    assert!(covered(&without, "fault:100").is_empty());
    settings.include = vec!["/nothing".into()];
    assert!(run(&settings).is_err());
}
