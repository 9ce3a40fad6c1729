//! Commands about the player's own character: score, inventory, characters, leaving.

use crate::account::{guests, login, signup};
use crate::branch::{asleep, rooms};
use crate::character::{abilities, experience, stats, wounds};
use crate::command::parse::{Actor, Argument, NameArgument, SpeechArgument, Words};
use crate::command::play::gear;
use crate::command::spec::{CommandSpec, WhenFrozen, run, show};
use crate::effect::Class;
use crate::exit::puzzle_exits;
use crate::message::tell;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "score",
        aliases: &["sc", "c"],
        syntax: "score [VALUE]",
        summary: "Shows your sheet, one value a line; or only one of them, or how far the next level is.",
        example: "score xp: level 2, 120 experience, 380 more for level 3.",
        teaches: Some(Lesson::ReadScore),
        run: show!(score),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "train",
        syntax: "train [CHOICE]",
        summary: "Chooses what you have learnt with a new level; alone, it shows what there is to choose.",
        example: "train constitution: 20 more hit points.",
        teaches: Some(Lesson::Trained),
        run: run!(|turn, actor, choice: SpeechArgument<'_>| experience::train(turn, actor.who, choice.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "hp",
        summary: "Tells your hit points, and nothing else.",
        example: "hp: 27 of 30 hit points.",
        run: show!(hp),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "inventory",
        aliases: &["i"],
        syntax: "inventory [KIND or THING]",
        summary: "Lists what you wear, what you carry and your money; or only weapons, armour, potions, food, bags, or things of a name.",
        example: "inventory: a clay lamp; two copper coins.",
        run: show!(inventory),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "character",
        aliases: &["characters"],
        syntax: "character [list | new NAME | play NAME]",
        summary: "Lists the characters of your account, makes another, or goes on as another.",
        example: "character new Bera: a second character, to be played with character play Bera.",
        missing: "character list, character new NAME, or character play NAME",
        run: run!(character),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "quit",
        summary: "Leaves the game. Your character sleeps where it is until you come back, and this browser asks for your password then.",
        example: "quit: you are disconnected.",
        is_protected: true,
        when_frozen: WhenFrozen::Done,
        run: run!(quit),
        ..CommandSpec::GUEST
    },
];

fn score(turn: &Turn, actor: Actor, value: Option<NameArgument<'_>>) -> Result<Markup, Refusal> {
    let name = NameArgument::or_nothing(value);
    if matches!(name.to_lowercase().as_str(), "xp" | "experience" | "level") {
        return Ok(experience::level_words(turn, actor.who).into());
    }
    let sheet = own_sheet(turn, actor.who);
    if name.is_empty() {
        return Ok(sheet);
    }
    let line = line_about(&sheet, name)
        .ok_or_else(|| refuse!("Your sheet has no line for \"{name}\". Type score for all of it."))?;
    Ok(line.into())
}

/// Returns the first line of a list whose label begins with a word, ignoring case.
fn line_about(list: &Markup, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    list.text().lines().skip(1).find(|line| line.to_lowercase().starts_with(&word)).map(str::to_owned)
}

/// Formats the character sheet, one value per line.
fn own_sheet(turn: &Turn, who: CharacterId) -> Markup {
    let body = &turn.world.characters[who];
    let mut sheet = Markup::styled(Style::Heading, &body.name);
    // One value per line, for screen readers.
    for (label, value) in [
        ("Level", i64::from(body.level)),
        ("Experience", body.xp),
        ("Experience to level up", experience::missing_experience(turn, who)),
        ("Maximum HP", i64::from(stats::max_hp_of(turn, who))),
        ("Attack", i64::from(stats::attack_of(turn, who))),
        ("Defence", i64::from(stats::defence_of(turn, who))),
    ] {
        sheet.line(Style::Plain, &format!("{label}: {value}"));
    }
    let cost = experience::next_level_cost(turn, body.level);
    sheet.line(Style::Plain, &format!("Cost of the next level: {cost}"));
    sheet.line(Style::Plain, &format!("Hit points: {}", stats::hp(turn, who)));
    if let Some(name) = wounds::name_of_wounds(turn, who) {
        let line = format!("{}: {}", grammar::capitalise(&name), wounds::describe_wounds(turn, who));
        sheet.line(Style::Harm, &line);
    }
    if body.trainings > 0 {
        let left = grammar::counted(body.trainings, "choice");
        sheet.line(Style::Boon, &format!("Not chosen yet: {left}. Type train."));
    }
    let learnt = abilities::learnt(turn, who);
    if !learnt.is_empty() {
        let entries = learnt
            .iter()
            .map(|ability| format!("{}, {}", ability.key, abilities::readiness(turn, who, &ability.key)));
        sheet.line(Style::Plain, &format!("Abilities: {}", entries.collect::<Vec<_>>().join("; ")));
    }
    if let Some(might) = puzzle_exits::might_of(turn, who) {
        sheet.line(Style::Plain, &format!("Might of all in this puzzle: {might}"));
    }
    sheet.line(Style::Plain, &format!("Purse: {}", money_words(body.money.purse)));
    if let Some(branch) = body.branch {
        let row = &turn.world.branches[branch];
        let dungeon_level = turn.world.dungeon_level(body.room);
        let deepest = rooms::deepest_dungeon_level(turn, branch);
        sheet.line(Style::Plain, &format!("Dungeon level {dungeon_level}"));
        sheet.line(Style::Plain, &format!("Deepest dungeon level of this branch: {deepest}"));
        sheet.line(Style::Plain, &format!("Greatest depth of this branch: {}", row.greatest_depth));
    }
    if let Some(party) = turn.world.parties.of(who) {
        let members = &turn.world.parties[party].members;
        sheet.line(Style::Plain, "Party: ");
        let names = members.iter().map(|id| &turn.world.characters[*id].name);
        sheet.push(Style::Player, &grammar::list(names));
    }
    sheet
}

