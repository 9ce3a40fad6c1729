//! `Char.Actions`: what a character can do now, the most urgent first, as buttons for clients. The list follows from the
//! refusals of the commands, and from what the room says in words.

use super::character::hp_percent;
use super::commands;
use super::package::PackageSpec;
use crate::attack;
use crate::character::{abilities, experience, stats};
use crate::combat::{manoeuvres, props, use_ability};
use crate::creature::companion;
use crate::effect::data::{ActionKind, ActionOffer, Data, Package, PartyInvitation};
use crate::errand;
use crate::item::{light, stacks};
use crate::movement::flee;
use crate::party::members;
use crate::room::features::riddle;
use crate::room::{folk, occupants};
use crate::state::crowds::{Crowd, Doing};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Span};
use deepwell_core::catalog::{Ability, Answer, ItemClass, RoomFlag};
use deepwell_core::puzzle;
use deepwell_core::puzzle::answer::typed;
use deepwell_core::puzzle::{Act, Deed, SolutionStep, Verb};
use deepwell_core::text::grammar;
use deepwell_core::world::{Character, Place, Posture};
use std::sync::Arc;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Actions).at_prompt(&[actions]);

/// Share of the hit points below which a fighter is first offered what saves.
const LOW_PERCENT: u32 = 40;

/// Maximum number of actions of one kind.
const MOST: usize = 8;

/// A character and what is around it.
struct Surroundings<'t> {
    turn: &'t Turn,
    who: CharacterId,
    body: &'t Character,
    /// Summary of the room, which is made once for a crowd.
    crowd: Arc<Crowd>,
}

impl Surroundings<'_> {
    fn creatures(&self) -> impl Iterator<Item = CharacterId> {
        let is_creature = |who: &CharacterId| !self.turn.world.characters[*who].is_player();
        self.crowd.singly.iter().map(|(_, who)| *who).filter(is_creature)
    }

    /// Returns `true` if a character attacks or is attacked.
    fn fights(&self, who: CharacterId) -> bool {
        let target_of = |id: CharacterId| self.turn.world.characters[id].target;
        target_of(who).is_some() || self.creatures().any(|creature| target_of(creature) == Some(who))
    }
}

fn actions(turn: &Turn, who: CharacterId) -> Data {
    let body = &turn.world.characters[who];
    if stats::is_incapacitated(turn, who) {
        return Data::Actions(vec![ActionOffer::new(ActionKind::Flee, "Let go", "stop")]);
    }
    let here = Surroundings { turn, who, body, crowd: occupants::crowd_in(turn, body.room) };
    let is_hurt = stats::hp(turn, who) < stats::max_hp_of(turn, who);
    let in_fight = here.fights(who);
    let mut found = Vec::new();
    if in_fight {
        found.extend(answers(turn, who));
        let ready = flee::require_flight(turn, who).is_ok();
        found.push(ActionOffer { ready, ..named(ActionKind::Flee, "flee") });
    } else {
        found.extend(assists(&here));
        found.extend(peaceful(&here, is_hurt));
    }
    if stats::is_held(turn, who) {
        let again = turn.awake.get(who).and_then(|body| body.stance.strained_until);
        let ready = again.is_none_or(|again| again <= turn.now);
        found.insert(0, ActionOffer { ready, ..named(ActionKind::Flee, "struggle") });
    }
    found.extend(rescues(&here));
    found.extend(invitations(turn, who));
    found.extend(strikes(&here, in_fight));
    found.extend(learnt(turn, who));
    if in_fight || is_hurt {
        found.extend(potions(turn, who));
    }
    let fails = in_fight && hp_percent(turn, who) < LOW_PERCENT;
    let saves = |kind| matches!(kind, ActionKind::Potion | ActionKind::Flee);
    found.sort_by_key(|action| (!(fails && saves(action.kind)), action.kind));
    let of_each_kind = found.chunk_by(|one, next| one.kind == next.kind);
    Data::Actions(of_each_kind.flat_map(|same| same.iter().take(MOST).cloned()).collect())
}

