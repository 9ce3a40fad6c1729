//! Notices that wait for a player's next login.

use crate::base::rare::is_default;
use crate::base::{AccountId, CharacterId, GameTime};
use crate::world::Accounts;
use serde::{Deserialize, Serialize};

/// Message about a change that was made while the player was not connected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "StoredNotice")]
pub struct Notice {
    /// Character that is told, at its next login; `None` for a message to the account, whichever character is played.
    #[serde(default, skip_serializing_if = "is_default")]
    pub to: Option<CharacterId>,
    /// Time of the change.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: GameTime,
    /// Text.
    pub text: String,
}

/// Stored forms of [`Notice`]: older rows hold the text alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredNotice {
    Text(String),
    Notice {
        #[serde(default)]
        to: Option<CharacterId>,
        #[serde(default)]
        at: GameTime,
        text: String,
    },
}

impl From<StoredNotice> for Notice {
    fn from(stored: StoredNotice) -> Self {
        match stored {
            StoredNotice::Text(text) => Self { to: None, at: GameTime(0), text },
            StoredNotice::Notice { to, at, text } => Self { to, at, text },
        }
    }
}

impl Accounts {
    /// Keeps a notice for an account, at most `most`: the oldest of a character is removed first, then the oldest. A
    /// notice of the same text is replaced, so that a change that another player can repeat does not evict others.
    pub fn keep_notice(&mut self, account: AccountId, notice: Notice, most: usize) {
        let Some(row) = self.edit(account) else { return };
        row.notices.retain(|kept| (kept.to, &kept.text) != (notice.to, &notice.text));
        row.notices.push(notice);
        while row.notices.len() > most {
            let oldest = row.notices.iter().position(|kept| kept.to.is_some()).unwrap_or_default();
            row.notices.remove(oldest);
        }
    }

    /// Takes the notices out of an account that are for it, or for one of its characters.
    pub fn take_notices(&mut self, account: AccountId, who: CharacterId) -> Vec<Notice> {
        let is_due = |notice: &Notice| notice.to.is_none_or(|to| to == who);
        if !self.get(account).is_some_and(|row| row.notices.iter().any(is_due)) {
            return Vec::new();
        }
        let Some(row) = self.edit(account) else { return Vec::new() };
        let (due, later) = std::mem::take(&mut row.notices).into_iter().partition(is_due);
        row.notices = later;
        due
    }

    /// Removes the notices to a character.
    pub(in crate::world) fn forget_notices(&mut self, account: AccountId, who: CharacterId) {
        let is_to = |notice: &Notice| notice.to == Some(who);
        self.change_where(
            |row| row.id == account && row.notices.iter().any(is_to),
            |row| row.notices.retain(|notice| !is_to(notice)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_of_an_older_row_is_its_text() {
        let stored = r#"["You are mute no more.",{"to":3,"at":5,"text":"Gone."}]"#;
        let notices: Vec<Notice> = serde_json::from_str(stored).expect("both forms are read");
        let fields: Vec<_> = notices.iter().map(|n| (n.to.map(|to| to.0), n.at.0, n.text.as_str())).collect();
        assert_eq!(fields, [(None, 0, "You are mute no more."), (Some(3), 5, "Gone.")]);
    }
}
