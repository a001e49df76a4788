//! Dates of the Gregorian calendar, as far as suites need them.
//!
//! The arithmetic counts years from March, so that the leap day is the last of its year
//! (Howard Hinnant, "chrono-compatible low-level date algorithms").

/// Seconds of a day; leap seconds are not counted.
pub(crate) const SECONDS_PER_DAY: u64 = 86_400;

/// Days of 400 years, after which the calendar repeats.
const DAYS_PER_ERA: i64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_BEFORE_1970: i64 = 719_468;

/// Days since 1970-01-01 of a date; `None` when month or day are out of range.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(0..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year_from_march = if month <= 2 { year - 1 } else { year };
    let era = year_from_march.div_euclid(400);
    let year_of_era = year_from_march.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * DAYS_PER_ERA + day_of_era - DAYS_BEFORE_1970)
}

/// A point in time as RFC 3339 text in UTC, such as `2026-03-01T12:00:00Z`.
///
/// # Example
/// ```
/// assert_eq!(wallace_suite::rfc3339(951_782_400), "2000-02-29T00:00:00Z");
/// ```
#[must_use]
pub fn rfc3339(seconds_since_1970: u64) -> String {
    let days = i64::try_from(seconds_since_1970 / SECONDS_PER_DAY).unwrap_or(0);
    let shifted = days + DAYS_BEFORE_1970;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let time = seconds_since_1970 % SECONDS_PER_DAY;
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates_have_their_numbers() {
        assert_eq!(days_since_1970(1970, 1, 1), Some(0));
        assert_eq!(days_since_1970(1969, 12, 31), Some(-1));
        assert_eq!(days_since_1970(2000, 2, 29), Some(11_016));
        assert_eq!(days_since_1970(2024, 3, 1), Some(19_783));
        assert_eq!(days_since_1970(2024, 13, 1), None);
        assert_eq!(days_since_1970(2024, 1, 0), None);
    }

    #[test]
    fn both_directions_agree_for_a_century_and_a_half() {
        for day in 0..54_000 {
            let text = rfc3339(day * SECONDS_PER_DAY);
            let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
            let back = days_since_1970(number(0, 4), number(5, 7), number(8, 10));
            assert_eq!(back, Some(day as i64), "{text}");
        }
    }

    #[test]
    fn the_time_of_day_is_written() {
        assert_eq!(rfc3339(1_000_000_000), "2001-09-09T01:46:40Z");
    }
}
