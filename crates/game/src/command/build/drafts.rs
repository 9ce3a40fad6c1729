//! Commands for drafts of zones: creating, sharing and publishing them, and testing by players.

use crate::access::drafts;
use crate::building::zones::draft::preview;
use crate::building::zones::{draft, file_work, outcome};
use crate::building::{pace, zones};
use crate::character::stats;
use crate::command::parse::site::zone_meant;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::command::staff::moderation::account_named;
use crate::effect::Class;
use crate::message::{notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::SessionId;
use deepwell_core::catalog::CatalogError;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::ZoneDraft;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "rehearse",
    needs: Needs::Storage,
    syntax: "rehearse [ZONE|off]",
    summary: "Takes you into a part of the world that is still being built, if its builders have asked you to try it; off takes you back. Alone it tells what you are asked to try.",
    example: "rehearse mill: you walk about in the mill as it is to be, before anybody else sees it.",
    missing: "rehearse and the name of what you were asked to try, or off",
    run: run!(rehearse),
    ..CommandSpec::PLAYER
}];

/// Answer to a request about a draft of very many rooms.
const TAKES_LONG: &str = "The rooms are many, so that this takes a while. You are told when it is done.";

/// Argument of `rehearse`.
enum DraftOrder {
    List,
    Leave,
    Enter(String),
}

impl<'a> Argument<'a> for DraftOrder {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (word, _) = words.keyword();
        Ok(match word.as_str() {
            "" => Self::List,
            "off" | "stop" | "leave" => Self::Leave,
            _ => Self::Enter(word),
        })
    }
}

fn rehearse(turn: &mut Turn, actor: Actor, order: DraftOrder) -> Result<(), Refusal> {
    match order {
        DraftOrder::List => {
            let drafts =
                draft::all(turn).filter(|(key, _)| drafts::may_enter_draft(turn, actor.account, key));
            let drafts = grammar::list(drafts.map(|(_, draft)| &draft.of));
            if drafts.is_empty() {
                return Err(refuse!("You are asked to try nothing just now."));
            }
            let message = format!("You may try {drafts}: rehearse and its name takes you there.");
            tell::tell(turn, actor.who, Class::Reply, message);
        }
        DraftOrder::Leave => {
            let here = turn.world.characters[actor.who].room;
            let draft = drafts::draft_around(turn, here)
                .cloned()
                .ok_or_else(|| refuse!("You are trying nothing: this is the world as everybody sees it."))?;
            stats::require_peace(turn, actor.who)?;
            draft::leave(turn, actor.who, &draft);
        }
        DraftOrder::Enter(name) => {
            let (key, _) = draft::meant(turn, &name)?;
            if !drafts::may_enter_draft(turn, actor.account, &key) {
                return Err(refuse!("Nobody has asked you to try {name}."));
            }
            stats::require_peace(turn, actor.who)?;
            require_hand_built(turn, actor)?;
            draft::enter(turn, actor.who, &key)?;
        }
    }
    Ok(())
}

/// Returns an error inside a branch: a draft must not be an escape from the dungeon.
fn require_hand_built(turn: &Turn, actor: Actor) -> Result<(), Refusal> {
    let room = &turn.world.rooms[turn.world.characters[actor.who].room];
    if room.branch.is_some() { Err(refuse!("First come home from the dungeon.")) } else { Ok(()) }
}

/// Returns the session that is told the outcome of long work. A page of the web builder has none.
fn told_later(turn: &Turn, actor: Actor) -> Result<SessionId, Refusal> {
    turn.seated.get(&actor.who).copied().ok_or_else(|| {
        refuse!("The rooms are many, so that this takes a while. Only who plays can begin it.")
    })
}

/// Handles `zone draft`. A builder who works from elsewhere stays there.
pub(crate) fn begin(turn: &mut Turn, actor: Actor, zone: &str) -> Result<(), Refusal> {
    let is_inside = turn.web_builder.is_none();
    if is_inside {
        stats::require_peace(turn, actor.who)?;
        require_hand_built(turn, actor)?;
    }
    if pace::are_many(turn, turn.world.rooms.of_zone(zone).len()) {
        draft::require_draftable(turn, actor.account, zone)?;
        let session = told_later(turn, actor)?;
        file_work::begin_draft(turn, session, zone);
        return actor.answer(turn, TAKES_LONG);
    }
    let key = draft::begin(turn, actor.account, zone)?;
    let of = if zones::require_zone(turn, zone).is_ok() { "the zone" } else { "a new zone," };
    let rooms = grammar::counted(turn.world.rooms.of_zone(&key).len(), "room");
    let way = if is_inside { "off takes you back" } else { "and its name takes you there" };
    let message = format!(
        "{key} is a draft of {of} {zone}: {rooms} that players do not see. zone publish makes it what they see, \
         zone invite NAME lets somebody try it, rehearse {way}."
    );
    actor.answer(turn, message)?;
    if is_inside { draft::enter(turn, actor.who, &key) } else { Ok(()) }
}

/// Draft that is to be published or discarded.
struct MeantDraft {
    key: String,
    draft: ZoneDraft,
    /// Set by the word `now`; without it, the consequences are told.
    is_sure: bool,
}

impl MeantDraft {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (first, rest) = words.keyword();
        let (second, _) = rest.keyword();
        let (name, is_sure) = if first == "now" { (String::new(), true) } else { (first, second == "now") };
        let (key, draft) = draft::meant(turn, &zone_meant(turn, actor.who, &name)?)?;
        zones::require_author(turn, actor.account, &key)?;
        Ok(Self { key, draft, is_sure })
    }
}

