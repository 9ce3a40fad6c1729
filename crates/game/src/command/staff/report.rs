//! Commands to report problems to staff, and for staff to read the reports.

use crate::access::{audibility, audit_log, permissions, sanctions};
use crate::command::build::room::sheet;
use crate::command::parse::{Actor, Argument, TextArgument, Words};
use crate::command::play::mail::entry_number;
use crate::command::spec::{CommandSpec, FromWeb, Needs, WhenFrozen, run};
use crate::command::staff::moderation::account_named;
use crate::effect::Class;
use crate::post::{mail, notes};
use crate::refusal::{self, Refusal, refuse};
use crate::speech::scrollback;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, ReportId, Right, RuleLimit, amount};
use deepwell_core::text::{Markup, Style, sanitise};
use deepwell_core::world::{Report, ReportKind, Role};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of reports in a list.
const SHOWN: usize = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "bug",
        summary: "Tells those who run the place that something does not work as it should, and where you are.",
        example: "bug the lever here can be pulled for ever.",
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Bug, words)),
        ..REPORT
    },
    CommandSpec {
        name: "typo",
        summary: "Tells those who run the place that something is misspelt or reads badly, and where you are.",
        example: "typo it says 'teh well' here.",
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Typo, words)),
        ..REPORT
    },
    CommandSpec {
        name: "idea",
        summary: "Tells those who run the place what would be better otherwise.",
        example: "idea a bench by the well.",
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Idea, words)),
        ..REPORT
    },
    CommandSpec {
        name: "report",
        syntax: "report NAME [WORDS] | report mail|note NUMBER [WORDS]",
        summary: "Tells staff that somebody makes play a misery, or about a mail or a note on the board here. What you were told last goes along, or the text.",
        example: "report bera she shouts all the time: staff read it with the last twenty lines you read.",
        when_frozen: WhenFrozen::Done,
        missing: "report, a name, and if you like what they did",
        run: run!(complain),
        ..REPORT
    },
    CommandSpec {
        name: "reports",
        right: Some(Right::Reports),
        syntax: "reports [[show] NUMBER | close NUMBER [WORDS]]",
        summary: "Lists what players have reported, newest first, shows one whole, or closes one with words to whoever made it.",
        example: "reports close 12 we have talked to Bera: number 12 is settled and gone.",
        from_web: FromWeb::Staff,
        run: run!(|turn, actor, what| reports(turn, Some(actor.account), what)),
        ..REPORT
    },
];

/// Defaults of the commands here.
const REPORT: CommandSpec = CommandSpec { needs: Needs::Storage, takes_words: true, ..CommandSpec::PLAYER };

fn report(
    turn: &mut Turn,
    actor: Actor,
    kind: ReportKind,
    TextArgument(typed): TextArgument<'_>,
) -> Result<(), Refusal> {
    let text = audibility::words(turn, typed)?;
    file(turn, actor, kind, text, None)
}

/// Reported account and description.
struct Complaint<'a> {
    account: AccountId,
    name: String,
    words: &'a str,
    /// Lines of the reported mail or note; empty if the last lines sent to the reporter go along.
    lines: Vec<String>,
}

impl<'a> Argument<'a> for Complaint<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (name, rest) = words.required()?.first_word();
        if let Some((author, lines, rest)) = written(turn, actor, name, rest)? {
            let account = turn.world.account_of(author).ok_or(Refusal::NotAllowed)?;
            let name = turn.world.name_of(author).unwrap_or_default().to_owned();
            return Ok(Self { account, name, words: rest.text(), lines });
        }
        let (account, name) = account_named(turn, name)?;
        Ok(Self { account, name, words: rest.text(), lines: Vec::new() })
    }
}

/// Author and lines of a text that a player reports, and the words after its number.
type ReportedText<'a> = (CharacterId, Vec<String>, Words<'a>);

