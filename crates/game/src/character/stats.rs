//! Character stats: hit points, which regenerate with time, and the bonuses of gear, affects and company to attack,
//! defence and hit points. Combat itself is elsewhere.

use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::prototypes::points;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, GameTime, ItemId, RoomId, Slot, Span};
use deepwell_core::catalog::rules::{PartyRules, by_number};
use deepwell_core::catalog::{AffectPrototype, Behaviour, ItemPrototype, RuleSet};
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::{Mood, Posture, Room};

/// Bonuses of worn items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bonus {
    /// Bonus to attack.
    pub(crate) attack: i32,
    /// Bonus to defence.
    pub(crate) defence: i32,
    /// Bonus to maximum hit points.
    pub(crate) max_hp: i32,
}

impl Bonus {
    /// Returns the bonuses of one item while it is worn.
    pub(crate) fn of(prototype: &ItemPrototype) -> Self {
        Self {
            attack: points(prototype.attack),
            defence: points(prototype.defence),
            max_hp: points(prototype.max_hp),
        }
    }

    /// Returns the three bonuses with their names.
    pub(crate) const fn parts(self) -> [(&'static str, i32); 3] {
        [("attack", self.attack), ("defence", self.defence), ("hit points", self.max_hp)]
    }

    /// Returns the overall value of an item, for automatic choices between items.
    pub(crate) const fn worth(self) -> i32 {
        self.attack.saturating_add(self.defence).saturating_add(self.max_hp / 5)
    }

    /// Formats the bonuses as "attack 3 and 2 hit points"; empty without any bonus.
    pub(crate) fn words(self) -> String {
        let parts = self.parts().into_iter().filter(|(_, value)| *value != 0);
        let bonuses = parts.map(|part| match part {
            ("hit points", 1) => "1 hit point".to_owned(),
            ("hit points", value) => format!("{value} hit points"),
            (name, value) => format!("{name} {value}"),
        });
        grammar::list(bonuses)
    }
}

const WAKE: Template = Template::new("{actor} {wakes|wake}.");

/// Current activity of a creature, shown to players and staff.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CreatureActivity {
    /// The creature stays where it is.
    Idle,
    /// The creature moves about.
    Roaming,
    /// The creature has an opponent.
    Fighting,
    /// The creature runs away.
    Fleeing,
}

impl CreatureActivity {
    /// Returns the displayed name of the state.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Roaming => "roaming",
            Self::Fighting => "fighting",
            Self::Fleeing => "fleeing",
        }
    }
}

/// Returns the current hit points. They regenerate with time, faster at rest, but neither in a fight nor while
/// incapacitated.
pub(crate) fn hp(turn: &Turn, who: CharacterId) -> i32 {
    let body = &turn.world.characters[who];
    let most = max_hp_of(turn, who);
    if body.target.is_some() || body.posture == Posture::Down || body.hp >= most {
        return body.hp.min(most);
    }
    let healed = turn.now.since(body.hp_at).0.saturating_mul(i64::from(most)) / ms_to_heal_fully(turn, who);
    body.hp.saturating_add(i32::try_from(healed).unwrap_or(i32::MAX)).min(most)
}

/// Returns the time at which the character will be fully healed if nothing changes until then.
pub(crate) fn healed_at(turn: &Turn, who: CharacterId) -> GameTime {
    let body = &turn.world.characters[who];
    let most = max_hp_of(turn, who);
    let missing = i64::from(most.saturating_sub(body.hp).max(0));
    let ms = missing.saturating_mul(ms_to_heal_fully(turn, who));
    body.hp_at + Span(ms.unsigned_abs().div_ceil(u64::from(most.unsigned_abs())).cast_signed())
}

/// Returns the milliseconds in which all hit points regenerate, which is the same for every maximum.
fn ms_to_heal_fully(turn: &Turn, who: CharacterId) -> i64 {
    let (body, rules) = (&turn.world.characters[who], &turn.catalog.rules);
    let healing = rules.healing;
    let mut pace = i64::from(healing.secs_per_hp) * 1_000 * i64::from(rules.beginner.hp);
    if body.posture == Posture::Resting {
        pace = pace * 100 / i64::from(healing.rest_percent.max(1));
        if turn.world.rooms[body.room].sheet.kind.spec().peaceful {
            pace = pace * 100 / i64::from(healing.rest_room_percent.max(1));
        }
    }
    pace.max(1)
}

