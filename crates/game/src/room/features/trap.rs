//! Traps on unexplored exits: they can be noticed, jumped over, disarmed, or sprung.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::tell;
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, Rare};
use deepwell_core::catalog::Trap;
use deepwell_core::world::{Exit, ExitState};

/// Returns the trap on an exit while it can be sprung.
fn trap_on<'a>(turn: &'a Turn, exit: &Exit) -> Option<&'a Trap> {
    let key = exit.trap.as_ref().filter(|_| exit.state == ExitState::Unexplored)?;
    turn.catalog.traps.iter().find(|trap| trap.key == *key)
}

/// Returns the description by which the trap on an exit can be noticed.
pub(crate) fn sign(turn: &Turn, exit: &Exit) -> Option<String> {
    Some(trap_on(turn, exit)?.sign_at(&exit.name))
}

/// Returns the trapped exit that a keyword matches: the name of the exit or a noun of the trap. Without a keyword, the
/// first trapped exit.
pub(crate) fn trapped_exit(turn: &Turn, who: CharacterId, word: &str) -> Option<ExitId> {
    let word = word.to_lowercase();
    let word = word.strip_prefix("over ").unwrap_or(&word);
    let means = |exit: &Exit, trap: &Trap| {
        word.is_empty()
            || exit.name == word
            || exit.all_aliases().any(|alias| alias == word)
            || trap.nouns.iter().any(|noun| noun == word)
    };
    let here = turn.world.exits.of(turn.world.characters[who].room);
    here.filter(|exit| trap_on(turn, exit).is_some_and(|trap| means(exit, trap))).map(|exit| exit.id).next()
}

/// Removes the trap from an exit and returns it.
fn remove_trap(turn: &mut Turn, exit: ExitId) -> Option<Trap> {
    let trap = trap_on(turn, &turn.world.exits[exit]).cloned()?;
    turn.world.exits.change(exit, |row| row.trap = Rare::usual());
    Some(trap)
}

/// Jumps over the trap of an exit and passes the exit. The trap is removed.
pub(crate) fn jump(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    stats::may_leave(turn, who)?;
    stats::require_peace(turn, who)?;
    clearing::may_explore(turn, turn.world.characters[who].room)?;
    let trap = remove_trap(turn, exit).ok_or_else(nothing_to_jump)?;
    tell::tell(turn, who, Class::Notice, trap.jumped);
    let jumped = movement::walk(turn, who, exit);
    // If the character could not pass, the trap is put back, unless the exit has been explored by now.
    if jumped.is_err() && turn.world.exits.get(exit).is_some_and(|row| row.state == ExitState::Unexplored) {
        turn.world.exits.change(exit, |row| row.trap = Some(trap.key).into());
    }
    jumped
}

/// Disarms the trap on an exit.
pub(crate) fn disarm(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    clearing::may_explore(turn, turn.world.characters[who].room)?;
    let trap = remove_trap(turn, exit).ok_or_else(nothing_to_disarm)?;
    tell::tell(turn, who, Class::Notice, trap.disarmed);
    tell::tell_others(turn, who, Class::Notice, " disarms a trap.");
    Ok(())
}

/// Returns the refusal to jump an exit without a known trap.
pub(crate) fn nothing_to_jump() -> Refusal {
    refuse!("There is nothing here that has to be jumped over. Any exit can simply be walked.").of_nothing()
}

/// Returns the refusal to disarm an exit without a known trap.
pub(crate) fn nothing_to_disarm() -> Refusal {
    refuse!("You see no trap here that could be disarmed.").of_nothing()
}
