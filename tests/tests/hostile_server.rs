//! Servers that hang, send too much or nonsense, or hang up: each is an outcome of the call, and a
//! run over such a server ends within its budget.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wallace::{Settings, StopReason, StopSignal, Summary};

/// What a server does instead of answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vice {
    Hang,
    /// Headers, then a byte now and then.
    Drip,
    FiftyMegabytes,
    /// The same without saying how much.
    EndlessChunks,
    DeepJson,
    WideJson,
    /// As much of it as is read at all, of the kind that takes most space.
    LargestJson,
    InvalidUtf8,
    HalfResponse,
    WrongType,
    Close,
    NoHttp,
    /// More headers than anybody reads.
    Headers,
}

const ALL: [Vice; 13] = [
    Vice::Hang,
    Vice::Drip,
    Vice::FiftyMegabytes,
    Vice::EndlessChunks,
    Vice::DeepJson,
    Vice::WideJson,
    Vice::LargestJson,
    Vice::InvalidUtf8,
    Vice::HalfResponse,
    Vice::WrongType,
    Vice::Close,
    Vice::NoHttp,
    Vice::Headers,
];

/// Serves on a free port, the vices in turn.
fn serve(vices: &'static [Vice]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let turn = Arc::new(AtomicUsize::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let turn = Arc::clone(&turn);
            std::thread::spawn(move || while converse(&stream, vices, &turn).is_ok() {});
        }
    });
    format!("http://{address}/graphql")
}

/// Reads one request and answers it badly.
fn converse(stream: &TcpStream, vices: &[Vice], turn: &AtomicUsize) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    reader.read_exact(&mut vec![0; length])?;
    let vice = vices[turn.fetch_add(1, Ordering::Relaxed) % vices.len()];
    answer(stream, vice)
}

fn answer(mut stream: &TcpStream, vice: Vice) -> std::io::Result<()> {
    let head = |media_type: &str, length: usize| {
        format!("HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n\r\n")
    };
    let mut whole = |media_type: &str, body: &[u8]| {
        stream.write_all(head(media_type, body.len()).as_bytes())?;
        stream.write_all(body)
    };
    let ended = || Err(std::io::ErrorKind::ConnectionAborted.into());
    match vice {
        Vice::Hang => std::thread::sleep(Duration::from_secs(2)),
        Vice::Drip => {
            stream.write_all(head("application/json", 1_000).as_bytes())?;
            for _ in 0..40 {
                std::thread::sleep(Duration::from_millis(50));
                stream.write_all(b" ")?;
            }
        }
        Vice::FiftyMegabytes => {
            stream.write_all(head("application/json", 50 << 20).as_bytes())?;
            for _ in 0..50 * 16 {
                stream.write_all(&[b' '; 1 << 16])?;
            }
        }
        Vice::EndlessChunks => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")?;
            for _ in 0..50 * 16 {
                stream.write_all(b"10000\r\n")?;
                stream.write_all(&[b' '; 1 << 16])?;
                stream.write_all(b"\r\n")?;
            }
        }
        Vice::DeepJson => {
            let body = format!("{{\"data\":{}{}}}", "[".repeat(500_000), "]".repeat(500_000));
            whole("application/json", body.as_bytes())?;
        }
        Vice::WideJson => {
            let body = format!("{{\"data\":{{\"all\":[{}1]}}}}", "1,".repeat(1_000_000));
            whole("application/json", body.as_bytes())?;
        }
        Vice::LargestJson => {
            let body = format!("{{\"data\":{{\"all\":[{}[]]}}}}", "[],".repeat((4 << 20) / 3 - 20));
            whole("application/json", body.as_bytes())?;
        }
        Vice::InvalidUtf8 => whole("application/json", b"{\"data\":{\"text\":\"\xff\xfe\"}}")?,
        Vice::WrongType => whole("image/png", b"{\"data\":{\"text\":\"fine\"}}")?,
        Vice::HalfResponse => {
            stream.write_all(head("application/json", 1_000).as_bytes())?;
            stream.write_all(b"{\"data\":")?;
            return ended();
        }
        Vice::Close => return ended(),
        Vice::NoHttp => {
            stream.write_all(b"220 mail.example ESMTP\r\n")?;
            return ended();
        }
        Vice::Headers => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            for number in 0..100_000 {
                stream.write_all(format!("x-{number}: y\r\n").as_bytes())?;
            }
        }
    }
    Ok(())
}

