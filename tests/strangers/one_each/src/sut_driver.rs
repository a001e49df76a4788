//! A system that tells one target, and an engine that hears of it.
use std::sync::Arc;
use wallace_sut_driver::*;

struct Lamp;
impl SutController for Lamp {
    fn full_name(&self) -> String {
        "lamp".to_owned()
    }
    fn start(&self) -> Result<String, String> {
        Ok("http://127.0.0.1:1".to_owned())
    }
    fn stop(&self) {}
    fn base_url(&self) -> Option<String> {
        self.start().ok()
    }
    fn problem(&self) -> ProblemInfo {
        ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() }
    }
    fn reset(&self) -> Result<(), String> {
        Ok(())
    }
    fn new_search(&self) {}
    fn new_test(&self) {}
    fn begin_action(&self, _index: u32, _name: &str, _inputs: &[String]) {}
    fn recorded(&self) -> Recorded {
        let (name, action) = ("Line_at_lamp_00001", Some(0));
        let lit = RecordedTarget { name, id: 1, score: 1.0, action, is_first_seen: true };
        Recorded { targets: vec![lit], actions: Vec::new() }
    }
    fn target_name(&self, _id: u32) -> Option<&'static str> {
        Some("Line_at_lamp_00001")
    }
    fn boot_targets(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
    fn units(&self) -> Units {
        Units::default()
    }
    fn set_kill_switch(&self, _is_on: bool) {}
}

#[test]
fn an_engine_hears_what_the_system_tells() -> Result<(), Box<dyn std::error::Error>> {
    let server = DriverServer::start(Arc::new(Lamp), 0)?;
    let mut driver = DriverClient::connect(&server.url(), &BlockingRuntime::new()?)?;
    driver.start_sut()?;
    driver.new_search()?;
    driver.reset()?;
    driver.begin_action(0, "Query.light", &[])?;
    let results = driver.results(ResultsQuery::default())?;
    assert!(results.targets.iter().any(|target| target.score == 1.0), "{results:?}");
    Ok(())
}
