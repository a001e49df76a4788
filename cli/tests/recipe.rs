//! The recipes of docs/instances.md, as far as one machine goes.

#![allow(clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{assert_fits_kubernetes, is_slow_stage, slurm::Slurm};

const WALLACE: &str = env!("CARGO_BIN_EXE_wallace");

#[test]
fn the_manifests_fit_their_published_schemas() {
    if is_slow_stage() {
        assert_fits_kubernetes(include_str!("../../docs/recipe/kubernetes.yaml"));
    }
}

#[test]
fn slurm_starts_the_instances_and_the_search() {
    if !is_slow_stage() {
        return;
    }
    let slurm = Slurm::start();
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/recipe/slurm.sh");
    let port = free_port();
    let command = std::path::Path::new(WALLACE).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sbatch")
        .args(["--nodes=1", "--wait", "--output=log", script])
        .env("SLURM_CONF", slurm.path("slurm.conf"))
        .env("INSTANCE", format!("wallace fixture graphql-ncs --driver-port {port}"))
        .env("PORT", port.to_string())
        .env("CALLS", "500")
        .env("PATH", path)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    assert!(output.status.success(), "{}{log}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("shop/report.html").is_file(), "{log}");
}

#[test]
fn drivers_in_other_networks_are_searched_from_here() {
    if !is_slow_stage() {
        return;
    }
    let Some(networks) = Networks::new() else {
        println!("skipped: only root can make networks, with the command `ip`");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let drivers: Vec<Running> = (0..2).map(|number| networks.serve(number)).collect();
    std::fs::write(folder.path().join("instances"), networks.addresses().join("\n")).unwrap();
    let output = Command::new(WALLACE)
        .args(["fuzz", "--driver", "@instances", "--calls", "500", "--out", "out"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !told.contains("is gone"), "{told}{error}");
    assert!(told.contains("answered without errors"), "{told}");
    drop(drivers);
}

/// Ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Two networks beside that of this process, each of one machine with a driver.
struct Networks(u32);

impl Networks {
    fn new() -> Option<Self> {
        let networks = Self(std::process::id());
        (0..2).all(|number| networks.add(number)).then_some(networks)
    }

    fn name(&self, number: usize) -> String {
        format!("w{}-{number}", self.0)
    }

    fn addresses(&self) -> [String; 2] {
        [0, 1].map(|number| format!("10.203.{number}.2:40100"))
    }

    fn add(&self, number: usize) -> bool {
        let name = self.name(number);
        let (near, far) = (format!("{name}a"), format!("{name}b"));
        let inside = ["netns", "exec", &name, "ip"];
        let ip = |arguments: &[&str]| {
            let done = Command::new("ip").args(arguments).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success())
        };
        let host = |last: u8| format!("10.203.{number}.{last}/24");
        ip(&["netns", "add", &name])
            && ip(&["link", "add", &near, "type", "veth", "peer", "name", &far, "netns", &name])
            && ip(&["address", "add", &host(1), "dev", &near])
            && ip(&["link", "set", &near, "up"])
            && ip(&[&inside[..], &["address", "add", &host(2), "dev", &far]].concat())
            && ip(&[&inside[..], &["link", "set", &far, "up"]].concat())
            && ip(&[&inside[..], &["link", "set", "lo", "up"]].concat())
    }

    fn serve(&self, number: usize) -> Running {
        let child = Command::new("ip")
            .args(["netns", "exec", &self.name(number), WALLACE])
            .args(["fixture", "rest-ncs", "--driver-port", "40100"])
            .env("WALLACE_DRIVER_HOST", "0.0.0.0")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let running = Running(child);
        let begun = Instant::now();
        while std::net::TcpStream::connect(&self.addresses()[number]).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the driver does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        running
    }
}

impl Drop for Networks {
    /// The links go with their networks.
    fn drop(&mut self) {
        for number in 0..2 {
            let _ = Command::new("ip")
                .args(["netns", "delete", &self.name(number)])
                .stderr(Stdio::null())
                .status();
        }
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