/// Lists the answers to an announcement, and the props of the room, which are answers too. Novices, who are told the answer,
/// get those that avert it first.
fn answers(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let ready = has_round(turn, who);
    let props = props::usable(turn, who).into_iter();
    let props = props.map(|(prop, noun)| (prop.counts_as, format!("use {noun}")));
    let Some((creature, averting)) = manoeuvres::announced_to(turn, who) else {
        return props.map(|(_, line)| ActionOffer { ready, ..named(ActionKind::Place, &line) }).collect();
    };
    let simple = [Answer::Guard, Answer::Dodge, Answer::Interrupt];
    let mut answers: Vec<(Answer, String)> =
        simple.map(|answer| (answer, answer.name().to_owned())).into_iter().chain(props).collect();
    if manoeuvres::is_novice(turn, who) {
        answers.sort_by_key(|(answer, _)| !averting.contains(answer));
    }
    let offer = |(_, line): (Answer, String)| ActionOffer {
        ready,
        about: manoeuvres::announcement_of(turn, creature, who),
        ..named(ActionKind::Answer, &line)
    };
    answers.into_iter().map(offer).collect()
}

/// Returns `true` if a fighter may begin something that takes a round.
fn has_round(turn: &Turn, who: CharacterId) -> bool {
    !stats::is_stunned(turn, who) && attack::require_round(turn, who).is_ok()
}

/// Lists the players who lie here.
fn rescues(here: &Surroundings<'_>) -> Vec<ActionOffer> {
    let Surroundings { turn, who, crowd, .. } = here;
    let ready = has_round(turn, *who) && stats::require_free_hands(turn, *who).is_ok();
    let fallen = crowd.groups.iter().filter(|group| group.does == Doing::Bleeding);
    let fallen = fallen.flat_map(|group| &group.first).map(|(_, id)| &turn.world.characters[*id].name);
    let rescue =
        |name: &String| ActionOffer { ready, ..named(ActionKind::Rescue, &format!("rescue {name}")) };
    fallen.map(rescue).collect()
}

/// Lists the companions whose fights can be joined.
fn assists(here: &Surroundings<'_>) -> Vec<ActionOffer> {
    let Surroundings { turn, who, body, .. } = here;
    let friends = members::companions_of(turn, *who, body.room).into_iter();
    let name = |friend: CharacterId| format!("assist {}", turn.world.characters[friend].name);
    friends
        .filter(|friend| friend != who && here.fights(*friend))
        .map(|friend| named(ActionKind::Assist, &name(friend)))
        .collect()
}

fn invitations(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let invitations = super::party::open_invitations(turn, who).into_iter();
    let join = |invitation: PartyInvitation| {
        let label = format!("Join the party of {}", invitation.from);
        ActionOffer::new(ActionKind::Accept, label, invitation.accept)
    };
    invitations.map(join).collect()
}

/// Lists the creatures that can be attacked, unless the character strikes one already. In the dark, only those that attack
/// are known.
fn strikes(here: &Surroundings<'_>, in_fight: bool) -> Vec<ActionOffer> {
    let Surroundings { turn, who, body, .. } = here;
    let is_seen = in_fight || light::is_lit(turn, body.room);
    if body.target.is_some() || !turn.world.rooms[body.room].is_deadly() || !is_seen {
        return Vec::new();
    }
    let can_be_struck = |id: &CharacterId| {
        let other = &turn.world.characters[*id];
        other.master.is_none() && (!in_fight || other.target == Some(*who))
    };
    let strike = |id| {
        let label = format!("Attack {}", turn.world.characters[id].name);
        ActionOffer::new(ActionKind::Strike, label, format!("kill {}", commands::name_of_creature(turn, id)))
    };
    here.creatures().filter(can_be_struck).take(MOST).map(strike).collect()
}

