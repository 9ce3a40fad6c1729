//! Words for telling staff what is wrong, and for staff to read them.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::ReportId;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{Report, ReportKind, Role};

/// How many a list shows.
const SHOWN: usize = 20;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "bug",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "bug WORDS",
        summary: "Tells those who run the place that something does not work as it should, and where you are.",
        example: "bug the lever here can be pulled for ever.",
        run: |game, actor, words| report(game, actor, ReportKind::Bug, words),
    },
    CommandSpec {
        name: "typo",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "typo WORDS",
        summary: "Tells those who run the place that something is misspelt or reads badly, and where you are.",
        example: "typo it says 'teh well' here.",
        run: |game, actor, words| report(game, actor, ReportKind::Typo, words),
    },
    CommandSpec {
        name: "idea",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "idea WORDS",
        summary: "Tells those who run the place what would be better otherwise.",
        example: "idea a bench by the well.",
        run: |game, actor, words| report(game, actor, ReportKind::Idea, words),
    },
    CommandSpec {
        name: "reports",
        aliases: &["report"],
        role: Role::Helper,
        touches: Touches::World,
        syntax: "reports [NUMBER | done NUMBER]",
        summary: "Lists what players have reported, newest first, shows one, or strikes one out.",
        example: "reports done 12: number 12 is settled and gone.",
        run: reports,
    },
];

fn report(game: &mut Game, actor: Actor, kind: ReportKind, words: &str) -> Result<(), Refusal> {
    let text = game.words(words).map_err(|_| Refusal::Missing("the word and what you want to report"))?;
    let mine = game.world.reports.iter().filter(|(_, report)| report.account == actor.account).count();
    let limits = &game.config.limits;
    if mine >= limits.reports_per_account as usize || game.world.reports.len() >= limits.reports as usize {
        return Err(Refusal::Because(
            "There are too many reports waiting already. Please come back when some have been read.".into(),
        ));
    }
    let id = game.world.new_report_id();
    let body = &game.world.characters[actor.who];
    let report = Report {
        id,
        kind,
        at: game.now,
        account: actor.account,
        name: body.name.clone(),
        room: body.room,
        room_name: game.world.rooms[body.room].name.clone(),
        place: game.seed_words(body.room),
        text,
    };
    game.world.reports.put(id, report);
    game.tell(actor.who, Class::Reply, format!("Thank you. That is report {id}; staff will read it."));
    Ok(())
}

fn reports(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let number = |words: &str| {
        let none = || Refusal::Because(format!("There is no report {}.", words.trim()));
        let id = words.trim().parse().map(ReportId).map_err(|_| none())?;
        if game.world.reports.get(id).is_some() { Ok(id) } else { Err(none()) }
    };
    let shown: Vec<ReportId> = match words.split_once(char::is_whitespace) {
        Some(("done", words)) => {
            let id = number(words)?;
            game.world.reports.remove(id);
            game.tell(actor.who, Class::Reply, format!("Report {id} is settled."));
            return Ok(());
        }
        _ if words.is_empty() => game.world.reports.iter().rev().take(SHOWN).map(|(id, _)| id).collect(),
        _ => vec![number(words)?],
    };
    let mut list = Markup::styled(Style::Heading, &format!("Reports: {} waiting", game.world.reports.len()));
    for report in shown.iter().filter_map(|id| game.world.reports.get(*id)) {
        let ago = game.now.since(report.at);
        let place = report.place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
        list.line(Style::Plain, &format!("{}, {}, by ", report.id, report.kind.name()));
        list.push(Style::Player, &report.name);
        list.push(
            Style::Plain,
            &format!(", {ago} ago in {}, room {}{place}: ", report.room_name, report.room),
        );
        list.push(Style::Speech, &report.text);
    }
    game.tell(actor.who, Class::Reply, list);
    Ok(())
}