/// Handles `zone publish [NAME] [now]`: shows the consequences, or publishes.
pub(crate) fn publish(turn: &mut Turn, actor: Actor, words: Words<'_>) -> Result<(), Refusal> {
    let MeantDraft { key, draft, is_sure } = MeantDraft::read(turn, actor, words)?;
    zones::require_author(turn, actor.account, &draft.of)?;
    if is_sure && is_large(turn, &key, &draft) {
        let session = told_later(turn, actor)?;
        file_work::publish(turn, session, &key, &draft);
        return actor.answer(turn, TAKES_LONG);
    }
    if is_sure {
        draft::require_awake(turn, &key, &draft, true)?;
        return match draft::publish(turn, &key, &draft) {
            Ok(changes) => actor.answer(turn, changes.published(&draft.of)),
            Err(mistakes) => Err(has_mistakes(&key, &mistakes)),
        };
    }
    if is_large(turn, &key, &draft) && !turn.read_only {
        let session = told_later(turn, actor)?;
        file_work::preview(turn, session, &key, &draft);
        return actor.answer(turn, TAKES_LONG);
    }
    let differences = preview::differences(turn, &key, &draft);
    let has_board = zones::rooms(turn, &key).any(|room| room.sheet.board.is_some());
    let is_outdated = draft::is_outdated(turn, &draft);
    let mut lines = preview::publishing(turn, &key, &draft, &differences, has_board, is_outdated);
    let mistakes = draft::mistakes(turn, &key, &draft);
    lines.extend(draft::how_to_publish(&mistakes, "; undo takes it back."));
    answer_lines(turn, actor, &lines)
}

/// Answers with lines, the first of which is a heading.
fn answer_lines(turn: &mut Turn, actor: Actor, lines: &[String]) -> Result<(), Refusal> {
    let mut page = Markup::default();
    for (at, line) in lines.iter().enumerate() {
        page.line(if at == 0 { Style::Heading } else { Style::Plain }, line);
    }
    actor.answer(turn, page)
}

/// Handles `zone discard [NAME] [now]`: shows the consequences, or discards.
pub(crate) fn discard(turn: &mut Turn, actor: Actor, words: Words<'_>) -> Result<(), Refusal> {
    let MeantDraft { key, draft, is_sure } = MeantDraft::read(turn, actor, words)?;
    if !is_sure {
        let (differences, undo) = if is_large(turn, &key, &draft) {
            (preview::lines_of_definitions(turn, &key, &draft), ". The rooms are too many for undo.")
        } else {
            (preview::differences(turn, &key, &draft), "; undo takes it back.")
        };
        let mut lines = preview::discarding(turn, &key, &draft, &differences);
        lines.push(format!("zone discard {} now does it{undo}", draft.of));
        return answer_lines(turn, actor, &lines);
    }
    if is_large(turn, &key, &draft) {
        let session = told_later(turn, actor)?;
        file_work::discard(turn, session, &key);
        return actor.answer(turn, TAKES_LONG);
    }
    draft::require_awake(turn, &key, &draft, false)?;
    match draft::discard(turn, &key, &draft) {
        Ok(()) => actor.answer(turn, format!("The draft {key} is gone; undo brings it back.")),
        Err(mistakes) => Err(has_mistakes(&key, &mistakes)),
    }
}

/// Returns `true` if a draft and its zone have too many rooms for one step.
fn is_large(turn: &Turn, key: &str, draft: &ZoneDraft) -> bool {
    let rooms = [key, &draft.of].map(|zone| turn.world.rooms.of_zone(zone).len());
    pace::are_many(turn, rooms.into_iter().sum())
}

/// Handles `zone invite` and `zone uninvite`.
pub(crate) fn invite(turn: &mut Turn, actor: Actor, name: Words<'_>, may_try: bool) -> Result<(), Refusal> {
    let (key, draft) = draft::meant(turn, &zone_meant(turn, actor.who, "")?)?;
    zones::require_author(turn, actor.account, &key)?;
    let (account, name) = account_named(turn, name)?;
    zones::change(turn, &key, |row| {
        row.draft.iter_mut().for_each(|draft| {
            if may_try {
                draft.testers.insert(account)
            } else {
                draft.testers.remove(&account)
            };
        });
    });
    let zone = &draft.of;
    let tester = turn.world.character_by_name(&name);
    if may_try {
        actor.answer(turn, format!("{name} may try {zone} from now on."))?;
        if let Some(who) = tester {
            let message =
                format!("You are asked to try {zone} before others see it: rehearse {zone} takes you there.");
            notices::tell(turn, who, message);
        }
    } else {
        actor.answer(turn, format!("{name} may try {zone} no longer."))?;
        // Builders may enter any draft.
        let awake = tester.filter(|who| turn.seated.contains_key(who));
        if let Some(who) = awake.filter(|who| zones::players_in(turn, &key).contains(who))
            && !drafts::may_enter_draft(turn, account, &key)
        {
            draft::leave(turn, who, &draft);
        }
    }
    Ok(())
}

fn has_mistakes(key: &str, mistakes: &[CatalogError]) -> Refusal {
    let heading = format!("The draft {key} stays as it is, for these mistakes:");
    let lines = [vec![heading], outcome::shown(mistakes)].concat();
    Refusal::Said(lines.join("\n").into())
}
