//! Dates and times of the crates chrono and jiff as numbers, each behind a feature of that name.
//!
//! Dates count in days, everything else in seconds, as the family measures them.

#[cfg(any(feature = "chrono", feature = "jiff"))]
use crate::observation::{Number, Observable, Observation};

#[cfg(any(feature = "chrono", feature = "jiff"))]
macro_rules! observe_as {
    ($($(@ $generic:ident : $bound:path =>)? $type:ty, $value:ident => $number:expr;)*) => {$(
        impl$(<$generic: $bound>)? Observable for $type {
            fn observe(&self) -> Observation<'_> {
                let $value = self;
                Observation::Number($number)
            }
        }
    )*};
}

#[cfg(any(feature = "chrono", feature = "jiff"))]
fn whole(number: impl Into<i128>) -> Number {
    Number::Integer(number.into())
}

/// Seconds with their fraction, from nanoseconds.
#[cfg(any(feature = "chrono", feature = "jiff"))]
#[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
fn seconds(nanoseconds: i128) -> Number {
    Number::Float(nanoseconds as f64 / 1e9)
}

#[cfg(feature = "chrono")]
mod chrono_types {
    use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone};
    use chrono::{Timelike, Weekday};

    use super::{Number, Observable, Observation, seconds, whole};

    fn since_epoch(whole_seconds: i64, nanoseconds: u32) -> Number {
        seconds(i128::from(whole_seconds) * 1_000_000_000 + i128::from(nanoseconds))
    }

    observe_as! {
        NaiveDate, date => whole(date.num_days_from_ce());
        NaiveTime, time => since_epoch(time.num_seconds_from_midnight().into(), time.nanosecond());
        NaiveDateTime, time => since_epoch(time.and_utc().timestamp(), time.nanosecond());
        TimeDelta, delta => seconds(i128::from(delta.num_milliseconds()) * 1_000_000);
        Weekday, day => whole(day.num_days_from_monday());
        @Z: TimeZone => DateTime<Z>, time => since_epoch(time.timestamp(), time.timestamp_subsec_nanos());
    }
}

#[cfg(feature = "jiff")]
mod jiff_types {
    use jiff::civil::{Date, DateTime, Time, Weekday};
    use jiff::{SignedDuration, Timestamp, Zoned};

    use super::{Number, Observable, Observation, seconds, whole};

    fn days(date: Date) -> i128 {
        i128::from(date.duration_since(Date::constant(1970, 1, 1)).as_secs() / 86_400)
    }

    fn nanoseconds_of_day(time: Time) -> i128 {
        time.duration_since(Time::midnight()).as_nanos()
    }

    fn since_epoch(time: DateTime) -> Number {
        seconds(days(time.date()) * 86_400_000_000_000 + nanoseconds_of_day(time.time()))
    }

    observe_as! {
        Date, date => whole(days(*date));
        Time, time => seconds(nanoseconds_of_day(*time));
        DateTime, time => since_epoch(*time);
        Timestamp, time => seconds(time.as_nanosecond());
        Zoned, time => seconds(time.timestamp().as_nanosecond());
        SignedDuration, duration => seconds(duration.as_nanos());
        Weekday, day => whole(day.to_monday_zero_offset());
    }
}

#[cfg(all(test, feature = "chrono", feature = "jiff"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn days_and_seconds_are_counted() {
        let chrono_date = |day| chrono::NaiveDate::from_ymd_opt(2026, 2, day).unwrap();
        let (first, second) = (chrono_date(1), chrono_date(11));
        assert_eq!(crate::truthness::difference(number(&first), number(&second)), 10.0);
        let jiff_date = |day| jiff::civil::Date::constant(2026, 2, day);
        let (first, second) = (jiff_date(1), jiff_date(11));
        assert_eq!(crate::truthness::difference(number(&first), number(&second)), 10.0);
        let (noon, later) = (first.at(12, 0, 0, 0), first.at(12, 0, 1, 500_000_000));
        assert_eq!(crate::truthness::difference(number(&noon), number(&later)), 1.5);
        let time = chrono::NaiveTime::from_hms_opt(1, 0, 0).unwrap();
        assert_eq!(number(&time), Number::Float(3_600.0));
    }

    fn number(value: &impl Observable) -> Number {
        value.observe().number().unwrap()
    }
}
