//! Names of days and months.

use wallace_instrument::white_box;

/// 1 for the name of a day, plus 1 to 12 for the name of a month.
#[white_box]
pub(super) fn date_parse(dayname: &str, monthname: &str) -> i32 {
    let mut result = 0;
    if dayname == "mon"
        || dayname == "tue"
        || dayname == "wed"
        || dayname == "thur"
        || dayname == "fri"
        || dayname == "sat"
        || dayname == "sun"
    {
        result = 1;
    }
    result + month(monthname)
}

/// Twelve separate tests, each of them made whatever the others said.
#[white_box]
fn month(name: &str) -> i32 {
    let mut result = 0;
    if name == "jan" {
        result = 1;
    }
    if name == "feb" {
        result = 2;
    }
    if name == "mar" {
        result = 3;
    }
    if name == "apr" {
        result = 4;
    }
    if name == "may" {
        result = 5;
    }
    if name == "jun" {
        result = 6;
    }
    if name == "jul" {
        result = 7;
    }
    if name == "aug" {
        result = 8;
    }
    if name == "sep" {
        result = 9;
    }
    if name == "oct" {
        result = 10;
    }
    if name == "nov" {
        result = 11;
    }
    if name == "dec" {
        result = 12;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::date_parse;

    #[test]
    fn days_and_months_add_up() {
        let months =
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        for (number, month) in (1..).zip(months) {
            assert_eq!(date_parse("", month), number, "{month}");
            for day in ["mon", "tue", "wed", "thur", "fri", "sat", "sun"] {
                assert_eq!(date_parse(day, month), number + 1, "{day} {month}");
            }
        }
        assert_eq!(date_parse("sun", "december"), 1);
        assert_eq!(date_parse("thu", "xyz"), 0);
    }
}
