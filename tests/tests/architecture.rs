//! The rules of ARCHITECTURE.md and CONTRIBUTING.md that can be checked by reading the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which packages of the workspace each package may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("wallace-genes", &[]),
    ("wallace-engine", &["wallace-genes"]),
    ("wallace-sut-driver", &[]),
    ("wallace-instrument-macros", &[]),
    ("wallace-instrument", &["wallace-sut-driver", "wallace-instrument-macros"]),
    ("wallace-problems", &["wallace-engine", "wallace-genes", "wallace-sut-driver"]),
    ("wallace-suite", &["wallace-engine", "wallace-problems"]),
    ("wallace-properties", &["wallace-genes", "wallace-problems", "wallace-sut-driver"]),
    ("wallace-harvest", &["wallace-genes", "wallace-problems", "wallace-suite"]),
    (
        "wallace",
        &[
            "wallace-engine",
            "wallace-genes",
            "wallace-harvest",
            "wallace-instrument",
            "wallace-sut-driver",
            "wallace-problems",
            "wallace-suite",
        ],
    ),
    ("wallace-campaign", &["wallace", "wallace-genes", "wallace-sut-driver"]),
    (
        "wallace-cli",
        &[
            "wallace",
            "wallace-campaign",
            "wallace-instrument",
            "wallace-properties",
            "wallace-harvest",
            "emb-fixtures",
        ],
    ),
    ("emb-fixtures", &["wallace-instrument", "wallace-problems"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace").into()
}

/// Direct normal dependencies of each package of the workspace on others of it.
fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let normal = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().expect("a list");
        let direct = dependencies.iter().filter(|dependency| dependency["kind"].is_null());
        direct.map(name).filter(|dependency| ours.contains(dependency)).collect()
    };
    packages.iter().map(|package| (name(package), normal(package))).collect()
}

#[test]
fn packages_depend_only_on_what_the_design_allows() {
    let edges = edges();
    for (package, allowed) in ALLOWED {
        let found = edges.get(*package).unwrap_or_else(|| panic!("{package} is missing"));
        let allowed: BTreeSet<String> = allowed.iter().map(ToString::to_string).collect();
        let forbidden: Vec<_> = found.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{package} must not depend on {forbidden:?}");
    }
    let known: BTreeSet<&str> = ALLOWED.iter().map(|(package, _)| *package).collect();
    for package in edges.keys().filter(|package| !["tests", "benches"].contains(&package.as_str()))
    {
        assert!(known.contains(package.as_str()), "{package} has no rule");
    }
}

/// What a service gets with the instrumentation is small, and holds nothing whose `impl`s for types of
/// the standard library change what the compiler infers there: with serde_json in sight, the `U` of
/// `i32: PartialEq<U>` is known no more, and `list == []` of another crate has no type.
#[test]
fn instrumented_crates_get_few_others() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "wallace-instrument", "-e", "normal", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8(output.stdout).expect("it is a text");
    let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!((10..=60).contains(&crates.len()), "{} crates: {crates:?}", crates.len());
    for unwanted in ["serde_json", "serde", "rustls", "ring", "subtle", "hyper-rustls"] {
        assert!(!crates.contains(unwanted), "{unwanted} is among what a service gets");
    }
}

/// Every Rust source file of the workspace, relative to its root.
fn sources() -> Vec<PathBuf> {
    let mut open = vec![root()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != ".git" && name != "wallace-out" {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_source_file_says_what_it_is() {
    let silent: Vec<PathBuf> = sources()
        .into_iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .filter(|path| !std::fs::read_to_string(path).unwrap_or_default().starts_with("//!"))
        .collect();
    assert!(silent.is_empty(), "{silent:?} do not begin with //!");
}

#[test]
fn chance_has_one_source() {
    // Names in pieces, so that this file does not contain them.
    let forbidden =
        [["thread", "_rng"].concat(), ["from", "_os_rng"].concat(), ["fast", "rand::"].concat()];
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for name in &forbidden {
            assert!(!text.contains(name), "{} uses {name}", path.display());
        }
    }
}

#[test]
fn genes_and_engine_do_no_input_or_output() {
    for path in sources() {
        let is_core =
            ["genes", "engine"].iter().any(|name| path.starts_with(root().join(name).join("src")));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // The wait for instances that are away has no other end.
        let may_wait = path.ends_with("engine/src/worker/pool.rs");
        for name in ["std::fs", "std::net", "Instant::now", "SystemTime", "std::io", "tokio"] {
            let is_free = !is_core || (may_wait && name == "Instant::now");
            assert!(is_free || !text.contains(name), "{} uses {name}", path.display());
        }
    }
}

/// Everything that an embedder of the engine builds, direct or not. None of it does input or
/// output; what is added here must not either, and is built by every user.
const BELOW_THE_ENGINE: &[&str] = &[
    "fnv",
    "itoa",
    "libm",
    "memchr",
    "num-bigint",
    "num-integer",
    "num-traits",
    "ppv-lite86",
    "proc-macro2",
    "quote",
    "rand_chacha",
    "rand_core",
    "regex-syntax",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "syn",
    "thiserror",
    "thiserror-impl",
    "unicode-ident",
    "wallace-engine",
    "wallace-genes",
    "zerocopy",
    "zmij",
];

#[test]
fn the_engine_stands_on_little() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "wallace-engine", "-e", "normal", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let found: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(found.contains("wallace-genes"), "{text}");
    let allowed: BTreeSet<&str> = BELOW_THE_ENGINE.iter().copied().collect();
    let more: Vec<_> = found.difference(&allowed).collect();
    assert!(more.is_empty(), "the engine must not depend on {more:?}");
}

/// The test program that a file belongs to: itself, or the folder below `tests` that it is in.
fn program(path: &Path) -> Option<String> {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let tests = parts.iter().rposition(|part| part == "tests")?;
    Some(parts.get(tests + 1)?.trim_end_matches(".rs").to_owned())
}

/// The second stage of the checks runs the programs with slow proofs, and nothing else once more.
#[test]
fn the_second_stage_has_all_slow_proofs() {
    let checks = std::fs::read_to_string(root().join(".ci/run")).expect("it is there");
    let lists = checks.split("_proofs=(").skip(1);
    let listed = lists.filter_map(|list| list.split(')').next()).flat_map(str::split_whitespace);
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    let is_slow = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.contains("RUN_SLOW_TESTS") || text.contains("is_slow_stage")
    };
    let programs = sources().into_iter().filter(is_slow).filter_map(|path| program(&path));
    // What programs share is none, and here the words are only looked for.
    let shared = ["src", "common", "architecture"];
    let wanted: BTreeSet<String> =
        programs.filter(|name| !shared.contains(&name.as_str())).collect();
    assert_eq!(wanted, listed);
}

