//! A package whose items are marked.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::message::{Cause, Place};
use super::rewrite::{Left, rewrite};
use super::wrapper::{Call, is_of_crate, value};

/// The file of a copy that lists what is left as it is in it.
const LEFT: &str = ".wallace-left";

/// A copy for one call of the compiler.
pub(super) struct Copy {
    pub(super) position: usize,
    pub(super) root: OsString,
    folder: PathBuf,
    package: PathBuf,
    /// The original as the compiler would name it: relative to where it runs.
    original: PathBuf,
    left: LeftLines,
    /// The root of a crate of edition 2015, inside the package: there, only what a crate declares
    /// can be named.
    declaring: Option<PathBuf>,
}

/// Lines of whose functions less is seen, by file and by a hash of its text: once the text is another,
/// they are tried again.
#[derive(Debug, Default, Clone, PartialEq)]
struct LeftLines(BTreeMap<(PathBuf, u64), Vec<(usize, Left)>>);

impl Copy {
    /// Copies the package of a call.
    pub(super) fn make(
        call: &Call<'_>,
        arguments: &[OsString],
        sources: &Path,
    ) -> Result<Self, String> {
        let package = &call.package;
        let name = package.file_name().unwrap_or_default();
        // Packages of one name lie in different folders; so do a library and its tests, which
        // need not leave the same.
        let unit = format!("{}{}", package.display(), extra_name(arguments));
        let folder = sources.join(format!("{}-{:016x}", name.display(), fnv(unit.as_bytes())));
        let failed = |_| format!("{} lies outside of its package", call.root.display());
        let root = folder.join(call.root.strip_prefix(package).map_err(failed)?).into_os_string();
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let original = package.strip_prefix(&here).unwrap_or(package).to_path_buf();
        let left = LeftLines::read(&fs::read_to_string(folder.join(LEFT)).unwrap_or_default());
        let (position, package) = (call.position, package.clone());
        let is_old = value(arguments, "--edition").is_none_or(|edition| edition == "2015");
        let inside = call.root.strip_prefix(&call.package).map(Path::to_path_buf).ok();
        let declaring = inside.filter(|_| is_old);
        let copy = Self { position, root, folder, package, original, left, declaring };
        copy.fill(&copy.package)?;
        Ok(copy)
    }

    /// Sees less of the functions that errors are about: first without the operands on the lines of
    /// the errors, then without those of all their conditions, then nothing. What is around one, as an `impl` is, keeps all of it until the
    /// function itself is left. Gives what to say of it; `None` when that is so already.
    pub(super) fn leave(&mut self, errors: &[Vec<Place>]) -> Result<Option<Vec<String>>, String> {
        let mut said = BTreeMap::new();
        let tried = self.left.clone();
        let mut is_less = false;
        for places in errors {
            is_less |= places.iter().any(|place| self.leave_at(place, &tried, &mut said));
        }
        self.fill(&self.package)?;
        Ok(is_less.then(|| said.into_values().collect()))
    }

    /// Whether something at this place can be seen less than was `tried`.
    fn leave_at(
        &mut self,
        place: &Place,
        tried: &LeftLines,
        said: &mut BTreeMap<(PathBuf, String), String>,
    ) -> bool {
        let Place { file, line, .. } = place;
        let Ok(inside) = Path::new(file).strip_prefix(&self.original) else { return false };
        let Ok(text) = fs::read_to_string(self.package.join(inside)) else { return false };
        let (_, before) = rewrite(&text, tried.of(inside, &text));
        let (_, at) = rewrite(&text, &[(*line, Left::Coarse)]);
        let mut is_less = false;
        for name in at.into_keys() {
            let known = before.get(&name).map_or(&[][..], Vec::as_slice);
            let Some(left) = less(known, place) else { continue };
            is_less = true;
            let key = (inside.to_path_buf(), fnv(text.as_bytes()));
            let lines = self.left.0.entry(key).or_default();
            if !lines.contains(&(*line, left)) {
                lines.push((*line, left));
            }
            if let Some((about, warning)) = told(&name, left, place, inside) {
                said.entry((inside.to_path_buf(), about)).or_insert(warning);
            }
        }
        is_less
    }

    /// Remembers for the next time what is left.
    pub(super) fn remember(&self) -> Result<(), String> {
        write(&self.folder.join(LEFT), self.left.write().as_bytes())
    }

    /// Lets messages and `file!()` name the original.
    pub(super) fn remapping(&self) -> OsString {
        let mut argument = OsString::from("--remap-path-prefix=");
        argument.push(&self.folder);
        argument.push("=");
        argument.push(&self.original);
        argument
    }

    /// Tells Cargo that the crate is made of the originals, so that a change of them is noticed.
    pub(super) fn name_originals(&self, arguments: &[OsString]) -> Result<(), String> {
        let (Some(name), Some(out)) =
            (value(arguments, "--crate-name"), value(arguments, "--out-dir"))
        else {
            return Ok(());
        };
        let path = Path::new(out).join(format!("{name}{}.d", extra_name(arguments)));
        let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
        let copied = format!("{}/", self.folder.display());
        let original = match self.original.as_os_str().is_empty() {
            true => String::new(),
            false => format!("{}/", self.original.display()),
        };
        write(&path, text.replace(&copied, &original).as_bytes())
    }

