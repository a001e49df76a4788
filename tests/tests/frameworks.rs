//! The same small service on each web framework, as docs/white-box-rust.md names them: a short search reaches
//! its marked line. Slow, since the frameworks are built first, once for all of them.

#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use wallace::Fuzz;

const FRAMEWORKS: [&str; 7] = ["actix", "axum", "hyper", "poem", "rocket", "salvo", "warp"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("frameworks")
}

/// Ends the service with its test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn every_framework_is_searched() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let target = folder().join("../../target/strangers");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--bins", "--locked"])
        .current_dir(folder())
        .env("CARGO_TARGET_DIR", &target)
        .status();
    assert!(built.unwrap().success());
    for name in FRAMEWORKS {
        let program = target.join("debug").join(format!("on_{name}"));
        let process = Command::new(program).current_dir(folder()).stdout(Stdio::piped()).spawn();
        let mut service = Service(process.unwrap());
        let mut line = String::new();
        BufReader::new(service.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let driver = line.trim().rsplit(' ').next().unwrap();
        let out = tempfile::tempdir().unwrap();
        let fuzz = Fuzz::driver(driver).calls(500).out(out.path().join("suite"));
        let summary = fuzz.run().unwrap();
        let text = std::fs::read_to_string(folder().join(format!("src/bin/on_{name}.rs"))).unwrap();
        let marked = text.lines().position(|line| line.contains("// marked")).unwrap() + 1;
        let wanted = format!("Line_at_on_{name}_{marked:05}");
        let mut covered = summary.targets.iter().filter(|target| target.score.is_covered());
        assert!(covered.any(|target| target.name.to_string() == wanted), "{name}: {wanted}");
    }
}