fn hp(turn: &Turn, actor: Actor, (): ()) -> Result<String, Refusal> {
    Ok(format!("{} of {} hit points.", stats::hp(turn, actor.who), stats::max_hp_of(turn, actor.who)))
}

fn inventory(turn: &Turn, actor: Actor, kind: Option<NameArgument<'_>>) -> Result<Markup, Refusal> {
    Ok(match kind {
        None => gear::pack_view(turn, actor.who),
        Some(NameArgument(word)) => gear::part_of_pack(turn, actor.who, word)?,
    })
}

pub(crate) fn quit(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    stats::require_peace(turn, actor.who)?;
    tell::tell(turn, actor.who, Class::System, "You find a dry corner and close your eyes. Until next time.");
    login::quit(turn, actor.session);
    guests::remove_absent_guest(turn, actor.account, actor.who);
    Ok(())
}

/// Argument of `character`.
#[derive(Clone, Copy)]
enum Cast<'a> {
    List,
    New(&'a str),
    Play(&'a str),
}

impl<'a> Argument<'a> for Cast<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, name) = words.keyword();
        match verb.as_str() {
            "" | "list" => Ok(Self::List),
            "new" => Ok(Self::New(name.text())),
            "play" => Ok(Self::Play(name.text())),
            _ => Err(words.missing()),
        }
    }
}

fn character(turn: &mut Turn, actor: Actor, cast: Cast<'_>) -> Result<(), Refusal> {
    match cast {
        Cast::List => list_characters(turn, actor),
        Cast::New(name) => new_character(turn, actor, name),
        Cast::Play(name) => play_character(turn, actor, name),
    }
}

fn list_characters(turn: &mut Turn, actor: Actor) -> Result<(), Refusal> {
    let mut list = Markup::styled(Style::Heading, "Your characters");
    for id in turn.world.characters_of(actor.account) {
        let body = &turn.world.characters[id];
        let place = &turn.world.rooms[body.room].sheet.name;
        list.line(Style::Player, &body.name);
        list.push(Style::Plain, &format!(": level {}, at {place}", body.level));
    }
    actor.answer(turn, list)
}

fn new_character(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let (limits, has) = (&turn.config.limits, turn.world.characters_of(actor.account).count());
    let too_many = |_| refuse!("Your account has as many characters as it may have.");
    refusal::require_below(limits, RuleLimit::CharactersPerAccount, has, too_many)?;
    let name = signup::free_name(turn, name)?;
    let shown = name.shown.clone();
    signup::new_character(turn, actor.account, name);
    actor.answer(
        turn,
        Markup::plain(&format!("{shown} waits in the town. Type "))
            .with(Style::Command, &format!("character play {shown}"))
            .and(" to go on as them."),
    )
}

fn play_character(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let to =
        turn.world.character_by_name(name).filter(|id| turn.world.account_of(*id) == Some(actor.account));
    let to = to.ok_or_else(|| refuse!("You have no character called \"{name}\"."))?;
    if to == actor.who {
        return Err(refuse!("That is who you are."));
    }
    stats::require_peace(turn, actor.who)?;
    asleep::require_awake_around(turn, actor.account)?;
    login::switch_body(turn, actor.session, to);
    Ok(())
}
