//! The kind of a file, by its directory and suffix.

use wallace_instrument::white_box;

/// 1 to 5 when the suffix after the last dot of `file` belongs to `directory`, else 0.
#[white_box]
pub(super) fn file_suffix(directory: &str, file: &str) -> i32 {
    let parts: Vec<&str> = file.split('.').collect();
    let last = parts.len() - 1;
    let mut result = 0;
    if last > 0 {
        let suffix = parts[last];
        if directory == "text" && suffix == "txt" {
            result = 1;
        }
        if directory == "acrobat" && suffix == "pdf" {
            result = 2;
        }
        if directory == "word" && suffix == "doc" {
            result = 3;
        }
        if directory == "bin" && suffix == "exe" {
            result = 4;
        }
        if directory == "lib" && suffix == "dll" {
            result = 5;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::file_suffix;

    #[test]
    fn suffix_must_fit_the_directory() {
        for (directory, file, expected) in [
            ("text", "a.txt", 1),
            ("acrobat", "a.b.pdf", 2),
            ("word", ".doc", 3),
            ("bin", "x.exe", 4),
            ("lib", "y.dll", 5),
            ("lib", "y.exe", 0),
            ("text", "txt", 0),
            ("text", "a.txt.", 0),
            ("text", "", 0),
        ] {
            assert_eq!(file_suffix(directory, file), expected, "{directory}/{file}");
        }
    }
}
