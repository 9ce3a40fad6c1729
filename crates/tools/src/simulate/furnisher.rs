//! Furnishing of rooms dug by the bot that owns the world: doors, spawns, triggers, tags, zones and their files, and
//! vaults. Each call gives a few lines, which are typed one after the other.

use super::names;
use deepwell_core::base::{Dice, Rng};

/// Number of zones that it creates.
const ZONES: u32 = 3;
/// Number of bots that may be authors of its zones.
const AUTHORS: u32 = 6;

/// Returns lines for a room that it dug, if it has dug one.
pub(super) fn lines(dice: &mut Rng, room: Option<&str>) -> Vec<String> {
    let (zone, gate) = (format!("z{}", dice.up_to(ZONES - 1)), format!("gate{}", dice.up_to(9)));
    let author = names::name(dice.up_to(AUTHORS));
    let there = |line: String| room.iter().map(|room| format!("goto {room}")).chain([line]).collect();
    let one = |dice: &mut Rng, choices: &[&'static str]| dice.pick(choices).copied().unwrap_or_default();
    match dice.up_to(21) {
        0 => vec![format!("set {gate} door = oak door"), format!("open {gate}"), format!("close {gate}")],
        1 => vec![format!("set {gate} key = {}", one(dice, &["torch_stub", "rye_loaf", "none"]))],
        2 => vec![format!("set {gate} door = none")],
        3 => vec![format!("open {gate}"), gate.clone(), format!("close {gate}")],
        4 => there(format!("spawn rat = {} every {}", dice.up_to(3), dice.between(10, 40))),
        5 => there(format!("spawn torch_stub = {} every {}", dice.up_to(2), dice.between(10, 40))),
        6 => there(format!("spawn {}", one(dice, &["rat", "torch_stub", "rye_loaf"]))),
        7 => there(format!("trigger say friend = room The wall listens.; open {gate}")),
        8 => there(format!(
            "trigger timer {} = {}",
            dice.between(10, 60),
            one(dice, &["count drips; room Water drips.", "call dart_trap walk"])
        )),
        9 => there(format!("trigger {} = none", one(dice, &["say friend", "timer 30", "enter"]))),
        10 => there(format!("tag here = {}", one(dice, &["swept, unfinished", "harbour", "none"]))),
        11 => vec![format!("zone new {zone}")],
        12 => there(format!("zone set {zone}")),
        13 => there(format!("zone {} {author}", one(dice, &["add", "remove", "give"]))),
        14 => vec![format!("zone export {zone}")],
        15 => made(dice, room),
        16 => vec!["zone export made".into()],
        17 => vec!["zone import made".into()],
        18 => vec!["zone diff made".into(), "examine creature made0".into()],
        19 => there(vault(dice)),
        20 => there(format!(
            "set {} theme = {}",
            one(dice, &["north", "east", "south", "west"]),
            one(dice, &["cellars", "archive", "made0", "made1", "default"])
        )),
        _ => vec![format!("zone import {zone}")],
    }
}

/// Returns a line about a vault of the zone of a room. New branches may contain a vault as soon as it is saved.
fn vault(dice: &mut Rng) -> String {
    let name = format!("vault{}", dice.up_to(1));
    let place = dice.pick(&["well", "cellars", "archive"]).copied().unwrap_or_default();
    match dice.up_to(5) {
        0 | 1 => format!("vault save {name} {}", dice.pick(&["north", "south"]).copied().unwrap_or_default()),
        2 | 3 => format!("vault allow {name} in {place} {} 1 {}", dice.between(20, 100), dice.between(1, 3)),
        4 => format!("vault forbid {name} in {place}"),
        _ => format!("vault drop {name}"),
    }
}

/// Returns lines about definitions made in the game. Some are refused, because the definition does not exist or is in
/// use.
fn made(dice: &mut Rng, room: Option<&str>) -> Vec<String> {
    let one = |dice: &mut Rng, choices: &[&'static str]| dice.pick(choices).copied().unwrap_or_default();
    let kind = one(dice, &["creature", "thing", "theme", "help"]);
    let key = format!("made{}", dice.up_to(2));
    let there = room.map(|room| format!("goto {room}"));
    let line = match dice.up_to(14) {
        0 => format!("make {kind} {key}"),
        10 => format!("make theme {key} like {}", one(dice, &["well", "cellars"])),
        11 => format!("set theme {key} roamer_percent = {}", dice.up_to(60)),
        12 => format!("set theme {key} hints = ['Somebody was here {} times.']", dice.up_to(99)),
        13 => format!("set help {key} aliases = {}", one(dice, &["lamps, oil", "oil", "none"])),
        14 => format!("describe help {key} = Read by nobody yet."),
        1 => format!("make creature {key} like rat"),
        2 => format!("make item {key} like torch_stub = lamp"),
        3 => format!("set creature {key} hp = {}", dice.up_to(9)),
        4 => format!("set creature {key} behaviours = {}", one(dice, &["guard", "wander; attack", "none"])),
        5 => format!("set item {key} value = {}", dice.up_to(9)),
        6 => format!("name {kind} {key} = {}", one(dice, &["grey lamp", "blind rat"])),
        7 => format!("describe {kind} {key} = It has been made for a trial."),
        8 => format!("destroy {kind} {key}"),
        _ => format!("spawn {key}"),
    };
    there.into_iter().chain([line]).collect()
}
