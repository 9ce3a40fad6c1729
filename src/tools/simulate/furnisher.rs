//! What the bot that owns the world puts into rooms it dug: doors, what comes there again and again, what happens there, words
//! by which they are found, and zones with their files. A few lines each, typed one after the other.

use super::names;
use crate::base::{Dice, Rng};

/// Zones that it makes.
const ZONES: u32 = 3;
/// Bots that build in its zones with it.
const AUTHORS: u32 = 6;

/// Lines for a room that it dug, if any stands.
pub(super) fn lines(dice: &mut Rng, room: Option<&str>) -> Vec<String> {
    let (zone, gate) = (format!("z{}", dice.up_to(ZONES - 1)), format!("gate{}", dice.up_to(9)));
    let author = names::name(dice.up_to(AUTHORS));
    let there = |line: String| room.iter().map(|room| format!("goto {room}")).chain([line]).collect();
    let one = |dice: &mut Rng, words: &[&'static str]| dice.pick(words).copied().unwrap_or_default();
    match dice.up_to(15) {
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
        _ => vec![format!("zone import {zone}")],
    }
}
