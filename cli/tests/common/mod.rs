//! What tests of the slow stage stand on.

pub mod slurm;

use std::io::Write;
use std::process::{Command, Stdio};

pub fn is_slow_stage() -> bool {
    let is_set = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if !is_set {
        println!("skipped: set RUN_SLOW_TESTS");
    }
    is_set
}

/// Python with SciPy, statsmodels and kubernetes-validate.
pub fn python() -> String {
    std::env::var("WALLACE_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Holds each document of a manifest, YAML or JSON, against the schemas that Kubernetes publishes.
pub fn assert_fits_kubernetes(manifest: &str) {
    let script = "import sys, yaml, kubernetes_validate as k; \
                  documents = list(yaml.safe_load_all(sys.stdin)); assert documents; \
                  [k.validate(it, k.latest_version(), strict=True) for it in documents]";
    let mut child = Command::new(python())
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(manifest.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