/// Sets the hit points as of now.
pub(crate) fn set_hp(turn: &mut Turn, who: CharacterId, hp: i32) {
    let (now, most) = (turn.now, max_hp_of(turn, who));
    if let Some(body) = turn.world.characters.edit(who) {
        body.hp = hp.clamp(0, most);
        body.hp_at = now;
    }
    turn.emit_event(GameEvent::VitalsChanged { who });
}

/// Adds hit points. An incapacitated character is not healed; it has to be helped up.
pub(crate) fn heal(turn: &mut Turn, who: CharacterId, points: i32) {
    if !is_incapacitated(turn, who) {
        let hp = hp(turn, who).saturating_add(points.max(0));
        set_hp(turn, who, hp);
    }
}

/// Returns the attack with all bonuses; at least zero.
pub(crate) fn attack_of(turn: &Turn, who: CharacterId) -> i32 {
    let own = turn.world.characters[who].attack.saturating_add(gear_bonus(turn, who).attack);
    let affects: i32 = affects_on(turn, who).map(|affect| affect.attack).sum();
    let whole = own.saturating_add(affects).saturating_add(pack_bonus(turn, who)).max(0);
    let grown = i64::from(whole) * i64::from(attack_percent(turn, who)) / 100;
    i32::try_from(grown).unwrap_or(i32::MAX)
}

/// Returns `true` if a character strikes blows: a creature whose row has no attack never does.
pub(crate) fn can_strike(turn: &Turn, who: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    body.is_player() || body.attack > 0
}

/// Returns the attack of a creature by the number of players that it was scaled for, in percent.
fn attack_percent(turn: &Turn, who: CharacterId) -> u32 {
    let room = turn.world.characters[who].room;
    let row = turn.world.rooms.get(room).filter(|_| turn.world.is_wild_in(who, room));
    row.map_or(100, |row| scaled_attack_percent(&turn.catalog.rules.party, row))
}

/// Returns the attack in percent of creatures in a room that was scaled for a number of players.
pub(crate) fn scaled_attack_percent(rules: &PartyRules, room: &Room) -> u32 {
    let full = by_number(&rules.creature_attack_percent, room.scaled_for as usize);
    let until = rules.full_attack_difficulty;
    let reached = room.difficulty.min(until);
    (100 * (until - reached) + full * reached) / until
}

/// Returns the defence with all bonuses; at least zero.
pub(crate) fn defence_of(turn: &Turn, who: CharacterId) -> i32 {
    let own = turn.world.characters[who].defence.saturating_add(gear_bonus(turn, who).defence);
    let affects: i32 = affects_on(turn, who).map(|affect| affect.defence).sum();
    own.saturating_add(affects).max(0)
}

/// Returns the maximum hit points with all bonuses; at least one.
pub(crate) fn max_hp_of(turn: &Turn, who: CharacterId) -> i32 {
    let own = turn.world.characters[who].max_hp.saturating_add(gear_bonus(turn, who).max_hp);
    let affects: i32 = affects_on(turn, who).map(|affect| affect.max_hp).sum();
    let whole = i64::from(own.saturating_add(affects));
    let percent =
        u64::from(turn.world.characters[who].wounds) * u64::from(turn.catalog.rules.down.wound_percent);
    let lost = whole * percent.min(100).cast_signed() / 100;
    i32::try_from(whole - lost).unwrap_or(i32::MAX).max(1)
}

/// Returns the prototypes of the active affects of a character.
pub(crate) fn affects_on(turn: &Turn, who: CharacterId) -> impl Iterator<Item = &AffectPrototype> {
    let affects = turn.world.characters[who].affects.iter();
    affects.filter_map(|affect| turn.catalog.affects.get(&affect.key))
}

