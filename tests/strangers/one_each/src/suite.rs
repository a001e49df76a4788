//! A test written in every format there is.
use wallace_suite::*;

#[test]
fn every_format_writes_the_test() {
    let request = Request::graphql("/graphql", "{ light }");
    let operation = "Query.light".to_owned();
    let step = Step { operation, request, captures: Vec::new(), expectations: Vec::new() };
    let steps = vec![step];
    let test = TestCase {
        name: TestNamer::default().name(&steps, &[]),
        purpose: vec!["Turns the light on.".to_owned()],
        kind: TestKind::Regression,
        faults: Vec::new(),
        steps,
    };
    let (tool, version) = ("stranger".to_owned(), "1".to_owned());
    let suite = TestSuite {
        provenance: Provenance { tool, version, seed: 1 },
        service: "lamp".to_owned(),
        default_base_url: "http://127.0.0.1:8080".to_owned(),
        start_command: None,
        tests: vec![test],
    };
    for format in Format::ALL {
        let files = format.write(&suite);
        assert!(files.iter().any(|file| file.content.contains("light")), "{format:?}");
    }
}
