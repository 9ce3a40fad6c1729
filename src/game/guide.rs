//! What newcomers are told: the guided start, one step at a time, and a tip when something is met for the first time.
//! The words are content; here is when they are due. Moments are noted while a step of the game is played and told at
//! its end, so that no explanation ever stands between a blow and its outcome. Nothing in here changes what happens.

pub use crate::catalog::guide::Lesson;

use crate::base::{CharacterId, Direction, GameTime, ItemId, RoomId, SessionId, Span};
use crate::catalog::ItemClass;
use crate::catalog::guide::{Blank, Line, Piece};
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{Exit, ExitKind, ExitState, Guide, GuideState, Place, Room, RoomKind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What typing a command teaches, if it was not refused.
const TAUGHT_BY: [(&str, Lesson); 16] = [
    ("look", Lesson::Looked),
    ("exits", Lesson::SawExits),
    ("get", Lesson::GotThing),
    ("wear", Lesson::WoreThing),
    ("wield", Lesson::WoreThing),
    ("list", Lesson::SawWares),
    ("buy", Lesson::Traded),
    ("sell", Lesson::Traded),
    ("score", Lesson::ReadScore),
    ("consider", Lesson::Considered),
    ("kill", Lesson::Fought),
    ("rest", Lesson::Rested),
    ("train", Lesson::Trained),
    ("flee", Lesson::Fled),
    ("map", Lesson::SawMap),
    ("say", Lesson::Spoke),
];

/// How many rooms a search for the way looks at.
const WAY_ROOMS: usize = 500;

/// How few more things somebody can carry who is told that hands are full.
const HANDS_LEFT: usize = 3;

/// What this run of the game remembers of newcomers. Losing it costs a tip that comes again.
#[derive(Debug, Default)]
pub(super) struct Guidance {
    /// Moments that were not yet looked at.
    due: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    /// Moments whose tips have to wait because the last one is too fresh.
    waiting: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    /// When somebody was last told something.
    told_at: BTreeMap<CharacterId, GameTime>,
}

/// Offering, beginning and ending the guided start.
impl Game {
    /// How a new character stands to the guide.
    pub(super) fn guide_offer(&self) -> Guide {
        let state = if self.config.guidance { GuideState::Offered } else { GuideState::Off };
        Guide { state, ..Guide::default() }
    }

    /// Tells a new character that there is a guide.
    pub(super) fn offer_guide(&mut self, who: CharacterId) {
        let offer = self.catalog.guide.offer.clone();
        if self.config.guidance && !offer.is_empty() {
            self.tell(who, Class::Notice, offer);
        }
    }

    /// Begins or ends the guide.
    pub(crate) fn set_guide(&mut self, who: CharacterId, state: GuideState) {
        if let Some(body) = self.world.characters.edit(who) {
            body.guide.state = state;
        }
    }

    /// Passes over the current step.
    pub(crate) fn skip_step(&mut self, who: CharacterId) {
        let catalog = std::sync::Arc::clone(&self.catalog);
        let done = &self.world.characters[who].guide.done;
        let current = catalog.guide.steps.iter().find(|step| !done.contains(&step.key));
        let last = catalog.guide.steps.last().map(|step| &step.key);
        if let Some(step) = current
            && let Some(body) = self.world.characters.edit(who)
        {
            body.guide.done.insert(step.key.clone());
            body.guide.state = if last == Some(&step.key) { GuideState::Done } else { GuideState::On };
        }
    }

    /// Begins the guide at its first step.
    pub(crate) fn restart_guide(&mut self, who: CharacterId) {
        if let Some(body) = self.world.characters.edit(who) {
            body.guide.state = GuideState::On;
            body.guide.done.clear();
        }
    }
}

/// What is said at the end of a step of the game.
impl Game {
    /// Somebody has come to a moment that may end a step of the guide, or that a tip belongs to. Cheap for whoever
    /// is no newcomer.
    pub(crate) fn learns(&mut self, who: CharacterId, lesson: Lesson) {
        if self.is_newcomer(who) {
            self.guidance.due.entry(who).or_default().insert(lesson);
        }
    }

    /// Somebody has typed a command that was not refused.
    pub(crate) fn learns_by_typing(&mut self, who: CharacterId, command: &str) {
        if let Some((_, lesson)) = TAUGHT_BY.iter().find(|(name, _)| *name == command) {
            self.learns(who, *lesson);
        }
    }

    /// Whether somebody gets tips or follows the guide.
    fn is_newcomer(&self, who: CharacterId) -> bool {
        self.config.guidance
            && self
                .world
                .characters
                .get(who)
                .is_some_and(|body| body.is_player() && (body.guide.state.is_open() || self.wants_tips(who)))
    }

    fn wants_tips(&self, who: CharacterId) -> bool {
        let body = &self.world.characters[who];
        let owner = body.account.and_then(|account| self.world.accounts.get(account));
        body.level < self.catalog.rules.tips.until_level && owner.is_some_and(|owner| !owner.settings.no_tips)
    }

    /// At the end of a step: whoever read something in it, and is new, may read a step of the guide or a tip besides.
    /// Only whoever acted, moved, fights or has something to learn is looked at: a crowd that hears somebody arrive is
    /// not.
    pub(super) fn finish_guidance(&mut self, actor: Option<SessionId>) {
        if self.read_only || !self.config.guidance {
            return;
        }
        for session in self.outbox.prompted() {
            let Some(who) = self.seats.get(&session).map(|seat| seat.character) else { continue };
            if actor != Some(session) && !self.is_concerned(who) {
                continue;
            }
            if !self.is_newcomer(who) {
                self.forget_lessons(who);
                continue;
            }
            let mut moments = self.guidance.due.remove(&who).unwrap_or_default();
            let mut noted = self.guidance.waiting.remove(&who).unwrap_or_default();
            noted.extend(moments.iter().copied());
            self.notice(who, &mut moments);
            if self.goes_on(who, &moments) {
                self.guidance.told_at.insert(who, self.now);
            }
            moments.extend(noted.iter().copied());
            moments.retain(|lesson| self.still_helps(who, *lesson));
            self.tip(who, &noted, &moments);
        }
    }

    /// Whether something may have happened to somebody that is worth a word, by no doing of their own.
    fn is_concerned(&self, who: CharacterId) -> bool {
        let body = &self.world.characters[who];
        body.arrived_at == self.now
            || body.target.is_some()
            || self.guidance.due.contains_key(&who)
            || self.guidance.waiting.contains_key(&who)
    }

    /// Whether a word about a moment still helps: whoever is up again needs none about being down.
    fn still_helps(&self, who: CharacterId, lesson: Lesson) -> bool {
        match lesson {
            Lesson::WentDown => self.is_down(who),
            Lesson::Hurt => self.world.characters[who].target.is_some(),
            Lesson::Fled => self.world.characters[who].target.is_none(),
            _ => true,
        }
    }

    /// The body is gone from the world, or new no longer.
    pub(crate) fn forget_lessons(&mut self, who: CharacterId) {
        self.guidance.due.remove(&who);
        self.guidance.waiting.remove(&who);
        self.guidance.told_at.remove(&who);
    }

    /// Ends the steps of the guide that these moments end; says the next one. True if something was said.
    fn goes_on(&mut self, who: CharacterId, moments: &BTreeSet<Lesson>) -> bool {
        let catalog = std::sync::Arc::clone(&self.catalog);
        let steps = &catalog.guide.steps;
        let row = &self.world.characters[who].guide;
        if !row.state.is_open() {
            return false;
        }
        let open = |done: &BTreeSet<String>| steps.iter().position(|step| !done.contains(&step.key));
        let before = open(&row.done);
        let mut done = row.done.clone();
        let mut told = row.tips.clone();
        for (at, step) in steps.iter().enumerate() {
            if !done.contains(&step.key) && step.moments.iter().any(|lesson| moments.contains(lesson)) {
                let from = if step.passes { 0 } else { at };
                done.extend(steps[from..=at].iter().map(|step| step.key.clone()));
                // What the guide has led to needs no tip.
                if row.state == GuideState::On {
                    told.extend(step.moments.iter().map(|lesson| lesson.name().to_owned()));
                }
            }
        }
        if done == row.done {
            return false;
        }
        let (state, after) = (row.state, open(&done));
        if let Some(body) = self.world.characters.edit(who) {
            (body.guide.done, body.guide.tips) = (done, told);
            if after.is_none() {
                body.guide.state = GuideState::Done;
            }
        }
        if state != GuideState::On || before == after {
            return false;
        }
        self.say_step(who);
        true
    }

    /// Says the current step of the guide, or that there is none left.
    pub(crate) fn say_step(&mut self, who: CharacterId) {
        let guide = &self.catalog.guide;
        let done = &self.world.characters[who].guide.done;
        let current = guide.steps.iter().enumerate().find(|(_, step)| !done.contains(&step.key));
        let Some((at, step)) = current else {
            let mut words = Markup::styled(Style::Hint, "Guide: ");
            words.append(&guide.ends);
            return self.tell(who, Class::Notice, words);
        };
        let head = format!("Guide, step {} of {}: ", at + 1, guide.steps.len());
        let mut words = Markup::styled(Style::Hint, &head);
        words.append(&step.words);
        let lines = step.lines.iter().find_map(|lines| self.to_type(who, lines));
        for (at, line) in lines.unwrap_or_default().iter().enumerate() {
            if at == 0 {
                words.line(Style::Plain, "Type: ");
            } else {
                words.push(Style::Plain, ", then ");
            }
            words.push(Style::Command, line);
        }
        self.tell(who, Class::Notice, words);
    }

    /// One tip that is due and was never said, if the last is long enough ago. What has to wait is kept.
    fn tip(&mut self, who: CharacterId, noted: &BTreeSet<Lesson>, moments: &BTreeSet<Lesson>) {
        if !self.wants_tips(who) {
            return;
        }
        let said = &self.world.characters[who].guide.tips;
        let catalog = std::sync::Arc::clone(&self.catalog);
        let tips = &catalog.guide.tips;
        let due = |lesson: &&Lesson| tips.contains_key(lesson) && !said.contains(lesson.name());
        let fights = self.world.characters[who].target.is_some();
        let gap = if fights { self.config.round } else { Span::secs(catalog.rules.tips.gap_secs.into()) };
        let too_soon = self.guidance.told_at.get(&who).is_some_and(|at| self.now.since(*at) < gap);
        let now = moments.iter().find(due).copied().filter(|_| !too_soon);
        let waiting: BTreeSet<Lesson> =
            noted.iter().filter(due).copied().filter(|l| Some(*l) != now).collect();
        if !waiting.is_empty() {
            self.guidance.waiting.insert(who, waiting);
        }
        let Some(lesson) = now else { return };
        if let Some(body) = self.world.characters.edit(who) {
            body.guide.tips.insert(lesson.name().to_owned());
        }
        self.guidance.told_at.insert(who, self.now);
        let mut words = Markup::styled(Style::Hint, "Tip: ");
        words.append(&tips[&lesson]);
        self.tell(who, Class::Notice, words);
    }
}

/// What a newcomer can see of the world around, and of itself.
impl Game {
    /// The moments that anybody can read off where somebody stands.
    fn notice(&self, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
        let body = &self.world.characters[who];
        let room = &self.world.rooms[body.room];
        let mut when = |true_now: bool, lesson: Lesson| {
            if true_now {
                moments.insert(lesson);
            }
        };
        when(self.is_down(who), Lesson::WentDown);
        when(body.target.is_some() && self.hp(who) * 2 < self.max_hp_of(who), Lesson::Hurt);
        when(body.target.is_some(), Lesson::Fought);
        when(self.is_held(who), Lesson::Caught);
        when(!body.affects.is_empty(), Lesson::GotAffect);
        when(self.world.party_of(who).is_some(), Lesson::Joined);
        when(body.trainings > 0, Lesson::Levelled);
        when(body.money.run > 0, Lesson::GotMoney);
        when(room.branch.is_some(), Lesson::EnteredBranch);
        when(room.web, Lesson::SawWeb);
        let of_kind = match room.kind {
            RoomKind::Start => Some(Lesson::EnteredStart),
            RoomKind::Shop => Some(Lesson::EnteredShop),
            RoomKind::Healer => Some(Lesson::EnteredHealer),
            RoomKind::Bank => Some(Lesson::EnteredBank),
            RoomKind::Shrine => Some(Lesson::SawShrine),
            RoomKind::Riddle => Some(Lesson::SawRiddle),
            RoomKind::Merchant => Some(Lesson::SawMerchant),
            RoomKind::Rest => Some(Lesson::SawRest),
            RoomKind::Landmark => Some(Lesson::SawLandmark),
            RoomKind::Rescue if !room.clear => Some(Lesson::SawCaptive),
            _ => None,
        };
        moments.extend(of_kind);
        self.notice_exits(room, moments);
        self.notice_beings(who, room, moments);
        self.notice_things(who, moments);
    }

    fn notice_exits(&self, room: &Room, moments: &mut BTreeSet<Lesson>) {
        for exit in self.world.exits_of(room.id) {
            if exit.omen.is_some() && exit.state == ExitState::Unexplored {
                moments.insert(Lesson::SawOmen);
            }
            if exit.kind == ExitKind::Stairs && exit.direction == Some(Direction::Down) {
                moments.insert(Lesson::SawStairs);
            }
            if exit.state == ExitState::OneWay {
                moments.insert(Lesson::SawOneWay);
            }
        }
    }

    fn notice_beings(&self, who: CharacterId, room: &Room, moments: &mut BTreeSet<Lesson>) {
        let creature = self.creature_here(who);
        if creature.is_some() {
            moments.insert(Lesson::MetCreature);
        }
        if !room.clear {
            moments.insert(match (creature, room.challenge.puzzle) {
                (Some(_), _) => Lesson::RoomBlocked,
                (None, Some(_)) => Lesson::SawGate,
                (None, None) => Lesson::SawLever,
            });
        }
        let mut others = self.world.occupants(room.id).iter().filter(|other| **other != who);
        if others.any(|other| self.world.characters[*other].is_player() && self.is_down(*other)) {
            moments.insert(Lesson::SawFallen);
        }
    }

    fn notice_things(&self, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
        let carried = self.world.carried(who);
        let class = |id: &ItemId| {
            let item = &self.world.items[*id];
            let prototype = self.catalog.items.get(&item.prototype).filter(|_| item.worn.is_none());
            prototype.map(|prototype| (prototype.class, prototype.slot.is_some()))
        };
        for (class, wearable) in carried.iter().filter_map(class) {
            if wearable {
                moments.insert(Lesson::FoundGear);
            }
            if matches!(class, ItemClass::Potion | ItemClass::Food) {
                moments.insert(Lesson::FoundPotion);
            }
        }
        if carried.len() + HANDS_LEFT >= self.config.limits.items_carried as usize {
            moments.insert(Lesson::HandsFull);
        }
        let floor = self.world.floor(self.world.characters[who].room);
        if floor.iter().filter_map(class).any(|(class, _)| class == ItemClass::Corpse) {
            moments.insert(Lesson::SawCorpse);
        }
    }

    /// A creature that is nobody's companion.
    fn creature_here(&self, who: CharacterId) -> Option<CharacterId> {
        let body = &self.world.characters[who];
        let fights = body.target.filter(|target| !self.world.characters[*target].is_player());
        let stands = |id: &&CharacterId| {
            let other = &self.world.characters[**id];
            !other.is_player() && other.master.is_none()
        };
        fights.or_else(|| self.world.occupants(body.room).iter().find(stands).copied())
    }

    /// Lays out what a room has for those who come with nothing: one of each kind, if none lies here and the
    /// newcomer has none.
    pub(crate) fn lay_out(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        if self.read_only || self.world.rooms[room].supplies.is_empty() {
            return;
        }
        for key in self.world.rooms[room].supplies.clone() {
            let near = self.world.floor(room).iter().chain(self.world.carried(who));
            let has = near.clone().any(|id| self.world.items[*id].prototype == key);
            if !has {
                self.spawn_item(&key, Place::Room(room), "supplies");
            }
        }
    }
}

/// What a step tells to type, as it would be typed here and now.
impl Game {
    /// The lines with their blanks filled; none if one cannot be filled, or if nothing is left to type.
    fn to_type(&self, who: CharacterId, lines: &[Line]) -> Option<Vec<String>> {
        let mut typed = Vec::new();
        for line in lines {
            if let [Piece::Blank(blank @ (Blank::WayTo(_) | Blank::WayToGear | Blank::Onward))] =
                line.as_slice()
            {
                typed.extend(self.steps_for(who, *blank)?);
                continue;
            }
            let mut words = String::new();
            for piece in line {
                match piece {
                    Piece::Words(text) => words.push_str(text),
                    Piece::Blank(blank) => words.push_str(&self.blank(who, *blank)?),
                }
            }
            typed.push(words);
        }
        (!typed.is_empty()).then_some(typed)
    }

    fn blank(&self, who: CharacterId, blank: Blank) -> Option<String> {
        let unworn = |id: &&ItemId| {
            let item = &self.world.items[**id];
            let prototype = self.catalog.items.get(&item.prototype);
            item.worn.is_none() && prototype.is_some_and(|prototype| prototype.slot.is_some())
        };
        let name = |id: &ItemId| {
            self.catalog.items.get(&self.world.items[*id].prototype).map(|prototype| prototype.name.clone())
        };
        match blank {
            Blank::Creature => self.creature_here(who).map(|id| self.world.characters[id].name.clone()),
            Blank::Thing => self.world.floor(self.world.characters[who].room).first().and_then(name),
            Blank::Gear => self.world.carried(who).iter().find(unworn).and_then(name),
            Blank::Onward | Blank::WayTo(_) | Blank::WayToGear => {
                self.steps_for(who, blank).map(|steps| steps.join(", "))
            }
        }
    }

    fn steps_for(&self, who: CharacterId, blank: Blank) -> Option<Vec<String>> {
        let here = self.world.characters[who].room;
        match blank {
            Blank::WayTo(kind) => self.way_to(here, |room| room.kind == kind),
            Blank::WayToGear => self.way_to(here, |room| !room.supplies.is_empty()),
            _ => self.onward(who, here),
        }
    }

    /// What takes one further: at the well the first opening, in a branch a way that nobody has taken, or what stands
    /// in front of it.
    fn onward(&self, who: CharacterId, here: RoomId) -> Option<Vec<String>> {
        let room = &self.world.rooms[here];
        let opening = |exit: &&&Exit| exit.kind == ExitKind::Branch;
        let unknown = |exit: &&&Exit| exit.state == ExitState::Unexplored;
        let exits = self.exits_in_order(here);
        if room.kind == RoomKind::Start {
            return exits.iter().find(opening).map(|exit| vec![exit.name.clone()]);
        }
        if room.branch.is_none() {
            return self.way_to(here, |room| room.kind == RoomKind::Start);
        }
        if !room.clear {
            if let Some(creature) = self.creature_here(who) {
                return Some(vec![format!("kill {}", self.world.characters[creature].name)]);
            }
            let lever = room.challenge.lever_in.unwrap_or(here);
            let mut steps = self.way_to(here, |room| room.id == lever)?;
            steps.push("pull lever".into());
            return Some(steps);
        }
        let calm = exits.iter().filter(unknown).min_by_key(|exit| exit.omen.is_some());
        if let Some(exit) = calm {
            return Some(vec![exit.name.clone()]);
        }
        let more = |room: &Room| self.world.exits_of(room.id).any(|exit| unknown(&&exit));
        self.way_to(here, |other| other.branch == room.branch && more(other))
    }

    /// The exits to take to the nearest room of a sort, over explored exits; empty if one is there.
    fn way_to(&self, from: RoomId, wanted: impl Fn(&Room) -> bool) -> Option<Vec<String>> {
        let mut ways: BTreeMap<RoomId, Vec<String>> = BTreeMap::from([(from, Vec::new())]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let way = ways.get(&at).cloned().unwrap_or_default();
            if wanted(&self.world.rooms[at]) {
                return Some(way);
            }
            if ways.len() > WAY_ROOMS {
                return None;
            }
            for exit in self.exits_in_order(at) {
                let Some(to) = exit.to.filter(|_| exit.state != ExitState::Unexplored) else { continue };
                // A branch that somebody else has opened is no way to anywhere.
                if exit.kind != ExitKind::Branch && !ways.contains_key(&to) {
                    ways.insert(to, way.iter().cloned().chain([exit.name.clone()]).collect());
                    queue.push_back(to);
                }
            }
        }
        None
    }
}
