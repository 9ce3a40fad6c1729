//! Who logs in: a name, a credential that only the authenticator understands, a role and settings.

use crate::base::{AccountId, CharacterId, ColourLevel, GameTime, Palette, Right, listed};
use crate::world::World;
use crate::world::moderation::{Restraint, Sentence};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

listed! {
    /// What an account may do; each role includes those before it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        /// Plays.
        #[default]
        Player = "player",
        /// Answers questions and sees who needs help.
        Helper = "helper",
        /// Digs rooms.
        Builder = "builder",
        /// Runs the place.
        Admin = "admin",
        /// Owns it.
        Owner = "owner",
    }
}

/// How wide the client's lines are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// What the client's window says, else 80.
    #[default]
    Auto,
    /// No wrapping: the client does it.
    Off,
    /// So many columns, 20 to 250.
    Columns(u16),
}

/// Which prompt is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptStyle {
    /// Hit points, and what is pending.
    #[default]
    Full,
    /// `> ` alone.
    Brief,
    /// None.
    Off,
    /// What the player wrote: [`Settings::prompt_text`].
    Custom,
}

/// What parts several commands on one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stacking {
    /// Nothing: a line is one command.
    #[default]
    Off,
    /// `;`
    One,
    /// `;;`
    Two,
}

impl Stacking {
    /// What is typed between two commands, if anything is.
    pub const fn separator(self) -> Option<&'static str> {
        match self {
            Self::Off => None,
            Self::One => Some(";"),
            Self::Two => Some(";;"),
        }
    }
}

/// Where people are heard wherever they are: everybody, or all of a party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// For whatever is not part of the game.
    Ooc,
    /// For questions and answers.
    Newbie,
    /// For one's party.
    Party,
}

impl Channel {
    /// All.
    pub const ALL: &[Self] = &[Self::Newbie, Self::Ooc, Self::Party];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ooc => "ooc",
            Self::Newbie => "newbie",
            Self::Party => "party",
        }
    }

    /// What stands before what is said on it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ooc => "Ooc",
            Self::Newbie => "Newbie",
            Self::Party => "Party",
        }
    }

    /// What it is for.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ooc => "for whatever is not part of the game",
            Self::Newbie => "for questions and answers",
            Self::Party => "for your party",
        }
    }
}

/// Whether what a creature leaves is taken at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LootChoice {
    /// What is yours is taken at once.
    #[default]
    Auto,
    /// It stays where it is until you take it.
    Manual,
}

/// Arrival in a room that was shown before: with or without its description.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "StoredBrief")]
pub enum BriefRooms {
    /// Without for a screen reader, else with.
    #[default]
    Auto,
    /// Without.
    On,
    /// With.
    Off,
}

/// Stored forms of [`BriefRooms`]: a word, or a switch whose `false` was the default.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", untagged)]
enum StoredBrief {
    Switch(bool),
    Word(BriefWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum BriefWord {
    Auto,
    On,
    Off,
}

impl From<StoredBrief> for BriefRooms {
    fn from(stored: StoredBrief) -> Self {
        match stored {
            StoredBrief::Switch(true) | StoredBrief::Word(BriefWord::On) => Self::On,
            StoredBrief::Switch(false) | StoredBrief::Word(BriefWord::Auto) => Self::Auto,
            StoredBrief::Word(BriefWord::Off) => Self::Off,
        }
    }
}

/// What one reads of fights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CombatText {
    /// Every blow as it falls.
    Full,
    /// One line a fighter and round.
    Brief,
    /// Only one's own blows, and those one gets.
    Own,
}

listed! {
    /// A character set that a player may choose.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Charset {
        /// Unicode.
        Utf8 = "utf-8",
        /// Plain letters only.
        Ascii = "ascii",
        /// Western European letters of one byte.
        Latin1 = "latin1",
        /// Cyrillic letters of one byte.
        Cp1251 = "cp1251",
    }
}

/// Reads a character set, or the truth value of older rows.
fn charset_or_utf8<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Charset>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Utf8(bool),
        Charset(Charset),
    }
    let stored = Option::<Stored>::deserialize(deserializer)?;
    Ok(stored.map(|stored| match stored {
        Stored::Utf8(true) => Charset::Utf8,
        Stored::Utf8(false) => Charset::Ascii,
        Stored::Charset(charset) => charset,
    }))
}

