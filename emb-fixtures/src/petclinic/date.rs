//! Days, written year, month, day.

use wallace_instrument::white_box;

use super::operation::ClinicError;

/// A day; orders like the days themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    year: i32,
    month: i32,
    day: i32,
}

impl Date {
    /// As it is stored: `2020-01-31`.
    pub(super) fn text(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The day that a text like `2020-01-31` or `2020/01/31` says.
#[white_box]
pub(super) fn parse(text: &str) -> Result<Date, ClinicError> {
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    if parts.len() != 3 {
        return Err(ClinicError::Date("a date has three parts"));
    }
    let Ok(year) = parts[0].parse::<i32>() else {
        return Err(ClinicError::Date("the year is no number"));
    };
    let Ok(month) = parts[1].parse::<i32>() else {
        return Err(ClinicError::Date("the month is no number"));
    };
    let Ok(day) = parts[2].parse::<i32>() else {
        return Err(ClinicError::Date("the day is no number"));
    };
    if year < 1900 || year > 2100 {
        return Err(ClinicError::Date("the year must lie in 1900..=2100"));
    }
    if month < 1 || month > 12 {
        return Err(ClinicError::Date("the month must lie in 1..=12"));
    }
    if day < 1 || day > days(year, month) {
        return Err(ClinicError::Date("the month has no such day"));
    }
    Ok(Date { year, month, day })
}

/// Number of days of a month.
#[white_box]
fn days(year: i32, month: i32) -> i32 {
    match month {
        2 => {
            if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) {
                29
            } else {
                28
            }
        }
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn dates_are_days_of_the_calendar() {
        for (text, expected) in [
            ("2020-02-29", Some("2020-02-29")),
            ("2000/2/29", Some("2000-02-29")),
            ("1900-02-29", None),
            ("2019-02-29", None),
            ("2019-04-31", None),
            ("2019-12-31", Some("2019-12-31")),
            ("2019-13-01", None),
            ("2019-01", None),
            ("", None),
        ] {
            let parsed = parse(text).ok().map(super::Date::text);
            assert_eq!(parsed.as_deref(), expected, "{text}");
        }
    }
}