/// Returns the attack bonus of a pack creature for others of its kind in the room.
fn pack_bonus(turn: &Turn, who: CharacterId) -> i32 {
    let Some(prototype) = prototypes::creature_prototype(turn, who) else { return 0 };
    let bonus = prototype.behaviours.iter().find_map(|part| match part {
        Behaviour::Pack { bonus } => Some(points(*bonus)),
        _ => None,
    });
    let Some(bonus) = bonus else { return 0 };
    let body = &turn.world.characters[who];
    let kin =
        |other: &&CharacterId| **other != who && turn.world.characters[**other].prototype == body.prototype;
    let others = turn.world.occupants(body.room).iter().filter(kin).count();
    bonus.saturating_mul(i32::try_from(others).unwrap_or(i32::MAX))
}

/// Describes the condition of a character: "badly hurt".
pub(crate) fn condition_of(turn: &Turn, who: CharacterId) -> &str {
    let left = percent(hp(turn, who), max_hp_of(turn, who));
    let own =
        prototypes::creature_prototype(turn, who).map_or(&[][..], |creature| creature.conditions.as_slice());
    match (band(left), own) {
        (0, _) => "unhurt",
        (band, own) => own.get(band - 1).map_or(USUAL[band - 1], String::as_str),
    }
}

/// Changes the posture. The hit points are written first, because the posture determines the rate of regeneration.
pub(crate) fn take_posture(turn: &mut Turn, who: CharacterId, posture: Posture) {
    if turn.world.characters[who].posture == posture {
        return;
    }
    let hp = hp(turn, who);
    set_hp(turn, who, hp);
    turn.world.characters.change(who, |body| body.posture = posture);
}

/// Ends rest and sleep, as being attacked and walking do. An incapacitated character stays incapacitated.
pub(crate) fn get_up(turn: &mut Turn, who: CharacterId) {
    match turn.world.characters[who].posture {
        Posture::Resting => take_posture(turn, who, Posture::Standing),
        Posture::Asleep => {
            wake(turn, who);
        }
        Posture::Standing | Posture::Down => {}
    }
}

/// Default condition descriptions, from lightly hurt to nearly dead.
const USUAL: &[&str] =
    &["scratched", "bruised and bleeding", "badly hurt", "close to falling", "barely standing"];

fn percent(hp: i32, most: i32) -> i64 {
    i64::from(hp) * 100 / i64::from(most.max(1))
}

/// Returns the condition band: 0 for unhurt, then 1 to 5.
const fn band(percent: i64) -> usize {
    match percent {
        100.. => 0,
        75..100 => 1,
        50..75 => 2,
        25..50 => 3,
        10..25 => 4,
        _ => 5,
    }
}

/// Returns `true` if the loss of hit points leads to a worse condition description.
pub(crate) fn worsens(before: i32, after: i32, most: i32) -> bool {
    band(percent(after, most)) > band(percent(before, most)).max(1)
}

/// Returns the sum of the bonuses of all worn items.
pub(crate) fn gear_bonus(turn: &Turn, who: CharacterId) -> Bonus {
    let mut sum = Bonus::default();
    for item in turn.world.carried(who) {
        if turn.world.items[*item].worn.is_some()
            && let Some(prototype) = prototypes::kind_of(turn, *item)
        {
            let bonus = Bonus::of(prototype);
            sum.attack = sum.attack.saturating_add(bonus.attack);
            sum.defence = sum.defence.saturating_add(bonus.defence);
            sum.max_hp = sum.max_hp.saturating_add(bonus.max_hp);
        }
    }
    sum
}

/// Returns the item worn at a slot.
pub(crate) fn worn_at(turn: &Turn, who: CharacterId, slot: Slot) -> Option<ItemId> {
    turn.world.carried(who).iter().copied().find(|item| turn.world.items[*item].worn == Some(slot))
}

/// Returns the worn items in slot order.
pub(crate) fn worn_by(turn: &Turn, who: CharacterId) -> Vec<(Slot, ItemId)> {
    Slot::ALL.into_iter().filter_map(|slot| Some((slot, worn_at(turn, who, slot)?))).collect()
}

/// Returns the other creatures of the same kind in the room.
pub(crate) fn kin_here(turn: &Turn, creature: CharacterId) -> Vec<CharacterId> {
    let body = &turn.world.characters[creature];
    let kin =
        |other: &CharacterId| *other != creature && turn.world.characters[*other].prototype == body.prototype;
    turn.world.occupants(body.room).iter().copied().filter(kin).collect()
}

