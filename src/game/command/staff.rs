//! Words for those who run the place.

use crate::base::Span;
use crate::game::command::resolve;
use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::effect::{Class, Effect};
use crate::game::refusal::Refusal;
use crate::game::tell;
use crate::game::turn::Turn;
use crate::text::{grammar, sanitise};
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "claim",
        needs: Needs::Storage,
        syntax: "claim TOKEN",
        summary: "Makes your account the owner, with the token that the server printed at its first start.",
        example: "claim 7Q2K: if that is the token.",
        run: claim,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "netinfo",
        needs: Needs::Nothing,
        syntax: "netinfo [NAME]",
        summary: "Tells how you are connected: program, letters, colours, window and what was agreed. Helpers may ask it of anybody.",
        example: "netinfo: one item a line, such as Letters: UTF-8.",
        run: netinfo,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "announce",
        role: Role::Helper,
        needs: Needs::Storage,
        syntax: "announce WORDS",
        summary: "Tells everybody something in the server's name.",
        example: "announce The server restarts at noon.",
        takes_words: true,
        run: announce,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "promote",
        aliases: &["demote"],
        role: Role::Admin,
        needs: Needs::Storage,
        syntax: "promote NAME ROLE",
        summary: "Gives the account of a character a role: player, helper, builder or admin. Never one above your own.",
        example: "promote bera builder",
        run: promote,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "shutdown",
        role: Role::Admin,
        needs: Needs::Nothing,
        syntax: "shutdown [SECONDS]",
        summary: "Stops the server after telling everybody.",
        example: "shutdown 60",
        run: shutdown,
        ..CommandSpec::PLAYER
    },
];

fn claim(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if turn.world.meta().owner_token.as_deref() != Some(words.trim()) || words.trim().is_empty() {
        return Err(Refusal::Because("That is not the token.".into()));
    }
    turn.world.meta_mut().owner_token = None;
    if let Some(account) = turn.world.accounts.edit(actor.account) {
        account.role = Role::Owner;
    }
    let now = turn.now;
    turn.world.audit(now, actor.account, "claim".into());
    tell::tell(turn, actor.who, Class::System, "This world is yours. The token works for nobody else.");
    Ok(())
}

fn announce(turn: &mut Turn, _: Actor, words: &str) -> Result<(), Refusal> {
    let text = sanitise::clean_line(words, turn.config.limits.speech_chars as usize);
    if text.is_empty() {
        return Err(Refusal::NothingToSay);
    }
    tell::broadcast(turn, &format!("Announcement: {text}"));
    Ok(())
}

fn promote(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let usage = Refusal::Missing("promote NAME ROLE: player, helper, builder or admin");
    let (name, role) = words.split_once(char::is_whitespace).ok_or(usage.clone())?;
    let role = Role::ALL.into_iter().find(|known| known.name() == role.trim().to_lowercase()).ok_or(usage)?;
    let who = resolve::player_named(turn, name)?;
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    let mine = turn.world.accounts[actor.account].role;
    if role >= Role::Owner || role > mine || turn.world.accounts[account].role >= mine {
        return Err(Refusal::NotAllowed);
    }
    if let Some(row) = turn.world.accounts.edit(account) {
        row.role = role;
    }
    let shown = turn.world.characters[who].name.clone();
    let role = grammar::with_article(role.name(), None);
    tell::tell(turn, actor.who, Class::Reply, format!("{shown} is {role} now."));
    tell::tell(turn, who, Class::System, format!("You are {role} now."));
    Ok(())
}

fn netinfo(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let who = if words.trim().is_empty() { actor.who } else { resolve::player_named(turn, words.trim())? };
    if who != actor.who && turn.world.accounts[actor.account].role < Role::Helper {
        return Err(Refusal::Because("You may only ask how you yourself are connected: netinfo.".into()));
    }
    let name = turn.world.characters[who].name.clone();
    let session = turn.seated.get(&who).copied();
    let session = session.ok_or_else(|| Refusal::Because(format!("{name} is not connected.")))?;
    turn.outbox.push(Effect::Inspect { session, asker: actor.session, name });
    Ok(())
}

fn shutdown(turn: &mut Turn, _: Actor, words: &str) -> Result<(), Refusal> {
    let seconds = match words.trim() {
        "" => 0,
        words => words
            .parse::<u32>()
            .ok()
            .filter(|s| *s <= 86_400)
            .ok_or(Refusal::Missing("shutdown and a number of seconds"))?,
    };
    let after = Span::secs(i64::from(seconds));
    if after > Span::ZERO {
        tell::broadcast(turn, &format!("The server stops in {after}. Everything is kept."));
    }
    turn.outbox.push(Effect::Stop { after });
    Ok(())
}
