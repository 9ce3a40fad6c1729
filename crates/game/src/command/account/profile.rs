//! Commands for titles, appearances, poses, AFK and whois.

use crate::account::{profile, records};
use crate::command::parse::{Actor, PlayerArgument, SpeechArgument, resolve};
use crate::command::spec::{CommandSpec, Needs, WhenAway, run, show};
use crate::refusal::Refusal;
use crate::room::occupants;
use crate::turn::Turn;
use deepwell_core::text::{Markup, Style};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "whois",
        aliases: &["finger"],
        summary: "Tells the level and the title of a climber, and when they were here last.",
        example: "whois bera: Bera, with rope burns. Level 3. Awake just now.",
        missing: "whois and a name",
        run: show!(|turn, actor, PlayerArgument(who)| Ok(profile::about(turn, who, actor.who))),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "top",
        syntax: "top [depth | week | EXIT]",
        summary: "Lists the highest levels of all climbers, or the greatest depths: of all time, of this week, or behind an exit into the dungeon. Those who want no fame are left out: config fame off.",
        example: "top: 1. Bera: level 9, here just now. top north: who has come deepest behind the north exit.",
        run: show!(top),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "records",
        syntax: "records [NAME]",
        summary: "Tells how deep you have come, or another climber: ever, this week, and behind each exit into the dungeon.",
        example: "records: Deepest room: depth 7, 2 days ago.",
        run: show!(records),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "title",
        needs: Needs::Storage,
        syntax: "title [WORDS | NUMBER | none]",
        summary: "Puts a few words behind your name, where who and whois name you, or a title from your titles, by its number; alone, it shows them.",
        example: "title with wet boots: who lists you as Olad, with wet boots. title none takes it away.",
        takes_words: true,
        run: run!(title),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "titles",
        summary: "Lists the titles that you have earned in quests and achievements, by number. title and a number puts one behind your name.",
        example: "titles: 1. of the Lamps, which you bear.",
        run: show!(|turn, actor, ()| Ok(profile::earned_titles(turn, actor.who))),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "appearance",
        needs: Needs::Storage,
        syntax: "appearance [WORDS | none]",
        summary: "Tells how you look, to whoever looks at you; alone, it shows it.",
        example: "appearance A lean woman with a scar on her chin: look mira shows it, behind her name.",
        takes_words: true,
        run: run!(appearance),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pose",
        needs: Needs::Storage,
        syntax: "pose [WORDS | none]",
        summary: "Tells how you stand here, in place of the line that you are here, until you leave the room; alone, it shows it.",
        example: "pose leans on the wall: others read that Mira leans on the wall. pose none ends it.",
        takes_words: true,
        run: run!(pose),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "afk",
        aliases: &["away"],
        when_away: WhenAway::SetByCommand,
        needs: Needs::Nothing,
        syntax: "afk [WORDS]",
        summary: "Says that you are away from the keyboard, to whoever tells you something. Again, or any other command: you are back.",
        example: "afk soup: whoever tells you something reads that you are away: soup.",
        takes_words: true,
        run: run!(afk),
        ..CommandSpec::PLAYER
    },
];

fn top(turn: &Turn, actor: Actor, SpeechArgument(list): SpeechArgument<'_>) -> Result<Markup, Refusal> {
    match list.to_lowercase().as_str() {
        "" | "level" | "levels" => Ok(profile::board(turn)),
        "depth" => Ok(records::deepest(turn)),
        "week" => Ok(records::of_week(turn)),
        _ => records::behind_exit(turn, actor.who, list),
    }
}

fn records(turn: &Turn, actor: Actor, SpeechArgument(name): SpeechArgument<'_>) -> Result<Markup, Refusal> {
    let who = if name.is_empty() { actor.who } else { resolve::player_anywhere(turn, name)? };
    records::of_character(turn, who, actor.who)
}

fn title(
    turn: &mut Turn,
    actor: Actor,
    SpeechArgument(title): SpeechArgument<'_>,
) -> Result<Markup, Refusal> {
    if !title.is_empty() {
        let title = if title.eq_ignore_ascii_case("off") { "" } else { unless_none(title) };
        profile::set_title(turn, actor.who, title)?;
    }
    let body = &turn.world.characters[actor.who];
    Ok(match body.title.as_str() {
        "" => Markup::plain("Nothing stands behind your name."),
        title => Markup::plain("You are known as ")
            .with(Style::Player, &body.name)
            .and(", ")
            .with(Style::Speech, title)
            .and("."),
    })
}

fn appearance(
    turn: &mut Turn,
    actor: Actor,
    SpeechArgument(description): SpeechArgument<'_>,
) -> Result<Markup, Refusal> {
    if !description.is_empty() {
        profile::set_appearance(turn, actor.who, unless_none(description))?;
    }
    let mut message = Markup::plain("Whoever looks at you sees this. ");
    message.append(&profile::appearance(turn, actor.who, actor.who));
    Ok(message)
}

fn pose(turn: &mut Turn, actor: Actor, SpeechArgument(pose): SpeechArgument<'_>) -> Result<Markup, Refusal> {
    if !pose.is_empty() {
        profile::set_pose(turn, actor.who, unless_none(pose))?;
    }
    let body = &turn.world.characters[actor.who];
    if body.pose.is_empty() {
        return Ok(Markup::plain("You are here, in no pose."));
    }
    let mut message = Markup::plain("Others read: ");
    message.append(&occupants::posed(&body.name, &body.pose));
    Ok(message)
}

/// Returns what was typed, or no text for the word that clears a setting.
fn unless_none(typed: &str) -> &str {
    if typed.eq_ignore_ascii_case("none") { "" } else { typed }
}

fn afk(
    turn: &mut Turn,
    actor: Actor,
    SpeechArgument(reason): SpeechArgument<'_>,
) -> Result<&'static str, Refusal> {
    let away = profile::toggle_away(turn, actor.who, reason)?;
    Ok(if away { "You are away. Whatever you type next brings you back." } else { "You are back." })
}
