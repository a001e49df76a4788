//! Messages that say something of what happened, and those that only say that something did.

/// Words of which messages are made that say nothing: no name, no number, nothing that was quoted.
const EMPTY: &str = "a administrator after again an and application are at be been bug but by caught code complete \
     contact could developers did document during effect encountered error errors exception executing execution \
     failed failure fatal for fulfill gone handle handled handling happened has have informed internal is issue it \
     its later log logged logs not occured occurred of on oops operation our panic perform persists please problem \
     process processed processing programmatic query reported request requested response s see server service side \
     something sorry support system team the there this to trapped try trying unable unexpected unhandled unknown \
     unspecified was we went while with wrong you your";

/// Whether a message says more than that something failed.
#[must_use]
pub fn is_telling(message: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '*';
    let mut words = message.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let says = |word: &str| !EMPTY.split(' ').any(|empty| word.eq_ignore_ascii_case(empty));
    message.trim().chars().count() > 3 && words.any(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_words_that_all_failures_have_says_nothing() {
        for nothing in ["Internal server error", "An unexpected error has occurred.", "oops", ""] {
            assert!(!is_telling(nothing), "{nothing}");
        }
        for telling in ["division by zero", "no column *", "Unhandled error: the queue is full"] {
            assert!(is_telling(telling), "{telling}");
        }
    }
}