/// Wakes a sleeping creature. Always returns `false`: as an `on_hurt` hook it does not stop later ones.
pub(crate) fn wake(turn: &mut Turn, creature: CharacterId) -> bool {
    let asleep =
        |body: &deepwell_core::world::Character| !body.is_player() && body.posture == Posture::Asleep;
    if turn.world.characters.get(creature).is_some_and(asleep) {
        turn.world.characters.change(creature, |body| body.posture = Posture::Standing);
        tell::act(turn, Class::Combat, &WAKE, creature, None, "");
    }
    false
}

/// Returns the current activity of a creature.
pub(crate) fn state_of(turn: &Turn, creature: CharacterId) -> CreatureActivity {
    let Some(body) = turn.world.characters.get(creature) else { return CreatureActivity::Idle };
    match body.mood {
        _ if body.target.is_some() => CreatureActivity::Fighting,
        Mood::Fleeing(_) => CreatureActivity::Fleeing,
        Mood::Roaming | Mood::Charging(_) => CreatureActivity::Roaming,
        Mood::Idle | Mood::Fuse(_) => CreatureActivity::Idle,
    }
}

/// Returns `true` if the affect is active on the character.
pub(crate) fn has_affect(turn: &Turn, who: CharacterId, key: &str) -> bool {
    turn.world.characters[who].affects.iter().any(|affect| affect.key == key)
}

/// Returns `true` if an affect keeps the character from leaving the room.
pub(crate) fn is_held(turn: &Turn, who: CharacterId) -> bool {
    affects_on(turn, who).any(|affect| affect.holds)
}

/// Returns `true` if an affect hides the character: creatures that have not noticed it do not attack it.
pub(crate) fn is_hushed(turn: &Turn, who: CharacterId) -> bool {
    affects_on(turn, who).any(|affect| affect.hushes)
}

/// Returns `true` if an affect keeps the character from attacking.
pub(crate) fn is_stunned(turn: &Turn, who: CharacterId) -> bool {
    affects_on(turn, who).any(|affect| affect.stuns)
}

/// Refuses a character that is incapacitated or held in the room.
pub(crate) fn may_leave(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    may_act(turn, who)?;
    if is_held(turn, who) { Err(Refusal::Held) } else { Ok(()) }
}

/// Returns `true` if the character is incapacitated.
pub(crate) fn is_incapacitated(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters[who].posture == Posture::Down
}

/// Returns `true` while the character is protected from attacks after being helped up.
pub(crate) fn is_safe(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters[who].safe_until.is_some_and(|until| until > turn.now)
}

/// Refuses a character that is incapacitated.
pub(crate) fn may_act(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if is_incapacitated(turn, who) {
        Err(refuse!("You are down and cannot do that. You can still talk and look."))
    } else {
        Ok(())
    }
}

/// Refuses a character that is in a fight.
pub(crate) fn require_peace(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if turn.world.characters[who].target.is_some() { Err(Refusal::InCombat) } else { Ok(()) }
}

/// Refuses an action that takes both hands until they are free again.
pub(crate) fn require_free_hands(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    match turn.awake.get(who).and_then(|body| body.hands_busy_until).filter(|again| *again > turn.now) {
        Some(again) => Err(refuse!("Your hands need a moment: {}.", again.since(turn.now))),
        None => Ok(()),
    }
}

/// Ends incapacitation for any reason, with at least one hit point.
pub(crate) fn end_incapacitation(turn: &mut Turn, who: CharacterId) {
    if !is_incapacitated(turn, who) {
        return;
    }
    turn.fallen.rise(who);
    let now = turn.now;
    if let Some(body) = turn.world.characters.edit(who) {
        body.posture = Posture::Standing;
        body.down_until = None;
        body.hp = body.hp.max(1);
        body.hp_at = now;
    }
    turn.emit_event(GameEvent::VitalsChanged { who });
}

/// Returns the combat rules of a room.
pub(crate) fn rules_of(turn: &Turn, room: RoomId) -> RuleSet {
    let branch = turn.world.rooms.get(room).and_then(|room| room.branch);
    let theme = branch.and_then(|branch| turn.world.branches.get(branch)).map(|branch| &branch.theme);
    theme.and_then(|key| turn.catalog.themes.get(key)).map_or(RuleSet::Powers, |theme| theme.rules)
}
