//! Words for telling staff what is wrong, and for staff to read them.

use crate::base::ReportId;
use crate::game::command::actor::Actor;
use crate::game::command::argument::{Argument, Slot, Text};
use crate::game::command::sheet;
use crate::game::command::spec::{CommandSpec, Needs, run};
use crate::game::command::words::Words;
use crate::game::effect::Class;
use crate::game::refusal::{AccountRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{hearing, tell};
use crate::text::{Markup, Style};
use crate::world::{Report, ReportKind, Role};

/// How many a list shows.
const SHOWN: usize = 20;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "bug",
        needs: Needs::Storage,
        summary: "Tells those who run the place that something does not work as it should, and where you are.",
        example: "bug the lever here can be pulled for ever.",
        takes_words: true,
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Bug, words)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "typo",
        needs: Needs::Storage,
        summary: "Tells those who run the place that something is misspelt or reads badly, and where you are.",
        example: "typo it says 'teh well' here.",
        takes_words: true,
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Typo, words)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "idea",
        needs: Needs::Storage,
        summary: "Tells those who run the place what would be better otherwise.",
        example: "idea a bench by the well.",
        takes_words: true,
        missing: "the word and what you want to report",
        run: run!(|turn, actor, words| report(turn, actor, ReportKind::Idea, words)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "reports",
        aliases: &["report"],
        role: Role::Helper,
        needs: Needs::Storage,
        syntax: "reports [NUMBER | done NUMBER]",
        summary: "Lists what players have reported, newest first, shows one, or strikes one out.",
        example: "reports done 12: number 12 is settled and gone.",
        run: run!(reports),
        ..CommandSpec::PLAYER
    },
];

fn report(turn: &mut Turn, actor: Actor, kind: ReportKind, Text(words): Text<'_>) -> Result<(), Refusal> {
    let text = hearing::words(turn, words)?;
    let mine = turn.world.reports.iter().filter(|(_, report)| report.account == actor.account).count();
    let limits = &turn.config.limits;
    if mine >= limits.reports_per_account as usize || turn.world.reports.len() >= limits.reports as usize {
        return Err(AccountRefusal::TooManyReports.into());
    }
    let id = turn.world.new_report_id();
    let body = &turn.world.characters[actor.who];
    let report = Report {
        id,
        kind,
        at: turn.now,
        account: actor.account,
        name: body.name.clone(),
        room: body.room,
        room_name: turn.world.rooms[body.room].name.clone(),
        place: sheet::seed_words(turn, body.room),
        text,
    };
    turn.world.reports.put(report);
    tell::tell(turn, actor.who, Class::Reply, format!("Thank you. That is report {id}; staff will read it."));
    Ok(())
}

/// A report that waits.
#[derive(Clone, Copy)]
struct Waiting(ReportId);

impl Argument<'_> for Waiting {
    const SLOT: Slot = Slot::One("NUMBER");

    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let id = words.text().parse().ok().map(ReportId);
        let id = id.filter(|id| turn.world.reports.get(*id).is_some());
        id.map(Self).ok_or_else(|| AccountRefusal::NoReport(words.text().to_owned()).into())
    }
}

/// What staff do with reports.
#[derive(Clone, Copy)]
enum Reading {
    Show(ReportId),
    Settle(ReportId),
}

impl Argument<'_> for Reading {
    const SLOT: Slot = Slot::Several;

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (word, number) = words.first_word();
        if word.text() == "done" && !number.is_empty() {
            return Waiting::read(turn, actor, number).map(|report| Self::Settle(report.0));
        }
        Waiting::read(turn, actor, words).map(|report| Self::Show(report.0))
    }
}

fn reports(turn: &mut Turn, actor: Actor, what: Option<Reading>) -> Result<(), Refusal> {
    let shown: Vec<ReportId> = match what {
        Some(Reading::Settle(id)) => {
            turn.world.reports.remove(id);
            tell::tell(turn, actor.who, Class::Reply, format!("Report {id} is settled."));
            return Ok(());
        }
        Some(Reading::Show(id)) => vec![id],
        None => turn.world.reports.iter().rev().take(SHOWN).map(|(id, _)| id).collect(),
    };
    let mut list = Markup::styled(Style::Heading, &format!("Reports: {} waiting", turn.world.reports.len()));
    for report in shown.iter().filter_map(|id| turn.world.reports.get(*id)) {
        let ago = turn.now.since(report.at);
        let place = report.place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
        list.line(Style::Plain, &format!("{}, {}, by ", report.id, report.kind.name()));
        list.push(Style::Player, &report.name);
        list.push(
            Style::Plain,
            &format!(", {ago} ago in {}, room {}{place}: ", report.room_name, report.room),
        );
        list.push(Style::Speech, &report.text);
    }
    tell::tell(turn, actor.who, Class::Reply, list);
    Ok(())
}
