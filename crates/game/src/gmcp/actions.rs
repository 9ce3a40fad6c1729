//! `Char.Actions`: what a character can do now, the most urgent first, as buttons for clients. The list follows from the
//! refusals of the commands, and from what the room says in words.

use super::character::hp_percent;
use super::commands;
use super::package::PackageSpec;
use crate::attack;
use crate::character::{abilities, experience, stats};
use crate::combat::{manoeuvres, use_ability};
use crate::creature::companion;
use crate::effect::data::{ActionKind, ActionOffer, Data, Package};
use crate::errand;
use crate::item::{light, stacks};
use crate::movement::flee;
use crate::party::members;
use crate::room::folk;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::{Answer, ItemClass, RoomFlag};
use deepwell_core::puzzle;
use deepwell_core::puzzle::words::typed;
use deepwell_core::puzzle::{Act, Deed, SolutionStep};
use deepwell_core::text::grammar;
use deepwell_core::world::{Place, Posture};

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Actions).at_prompt(&[actions]);

/// Share of the hit points below which a fighter is first offered what saves.
const LOW_PERCENT: u32 = 40;

/// Maximum number of actions of one kind.
const MOST: usize = 8;

fn actions(turn: &Turn, who: CharacterId) -> Data {
    let body = &turn.world.characters[who];
    if stats::is_incapacitated(turn, who) {
        return Data::Actions(vec![ActionOffer::new(ActionKind::Flee, "Let go", "stop")]);
    }
    let in_fight = body.target.is_some() || attack::opponent_of(turn, who).is_some();
    let mut found = [answers(turn, who), company(turn, who, in_fight), strikes(turn, who, in_fight)].concat();
    found.extend(learnt(turn, who));
    let is_hurt = stats::hp(turn, who) < stats::max_hp_of(turn, who);
    if in_fight || is_hurt {
        found.extend(potions(turn, who));
    }
    if stats::is_held(turn, who) {
        let again = turn.awake.get(who).and_then(|body| body.stance.strained_until);
        let ready = again.is_none_or(|again| again <= turn.now);
        found.push(ActionOffer { ready, ..named(ActionKind::Flee, "struggle") });
    }
    if in_fight {
        let ready = flee::require_flight(turn, who).is_ok();
        found.push(ActionOffer { ready, ..named(ActionKind::Flee, "flee") });
    } else {
        found.extend(peaceful(turn, who, is_hurt));
    }
    let fails = in_fight && hp_percent(turn, who) < LOW_PERCENT;
    let saves = |kind| matches!(kind, ActionKind::Potion | ActionKind::Flee);
    found.sort_by_key(|action| (!(fails && saves(action.kind)), action.kind));
    let of_each_kind = found.chunk_by(|one, next| one.kind == next.kind);
    Data::Actions(of_each_kind.flat_map(|same| same.iter().take(MOST).cloned()).collect())
}

/// Lists the answers to an announcement. Novices, who are told the answer, get those that avert it first.
fn answers(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let Some((creature, averting)) = manoeuvres::announced_to(turn, who) else { return Vec::new() };
    let ready = has_round(turn, who);
    let mut answers = vec![Answer::Guard, Answer::Dodge, Answer::Interrupt];
    if manoeuvres::is_novice(turn, who) {
        answers.sort_by_key(|answer| !averting.contains(answer));
    }
    let offer = |answer: Answer| ActionOffer {
        ready,
        about: manoeuvres::announcement_of(turn, creature, who),
        ..named(ActionKind::Answer, answer.name())
    };
    answers.into_iter().map(offer).collect()
}

/// Returns `true` if a fighter may begin something that takes a round.
fn has_round(turn: &Turn, who: CharacterId) -> bool {
    !stats::is_stunned(turn, who) && attack::require_round(turn, who).is_ok()
}

/// Lists what companions and those who invite hope for.
fn company(turn: &Turn, who: CharacterId, in_fight: bool) -> Vec<ActionOffer> {
    let room = turn.world.characters[who].room;
    let mut found = Vec::new();
    for other in turn.world.occupants(room).iter().copied().filter(|other| *other != who) {
        let body = &turn.world.characters[other];
        if body.is_player() && stats::is_incapacitated(turn, other) {
            let ready = has_round(turn, who) && stats::require_free_hands(turn, who).is_ok();
            found.push(ActionOffer { ready, ..named(ActionKind::Rescue, &format!("rescue {}", body.name)) });
        }
    }
    if !in_fight {
        let fights = |friend: &CharacterId| {
            *friend != who
                && (turn.world.characters[*friend].target.is_some()
                    || attack::opponent_of(turn, *friend).is_some())
        };
        let friends = members::companions_of(turn, who, room).into_iter().filter(fights);
        let name = |friend| format!("assist {}", turn.world.characters[friend].name);
        found.extend(friends.map(|friend| named(ActionKind::Assist, &name(friend))));
    }
    found.extend(super::party::open_invitations(turn, who).into_iter().map(|invitation| {
        let label = format!("Join the party of {}", invitation.from);
        ActionOffer::new(ActionKind::Accept, label, invitation.accept)
    }));
    found
}