const SDL: &str = "type Query { text(of: String): String all(first: Int): [Int] thing(id: ID!): Thing }
    type Mutation { make(name: String!): Thing } type Thing { id: ID! name: String things: [Thing] }";

fn run(vices: &'static [Vice], calls: u64, out: &Path) -> Summary {
    let schema = out.with_extension("graphql");
    std::fs::write(&schema, SDL).unwrap();
    let mut settings = Settings::black_box(serve(vices), out);
    settings.graphql.schema = Some(schema);
    settings.calls = Some(calls);
    // What comes late is slow on purpose; what is much may take its time on a busy machine.
    let is_late = vices.iter().any(|vice| matches!(vice, Vice::Hang | Vice::Drip));
    settings.call_timeout = Duration::from_millis(if is_late { 100 } else { 10_000 });
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap()
}

/// Names of the targets that a run reached, by their first two parts.
fn has(summary: &Summary, prefix: &str) -> bool {
    summary
        .targets
        .iter()
        .any(|target| target.score.is_covered() && target.name.as_str().starts_with(prefix))
}

#[test]
fn every_vice_is_an_outcome_with_a_name() {
    let folder = tempfile::tempdir().unwrap();
    for vice in ALL {
        let vices: &'static [Vice] = Box::leak(Box::new([vice]));
        let summary = run(vices, 12, &folder.path().join(format!("{vice:?}")));
        let is_answered = matches!(vice, Vice::WrongType | Vice::InvalidUtf8);
        let is_in_vain = summary.reason.to_string().starts_with("none of");
        assert!(summary.reason == StopReason::BudgetUsed || is_in_vain && !is_answered, "{vice:?}");
        let outcomes: &[&str] = match vice {
            Vice::Hang | Vice::Drip => &["http:timeout:", "fault:989:"],
            Vice::FiftyMegabytes | Vice::EndlessChunks => &["http:too-large:"],
            Vice::HalfResponse | Vice::Close => &["http:dropped:", "fault:910:"],
            Vice::NoHttp | Vice::Headers => &["http:malformed:"],
            Vice::WrongType => &["fault:983:"],
            Vice::InvalidUtf8 => &["http:200:", "gql:ok:"],
            Vice::DeepJson | Vice::WideJson | Vice::LargestJson => &["http:200:"],
        };
        for outcome in outcomes {
            let names: Vec<&str> =
                summary.targets.iter().map(|target| target.name.as_str()).collect();
            assert!(has(&summary, outcome), "{vice:?}: no {outcome} in {names:?}");
        }
    }
}

/// The most memory that this process ever held, in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

#[test]
fn memory_is_bounded_whatever_a_server_sends() {
    const LARGE: [Vice; 8] = [
        Vice::FiftyMegabytes,
        Vice::LargestJson,
        Vice::EndlessChunks,
        Vice::DeepJson,
        Vice::WideJson,
        Vice::InvalidUtf8,
        Vice::LargestJson,
        Vice::Headers,
    ];
    let folder = tempfile::tempdir().unwrap();
    let summary = run(&LARGE, 160, &folder.path().join("out"));
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    match peak_memory() {
        // The servers of the tests are in this process too.
        Some(peak) => assert!(peak < 200 << 20, "{} MB", peak >> 20),
        None => eprintln!("not measured: the system does not tell the memory of a process"),
    }
}
