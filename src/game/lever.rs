//! Portcullises and the levers that raise them. A lever may be in another room than its portcullis, further back on
//! the way one came, where it is always within reach.

use crate::base::{CharacterId, RoomId};
use crate::game::command::Refusal;
use crate::game::sound::Sound;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::{Markup, grammar};
use crate::world::RoomKind;

const PULL: Template =
    Template::new("{actor} {hauls|haul} on the lever, and the portcullis rises by a hand.");
const PULL_THROUGH: Template =
    Template::new("{actor} {hauls|haul} on the lever, and the portcullis shrieks all the way up and locks.");
const PULL_FAR: Template = Template::new(
    "{actor} {hauls|haul} on the lever. The chain runs into the wall, and far off iron grinds.",
);
const PULL_FAR_THROUGH: Template = Template::new(
    "{actor} {hauls|haul} on the lever. Far off iron shrieks and falls silent, and the lever locks.",
);

/// What one sees of a lever that belongs to another room.
pub(super) const FAR_LEVER: &str =
    "A stiff lever juts from the wall, and a chain runs from it into the stone.";

impl Game {
    /// Puts the lever of a new room's portcullis into a room further back, as far as there are rooms. A room that
    /// has a lever already is passed over; without any other room the lever stays where the portcullis is.
    pub(super) fn place_lever(&mut self, gate: RoomId, rooms_back: u32) {
        let mut lever_in = None;
        let mut at = gate;
        for _ in 0..rooms_back {
            let Some(back) = self.world.exits_of(at).find(|exit| exit.back).and_then(|exit| exit.to) else {
                break;
            };
            let room = &self.world.rooms[back];
            // A lever is looked for on the floor of its portcullis.
            if room.branch.is_none() || room.floor != self.world.rooms[gate].floor {
                break;
            }
            at = back;
            if room.kind != RoomKind::Puzzle && room.challenge.raises.is_none() {
                lever_in = Some(back);
            }
        }
        let Some(lever_in) = lever_in else { return };
        if let Some(row) = self.world.rooms.edit(gate) {
            row.challenge.lever_in = Some(lever_in);
        }
        if let Some(row) = self.world.rooms.edit(lever_in) {
            row.challenge.raises = Some(gate);
        }
    }

    /// The room whose portcullis the lever in a room raises, as long as it has not done so.
    fn raised_from(&self, room: RoomId) -> Option<RoomId> {
        let challenge = &self.world.rooms[room].challenge;
        let own = challenge.lever_pulls > 0 && challenge.lever_in.is_none();
        challenge.raises.or(own.then_some(room))
    }

    /// Somebody pulls the lever that is in the same room.
    pub(super) fn pull_lever(&mut self, who: CharacterId) -> Result<(), Refusal> {
        let here = self.world.characters[who].room;
        let Some(gate) = self.raised_from(here) else {
            return Err(Refusal::Because("There is nothing like that to pull here.".into()));
        };
        if self.world.characters[who].target.is_some() {
            return Err(Refusal::InCombat);
        }
        let left = self.world.rooms[gate].challenge.lever_pulls.saturating_sub(1);
        if let Some(row) = self.world.rooms.edit(gate) {
            row.challenge.lever_pulls = left;
        }
        let template = match (gate == here, left) {
            (true, 0) => &PULL_THROUGH,
            (true, _) => &PULL,
            (false, 0) => &PULL_FAR_THROUGH,
            (false, _) => &PULL_FAR,
        };
        self.act(Class::Notice, template, who, None, "");
        if left == 0 {
            self.sounds_around(who, Sound::Door);
        }
        if gate != here {
            let words = if left == 0 {
                "The portcullis shrieks all the way up and locks."
            } else {
                "The chain jerks, and the portcullis rises by a hand."
            };
            self.tell_room(gate, &[], Class::Notice, Markup::plain(words));
            if left == 0
                && let Some(row) = self.world.rooms.edit(here)
            {
                row.challenge.raises = None;
            }
        }
        self.check_clear(gate);
        Ok(())
    }

    /// What bars the way, and where to look for the lever.
    pub(super) fn portcullis_words(&self, room: RoomId) -> String {
        match self.world.rooms[room].challenge.lever_in {
            None => "A portcullis bars the way; a stiff lever juts from the wall.".into(),
            Some(lever_in) => format!(
                "A portcullis bars the way; its chain runs through the wall, back towards {}.",
                self.way_back_words(room, lever_in)
            ),
        }
    }

    /// "Low passage with roots, two rooms back": many rooms have the same name.
    fn way_back_words(&self, gate: RoomId, lever_in: RoomId) -> String {
        let name = &self.world.rooms[lever_in].name;
        let step = |at: &RoomId| self.world.exits_of(*at).find(|exit| exit.back).and_then(|exit| exit.to);
        let mut rooms = (0_u32..64).zip(std::iter::successors(Some(gate), step));
        match rooms.find(|(_, at)| *at == lever_in) {
            None | Some((0, _)) => name.clone(),
            Some((1, _)) => format!("{name}, one room back"),
            Some((steps, _)) => format!("{name}, {} rooms back", grammar::number(steps)),
        }
    }

    /// What a lever or a portcullis looks like, where there is one.
    pub(super) fn fixture(&self, room: RoomId, lever: bool, portcullis: bool) -> Option<String> {
        let row = &self.world.rooms[room];
        let is_gate = row.kind == RoomKind::Puzzle;
        if lever && self.raised_from(room).is_some() {
            return Some(
                "An iron lever, stiff with rust. It looks as if it would give if pulled often enough.".into(),
            );
        }
        if lever && is_gate && row.challenge.lever_in.is_none() {
            return Some("An iron lever, pulled all the way down. It has locked and does not move.".into());
        }
        if !is_gate || !(lever || portcullis) {
            return None;
        }
        Some(match (row.challenge.lever_pulls, row.challenge.lever_in) {
            (0, _) => "The portcullis hangs in its slot above the way, locked.".into(),
            (_, None) => {
                "A portcullis of iron bars as thick as a wrist. A lever in the wall raises it.".into()
            }
            (_, Some(lever_in)) => format!(
                "A portcullis of iron bars as thick as a wrist. There is no lever here: a chain runs from it through \
                 the wall, back towards {}.",
                self.way_back_words(room, lever_in)
            ),
        })
    }
}