#[test]
fn the_architecture_page_stays_short() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it exists");
    assert!(text.lines().count() <= 100);
}

/// A path behind `use`, with its groups written out.
fn spelled_out(path: &str) -> Vec<String> {
    let Some((head, group)) = path.split_once('{') else { return vec![path.trim().to_owned()] };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let mut depth = 0;
    let is_comma = |letter: char| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    };
    let parts = group.split(is_comma).filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| spelled_out(&format!("{}{}", head.trim(), part.trim()))).collect()
}

/// The modules of a package and which of each other they import, tests left out.
fn imports(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = root().join(package).join("src");
    let mut texts = BTreeMap::new();
    for path in sources().iter().filter(|path| path.starts_with(&source)) {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
        let name = path.strip_prefix(&source).expect("it lies there").with_extension("");
        let parts = name.iter().map(|part| part.to_string_lossy()).filter(|part| part != "mod");
        texts.insert(parts.collect::<Vec<_>>().join("::"), text);
    }
    texts.remove("lib");
    let module_of = |from: &str, path: &str| {
        let mut base: Vec<&str> = from.split("::").collect();
        let mut parts = path.split("::").peekable();
        match parts.next()? {
            "crate" => base.clear(),
            "super" => _ = base.pop(),
            "self" => {}
            _ => return None,
        }
        while parts.next_if_eq(&"super").is_some() {
            base.pop();
        }
        base.extend(parts);
        let prefixes = (1..=base.len()).rev().map(|length| base[..length].join("::"));
        prefixes.into_iter().find(|prefix| prefix != from && texts.contains_key(prefix))
    };
    let of = |(name, text): (&String, &String)| {
        let statements = text.split('\n').filter(|line| !line.trim_start().starts_with("//"));
        let code = statements.collect::<Vec<_>>().join(" ");
        let uses = code.split(';').filter_map(|it| it.rsplit_once("use ").map(|(_, path)| path));
        let paths = uses.flat_map(spelled_out);
        (name.clone(), paths.filter_map(|path| module_of(name, &path)).collect())
    };
    texts.iter().map(of).collect()
}

/// The most modules that all lead to each other.
fn largest_knot(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<&str> {
    let reached = |start: &str| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start.to_owned()];
        while let Some(module) = open.pop() {
            let next = imports[&module].iter().filter(|next| reached.insert((*next).clone()));
            open.extend(next.cloned().collect::<Vec<_>>());
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<String>> =
        imports.keys().map(|module| (&**module, reached(module))).collect();
    let knot = |module: &&str| -> Vec<&str> {
        let others = all
            .iter()
            .filter(|(other, back)| back.contains(*module) && all[*module].contains(**other));
        others.map(|(other, _)| *other).collect()
    };
    all.keys().map(knot).max_by_key(Vec::len).unwrap_or_default()
}

/// Packages, and the most of their modules that may import each other in a circle. Fewer is better;
/// more is a decision.
const KNOTS: &[(&str, usize)] = &[
    ("genes", 10),
    ("engine", 2),
    ("sut-driver", 2),
    ("instrument", 0),
    ("problems", 13),
    ("suite", 2),
    ("properties", 0),
    ("harvest", 4),
    ("wallace", 2),
    ("campaign", 2),
    ("cli", 6),
];

#[test]
fn modules_have_an_order_of_reading() {
    for (package, most) in KNOTS {
        let imports = imports(package);
        let knot = largest_knot(&imports);
        assert!(knot.len() <= *most, "{package}: {knot:?} import each other");
    }
}

/// The headings of a page, as links name them.
fn headings(page: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(page).expect("the page is there");
    let headings = text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    headings.map(|heading| heading.to_lowercase().replace(' ', "-")).collect()
}

#[test]
fn sources_cite_pages_that_are_here() {
    let mut count = 0;
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for cited in text.split("docs/reference/").skip(1) {
            let end = cited.find(|c: char| !(c.is_ascii_alphanumeric() || ".#-_/".contains(c)));
            let Some((page, heading)) = cited[..end.unwrap_or(cited.len())].split_once('#') else {
                continue;
            };
            let known = headings(&root().join("docs/reference").join(page));
            let heading = heading.trim_end_matches('.');
            assert!(known.contains(heading), "{}: {page} has no {heading:?}", path.display());
            count += 1;
        }
    }
    assert!(count > 40, "{count} citations");
}
