//! A run of a service that nobody serves ends with an error that says so.
use wallace::Fuzz;

#[test]
fn a_service_that_is_not_there_is_told() {
    let out = std::env::temp_dir().join(format!("nobody-{}", std::process::id()));
    let error = Fuzz::black_box("http://127.0.0.1:1/graphql").calls(10).out(&out).run();
    assert!(error.unwrap_err().to_string().contains("127.0.0.1:1"));
    assert!(!out.exists());
}
