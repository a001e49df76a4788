//! Searches on several instances of a service: the result is that of one, whoever dies on the way.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use emb_fixtures::{Fixture, Options, Running};
use wallace::{Fuzz, Summary};

const CALLS: u64 = 600;
const LINEAGES: u32 = 8;

fn start(name: &str, count: usize, driver_port: Option<u16>) -> Vec<Option<Running>> {
    let fixture = Fixture::find(name).unwrap();
    let options = || Options { driver_port, ..Options::default() };
    (0..count).map(|_| Some(fixture.start(options()).unwrap())).collect()
}

fn drivers(instances: &[Option<Running>]) -> Vec<String> {
    instances.iter().map(|it| it.as_ref().unwrap().driver_url.clone().unwrap()).collect()
}

fn fuzz<'a>(places: &[String], out: &Path) -> Fuzz<'a> {
    Fuzz::driver(&places[0])
        .instances(&places[1..])
        .calls(CALLS)
        .search_settings(|search| search.lineages = LINEAGES)
        .out(out)
}

/// What was found, and the tests without the addresses that they were made at.
fn result(summary: &Summary, instances: &[String]) -> String {
    let mut names = Vec::new();
    for target in &summary.targets {
        names.push(format!("{} {:?}", target.name, target.score));
    }
    let mut files: Vec<_> = walk(&summary.suite.join("rust"));
    files.sort();
    let mut text = files.iter().map(|it| std::fs::read_to_string(it).unwrap()).collect::<String>();
    for instance in instances {
        text = text.replace(instance, "INSTANCE");
    }
    format!("{} calls, {} tests\n{names:?}\n{text}", summary.calls, summary.tests)
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .collect()
}

#[test]
fn the_result_is_that_of_one_whatever_their_number_and_whoever_dies() {
    for name in ["graphql-scs", "rest-ncs"] {
        let folder = tempfile::tempdir().unwrap();
        let mut expected = None;
        for count in [1, 2, 4, 8] {
            let mut instances = start(name, count, Some(0));
            let bases: Vec<String> =
                instances.iter().map(|it| it.as_ref().unwrap().base_url.clone()).collect();
            let places = drivers(&instances);
            // The first is the one that everything was read from, and dies of two and of four.
            let dies = (count > 1).then_some(if count == 8 { 5 } else { 0 });
            let summary = fuzz(&places, &folder.path().join(count.to_string()))
                .observe(|progress| {
                    if let Some(dead) = dies
                        && progress.calls > CALLS / 4
                    {
                        instances[dead] = None;
                    }
                })
                .run()
                .unwrap();
            let told = summary.warnings.iter().any(|it| it.contains("is gone"));
            assert_eq!(told, dies.is_some(), "{:?}", summary.warnings);
            let result = result(&summary, &bases);
            let expected = expected.get_or_insert_with(|| result.clone());
            assert!(*expected == result, "{name} on {count} instances");
        }
    }
}

#[test]
fn one_that_comes_back_is_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut instances = start("rest-ncs", 1, Some(0));
    let places = drivers(&instances);
    let port: u16 = places[0].rsplit(':').next().unwrap().parse().unwrap();
    let fixture = Fixture::find("rest-ncs").unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut is_there = true;
    // The only one dies, and is started again: the search waits for it.
    let (file, text) = (folder.path().join("instances"), format!("{}\n", places[0]));
    std::fs::write(&file, text + "127.0.0.1:9 # never there\n").unwrap();
    let summary = fuzz(&[format!("@{}", file.display())], &folder.path().join("out"))
        .observe(|progress| {
            if is_there && progress.calls > CALLS / 4 {
                is_there = false;
                instances[0] = None;
                let sender = sender.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(500));
                    let options = Options { driver_port: Some(port), ..Options::default() };
                    sender.send(fixture.start(options).unwrap()).unwrap();
                });
            }
        })
        .run()
        .unwrap();
    assert!(receiver.try_recv().is_ok(), "it was started again");
    assert!(summary.reason.is_end(), "{:?}", summary.reason);
    let told = |text: &str| summary.warnings.iter().any(|it| it.contains(text));
    assert!(told("was gone for a while") && told("127.0.0.1:9 is gone"), "{:?}", summary.warnings);
}

#[test]
fn another_service_is_refused_and_so_is_an_instance_named_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut instances = start("rest-ncs", 1, Some(0));
    instances.extend(start("rest-scs", 1, Some(0)));
    let error = fuzz(&drivers(&instances), folder.path()).run().unwrap_err().to_string();
    assert!(error.contains("has another service"), "{error}");
    let twice = [drivers(&instances)[0].clone(), drivers(&instances)[0].clone()];
    let error = fuzz(&twice, folder.path()).run().unwrap_err().to_string();
    assert!(error.contains("named twice"), "{error}");
}

#[test]
fn black_box_calls_go_to_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    for (name, is_graphql) in [("graphql-scs", true), ("rest-ncs", false)] {
        let instances = start(name, 3, None);
        let bases: Vec<String> =
            instances.iter().map(|it| it.as_ref().unwrap().base_url.clone()).collect();
        let fuzz = if is_graphql {
            let urls: Vec<String> = bases.iter().map(|it| format!("{it}/graphql")).collect();
            Fuzz::black_box(&urls[0]).instances(&urls[1..])
        } else {
            let first = bases[0].clone();
            Fuzz::openapi(format!("{first}/openapi.json"))
                .settings(|settings| settings.rest.base_url = Some(first))
                .instances(&bases[1..])
        };
        let summary = fuzz.calls(CALLS).out(folder.path().join(name)).run().unwrap();
        assert!(summary.reason.is_end() && summary.answered > 3, "{summary:?}");
        assert!(summary.warnings.iter().all(|it| !it.contains("gone")), "{:?}", summary.warnings);
    }
}