/// Parses `mail NUMBER` or `note NUMBER`; `None` for other words, which are the name of a player.
fn written<'a>(
    turn: &Turn,
    actor: Actor,
    kind: Words<'_>,
    words: Words<'a>,
) -> Result<Option<ReportedText<'a>>, Refusal> {
    let (number, rest) = words.first_word();
    let (author, text) = match kind.text().to_lowercase().as_str() {
        "mail" => mail::evidence(turn, actor.who, entry_number(turn, actor, number, mail::no_mail)?)?,
        "note" if amount::is_meant(number.text()) => {
            notes::evidence(turn, actor.who, entry_number(turn, actor, number, notes::no_note)?)?
        }
        _ => return Ok(None),
    };
    Ok(Some((author, text.text().lines().map(str::to_owned).collect(), rest)))
}

fn complain(turn: &mut Turn, actor: Actor, complaint: Complaint<'_>) -> Result<(), Refusal> {
    let Complaint { account, name, words, lines } = complaint;
    if account == actor.account {
        return Err(refuse!("You cannot report yourself."));
    }
    let text = sanitise::clean_line(words, turn.config.limits.speech_chars as usize);
    let (most, chars) = (turn.config.limits.report_lines as usize, turn.config.limits.speech_chars as usize);
    let heard = if lines.is_empty() { scrollback::last_lines(turn, actor.who, most, chars) } else { lines };
    file(turn, actor, ReportKind::Person, text, Some((account, name, heard)))
}

/// Stores a report and notifies staff who are online. `about` is the reported account with its name, and the lines that
/// go along.
fn file(
    turn: &mut Turn,
    actor: Actor,
    kind: ReportKind,
    text: String,
    about: Option<(AccountId, String, Vec<String>)>,
) -> Result<(), Refusal> {
    let mine = turn.world.reports.iter().filter(|(_, report)| report.account == actor.account).count();
    let limits = &turn.config.limits;
    let too_many =
        |_| refuse!("There are too many reports waiting already. Please come back when some have been read.");
    refusal::require_below(limits, RuleLimit::ReportsPerAccount, mine, too_many)?;
    if let Err(full) = refusal::require_below(limits, RuleLimit::Reports, turn.world.reports.len(), too_many)
    {
        make_room(turn, mine).ok_or(full)?;
    }
    let (about, heard) = about.map(|(account, name, heard)| ((account, name), heard)).unzip();
    let heard = heard.unwrap_or_default();
    let id = turn.world.new_report_id();
    let body = &turn.world.characters[actor.who];
    let report = Report {
        id,
        kind,
        at: turn.now,
        account: actor.account,
        name: body.name.clone(),
        room: body.room,
        room_name: turn.world.rooms[body.room].sheet.name.clone(),
        place: sheet::seed_words(turn, body.room),
        about,
        text,
        heard,
    };
    let message = format!("Server: {} has made report {id}. Type reports {id} to read it.", report.name);
    for (session, seat) in &turn.seats {
        if may_read(turn, Some(seat.account), &report) {
            turn.outbox.text(*session, Class::System, &Arc::new(Markup::styled(Style::System, &message)));
        }
    }
    turn.world.reports.put(report);
    actor.answer(turn, format!("Thank you. That is report {id}; staff will read it."))
}

/// Removes the oldest report of the account with the most, if that has more than a reporter with `mine` would then have.
fn make_room(turn: &mut Turn, mine: usize) -> Option<()> {
    let mut by_account: BTreeMap<AccountId, Vec<ReportId>> = BTreeMap::new();
    for (id, report) in turn.world.reports.iter() {
        by_account.entry(report.account).or_default().push(id);
    }
    let (account, most) = by_account.into_iter().max_by_key(|(_, reports)| reports.len())?;
    let oldest = most.first().filter(|_| most.len() > mine + 1)?;
    turn.world.reports.remove(*oldest);
    audit_log::audit_own(turn, &format!("reports: report {oldest} of account {account} gives way to others"));
    Some(())
}

/// Returns `true` if a staff member may read a report. Reports about a player are for the owner and for staff of a
/// higher rank than that player. Without an account, the reader is the operator of the server, who reads all.
fn may_read(turn: &Turn, account: Option<AccountId>, report: &Report) -> bool {
    let Some(account) = account else { return true };
    let mine = turn.world.accounts[account].role;
    let about = report.about.as_ref().and_then(|(account, _)| turn.world.accounts.get(*account));
    permissions::has(turn, account, Right::Reports)
        && about.is_none_or(|about| mine > about.role || mine == Role::Owner)
}

