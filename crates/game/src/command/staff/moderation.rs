//! Staff commands against disruptive players.

use crate::access::sanctions;
use crate::account::profile;
use crate::command::parse::{Actor, Argument, PlayerArgument, Words, resolve};
use crate::command::spec::{CommandSpec, FromWeb, Needs, run};
use crate::refusal::{Refusal, refuse};
use crate::staff::moderation::{Authority, SanctionOrder};
use crate::staff::{moderation, snoop};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, Span};
use deepwell_core::text::sanitise;
use deepwell_core::world::Sanction;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "kick",
        syntax: "kick NAME [REASON]",
        summary: "Ends somebody's connection, and tells them why. They may come back at once.",
        example: "kick bera shouting: Bera's client is closed, and she reads the reason.",
        missing: "kick, a name, and if you like a reason",
        run: run!(|turn, actor, Unending(verdict)| {
            moderation::kick(turn, &Authority::of_account(turn, actor.account, actor.session), &verdict)
        }),
        ..STAFF
    },
    CommandSpec {
        name: "mute",
        syntax: "mute NAME [for TIME] [REASON]",
        summary: "Keeps somebody from being heard, in rooms, on channels and in tells, for a time or until unmute.",
        example: "mute bera for 2h shouting: nobody hears Bera for two hours, and she is told why.",
        missing: "mute, a name, and if you like for, a time such as 30m or 2h, and a reason",
        run: run!(|turn, actor, verdict| restrain(turn, actor, Sanction::Mute, &verdict)),
        ..STAFF
    },
    CommandSpec {
        name: "unmute",
        summary: "Lets somebody be heard again.",
        example: "unmute bera: Bera may speak.",
        missing: "unmute and a name",
        run: run!(|turn, actor, player| release(turn, actor, Sanction::Mute, player)),
        ..STAFF
    },
    CommandSpec {
        name: "untitle",
        summary: "Takes away the words behind somebody's name.",
        example: "untitle bera: nothing stands behind Bera's name, and she is told.",
        missing: "untitle and a name",
        run: run!(untitle),
        ..STAFF
    },
    CommandSpec {
        name: "unpose",
        summary: "Takes away the pose of somebody, and the appearance that they have written.",
        example: "unpose bera: Bera looks as others do, and she is told.",
        missing: "unpose and a name",
        run: run!(unpose),
        ..STAFF
    },
    CommandSpec {
        name: "freeze",
        syntax: "freeze NAME [for TIME] [REASON]",
        summary: "Stops somebody: they can look, ask for help, report and quit, and nothing else, for a time or until unfreeze.",
        example: "freeze bera for 10m we have to talk: Bera stands still and is told why.",
        missing: "freeze, a name, and if you like for, a time such as 30m or 2h, and a reason",
        run: run!(|turn, actor, verdict| restrain(turn, actor, Sanction::Freeze, &verdict)),
        ..STAFF
    },
    CommandSpec {
        name: "unfreeze",
        summary: "Lets somebody move and act again.",
        example: "unfreeze bera: Bera may go on.",
        missing: "unfreeze and a name",
        run: run!(|turn, actor, player| release(turn, actor, Sanction::Freeze, player)),
        ..STAFF
    },
    CommandSpec {
        name: "snoop",
        right: Some(Right::Snoop),
        from_web: FromWeb::Refused,
        needs: Needs::Nothing,
        syntax: "snoop NAME|off",
        summary: "Shows you what somebody is told, never what they type hidden. They are told, unless the owner has set otherwise.",
        example: "snoop bera: you read along with Bera. snoop off ends it.",
        missing: "snoop and a name, or snoop off",
        run: run!(snoop),
        ..STAFF
    },
];

fn unpose(turn: &mut Turn, actor: Actor, PlayerArgument(who): PlayerArgument) -> Result<(), Refusal> {
    let account = account_below(turn, actor, who)?;
    turn.world.characters.change(who, |body| {
        body.description = profile::USUAL_APPEARANCE.into();
        body.pose.clear();
    });
    sanctions::notify_account(turn, account, "Staff have taken away how you look and how you stand.");
    let name = &turn.world.characters[who].name;
    actor.answer(turn, format!("{name} looks as others do."))
}

/// Returns the account of a player whose rank is below the actor's.
fn account_below(turn: &Turn, actor: Actor, who: CharacterId) -> Result<AccountId, Refusal> {
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    Authority::of_account(turn, actor.account, actor.session).require_above(turn, account)?;
    Ok(account)
}

