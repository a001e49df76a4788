//! Logins that helped no call: many services let somebody log in a few times in a minute.

/// Most refusals that are left as they are before the next login.
const MOST: u32 = 64;

/// Logins in a row after which a user was refused all the same.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fruitless {
    logins: u32,
    refusals: u32,
}

impl Fruitless {
    /// Counts one more.
    pub(super) fn add(&mut self) {
        *self = Self { logins: self.logins + 1, refusals: 0 };
    }

    /// Whether a refusal is no reason to log in again yet: after each such login twice as many stay as they
    /// are.
    pub(super) fn is_to_wait(&mut self) -> bool {
        let most = (1 << self.logins.min(30)) - 1;
        self.refusals += 1;
        self.refusals <= most.min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_login_in_vain_makes_the_next_one_rarer() {
        let mut fruitless = Fruitless::default();
        let logins = (0..200).filter(|_| {
            let logs_in = !fruitless.is_to_wait();
            if logs_in {
                fruitless.add();
            }
            logs_in
        });
        assert_eq!(logins.collect::<Vec<_>>(), [0, 2, 6, 14, 30, 62, 126, 191]);
    }
}
