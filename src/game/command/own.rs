//! What concerns oneself: the sheet, the pack, characters, leaving.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::CharacterId;
use crate::game::money::money_words;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "score",
        aliases: &["sc", "c"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "score [VALUE]",
        summary: "Shows your sheet, one value a line; or only one of them, or how far the next level is.",
        example: "score xp: level 2, 120 experience, 380 more for level 3.",
        run: score,
    },
    CommandSpec {
        name: "train",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "train [CHOICE]",
        summary: "Chooses what you have learnt with a new level; alone, it shows what there is to choose.",
        example: "train constitution: 20 more hit points.",
        run: |game, actor, words| game.train(actor.who, words),
    },
    CommandSpec {
        name: "hp",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "hp",
        summary: "Tells your hit points, and nothing else.",
        example: "hp: 27 of 30 hit points.",
        run: hp,
    },
    CommandSpec {
        name: "inventory",
        aliases: &["i"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "inventory",
        summary: "Lists what you wear, what you carry and your money.",
        example: "inventory: a clay lamp; two copper coins.",
        run: inventory,
    },
    CommandSpec {
        name: "character",
        aliases: &["characters"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "character [list | new NAME | play NAME]",
        summary: "Lists the characters of your account, makes another, or goes on as another.",
        example: "character new Bera: a second character, to be played with character play Bera.",
        run: character,
    },
    CommandSpec {
        name: "quit",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "quit",
        summary: "Leaves the game. Your character sleeps where it is until you come back.",
        example: "quit: you are disconnected.",
        run: quit,
    },
];

fn score(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if matches!(words.to_lowercase().as_str(), "xp" | "experience" | "level") {
        let words = game.level_words(actor.who);
        game.tell(actor.who, Class::Reply, words);
        return Ok(());
    }
    let sheet = game.own_sheet(actor.who);
    if words.is_empty() {
        game.tell(actor.who, Class::Reply, sheet);
        return Ok(());
    }
    let line = line_about(&sheet, words).ok_or_else(|| {
        Refusal::Because(format!("Your sheet has no line for \"{words}\". Type score for all of it."))
    })?;
    game.tell(actor.who, Class::Reply, line);
    Ok(())
}

/// The first line of a list whose label begins with a word, in any case of letters.
fn line_about(list: &Markup, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    list.text().lines().skip(1).find(|line| line.to_lowercase().starts_with(&word)).map(str::to_owned)
}

impl Game {
    /// What somebody is and has, one value a line.
    fn own_sheet(&self, who: CharacterId) -> Markup {
        let body = &self.world.characters[who];
        let mut sheet = Markup::styled(Style::Heading, &body.name);
        // T15: these six, one a line.
        for (label, value) in [
            ("Level", i64::from(body.level)),
            ("Experience", body.xp),
            ("Experience to level up", self.missing_experience(who)),
            ("Maximum HP", i64::from(self.max_hp_of(who))),
            ("Attack", i64::from(self.attack_of(who))),
            ("Defence", i64::from(self.defence_of(who))),
        ] {
            sheet.line(Style::Plain, &format!("{label}: {value}"));
        }
        sheet.line(Style::Plain, &format!("Hit points: {}", self.hp(who)));
        if body.trainings > 0 {
            let left = grammar::counted(body.trainings, "choice", None);
            sheet.line(Style::Boon, &format!("Not chosen yet: {left}. Type train."));
        }
        if let Some(might) = self.might_of(who) {
            sheet.line(Style::Plain, &format!("Might of all in this puzzle: {might}"));
        }
        sheet.line(Style::Plain, &format!("Purse: {}", money_words(body.money.purse)));
        if let Some(branch) = body.branch {
            let row = &self.world.branches[branch];
            let floor = self.world.dungeon_level(body.room);
            let deepest = self.deepest_level(branch);
            sheet.line(Style::Plain, &format!("Dungeon level {floor}"));
            sheet.line(Style::Plain, &format!("Deepest level of this branch: {deepest}"));
            sheet.line(Style::Plain, &format!("Greatest depth of this branch: {}", row.greatest_depth));
        }
        if let Some(party) = self.world.party_of(who) {
            let members = &self.world.parties[party].members;
            let names: Vec<&str> =
                members.iter().map(|id| self.world.characters[*id].name.as_str()).collect();
            sheet.line(Style::Plain, "Party: ");
            sheet.push(Style::Player, &grammar::list(&names));
        }
        sheet
    }
}

fn hp(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let words = format!("{} of {} hit points.", game.hp(actor.who), game.max_hp_of(actor.who));
    game.tell(actor.who, Class::Reply, words);
    Ok(())
}

fn inventory(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let list = game.pack_view(actor.who);
    game.tell(actor.who, Class::Reply, list);
    Ok(())
}

fn quit(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    if game.world.characters[actor.who].target.is_some() {
        return Err(Refusal::InCombat);
    }
    game.may_act(actor.who)?;
    game.tell(actor.who, Class::System, "You find a dry corner and close your eyes. Until next time.");
    game.quit(actor.session);
    Ok(())
}

fn character(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (verb, name) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match verb.to_lowercase().as_str() {
        "" | "list" => list_characters(game, actor),
        "new" => new_character(game, actor, name.trim()),
        "play" => play_character(game, actor, name.trim()),
        _ => Err(Refusal::Missing("character list, character new NAME, or character play NAME")),
    }
}

fn list_characters(game: &mut Game, actor: Actor) -> Result<(), Refusal> {
    let mut list = Markup::styled(Style::Heading, "Your characters");
    for id in game.world.characters_of(actor.account) {
        let body = &game.world.characters[id];
        let place = &game.world.rooms[body.room].name;
        list.line(Style::Player, &body.name);
        list.push(Style::Plain, &format!(": level {}, at {place}", body.level));
    }
    game.tell(actor.who, Class::Reply, list);
    Ok(())
}

fn new_character(game: &mut Game, actor: Actor, name: &str) -> Result<(), Refusal> {
    if game.world.characters_of(actor.account).count() >= game.config.limits.characters_per_account as usize {
        return Err(Refusal::Because("Your account has as many characters as it may have.".into()));
    }
    let name = game.free_name(name).map_err(Refusal::Because)?;
    let shown = name.shown.clone();
    game.new_character(actor.account, name);
    game.tell(
        actor.who,
        Class::Reply,
        Markup::plain(&format!("{shown} waits in the town. Type "))
            .with(Style::Command, &format!("character play {shown}"))
            .and(" to go on as them."),
    );
    Ok(())
}

fn play_character(game: &mut Game, actor: Actor, name: &str) -> Result<(), Refusal> {
    let to = game
        .world
        .character_by_name(name)
        .filter(|id| game.world.characters[*id].account == Some(actor.account));
    let to = to.ok_or_else(|| Refusal::Because(format!("You have no character called \"{name}\".")))?;
    if to == actor.who {
        return Err(Refusal::Because("That is who you are.".into()));
    }
    if game.world.characters[actor.who].target.is_some() {
        return Err(Refusal::InCombat);
    }
    game.switch_body(actor.session, to);
    Ok(())
}