/// Argument of `reports`.
#[derive(Clone, Copy)]
pub(crate) enum ReportsOrder<'a> {
    Show(ReportId),
    Close(ReportId, &'a str),
}

impl<'a> Argument<'a> for ReportsOrder<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        reading(turn, Some(actor.account), words)
    }
}

/// Parses what a reader of reports wants.
pub(crate) fn reading<'a>(
    turn: &Turn,
    reader: Option<AccountId>,
    words: Words<'a>,
) -> Result<ReportsOrder<'a>, Refusal> {
    let (word, rest) = words.keyword();
    let rest = if rest.is_empty() || word.parse::<u32>().is_ok() { words } else { rest };
    let (number, answer) = rest.first_word();
    let id = number.text().parse().ok().map(ReportId);
    let waits =
        |id: &ReportId| turn.world.reports.get(*id).is_some_and(|report| may_read(turn, reader, report));
    let id = id.filter(waits).ok_or_else(|| refuse!("There is no report {}.", number.text()))?;
    Ok(match word.as_str() {
        "close" | "done" => ReportsOrder::Close(id, answer.text()),
        _ => ReportsOrder::Show(id),
    })
}

/// Returns the newest reports that a reader may read. Without an account, the reader is the operator.
pub(crate) fn readable(turn: &Turn, reader: Option<AccountId>) -> impl Iterator<Item = &Report> {
    let all = turn.world.reports.iter().rev().map(|(_, report)| report);
    all.filter(move |report| may_read(turn, reader, report)).take(SHOWN)
}

/// Lists, shows or closes reports. Without an account, the reader is the operator.
pub(crate) fn reports(
    turn: &mut Turn,
    reader: Option<AccountId>,
    what: Option<ReportsOrder<'_>>,
) -> Result<Markup, Refusal> {
    let (shown, is_whole) = match what {
        Some(ReportsOrder::Close(id, answer)) => {
            return close(turn, id, answer);
        }
        Some(ReportsOrder::Show(id)) => (vec![id], true),
        None => (readable(turn, reader).map(|report| report.id).collect(), false),
    };
    let mut list = Markup::styled(Style::Heading, &format!("Reports: {} waiting", turn.world.reports.len()));
    for report in shown.iter().filter_map(|id| turn.world.reports.get(*id)) {
        let ago = turn.now.since(report.at);
        let place = report.place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
        let about = report.about.as_ref().map(|(_, name)| format!(" about {name}")).unwrap_or_default();
        list.line(Style::Plain, &format!("{}, {}{about}, by ", report.id, report.kind.name()));
        list.push(Style::Player, &report.name);
        list.push(
            Style::Plain,
            &format!(", {ago} ago in {}, room {}{place}: ", report.room_name, report.room),
        );
        list.push(Style::Speech, &report.text);
        for heard in report.heard.iter().filter(|_| is_whole) {
            list.line(Style::Faint, "Heard: ");
            list.push(Style::Speech, heard);
        }
    }
    Ok(list)
}

/// Closes a report: removes it and notifies its author.
fn close(turn: &mut Turn, id: ReportId, typed: &str) -> Result<Markup, Refusal> {
    turn.require_writable()?;
    let answer = sanitise::clean_line(typed, turn.config.limits.reason_chars as usize);
    if let Some(report) = turn.world.reports.remove(id) {
        let about = report.about.map(|(_, name)| format!(" about {name}")).unwrap_or_default();
        let end = if answer.is_empty() { "is settled.".into() } else { format!("is settled: {answer}") };
        let notice = format!("Your report {id}{about} {end}");
        if turn.world.accounts.get(report.account).is_some() {
            sanctions::notify_account(turn, report.account, &notice);
        }
    }
    Ok(Markup::plain(&format!("Report {id} is settled.")))
}
