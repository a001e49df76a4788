//! A cluster of one node.

use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A single-node Slurm of this test alone; its processes end with it.
pub struct Slurm {
    folder: tempfile::TempDir,
    processes: Vec<Child>,
}

impl Slurm {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        // The key is a secret of this test's own daemons.
        let key: Vec<u8> =
            (0..64).map(|i| u8::try_from(std::process::id() % 251).unwrap() ^ i).collect();
        fs::write(path("munge.key"), key).unwrap();
        for name in ["munge.key", "."] {
            let mode = if name == "." { 0o755 } else { 0o600 };
            let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(path(name), permissions).unwrap();
        }
        for name in ["state", "spool"] {
            fs::create_dir(path(name)).unwrap();
        }
        let host = Command::new("hostname").arg("-s").output().unwrap().stdout;
        let host = String::from_utf8(host).unwrap().trim().to_owned();
        fs::write(path("slurm.conf"), slurm_conf(&host, &folder.path().display().to_string()))
            .unwrap();
        let mut slurm = Self { processes: Vec::new(), folder };
        slurm.spawn(
            "munged",
            &[
                "--foreground",
                "--force",
                "--origin=127.0.0.1",
                &format!("--key-file={}", slurm.path("munge.key")),
                &format!("--socket={}", slurm.path("munge.socket")),
                &format!("--pid-file={}", slurm.path("munged.pid")),
                &format!("--log-file={}", slurm.path("munged.log")),
                &format!("--seed-file={}", slurm.path("munge.seed")),
            ],
        );
        slurm.spawn("slurmctld", &["-D"]);
        slurm.spawn("slurmd", &["-D", "-N", &host]);
        slurm.wait_until_idle();
        slurm
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn spawn(&mut self, program: &str, arguments: &[&str]) {
        let log = fs::File::create(self.path(&format!("{program}.out"))).unwrap();
        let child = Command::new(format!("/usr/sbin/{program}"))
            .args(arguments)
            .env("SLURM_CONF", self.path("slurm.conf"))
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("{program} (packages slurm-wlm, munge): {error}"));
        self.processes.push(child);
    }

    fn wait_until_idle(&self) {
        let begun = Instant::now();
        loop {
            let output = Command::new("sinfo")
                .args(["--noheader", "--format=%T"])
                .env("SLURM_CONF", self.path("slurm.conf"))
                .output()
                .unwrap();
            if String::from_utf8_lossy(&output.stdout).contains("idle") {
                return;
            }
            let log = fs::read_to_string(self.path("slurmctld.out")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "Slurm does not start: {log}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for process in self.processes.iter_mut().rev() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn slurm_conf(host: &str, folder: &str) -> String {
    let free = || std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (one, other) = (free(), free());
    let port = |listener: &std::net::TcpListener| listener.local_addr().unwrap().port();
    format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
         AuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket\nCryptoType=crypto/munge\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nMpiDefault=none\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
         SlurmctldPort={}\nSlurmdPort={}\nReturnToService=2\nSchedulerParameters=sched_interval=1\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN\n\
         PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
        port(&one),
        port(&other)
    )
}
