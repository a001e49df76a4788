//! What the tests share.

use std::path::PathBuf;

use wallace_problems::rest::{Description, DescriptionError, Location, ReadSettings};

/// The descriptions of real services, by file name; none, and a note, where the folder is absent.
pub(crate) fn wild() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/openapi");
    let folders =
        [folder, PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/openapi")];
    let Some(folder) = folders.iter().find(|folder| folder.is_dir()) else {
        println!("skipped: there is no folder {}", folders[1].display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| (file.file_name().unwrap().to_string_lossy().into_owned(), text(file)))
        .collect()
}

fn text(file: &PathBuf) -> String {
    use std::io::Read;
    let bytes = std::fs::read(file).unwrap();
    let mut text = String::new();
    if file.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

/// Reads a description from a text alone.
pub(crate) fn read(name: &str, text: &str) -> Result<Description, DescriptionError> {
    let refuse = |url: &str| -> Result<String, String> { panic!("{url} was fetched") };
    Description::from_text(text, Location::Text(name.to_owned()), &ReadSettings::default(), &refuse)
}

/// A description in OpenAPI 3.1 with these paths and schemas, in YAML flow style.
pub(crate) fn openapi(paths: &str, schemas: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths: {paths}\ncomponents: {{schemas: {schemas}}}\n"
    )
}
