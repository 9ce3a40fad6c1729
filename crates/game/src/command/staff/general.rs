//! Administration commands.

use crate::access::{audibility, audit_log, permissions, sanctions};
use crate::account::deletion;
use crate::command::parse::{
    Actor, Argument, ArgumentForm, PlayerArgument, SpeechArgument, Words, is_quelled, resolve,
};
use crate::command::spec::{CommandSpec, FromWeb, KnownTo, Needs, run};
use crate::effect::{Class, Effect};
use crate::message::{notices, public, tell};
use crate::refusal::{Refusal, refuse};
use crate::staff::moderation::Authority;
use crate::staff::not_connected;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, SessionId, Span};
use deepwell_core::text::{Markup, grammar};
use deepwell_core::world::Role;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "claim",
        needs: Needs::Storage,
        syntax: "claim TOKEN",
        summary: "Makes your account the owner, with the token that the server printed at its first start.",
        example: "claim 7Q2K: if that is the token.",
        run: run!(claim),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "netinfo",
        needs: Needs::Nothing,
        summary: "Tells how you are connected: program, letters, colours, window and what was agreed. Helpers may ask it of anybody.",
        example: "netinfo: one item a line, such as Letters: UTF-8.",
        run: run!(netinfo),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "announce",
        right: Some(Right::Announce),
        needs: Needs::Storage,
        summary: "Tells everybody something in the server's name.",
        example: "announce The server restarts at noon.",
        takes_words: true,
        from_web: FromWeb::Staff,
        run: run!(announce),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "promote",
        right: Some(Right::Ranks),
        needs: Needs::Storage,
        syntax: "promote NAME ROLE",
        summary: "Gives the account of a character a role: player, helper, builder or admin. Never one above your own.",
        example: "promote bera builder",
        missing: "promote NAME ROLE: player, helper, builder or admin",
        from_web: FromWeb::Staff,
        run: run!(|turn, actor, promotion| {
            change_role(turn, &Authority::of_account(turn, actor.account, actor.session), promotion)
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "demote",
        right: Some(Right::Ranks),
        needs: Needs::Storage,
        syntax: "demote NAME [ROLE]",
        summary: "Takes the rank of the account of a character, or gives it a lower one: player, helper or builder.",
        example: "demote bera: the account of Bera is that of a player.",
        missing: "demote NAME, and if you like a lower role: player, helper or builder",
        from_web: FromWeb::Staff,
        run: run!(|turn, actor, Demotion(promotion)| {
            change_role(turn, &Authority::of_account(turn, actor.account, actor.session), promotion)
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "quell",
        needs: Needs::Nothing,
        known_to: KnownTo::Staff,
        summary: "Lays down your rank, so that you see and do what a player does; again, or when you have slept, it is yours again.",
        example: "quell: you are a player until you type it again.",
        run: run!(quell),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "reload",
        right: Some(Right::Content),
        needs: Needs::Storage,
        summary: "Reads the content files again while everybody plays on, and puts them in force as a whole if none has a mistake; otherwise all mistakes are told and nothing changes.",
        example: "reload: the content is read, and in a moment you are told what came of it.",
        run: run!(reload),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "shutdown",
        right: Some(Right::Server),
        needs: Needs::Nothing,
        summary: "Stops the server after telling everybody.",
        example: "shutdown 60",
        missing: "shutdown and a number of seconds",
        from_web: FromWeb::Staff,
        run: run!(shutdown),
        ..CommandSpec::PLAYER
    },
];

fn claim(turn: &mut Turn, actor: Actor, SpeechArgument(token): SpeechArgument<'_>) -> Result<(), Refusal> {
    if turn.world.meta().owner_token.as_deref() != Some(token) || token.is_empty() {
        return Err(refuse!("That is not the token."));
    }
    turn.world.meta_mut().owner_token = None;
    turn.world.accounts.change(actor.account, |account| account.role = Role::Owner);
    permissions::clear_individual_rights(turn, actor.account);
    audit_log::audit(turn, Some(actor.account), "claim");
    tell::tell(turn, actor.who, Class::System, "This world is yours. The token works for nobody else.");
    Ok(())
}

fn announce(
    turn: &mut Turn,
    actor: Actor,
    SpeechArgument(speech): SpeechArgument<'_>,
) -> Result<(), Refusal> {
    let text = audibility::spoken(turn, actor.who, speech)?;
    tell::broadcast(turn, &format!("Announcement: {text}"));
    public::show_announcement(turn, &text);
    Ok(())
}

/// Character and its new role.
#[derive(Clone, Copy)]
pub(crate) struct Promotion {
    who: CharacterId,
    role: Role,
}

impl Argument<'_> for Promotion {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        promotion(turn, words)
    }
}

/// Character and its lower role.
struct Demotion(Promotion);

impl Argument<'_> for Demotion {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        demotion(turn, words).map(Self)
    }
}

