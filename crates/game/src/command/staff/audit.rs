//! Command for reading the audit log.

use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, FromWeb, show};
use crate::command::staff::moderation::no_time;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, GameTime, Right, Span, unicode};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::AuditRecord;
use std::cmp::Ordering;

/// Lines per page.
const PAGE: usize = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "audit",
    right: Some(Right::Audit),
    syntax: "audit [by NAME] [since TIME] [until TIME] [NAME or WORDS] [PAGE]",
    summary: "Reads what staff did, all of it or what somebody did, what has some words in it or what was done in a time; the newest stands last.",
    example: "audit by ada since 2d ban: the bans of Ada in the last two days. audit ban 2: the last lines but twenty in which ban stands.",
    missing: "audit, and if you like by and a name, since or until and a time such as 2h or a day such as 2027-01-15, a name or words, and the number of a page",
    from_web: FromWeb::Staff,
    run: show!(|turn, _, search: Option<AuditOrder>| Ok(search.unwrap_or_default().found(turn))),
    ..CommandSpec::PLAYER
}];

/// Search terms and page; the first page has the newest entries.
#[derive(Debug)]
pub(crate) struct AuditOrder {
    /// The search as typed, without the page.
    typed: String,
    author: Option<AuditSearchAuthor>,
    since: Option<Moment>,
    until: Option<Moment>,
    words: String,
    page: usize,
}

/// Author of entries: the account of a name, which also wrote the entries with its former names, or a name as written.
#[derive(Debug)]
struct AuditSearchAuthor {
    account: Option<AccountId>,
    name: String,
}

/// A moment before now, or a day such as `2027-01-15`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    At(GameTime),
    Day(String),
}

impl Default for AuditOrder {
    fn default() -> Self {
        Self { typed: String::new(), author: None, since: None, until: None, words: String::new(), page: 1 }
    }
}

impl Argument<'_> for AuditOrder {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        search(turn, words)
    }
}

/// Parses a search in the audit log.
pub(crate) fn search(turn: &Turn, words: Words<'_>) -> Result<AuditOrder, Refusal> {
    let (mut words, page) = words.split_page_number();
    let mut search = AuditOrder { typed: words.text().to_owned(), page, ..AuditOrder::default() };
    loop {
        let (term, rest) = words.keyword();
        let (value, behind) = rest.first_word();
        match term.as_str() {
            "by" => search.author = Some(author(turn, value.required()?.text())),
            "since" => search.since = Some(moment(turn, value)?),
            "until" => search.until = Some(moment(turn, value)?),
            _ => break,
        }
        words = behind;
    }
    search.words = words.text().to_lowercase();
    Ok(search)
}

fn author(turn: &Turn, name: &str) -> AuditSearchAuthor {
    let by_character = || turn.world.account_of(turn.world.character_by_name(name)?);
    let account = turn.world.accounts.named(name).or_else(by_character);
    AuditSearchAuthor { account, name: name.to_lowercase() }
}

/// Parses a time ago such as `2h`, or a day.
pub(crate) fn moment(turn: &Turn, words: Words<'_>) -> Result<Moment, Refusal> {
    let typed = words.required()?.text();
    if let Some(ago) = Span::parse(typed) {
        return Ok(Moment::At(turn.now - ago));
    }
    let is_day = typed.len() == 10
        && typed
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if is_day { Ok(Moment::Day(typed.to_owned())) } else { Err(no_time(typed)) }
}

impl AuditSearchAuthor {
    fn wrote(&self, line: &AuditRecord) -> bool {
        let name = line.name.to_lowercase();
        // The operator may have a name on the machine: `the operator (anna)`.
        let (name, on_machine) = match name.strip_suffix(')').and_then(|name| name.split_once(" (")) {
            Some((name, on_machine)) => (name, Some(on_machine)),
            None => (name.as_str(), None),
        };
        (line.account.is_some() && line.account == self.account)
            || name == self.name
            || name.strip_prefix("the ") == Some(&self.name)
            || on_machine == Some(&self.name)
    }
}

impl Moment {
    /// Compares the time of an entry with the moment; any time of a day equals the day.
    pub(crate) fn compare(&self, at: GameTime) -> Ordering {
        match self {
            Self::At(moment) => at.cmp(moment),
            Self::Day(day) => at.utc().get(..day.len()).cmp(&Some(day.as_str())),
        }
    }
}

impl AuditOrder {
    fn means(&self, line: &AuditRecord) -> bool {
        let sought = &self.words;
        self.author.as_ref().is_none_or(|author| author.wrote(line))
            && self.since.as_ref().is_none_or(|since| since.compare(line.at).is_ge())
            && self.until.as_ref().is_none_or(|until| until.compare(line.at).is_le())
            && (sought.is_empty()
                || line.name.to_lowercase() == *sought
                || line.action.to_lowercase().contains(sought))
    }

    /// Returns a page of the entries found, the newest last.
    pub(crate) fn found(&self, turn: &Turn) -> Markup {
        let found = turn.world.audit.iter().rev().map(|(_, line)| line).filter(|line| self.means(line));
        let skipped = (self.page - 1).saturating_mul(PAGE);
        let mut found: Vec<&AuditRecord> = found.skip(skipped).take(PAGE + 1).collect();
        let is_more = found.len() > PAGE;
        found.truncate(PAGE);
        let mut list = Markup::styled(Style::Heading, "What staff did, the newest last");
        for line in found.iter().rev() {
            list.line(Style::Plain, &format!("{}, {}: ", line.at.utc(), line.name));
            // A stored action may be of a world in which they were not cleaned.
            list.push(Style::Speech, &unicode::clean(&line.action));
        }
        if found.is_empty() {
            list.line(Style::Plain, "Nothing of the kind is written down.");
        }
        if is_more {
            let more = format!("audit {} {}", self.typed, self.page + 1).replace("  ", " ");
            list.line(Style::Plain, "There is more. Type ");
            list.push(Style::Command, &more);
            list.push(Style::Plain, " for what came before.");
        }
        list
    }
}
