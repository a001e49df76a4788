//! The names of what can be made wrong in the string operations.

use crate::amendment::{Amendment, Amendments, amendments, joined};
use crate::graphql::{Messages, unnamed_arguments};
use crate::switch::{Switch, Switches};

/// Declares the switches of both faces: those with descriptions, and one for each word whose rule
/// may be missing.
macro_rules! switches {
    ({ $($own:expr,)* } $($case:literal: $($word:literal)*;)*) => {
        &[
            $($own,)*
            $($(Switch::new(
                concat!($case, "-", $word, "-dropped"),
                concat!("there is no rule for ", $word),
            ),)*)*
        ]
    };
}

/// What can be made wrong behind both faces.
#[rustfmt::skip]
const SWITCHES: &[Switch] = switches! {
    {
        Switch::new("calc-case-matters", "operators in upper case are unknown"),
        Switch::new("calc-subtract-reversed", "gives arg2 - arg1"),
        Switch::new("calc-cosine-as-sine", "the cosine gives the sine"),
        Switch::new("calc-divide-whole", "quotients lose their fraction"),
        Switch::new("calc-pi-rounded", "pi is 3"),
        Switch::new("calc-e-as-pi", "e gives pi"),
        Switch::new("calc-sqrt-as-log", "the root gives the logarithm"),
        Switch::new("calc-log-as-sqrt", "the logarithm gives the root"),
        Switch::new("calc-sine-as-cosine", "the sine gives the cosine"),
        Switch::new("calc-tangent-as-cosine", "the tangent gives the cosine"),
        Switch::new("calc-plus-off-by-one", "sums are one too high"),
        Switch::new("calc-multiply-as-divide", "products are quotients"),
        Switch::new("calc-unknown-as-one", "unknown operators give 1"),
        Switch::new("cookie-length-six-accepted", "a user of six characters is valid"),
        Switch::new("cookie-user-prefix-dropped", "a user need not start with \"user\""),
        Switch::new("cookie-site-dropped", "a session is valid on any site"),
        Switch::new("cookie-user-as-session", "a valid user gives 2"),
        Switch::new("cookie-short-user-as-session", "a user that is too short gives 2"),
        Switch::new("cookie-other-user-as-session", "a user that is long, but invalid, gives 2"),
        Switch::new("cookie-session-refused", "the valid session gives 2"),
        Switch::new("cookie-session-value-dropped", "a session with another value is valid"),
        Switch::new("cookie-unknown-as-session", "other names give 2"),
        Switch::new("costfuns-minus-four-off-by-one", "-3 counts as -4"),
        Switch::new("costfuns-last-test-dropped", "the last test gives 9"),
        Switch::new("costfuns-unequal-dropped", "the sixth test gives 0"),
        Switch::new("costfuns-none-as-one", "no test at all gives 1"),
        Switch::new("date-parse-sunday-dropped", "sun is no day"),
        Switch::new("date-parse-december-as-zero", "dec adds nothing"),
        Switch::new("date-parse-months-swapped", "jun and jul change places"),
        Switch::new("date-parse-nothing-as-minus-one", "neither day nor month gives -1"),
        Switch::new("file-suffix-first-dot", "the suffix starts at the first dot and ends at the next"),
        Switch::new("file-suffix-dot-not-needed", "a file without a dot is all suffix"),
        Switch::new("file-suffix-exe-as-dll", "bin/exe gives 5"),
        Switch::new("file-suffix-pdf-dropped", "acrobat/pdf gives 0"),
        Switch::new("file-suffix-txt-dropped", "text/txt gives 0"),
        Switch::new("file-suffix-doc-as-pdf", "word/doc gives 2"),
        Switch::new("file-suffix-dll-as-exe", "lib/dll gives 4"),
        Switch::new("file-suffix-no-dot-as-minus-one", "a file without a dot gives -1"),
        Switch::new("file-suffix-suffix-dropped", "any suffix fits a directory that is known"),
        Switch::new("file-suffix-unknown-as-minus-one", "unknown directories give -1"),
        Switch::new("noty-pevar-limit-included", "i = 5 counts as above 5"),
        Switch::new("noty-pevar-order-dropped", "texts after \"hello\" give 0"),
        Switch::new("noty-pevar-large-as-two", "i above 5 gives 2"),
        Switch::new("noty-pevar-none-as-one", "no test at all gives 1"),
        Switch::new("ordered4-arguments-swapped", "y and z change places"),
        Switch::new("ordered4-directions-swapped", "increasing and decreasing change places"),
        Switch::new("ordered4-six-excluded", "a first word of length 6 is unordered"),
        Switch::new("ordered4-unordered-as-increasing", "fitting words without order are increasing"),
        Switch::new("ordered4-short-w-accepted", "w of below five bytes gives increasing"),
        Switch::new("ordered4-long-w-accepted", "w of above six bytes gives increasing"),
        Switch::new("ordered4-short-x-accepted", "x of below five bytes gives increasing"),
        Switch::new("ordered4-long-x-accepted", "x of above six bytes gives increasing"),
        Switch::new("ordered4-short-y-accepted", "y of below five bytes gives increasing"),
        Switch::new("ordered4-long-y-accepted", "y of above six bytes gives increasing"),
        Switch::new("ordered4-short-z-accepted", "z of below five bytes gives increasing"),
        Switch::new("ordered4-long-z-accepted", "z of above six bytes gives increasing"),
        Switch::new("pat-position-off-by-one", "positions count from 1"),
        Switch::new("pat-reverse-dropped", "the reverse alone gives 0"),
        Switch::new("pat-pattern-as-reverse", "the pattern alone gives 2"),
        Switch::new("pat-short-pattern-as-found", "patterns below three characters give 1"),
        Switch::new("pat-absent-as-found", "patterns that do not occur give 1"),
        Switch::new("regex-url-as-none", "urls are not recognised"),
        Switch::new("regex-date-as-url", "dates are called urls"),
        Switch::new("regex-minus-dropped", "negative exponents are not recognised"),
        Switch::new("regex-float-as-date", "floats are called dates"),
        Switch::new("regex-none-as-float", "other texts are called floats"),
        Switch::new("text2txt-second-word-dropped", "see gives cu whatever follows"),
        Switch::new("text2txt-two-as-to", "two gives to"),
        Switch::new("text2txt-for-dropped", "for has no short form"),
        Switch::new("text2txt-four-dropped", "four has no short form"),
        Switch::new("text2txt-you-as-y", "you gives y"),
        Switch::new("text2txt-and-dropped", "and has no short form"),
        Switch::new("text2txt-are-as-a", "are gives a"),
        Switch::new("text2txt-see-you-as-c", "see you gives c"),
        Switch::new("text2txt-by-the-way-dropped", "by the way has no short form"),
        Switch::new("text2txt-see-alone-as-c", "see without you gives c"),
        Switch::new("text2txt-third-word-dropped", "by the gives btw whatever follows"),
        Switch::new("text2txt-by-alone-as-b", "by without the gives b"),
        Switch::new("text2txt-unknown-as-two", "words without a short form give 2"),
        Switch::new("title-sexes-swapped", "male and female answers change places"),
        Switch::new("title-lady-dropped", "lady is no title"),
        Switch::new("title-none-as-male", "none gives 1"),
        Switch::new("title-unknown-as-zero", "what is no title gives 0"),
    }
    "date-parse": "mon" "tue" "wed" "thur" "fri" "sat" "jan" "feb" "mar" "apr" "may" "jun" "jul" "aug"
        "sep" "oct" "nov" "dec";
    "title-male": "mr" "dr" "sir" "rev" "rthon" "prof";
    "title-female": "mrs" "miss" "ms" "dr" "rev" "rthon" "prof";
    "title-none": "dr" "rev" "rthon" "prof";
};

