//! What is written, refused, replaced and kept.

use std::collections::BTreeMap;

use super::*;

fn file(path: &str, content: &str) -> SuiteFile {
    SuiteFile::new(path, content)
}

/// Every file below a folder with its content; folders of nothing do not show.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if !name.ends_with(MANIFEST_NAME) {
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

fn expect_content(folder: &Path, expected: &[(&str, &str)]) {
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(content(folder), expected);
}

#[test]
fn a_new_folder_appears_with_everything() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("not/yet/there");
    let folder = OutputFolder::prepare(&path, false).unwrap();
    assert!(content(root.path()).is_empty() && !root.path().join("not").exists());
    folder.write(&[file("a.txt", "a"), file("b/c.txt", "c")]).unwrap();
    expect_content(&path, &[("a.txt", "a"), ("b/c.txt", "c")]);
    expect_content(root.path(), &[("not/yet/there/a.txt", "a"), ("not/yet/there/b/c.txt", "c")]);
}

#[test]
fn an_empty_folder_is_filled() {
    let root = tempfile::tempdir().unwrap();
    OutputFolder::prepare(root.path(), false).unwrap().write(&[file("a", "1")]).unwrap();
    expect_content(root.path(), &[("a", "1")]);
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "the file and the list");
}

#[test]
fn a_folder_with_results_is_replaced_only_by_force() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    let write = |force: bool, files: &[SuiteFile]| {
        OutputFolder::prepare(&path, force).and_then(|folder| folder.write(files))
    };
    write(false, &[file("a", "1"), file("tests/b", "1"), file("tests/deep/c", "1")]).unwrap();
    let refused = write(false, &[file("a", "2")]).unwrap_err();
    assert!(matches!(refused, OutputError::NotEmpty { .. }));
    assert!(refused.to_string().contains("--force"), "{refused}");
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("tests/mine.rs"), "mine").unwrap();
    write(true, &[file("a", "3"), file("tests/b", "3")]).unwrap();
    expect_content(
        &path,
        &[("a", "3"), ("notes.txt", "mine"), ("tests/b", "3"), ("tests/mine.rs", "mine")],
    );
    assert!(!path.join("tests/deep").exists(), "an empty folder of an earlier run stays");
    write(true, &[file("d", "4")]).unwrap();
    expect_content(&path, &[("d", "4"), ("notes.txt", "mine"), ("tests/mine.rs", "mine")]);
}

#[test]
fn folders_of_somebody_else_are_left_alone() {
    for list in [None, Some("[]"), Some("not json"), Some("{\"files\":[\"../mine.txt\"]}")] {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("mine.txt"), "mine").unwrap();
        if let Some(list) = list {
            fs::write(path.join(MANIFEST_NAME), list).unwrap();
        }
        let refused = OutputFolder::prepare(&path, true).unwrap_err();
        assert!(matches!(refused, OutputError::NotOurs { .. }), "{refused}");
        expect_content(&path, &[("mine.txt", "mine")]);
    }
}

#[test]
fn results_go_aside_when_somebody_was_faster() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    let folder = OutputFolder::prepare(&path, false).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("a"), "mine").unwrap();
    let Err(OutputError::InTheWay { kept, .. }) = folder.write(&[file("a", "1")]) else {
        panic!("the folder is taken");
    };
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "mine");
    expect_content(&kept, &[("a", "1")]);
}

#[test]
fn files_of_somebody_else_are_in_the_way_even_by_force() {
    for (taken, is_folder) in [("b", false), ("b", true), ("tests", false)] {
        let root = tempfile::tempdir().unwrap();
        OutputFolder::prepare(root.path(), false).unwrap().write(&[file("a", "1")]).unwrap();
        if is_folder {
            fs::create_dir(root.path().join(taken)).unwrap();
        } else {
            fs::write(root.path().join(taken), "mine").unwrap();
        }
        let folder = OutputFolder::prepare(root.path(), true).unwrap();
        let files = [file("a", "2"), file("b", "2"), file("tests/c", "2")];
        let Err(OutputError::InTheWay { path, kept }) = folder.write(&files) else {
            panic!("{taken} is in the way");
        };
        assert_eq!(path, root.path().join(taken));
        assert_eq!(fs::read_to_string(root.path().join("a")).unwrap(), "1");
        expect_content(&kept, &[("a", "2"), ("b", "2"), ("tests/c", "2")]);
    }
}

#[test]
fn what_is_no_folder_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("file");
    fs::write(&path, "mine").unwrap();
    for path in [path.clone(), path.join("below"), path.join("far/below")] {
        let refused = OutputFolder::prepare(&path, true).unwrap_err();
        assert!(matches!(refused, OutputError::NotAFolder { .. }), "{refused}");
    }
}

#[test]
fn paths_stay_inside() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    for bad in ["", "../a", "/etc/a", "a/../../b", "./a", MANIFEST_NAME] {
        let folder = OutputFolder::prepare(&path, false).unwrap();
        let refused = folder.write(&[file("a", "1"), file(bad, "2")]).unwrap_err();
        assert!(matches!(refused, OutputError::PathLeadsOut { .. }), "{bad}: {refused}");
    }
    assert!(content(root.path()).is_empty() && !path.exists());
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    let folder = OutputFolder::prepare(&path, false).unwrap();
    let refused = folder.write(&[file("a", "1"), file("a/b", "2")]).unwrap_err();
    assert!(matches!(refused, OutputError::Write { .. }), "{refused}");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

/// `/proc` takes no folders from anybody, not even from an administrator.
#[cfg(target_os = "linux")]
#[test]
fn a_place_that_takes_nothing_is_found_out_beforehand() {
    let refused = OutputFolder::prepare("/proc/wallace/out", false).unwrap_err();
    assert!(matches!(refused, OutputError::NotWritable { .. }), "{refused}");
    assert!(refused.to_string().contains("--out"), "{refused}");
}

#[cfg(unix)]
#[test]
fn a_new_folder_is_as_open_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let (path, other) = (root.path().join("out"), root.path().join("other"));
    OutputFolder::prepare(&path, false).unwrap().write(&[file("a", "1")]).unwrap();
    fs::create_dir(&other).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&other));
}
