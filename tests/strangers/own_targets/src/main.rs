//! Targets of one's own on a driven service: remainders that nobody should be told.
use emb_fixtures::{Fixture, Options};
use wallace::{Call, Fuzz, OwnTarget};

fn large(calls: &[Call<'_>]) -> Vec<OwnTarget> {
    let mut targets = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        let answer = call.outcome.response.as_ref().ok();
        let result = answer.and_then(|answer| answer.text_at("/resultAsInt")?.parse::<f64>().ok());
        for goal in [10.0, 100.0, 1_000.0] {
            let name = format!("{} answers {goal}", call.operation);
            targets.push(OwnTarget::at_least(name, result.unwrap_or(0.0), goal).by_call(place));
        }
    }
    targets
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Fixture::find("rest-ncs")?.start(Options::default())?;
    let driver = service.driver_url.as_deref().unwrap_or_default();
    let out = std::env::temp_dir().join(format!("own-targets-{}", std::process::id()));
    let summary = Fuzz::driver(driver).calls(3_000).targets(large).out(&out).run()?;
    let covered = summary.own_targets().filter(|target| target.score.is_covered());
    let covered: Vec<&str> = covered.map(|target| target.name.as_str()).collect();
    assert!(covered.contains(&"own:GET:/api/remainder/{a}/{b} answers 1000"), "{covered:?}");
    assert!(std::fs::read_to_string(out.join("report.html"))?.contains(covered[0]));
    Ok(std::fs::remove_dir_all(&out)?)
}
