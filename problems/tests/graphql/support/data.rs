//! Schemas of real services, which are not part of the project.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

/// An introspection answer of a real service.
pub(crate) struct Dump {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
}

/// All introspection dumps in the data folder; none, and a line that says so, without the folder.
pub(crate) fn dumps() -> Vec<Dump> {
    let folder = folder();
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: schemas of real services not found at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let dumps: Vec<Dump> = paths.iter().filter_map(|path| dump(path)).collect();
    assert!(dumps.len() > 20, "only {} schemas at {}", dumps.len(), folder.display());
    dumps
}

/// A schema in the data folder as SDL; nothing, and a line that says so, without the folder.
pub(crate) fn sdl_file(name: &str) -> Option<String> {
    let folder = folder();
    if !folder.is_dir() {
        eprintln!("skipped: schemas of real services not found at {}", folder.display());
        return None;
    }
    Some(std::fs::read_to_string(folder.join(format!("{name}.schema.graphql"))).unwrap())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/graphql")
}

fn dump(path: &Path) -> Option<Dump> {
    let file = path.file_name().unwrap().to_str().unwrap();
    let name = file.strip_suffix(".gz").unwrap_or(file).strip_suffix(".introspection.json")?;
    let mut text = std::fs::read(path).unwrap();
    if file.ends_with(".gz") {
        let mut unpacked = Vec::new();
        GzDecoder::new(&*text).read_to_end(&mut unpacked).unwrap();
        text = unpacked;
    }
    Some(Dump { name: name.to_owned(), text })
}