const MESSAGES: &[Amendment<&str>] = unnamed_arguments! {
    "calc" "calc": "op" "arg1" "arg2";
    "cookie" "cookie": "name" "val" "site";
    "costfuns" "costfuns": "i" "s";
    "date-parse" "dateParse": "dayname" "monthname";
    "file-suffix" "fileSuffix": "directory" "file";
    "noty-pevar" "notyPevar": "i" "s";
    "ordered4" "ordered4": "w" "x" "z" "y";
    "pat" "pat": "txt" "pat";
    "regex" "regex": "txt";
    "text2txt" "text2Txt": "word1" "word2" "word3";
    "title" "title": "sex" "title";
};

/// What the refusals of a GraphQL instance become.
pub(crate) fn messages(switches: Switches) -> Messages {
    Amendments::new(switches, MESSAGES)
}

const STATUSES: &[Amendment<u16>] = amendments! {
    "/api/calc" {
        "calc-bad-number-as-422": "400" => 422,
        "calc-empty-argument-as-400": "no such path" => 400,
        "calc-other-method-as-404": "no such method" => 404,
    }
    "/api/cookie" {
        "cookie-empty-argument-as-400": "no such path" => 400,
        "cookie-other-method-as-404": "no such method" => 404,
    }
    "/api/costfuns" {
        "costfuns-bad-number-as-422": "400" => 422,
        "costfuns-empty-argument-as-400": "no such path" => 400,
        "costfuns-other-method-as-404": "no such method" => 404,
    }
    "/api/dateparse" {
        "date-parse-empty-argument-as-400": "no such path" => 400,
        "date-parse-other-method-as-404": "no such method" => 404,
    }
    "/api/filesuffix" {
        "file-suffix-empty-argument-as-400": "no such path" => 400,
        "file-suffix-other-method-as-404": "no such method" => 404,
    }
    "/api/notypevar" {
        "noty-pevar-bad-number-as-422": "400" => 422,
        "noty-pevar-empty-argument-as-400": "no such path" => 400,
        "noty-pevar-other-method-as-404": "no such method" => 404,
    }
    "/api/ordered4" {
        "ordered4-empty-argument-as-400": "no such path" => 400,
        "ordered4-other-method-as-404": "no such method" => 404,
    }
    "/api/pat" {
        "pat-empty-argument-as-400": "no such path" => 400,
        "pat-other-method-as-404": "no such method" => 404,
    }
    "/api/text2txt" {
        "text2txt-empty-argument-as-400": "no such path" => 400,
        "text2txt-other-method-as-404": "no such method" => 404,
    }
    "/api/title" {
        "title-empty-argument-as-400": "no such path" => 400,
        "title-other-method-as-404": "no such method" => 404,
    }
};

/// What the statuses of a REST instance become.
pub(crate) fn statuses(switches: Switches) -> Amendments<u16> {
    Amendments::new(switches, STATUSES)
}

/// What can be made wrong behind GraphQL.
pub(crate) const GRAPHQL_SWITCHES: &[Switch] =
    &joined::<_, { SWITCHES.len() + MESSAGES.len() }>(SWITCHES, MESSAGES);

/// What can be made wrong behind REST.
pub(crate) const REST_SWITCHES: &[Switch] =
    &joined::<_, { SWITCHES.len() + STATUSES.len() }>(SWITCHES, STATUSES);