fn untitle(turn: &mut Turn, actor: Actor, PlayerArgument(who): PlayerArgument) -> Result<(), Refusal> {
    let account = account_below(turn, actor, who)?;
    turn.world.characters.change(who, |body| body.title.clear());
    sanctions::notify_account(turn, account, "Staff have taken away the words behind your name.");
    let name = &turn.world.characters[who].name;
    actor.answer(turn, format!("Nothing stands behind {name}'s name."))
}

/// Defaults of most staff commands.
const STAFF: CommandSpec = CommandSpec {
    right: Some(Right::Moderate),
    needs: Needs::Storage,
    takes_words: true,
    from_web: FromWeb::Staff,
    ..CommandSpec::PLAYER
};

/// Maximum duration of a temporary sanction: ten years.
const TIME_MAX: Span = Span::mins(10 * 366 * 24 * 60);

/// Parses a duration and a reason: `[for TIME] [REASON]`.
pub(crate) fn time_and_reason(turn: &Turn, words: Words<'_>) -> Result<(Option<Span>, String), Refusal> {
    let (first, rest) = words.keyword();
    let (time, reason) = if first == "for" {
        let (time, reason) = rest.required()?.first_word();
        let span = Span::parse(time.text()).filter(|span| (Span::secs(1)..=TIME_MAX).contains(span));
        (Some(span.ok_or_else(|| no_time(time.text()))?), reason)
    } else {
        (None, words)
    };
    Ok((time, sanitise::clean_line(reason.text(), turn.config.limits.reason_chars as usize)))
}

/// Finds the account of a player, with the character's name.
pub(crate) fn account_named(turn: &Turn, words: Words<'_>) -> Result<(AccountId, String), Refusal> {
    let who = &turn.world.characters[resolve::player_named(turn, words.required()?.text())?];
    Ok((who.account.ok_or(Refusal::NotAllowed)?, who.name.clone()))
}

impl Argument<'_> for SanctionOrder {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        verdict(turn, words)
    }
}

/// Parses the target, duration and reason of a sanction.
pub(crate) fn verdict(turn: &Turn, words: Words<'_>) -> Result<SanctionOrder, Refusal> {
    let (name, rest) = words.required()?.first_word();
    let (account, name) = account_named(turn, name)?;
    let (time, reason) = time_and_reason(turn, rest)?;
    Ok(SanctionOrder { account, name, time, reason })
}

/// Sanction without a duration: everything after the name is the reason.
struct Unending(SanctionOrder);

impl Argument<'_> for Unending {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        unending_verdict(turn, words).map(Self)
    }
}

/// Parses the target of a sanction without a duration, and its reason.
pub(crate) fn unending_verdict(turn: &Turn, words: Words<'_>) -> Result<SanctionOrder, Refusal> {
    let (name, reason) = words.required()?.first_word();
    let (account, name) = account_named(turn, name)?;
    let reason = sanitise::clean_line(reason.text(), turn.config.limits.reason_chars as usize);
    Ok(SanctionOrder { account, name, time: None, reason })
}

fn restrain(
    turn: &mut Turn,
    actor: Actor,
    restraint: Sanction,
    verdict: &SanctionOrder,
) -> Result<String, Refusal> {
    let by = Authority::of_account(turn, actor.account, actor.session);
    moderation::impose_sanction(turn, &by, restraint, verdict)
}

fn release(
    turn: &mut Turn,
    actor: Actor,
    restraint: Sanction,
    who: PlayerArgument,
) -> Result<String, Refusal> {
    let body = &turn.world.characters[who.0];
    let (account, name) = (body.account.ok_or(Refusal::NotAllowed)?, body.name.clone());
    let by = Authority::of_account(turn, actor.account, actor.session);
    moderation::lift_sanction(turn, &by, restraint, account, &name)
}

/// Player whose output to watch; `None` for `off`.
#[derive(Clone, Copy)]
struct SnoopTarget(Option<PlayerArgument>);

impl Argument<'_> for SnoopTarget {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let is_off = words.text().eq_ignore_ascii_case("off");
        if is_off {
            Ok(Self(None))
        } else {
            PlayerArgument::read(turn, actor, words).map(|player| Self(Some(player)))
        }
    }
}

fn snoop(turn: &mut Turn, actor: Actor, SnoopTarget(whom): SnoopTarget) -> Result<(), Refusal> {
    let message = match whom {
        Some(PlayerArgument(whom)) => snoop::snoop(turn, actor.session, whom)?,
        None if snoop::end(turn, actor.session) => "You read along with nobody any more.".into(),
        None => return Err(refuse!("You read along with nobody.")),
    };
    actor.answer(turn, message)
}

/// Returns the refusal of a word that is no length of time.
pub(crate) fn no_time(word: &str) -> Refusal {
    refuse!("\"{word}\" is no time. Type something like 30m, 2h or 7d.")
}