    /// Copies a folder without its results; Rust files with their items marked. Files that are as
    /// they should be are left alone.
    fn fill(&self, from: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", from.display());
        for entry in fs::read_dir(from).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let Some(name) = path.file_name() else { continue };
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            if path.is_dir() {
                let is_other = name == "target" || path.join("Cargo.toml").exists();
                if !is_hidden && !is_other && !path.is_symlink() {
                    self.fill(&path)?;
                }
                continue;
            }
            let inside = path.strip_prefix(&self.package).unwrap_or(&path);
            let goal = self.folder.join(inside);
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let is_source = path.extension() == Some("rs".as_ref()) && is_of_crate(inside);
            let text = std::str::from_utf8(&bytes).ok().filter(|_| is_source);
            let mut marked = text.map(|text| rewrite(text, self.left.of(inside, text)).0);
            if let Some(marked) = &mut marked
                && self.declaring.as_deref() == Some(inside)
                && !marked.contains("extern crate wallace_instrument;")
            {
                marked.push_str("\nextern crate wallace_instrument;\n");
            }
            let bytes = marked.map_or(bytes, String::into_bytes);
            if fs::read(&goal).ok().as_ref() != Some(&bytes) {
                write(&goal, &bytes)?;
            }
        }
        Ok(())
    }
}

/// How much less can be seen of a function of which this is `known`, for an error at this place.
fn less(known: &[(usize, Left)], place: &Place) -> Option<Left> {
    let has = |wanted| known.iter().any(|(_, left)| *left == wanted);
    if has(Left::Alone) {
        None
    } else if place.cause == Cause::Constant || has(Left::Coarse) {
        Some(Left::Alone)
    } else if place.cause == Cause::Packed && !has(Left::Copied) {
        Some(Left::Copied)
    } else if known.contains(&(place.line, Left::Line)) {
        Some(Left::Coarse)
    } else {
        Some(Left::Line)
    }
}

/// What is to be said of a function of which less is seen, and a name for that; nothing where copies show
/// the same, where operands of this line have nothing to see, and of constant functions, which are never
/// white-box: they may run in the compiler.
fn told(name: &str, left: Left, place: &Place, file: &Path) -> Option<(String, String)> {
    let Place { line, reason, cause, .. } = place;
    let about = match left {
        Left::Copied => return None,
        Left::Alone if *cause == Cause::Constant => return None,
        Left::Line if *cause == Cause::Unobservable => return None,
        Left::Line => format!("line {line} of {name}"),
        Left::Coarse | Left::Alone => name.to_owned(),
    };
    let how = match left {
        Left::Alone => "is not white-box: rewritten, it does not compile",
        _ => "is seen without operands: with them it does not compile",
    };
    let warning = format!("{about} ({}) {how}: {reason}", file.display());
    Some((about, warning))
}

impl LeftLines {
    fn of(&self, file: &Path, text: &str) -> &[(usize, Left)] {
        let key = (file.to_path_buf(), fnv(text.as_bytes()));
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }

    /// One line for each line that is left: hash, number, how much is left, and file.
    fn write(&self) -> String {
        let lines = self.0.iter().flat_map(|((file, hash), lines)| {
            lines.iter().map(move |(line, left)| {
                format!("{hash:016x} {line} {left:?} {}\n", file.display())
            })
        });
        lines.collect()
    }

    fn read(text: &str) -> Self {
        let mut left = Self::default();
        for line in text.lines() {
            let mut parts = line.splitn(4, ' ');
            let hash = parts.next().and_then(|hash| u64::from_str_radix(hash, 16).ok());
            let number = parts.next().and_then(|number| number.parse().ok());
            let how = [Left::Copied, Left::Line, Left::Coarse, Left::Alone];
            let word = parts.next();
            let how = how.into_iter().find(|how| word == Some(&format!("{how:?}")));
            if let (Some(hash), Some(number), Some(how), Some(file)) =
                (hash, number, how, parts.next())
            {
                left.0.entry((PathBuf::from(file), hash)).or_default().push((number, how));
            }
        }
        left
    }
}

/// What tells the results of a call from others of the same crate.
fn extra_name(arguments: &[OsString]) -> &str {
    let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
    texts.find_map(|it| it.strip_prefix("extra-filename=")).unwrap_or_default()
}

/// Writes a file aside and moves it into place: a compiler may be reading it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut aside = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    aside.write_all(bytes).map_err(failed)?;
    aside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn fnv(bytes: &[u8]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    std::hash::Hasher::write(&mut hasher, bytes);
    std::hash::Hasher::finish(&hasher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_remembered() {
        let mut left = LeftLines::default();
        left.0.insert(
            (PathBuf::from("src/a b.rs"), fnv(b"x")),
            vec![(3, Left::Coarse), (4, Left::Copied), (9, Left::Alone)],
        );
        assert_eq!(LeftLines::read(&left.write()), left);
        assert_eq!(left.of(Path::new("src/a b.rs"), "x")[2], (9, Left::Alone));
        assert!(left.of(Path::new("src/a b.rs"), "y").is_empty());
    }
}
