//! Titles that go with a sex.

use wallace_instrument::white_box;

/// 1, 0 or 2 when `title` may stand for a male, a female or an unstated ("none") sex, else -1.
#[white_box]
pub(super) fn title(sex: &str, title: &str) -> i32 {
    let mut result = -1;
    if sex == "male" {
        if title == "mr"
            || title == "dr"
            || title == "sir"
            || title == "rev"
            || title == "rthon"
            || title == "prof"
        {
            result = 1;
        }
    } else if sex == "female" {
        if title == "mrs"
            || title == "miss"
            || title == "ms"
            || title == "dr"
            || title == "lady"
            || title == "rev"
            || title == "rthon"
            || title == "prof"
        {
            result = 0;
        }
    } else if sex == "none"
        && (title == "dr" || title == "rev" || title == "rthon" || title == "prof")
    {
        result = 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn titles_by_sex() {
        let both = ["dr", "rev", "rthon", "prof"];
        for (sex, number, own) in [
            ("male", 1, &["mr", "sir"][..]),
            ("female", 0, &["mrs", "miss", "ms", "lady"][..]),
            ("none", 2, &[][..]),
        ] {
            for word in both.iter().chain(own) {
                assert_eq!(title(sex, word), number, "{sex} {word}");
            }
            assert_eq!(title(sex, "king"), -1, "{sex}");
        }
        assert_eq!(title("male", "mrs"), -1);
        assert_eq!(title("female", "sir"), -1);
        assert_eq!(title("none", "mr"), -1);
        assert_eq!(title("other", "dr"), -1);
    }
}