/// Lists the creatures that can be attacked, unless the character strikes one already.
fn strikes(turn: &Turn, who: CharacterId, in_fight: bool) -> Vec<ActionOffer> {
    let body = &turn.world.characters[who];
    let is_seen = in_fight || light::is_lit(turn, body.room);
    if body.target.is_some() || !turn.world.rooms[body.room].is_deadly() || !is_seen {
        return Vec::new();
    }
    let here = turn.world.occupants(body.room).iter().copied();
    let can_be_struck = |id: &CharacterId| {
        let other = &turn.world.characters[*id];
        let is_enemy = !in_fight || other.target == Some(who);
        !other.is_player() && other.master.is_none() && is_enemy
    };
    let strike = |id| {
        let label = format!("Attack {}", turn.world.characters[id].name);
        ActionOffer::new(ActionKind::Strike, label, format!("kill {}", commands::name_of_creature(turn, id)))
    };
    here.filter(can_be_struck).map(strike).collect()
}

/// Lists the abilities that have a target here.
fn learnt(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let usable = abilities::learnt(turn, who).into_iter();
    let usable = usable.filter(|ability| use_ability::require_use(turn, who, ability, None).is_ok());
    let offer = |ability: &deepwell_core::catalog::Ability| {
        let rest = abilities::remaining_cooldown(turn, who, &ability.key);
        let has_round = !ability.spends_round || attack::require_round(turn, who).is_ok();
        ActionOffer {
            ready: rest.is_none() && has_round,
            secs: rest.map(deepwell_core::base::Span::whole_secs),
            about: Some(ability.gist.clone()),
            ..named(ActionKind::Ability, &ability.key)
        }
    };
    usable.map(offer).collect()
}

fn potions(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let carried = stacks::items_at(turn, Place::Holder(who)).iter().copied();
    let potions = carried.filter(|item| prototypes::class_of(turn, *item) == ItemClass::Potion);
    let name = |item| prototypes::kind_of(turn, item).map(|kind| kind.name.clone());
    potions.filter_map(name).map(|name| named(ActionKind::Potion, &format!("use {name}"))).collect()
}

/// Lists what can only be done outside a fight.
fn peaceful(turn: &Turn, who: CharacterId, is_hurt: bool) -> Vec<ActionOffer> {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let mut found = in_puzzle(turn, who);
    found.extend(talks(turn, who));
    let place = |label: &str, command: &str| ActionOffer::new(ActionKind::Place, label, command);
    found.extend(room.kind.spec().offers.iter().map(|(label, command)| place(label, command)));
    if errand::require_board(turn, who).is_ok() {
        found.push(place("Read the errands", "errands"));
    }
    if room.board_name().is_some() {
        found.push(place("Read the board", "board"));
    }
    if body.trainings > 0 {
        let keys = experience::choice_keys(turn, who);
        found.extend(keys.iter().map(|key| named(ActionKind::Train, &format!("train {key}"))));
    }
    match body.posture {
        Posture::Standing if is_hurt => found.push(named(ActionKind::Rest, "rest")),
        Posture::Resting | Posture::Asleep => found.push(named(ActionKind::Stand, "stand")),
        _ => {}
    }
    if room.branch.is_some() && !room.has(RoomFlag::NoRecall) && !companion::leads_captive(turn, who) {
        found.push(named(ActionKind::Home, "recall"));
    }
    found
}

/// Lists what can be done with the visible things of a puzzle room. Answers, and uses of one thing with another, are
/// left to the player.
fn in_puzzle(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let Some((_, run, from)) = turn.world.puzzle_at(turn.world.characters[who].room) else {
        return Vec::new();
    };
    let seen = puzzle::sights(&run.board, &run.state, from);
    let is_seen = |number: usize| seen.iter().any(|sight| sight.number == number && !sight.done);
    let is_plain = |deed: &Deed| match deed {
        Deed::Answer(_) => false,
        Deed::Unlock(_) | Deed::Push { .. } => true,
        Deed::Work(number) => is_seen(*number),
        Deed::Handle { number, with, .. } => with.is_empty() && is_seen(*number),
    };
    let deeds = puzzle::deeds(&run.board, &run.state, from).into_iter().filter(is_plain);
    let lines = deeds.map(|deed| typed(&run.board, &SolutionStep { from, act: Act::Do(deed) }));
    let mut lines: Vec<String> = lines.take(MOST - 2).collect();
    lines.push("goal".to_owned());
    if !run.board.hints.is_empty() && !run.state.finished {
        lines.push("hint".to_owned());
    }
    lines.iter().map(|line| named(ActionKind::Puzzle, line)).collect()
}

/// Lists those who answer when talked to.
fn talks(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let room = turn.world.characters[who].room;
    let talk = |name: &str| named(ActionKind::Talk, &format!("talk to {name}"));
    let here = turn.world.occupants(room).iter().copied();
    let answers = |id: &CharacterId| {
        prototypes::creature_prototype(turn, *id).is_some_and(|creature| creature.dialogue.is_some())
    };
    let is_lit = light::is_lit(turn, room);
    let creatures =
        here.filter(|id| is_lit && answers(id)).map(|id| talk(&commands::name_of_creature(turn, id)));
    let folk = folk::folk_in(turn, room).filter_map(|folk| Some(talk(folk.nouns.first()?)));
    creatures.chain(folk).collect()
}

/// Returns an action whose label is its command.
fn named(kind: ActionKind, command: &str) -> ActionOffer {
    ActionOffer::new(kind, grammar::capitalise(command).into_owned(), command)
}
