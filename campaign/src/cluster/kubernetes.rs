//! An Indexed Job of Kubernetes.

use serde_json::json;

use super::write_list;
use crate::error::CampaignError;
use crate::plan::Plan;

/// The folder of the plan inside the containers.
const MOUNT: &str = "/plan";

/// Manifest of a job (`batch/v1`, completion mode Indexed) that executes all runs without a result,
/// as JSON, which `kubectl apply -f` takes as it is. `image` holds this command, and `claim` is the
/// volume claim that holds the plan's folder.
///
/// # Errors
/// When there is nothing to execute, or the list of runs cannot be written.
pub fn kubernetes_job(plan: &Plan, image: &str, claim: &str) -> Result<String, CampaignError> {
    let runs = plan.open_runs()?;
    if runs.is_empty() {
        return Err(CampaignError::Cluster {
            program: "kubernetes".to_owned(),
            reason: "every run has its result: there is nothing to execute".to_owned(),
        });
    }
    let list = write_list(plan, &runs)?;
    let name = list.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let resources = &plan.definition().resources;
    let limits = json!({
        "cpu": resources.cores.to_string(),
        "memory": format!("{}Mi", resources.memory),
    });
    let manifest = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": label(&plan.definition().name) },
        "spec": {
            "completionMode": "Indexed",
            "completions": runs.len(),
            "parallelism": resources.parallel,
            "backoffLimitPerIndex": resources.tries - 1,
            "template": { "spec": {
                "restartPolicy": "Never",
                "activeDeadlineSeconds": resources.seconds,
                "containers": [{
                    "name": "run",
                    "image": image,
                    "command": ["wallace", "campaign", "element", MOUNT, format!("{MOUNT}/lists/{name}")],
                    "resources": { "requests": limits, "limits": limits },
                    "volumeMounts": [{ "name": "plan", "mountPath": MOUNT }],
                }],
                "volumes": [{ "name": "plan", "persistentVolumeClaim": { "claimName": claim } }],
            } },
        },
    });
    Ok(serde_json::to_string_pretty(&manifest).expect("manifests are plain data"))
}

/// A name as Kubernetes allows it: lower-case letters, digits and hyphens (RFC 1123), at most 63.
fn label(name: &str) -> String {
    let allowed = |character: char| match character.to_ascii_lowercase() {
        character if character.is_ascii_alphanumeric() => character,
        _ => '-',
    };
    let label: String = name.chars().map(allowed).take(63).collect();
    let label = label.trim_matches('-');
    if label.is_empty() { "campaign".to_owned() } else { label.to_owned() }
}