/// Parses a character and its lower role, by default that of a player.
pub(crate) fn demotion(turn: &Turn, words: Words<'_>) -> Result<Promotion, Refusal> {
    let (name, role) = words.first_word();
    let demoted = if role.is_empty() {
        Promotion { who: resolve::player_named(turn, name.required()?.text())?, role: Role::Player }
    } else {
        promotion(turn, words)?
    };
    let account = turn.world.account_of(demoted.who).ok_or(Refusal::NotAllowed)?;
    let now = turn.world.accounts[account].role;
    if demoted.role >= now && now > Role::Player {
        let name = turn.world.accounts[account].name.clone();
        return Err(refuse!(
            "{name} is {} already; demote gives a lower rank, promote any.",
            grammar::with_article(now.name(), None)
        ));
    }
    Ok(demoted)
}

/// Parses a character and its new role.
pub(crate) fn promotion(turn: &Turn, words: Words<'_>) -> Result<Promotion, Refusal> {
    let (name, role) = words.first_word();
    let role = role.text().to_lowercase();
    let known = Role::ALL.into_iter().find(|known| known.name() == role);
    let role = known.ok_or_else(|| words.missing())?;
    Ok(Promotion { who: resolve::player_named(turn, name.required()?.text())?, role })
}

/// Changes the role of an account, to at most that of the authority, and never to owner.
pub(crate) fn change_role(
    turn: &mut Turn,
    by: &Authority,
    Promotion { who, role }: Promotion,
) -> Result<String, Refusal> {
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    let theirs = turn.world.accounts[account].role;
    if role >= Role::Owner || by.rank.is_some_and(|mine| role > mine || theirs >= mine) {
        return Err(Refusal::NotAllowed);
    }
    deletion::require_another_owner(turn, account)?;
    sanctions::require_character(turn, who).map_err(|_| permissions::guest_has_none("rank"))?;
    turn.world.accounts.change(account, |row| row.role = role);
    permissions::clear_individual_rights(turn, account);
    permissions::revoke_builder_tokens(turn, account);
    turn.awake.take(who, |body| body.digs = None);
    let shown = turn.world.characters[who].name.clone();
    let role = grammar::with_article(role.name(), None);
    let message = format!("You are {role} now.");
    notices::keep_if_away(turn, who, &message);
    tell::tell(turn, who, Class::System, message);
    Ok(format!("{shown} is {role} now."))
}

/// Quells the account's rank, or restores it.
fn quell(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let name = turn.world.accounts[actor.account].role.name();
    let message = if is_quelled(turn, actor.who) {
        turn.awake.take(actor.who, |body| body.quelled = false);
        format!("You are {} again.", grammar::with_article(name, None))
    } else {
        let body = turn.awake.edit(actor.who);
        (body.quelled, body.digs) = (true, None);
        "You do and see what a player does. Type quell again to be who you are.".to_owned()
    };
    actor.answer(turn, message)
}

fn netinfo(turn: &mut Turn, actor: Actor, whom: Option<PlayerArgument>) -> Result<(), Refusal> {
    let who = whom.map_or(actor.who, |player| player.0);
    if who != actor.who && !actor.rights(turn).has(Right::Moderate) {
        return Err(refuse!("You may only ask how you yourself are connected: netinfo."));
    }
    let name = turn.world.characters[who].name.clone();
    let session = turn.seated.get(&who).copied();
    let session = session.ok_or_else(|| not_connected(&name))?;
    turn.outbox.push(Effect::Inspect { session, asker: actor.session, name: name.clone() });
    if may_see_address(turn, actor.account, session)
        && let Some(address) = turn.seats[&session].address
    {
        actor.answer(turn, format!("{name} calls from {address}."))?;
    }
    Ok(())
}

/// Returns `true` if an account may see a session's address: administrators, for accounts below them and their own
/// sessions.
pub(crate) fn may_see_address(turn: &Turn, account: AccountId, session: SessionId) -> bool {
    let role = |account| turn.world.accounts[account].role;
    let owner = turn.seats[&session].account;
    role(account) >= Role::Admin && (role(account) > role(owner) || owner == account)
}

/// Delay of a shutdown, in seconds.
#[derive(Clone, Copy)]
struct Delay(u32);

impl Argument<'_> for Delay {
    const SLOT: ArgumentForm = ArgumentForm::Maybe(&ArgumentForm::One("SECONDS"));

    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if words.is_empty() {
            return Ok(Self(0));
        }
        let seconds = words.text().parse::<u32>().ok().filter(|seconds| *seconds <= DELAY_MAX_S);
        seconds.map(Self).ok_or_else(|| words.missing())
    }
}

/// Maximum delay of a shutdown, in seconds: a day.
const DELAY_MAX_S: u32 = 86_400;

fn reload(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    turn.outbox.push(Effect::Reload { asker: actor.session });
    actor.answer(turn, Markup::plain("The content is being read. What comes of it you are told in a moment."))
}

fn shutdown(turn: &mut Turn, _: Actor, Delay(seconds): Delay) -> Result<(), Refusal> {
    let after = Span::secs(i64::from(seconds));
    if after > Span::ZERO {
        tell::broadcast(turn, &format!("The server stops in {after}. Everything is kept."));
    }
    turn.outbox.push(Effect::Stop { after });
    Ok(())
}