/// Lists the abilities that have a target here.
fn learnt(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let usable = abilities::learnt(turn, who).into_iter();
    let usable = usable.filter(|ability| use_ability::require_use(turn, who, ability, None).is_ok());
    let offer = |ability: &Ability| {
        let rest = abilities::remaining_cooldown(turn, who, &ability.key);
        let has_round = !ability.spends_round || attack::require_round(turn, who).is_ok();
        ActionOffer {
            ready: rest.is_none() && has_round,
            secs: rest.map(Span::whole_secs),
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
fn peaceful(here: &Surroundings<'_>, is_hurt: bool) -> Vec<ActionOffer> {
    let (turn, who, body) = (here.turn, here.who, here.body);
    let room = &turn.world.rooms[body.room];
    let mut found = in_puzzle(turn, who);
    found.extend(riddle::require_riddle(turn, who).is_ok().then(reply));
    if body.is_offered_guide() {
        found.push(ActionOffer::new(ActionKind::Accept, "Start the guide", "yes"));
        found.push(ActionOffer::new(ActionKind::Accept, "Play without a guide", "no"));
    }
    found.extend(talks(here));
    let place = |label: &str, command: &str| ActionOffer::new(ActionKind::Place, label, command);
    found.extend(room.sheet.kind.spec().offers.iter().map(|(label, command)| place(label, command)));
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

/// Lists what can be done with the visible things of a puzzle room. A thing is put or used only while it is held; what
/// to answer is left to the player.
fn in_puzzle(turn: &Turn, who: CharacterId) -> Vec<ActionOffer> {
    let Some((_, run, from)) = turn.world.puzzle_at(turn.world.characters[who].room) else {
        return Vec::new();
    };
    let seen = puzzle::sights(&run.board, &run.state, from);
    let is_seen = |number: usize| seen.iter().any(|sight| sight.number == number && !sight.done);
    let is_held = |name: &String| {
        let mut keys = (0..).zip(&run.board.keys);
        keys.any(|(key, known)| known == name && run.state.keys.has(key))
    };
    let is_open = |deed: &Deed| match deed {
        Deed::Answer(_) => false,
        Deed::Unlock(_) | Deed::Push { .. } => true,
        Deed::Work(number) => is_seen(*number),
        Deed::Handle { number, verb, with } => {
            is_seen(*number) && (with.is_empty() || *verb == Verb::Turn || is_held(with))
        }
    };
    let deeds = puzzle::deeds(&run.board, &run.state, from);
    let is_asked = deeds.iter().any(|deed| matches!(deed, Deed::Answer(_)));
    let has_hints = !run.board.hints.is_empty() && !run.state.finished;
    let advice = ["goal", "hint"].into_iter().take(if has_hints { 2 } else { 1 });
    let advice: Vec<ActionOffer> = advice.map(|line| named(ActionKind::Puzzle, line)).collect();
    let line = |deed| typed(&run.board, &SolutionStep { from, act: Act::Do(deed) });
    let lines = deeds.into_iter().filter(is_open).map(line);
    let lines = lines.map(|line| named(ActionKind::Puzzle, &line));
    let found = is_asked.then(reply).into_iter().chain(lines).take(MOST - advice.len());
    found.chain(advice).collect()
}

/// Returns the action of answering, whose words are the player's own.
fn reply() -> ActionOffer {
    ActionOffer { asks: true, ..named(ActionKind::Puzzle, "answer") }
}

/// Lists those who answer when talked to: creatures, where there is light, and townsfolk.
fn talks(here: &Surroundings<'_>) -> Vec<ActionOffer> {
    let (turn, room) = (here.turn, here.body.room);
    let talk = |name: &str| named(ActionKind::Talk, &format!("talk to {name}"));
    let answers = |id: &CharacterId| {
        prototypes::creature_prototype(turn, *id).is_some_and(|creature| creature.dialogue.is_some())
    };
    let creatures = here.creatures().filter(answers).take(if light::is_lit(turn, room) { MOST } else { 0 });
    let creatures = creatures.map(|id| talk(&commands::name_of_creature(turn, id)));
    let folk = folk::folk_in(turn, room).filter_map(|folk| Some(talk(folk.nouns.first()?)));
    creatures.chain(folk).collect()
}

/// Returns an action whose label is its command.
fn named(kind: ActionKind, command: &str) -> ActionOffer {
    ActionOffer::new(kind, grammar::capitalise(command).into_owned(), command)
}