/// A player's choices about how things are shown. `None` leaves it to what the client said of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, not a hidden state machine")]
pub struct Settings {
    /// Colours on or off, and how many.
    pub colour: Option<ColourLevel>,
    /// Line width.
    pub width: Width,
    /// Linear text without layout, for screen readers.
    #[serde(rename = "reader")]
    pub screen_reader: Option<bool>,
    /// Character set; older rows hold `utf8`, true or false, in its place.
    #[serde(alias = "utf8", deserialize_with = "charset_or_utf8")]
    pub encoding: Option<Charset>,
    /// Whether exits and words to type can be clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<bool>,
    /// Whether a silent line is left alone instead of being tried once a minute.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_keep_alive: bool,
    /// Which colours are told apart well.
    pub palette: Palette,
    /// The prompt.
    pub prompt: PromptStyle,
    /// The prompt that the player wrote, with tokens such as `%h`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt_text: String,
    /// Long texts stop at each page, where the client cannot scroll.
    pub pager: bool,
    /// Whether one line may hold several commands.
    pub stack: Stacking,
    /// What words of the player's own stand for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<String, String>,
    /// Whether tips are not wanted.
    pub no_tips: bool,
    /// Whether others shall not find them on the board of the highest levels, nor hear the town speak of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_fame: bool,
    /// The channels that are not listened to.
    pub muted: BTreeSet<Channel>,
    /// Whether a known room is described on arrival, or only by `look`.
    pub brief: BriefRooms,
    /// Whether what a creature leaves is taken at once.
    pub loot: LootChoice,
    /// How fights are told; none: brief for who has text read aloud, else in full.
    pub combat: Option<CombatText>,
    /// Whether sounds are wanted, of clients that play them.
    pub sound: bool,
    /// Whether each message begins with a word for its kind.
    pub cues: bool,
    /// Whether, in a fight alone, a round waits for a command that acts.
    pub wait: bool,
}

/// What lets a browser take its seat again without a password, until it is used: then another takes its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatToken {
    /// Hash of the token and of the browser that it is bound to.
    pub hash: String,
    /// When it is worth nothing any more.
    pub until: GameTime,
}

/// Whether an edition of the news need not be stored.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(edition: &u32) -> bool {
    *edition == 0
}

/// An account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Identity.
    pub id: AccountId,
    /// As it was typed, first letter upper case.
    pub name: String,
    /// The name in lower case; unique.
    pub key: String,
    /// What the name looks like; unique.
    pub skeleton: String,
    /// PHC string of the password hash.
    pub credential: String,
    /// PHC string of the recovery code, if one has been made and not been used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<String>,
    /// When that code is worth nothing any more; none if it lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_until: Option<GameTime>,
    /// What lets its browsers come back, the one that was used longest ago first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_tokens: Vec<SeatToken>,
    /// What lets its browsers build on the page for builders, the one that logged in first at the front.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub desk_tokens: Vec<SeatToken>,
    /// What it may do.
    pub role: Role,
    /// What it may do besides.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub granted: BTreeSet<Right>,
    /// What of its rank it may not do.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub withheld: BTreeSet<Right>,
    /// How things are shown.
    pub settings: Settings,
    /// Accounts whose words it does not want to hear, and by which character's name it knows each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ignored: BTreeMap<AccountId, String>,
    /// What staff have laid on it, each until its end.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sentences: BTreeMap<Restraint, Sentence>,
    /// What it is to be told when somebody plays with it next, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Which edition of the news it knows of; 0 if it has never been told of any.
    #[serde(default, skip_serializing_if = "is_none")]
    pub news: u32,
    /// Whether it is a guest's, who has no password and goes when the line does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// The character that `connect` enters.
    pub last_character: Option<CharacterId>,
    /// When it was made.
    pub created_at: GameTime,
}

impl Account {
    /// PHC string of the recovery code that counts at a moment.
    pub fn recovery_at(&self, now: GameTime) -> Option<&str> {
        self.recovery.as_deref().filter(|_| self.recovery_until.is_none_or(|until| now < until))
    }

    /// Whether a seat token counts at a moment.
    pub fn is_seat_token(&self, hash: &str, now: GameTime) -> bool {
        self.seat_tokens.iter().any(|token| token.hash == hash && now < token.until)
    }

    /// Whether a token of the page for builders counts at a moment.
    pub fn is_desk_token(&self, hash: &str, now: GameTime) -> bool {
        self.desk_tokens.iter().any(|token| token.hash == hash && now < token.until)
    }
}

/// Nothing that staff lay on somebody ends before it began, and guests have no rank.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    for (id, account) in world.accounts.iter() {
        if account.role < Role::Builder && account.granted.is_empty() && !account.desk_tokens.is_empty() {
            wrong.push(format!("accounts {id}: a log-in at the page for builders without the rank"));
        }
        if account.guest && (account.role != Role::Player || !account.desk_tokens.is_empty()) {
            wrong.push(format!("accounts {id}: a guest with a rank"));
        }
        let (more, less) = (&account.granted, &account.withheld);
        let has_own = !more.is_empty() || !less.is_empty();
        if has_own && (account.guest || account.role == Role::Owner) {
            wrong.push(format!("accounts {id}: single rights of a guest, or of the owner"));
        }
        if !more.is_disjoint(less) || more.contains(&Right::Grant) {
            wrong.push(format!("accounts {id}: a right that is given and taken, or the owner's alone"));
        }
        for (restraint, sentence) in &account.sentences {
            if sentence.is_over(sentence.since) {
                wrong.push(format!("accounts {id}: {} until before it was", restraint.name()));
            }
        }
    }
}
