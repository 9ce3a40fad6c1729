//! Describing rooms, exits and people, in words and as data for mappers.

use crate::base::{CharacterId, RoomId};
use crate::catalog::MobPrototype;
use crate::game::ai::WEB;
use crate::game::data::{Coord, ExitInfo, RoomInfo};
use crate::game::lever::FAR_LEVER;
use crate::game::places::sign_of;
use crate::game::{Class, Data, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::{Exit, ExitKind, ExitState, Posture, Room, RoomKind};
use std::collections::BTreeMap;

impl Game {
    /// Shows a body the room it has come into: text, and data for its mapper. Who wants it brief gets no description
    /// of a room that was shown on this connection before.
    pub(crate) fn show_room(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        let most = self.config.limits.rooms_known as usize;
        let Some(session) = self.seated.get(&who) else { return };
        let Some(seat) = self.seats.get_mut(session) else { return };
        let known = !seat.rooms_shown.insert(room);
        if seat.rooms_shown.len() > most {
            // The oldest rooms have the lowest numbers.
            seat.rooms_shown.pop_first();
        }
        let described = !(known && self.world.accounts[seat.account].settings.brief);
        let view = self.view(who, described);
        self.tell(who, Class::Room, view);
        self.send_room_info(who);
    }

    /// Sends `Room.Info` to whoever drives a body and asked for it.
    pub(crate) fn send_room_info(&mut self, who: CharacterId) {
        let Some(session) = self.seated.get(&who).copied() else { return };
        if self.seats.get(&session).is_some_and(|seat| seat.wants.room) {
            let info = self.room_info(self.world.characters[who].room);
            self.outbox.data(session, Data::RoomInfo(Box::new(info)));
        }
    }

    /// Sends `Room.Info` to everybody in a room that has changed.
    pub(crate) fn send_change(&mut self, room: RoomId) {
        for who in self.world.occupants(room).to_vec() {
            self.send_room_info(who);
        }
    }

    /// The room around a body: name, description, exits, things, beings, and what stands in the way.
    pub(crate) fn view(&self, who: CharacterId, described: bool) -> Markup {
        let id = self.world.characters[who].room;
        let room = &self.world.rooms[id];
        let mut view = Markup::with_capacity(room.name.len() + room.description.len() + 256);
        view.push(Style::RoomName, &room.name);
        if described {
            view.line(Style::Plain, &room.description);
        }
        if room.web {
            view.line(Style::Plain, WEB);
        }
        if let Some(hint) = &room.challenge.hint {
            view.line(Style::Plain, hint);
        }
        for sign in self.exits_in_order(id).into_iter().filter_map(sign_of) {
            view.line(Style::Plain, sign);
        }
        if room.challenge.raises.is_some() {
            view.line(Style::Plain, FAR_LEVER);
        }
        view.line(Style::Plain, "Exits: ");
        view.append(&self.exit_line(id));
        if let Some(stairs) = self.stairs_line(id) {
            view.line(Style::Plain, &stairs);
        }
        for line in self.puzzle_lines(id) {
            view.line(Style::Plain, &line);
        }
        for (name, count) in self.things_here(id) {
            let words = if count == 1 { format!("{name} lies here.") } else { format!("{name} lie here.") };
            view.line(Style::Item, &grammar::capitalise(&words));
        }
        self.beings(id, who, &mut view);
        self.footer(room, &mut view);
        view
    }

    /// The sentences of a room that somebody there reads, without what lies and stands in it.
    pub(crate) fn text_of(&self, id: RoomId) -> String {
        let room = &self.world.rooms[id];
        let mut lines = vec![room.description.as_str()];
        lines.extend(room.web.then_some(WEB));
        lines.extend(room.challenge.hint.as_deref());
        lines.extend(self.exits_in_order(id).into_iter().filter_map(sign_of));
        lines.extend(room.challenge.raises.map(|_| FAR_LEVER));
        let stairs = self.stairs_line(id);
        lines.extend(stairs.as_deref());
        lines.join(" ")
    }

    /// "north, east", or "none"; the shape that text mappers trigger on.
    pub(crate) fn exit_line(&self, room: RoomId) -> Markup {
        let mut line = Markup::new();
        for exit in self.exits_in_order(room) {
            if !line.is_empty() {
                line.push(Style::Plain, ", ");
            }
            line.push(Style::Exit, &exit.name);
        }
        if line.is_empty() { Markup::plain("none") } else { line }
    }

    /// Exits as people expect them: clockwise from north, then up and down, then the named ones.
    pub(crate) fn exits_in_order(&self, room: RoomId) -> Vec<&Exit> {
        let mut exits: Vec<&Exit> = self.world.exits_of(room).collect();
        exits.sort_by_key(|exit| (exit.direction.is_none(), exit.direction));
        exits
    }

    fn things_here(&self, room: RoomId) -> Vec<(String, usize)> {
        self.grouped(self.world.floor(room))
    }

    /// Items by kind with their number, as "a clay lamp" or "three clay lamps", in the order of the first of each.
    pub(crate) fn grouped(&self, items: &[crate::base::ItemId]) -> Vec<(String, usize)> {
        let mut kinds: Vec<(crate::base::ItemId, u32)> = Vec::new();
        for id in items {
            let item = &self.world.items[*id];
            let alike = |other: &crate::base::ItemId| {
                let other = &self.world.items[*other];
                (&other.prototype, &other.label) == (&item.prototype, &item.label)
            };
            match kinds.iter_mut().find(|(kind, _)| alike(kind)) {
                Some((_, count)) => *count = count.saturating_add(item.count),
                None => kinds.push((*id, item.count)),
            }
        }
        kinds.into_iter().map(|(id, count)| (self.thing_words(id, count), count as usize)).collect()
    }

    /// "a clay lamp", "three clay lamps".
    pub(crate) fn item_words(&self, key: &str, count: usize) -> String {
        match self.catalog.items.get(key) {
            Some(item) if count == 1 => item.with_article.clone(),
            Some(item) => {
                grammar::counted(u32::try_from(count).unwrap_or(u32::MAX), &item.name, Some(&item.plural))
            }
            None => "something that has lost its shape".into(),
        }
    }

    fn beings(&self, room: RoomId, viewer: CharacterId, view: &mut Markup) {
        let occupants = self.world.occupants(room);
        // What creatures that fight nobody do; those of a kind that do the same are told together.
        let at_ease: Vec<(CharacterId, Option<String>)> = occupants
            .iter()
            .filter(|id| {
                let body = &self.world.characters[**id];
                !body.is_player() && body.target.is_none()
            })
            .map(|id| (*id, self.pose_of(*id)))
            .collect();
        let name = |id: CharacterId| &self.world.characters[id].name;
        for other in occupants.iter().filter(|other| **other != viewer) {
            let body = &self.world.characters[*other];
            if let Some(at) = at_ease.iter().position(|(id, _)| id == other) {
                let pose = &at_ease[at].1;
                let like =
                    |(id, doing): &&(CharacterId, Option<String>)| name(*id) == name(*other) && doing == pose;
                // The first of them speaks for all.
                if at_ease[..at].iter().any(|one| like(&one)) {
                    continue;
                }
                let count = at_ease[at..].iter().filter(like).count();
                let (who, does) = match (count, pose) {
                    (1, None) => (self.mob_with_article(*other), " is here.".to_owned()),
                    (1, Some(pose)) => (self.mob_with_article(*other), format!(" is here, {pose}.")),
                    (_, None) => (self.several(*other, count), " are here.".to_owned()),
                    (_, Some(pose)) => (self.several(*other, count), format!(" are here, {pose}.")),
                };
                view.line(Style::Mob, &grammar::capitalise(&who));
                view.push(Style::Plain, &does);
                continue;
            }
            let fighting = body.target.map(|target| {
                let whom = if target == viewer { "you".to_owned() } else { self.the(target) };
                format!(" is here, fighting {whom}.")
            });
            let state = match body.posture {
                Posture::Down => " lies here, bleeding.",
                Posture::Resting => " is here, resting.",
                _ if body.link_dead_until.is_some() => " is here, staring into the dark.",
                _ => " is here.",
            };
            let (style, who) = if body.is_player() {
                (Style::Player, body.name.clone())
            } else {
                (Style::Mob, grammar::capitalise(&self.mob_with_article(*other)).into_owned())
            };
            view.line(style, &who);
            view.push(Style::Plain, fighting.as_deref().unwrap_or(state));
        }
    }

    /// Creatures by kind with their number, each kind by the first of it.
    pub(crate) fn alike(&self, creatures: &[CharacterId]) -> Vec<(CharacterId, usize)> {
        let mut kinds: Vec<(CharacterId, usize)> = Vec::new();
        for id in creatures {
            let name = &self.world.characters[*id].name;
            match kinds.iter_mut().find(|(first, _)| self.world.characters[*first].name == *name) {
                Some((_, count)) => *count += 1,
                None => kinds.push((*id, 1)),
            }
        }
        kinds
    }

    /// "two clay rats", like this one.
    pub(crate) fn several(&self, one: CharacterId, count: usize) -> String {
        let body = &self.world.characters[one];
        let plural = self.kind_it_is_called(one).map(|mob| mob.plural.as_str());
        grammar::counted(u32::try_from(count).unwrap_or(u32::MAX), &body.name, plural)
    }

    /// "a clay rat".
    pub(crate) fn mob_with_article(&self, mob: CharacterId) -> String {
        let body = &self.world.characters[mob];
        let prototype = self.kind_it_is_called(mob);
        prototype.map_or_else(|| grammar::with_article(&body.name, None), |mob| mob.with_article.clone())
    }

    /// The prototype of a creature that has no name of its own.
    pub(crate) fn kind_it_is_called(&self, mob: CharacterId) -> Option<&MobPrototype> {
        let body = &self.world.characters[mob];
        self.mob_prototype(mob).filter(|prototype| prototype.name == body.name)
    }

    /// What stands below a room's text: that the way is blocked, or in a start room who went where and that
    /// companions must take the same exit.
    fn footer(&self, room: &Room, view: &mut Markup) {
        if room.kind == RoomKind::Start {
            for exit in self.world.exits_of(room.id).filter(|exit| exit.kind == ExitKind::Branch) {
                if let Some(line) = self.window_line(exit) {
                    view.line(Style::Hint, &line);
                }
            }
            view.line(
                Style::Hint,
                "Companions must all take the same exit while it leads to the same place, or the well will part them.",
            );
        } else if !room.clear {
            let what = self.what_blocks(room.id);
            view.line(Style::Blocked, &format!("The way onward is blocked. {what}"));
        }
    }

    /// "East: a branch is open. ..."
    fn window_line(&self, exit: &Exit) -> Option<String> {
        Some(format!("{}: {}", grammar::capitalise(&exit.name), self.window_words(exit)?))
    }

    fn window_words(&self, exit: &Exit) -> Option<String> {
        let window = exit.window?;
        let members = self.world.members(window.branch);
        let names: Vec<String> = members.iter().map(|id| self.world.characters[*id].name.clone()).collect();
        let who = if names.is_empty() {
            "Nobody is there now".into()
        } else {
            format!("{} went there", grammar::list(&names))
        };
        let left = crate::base::Span(window.guaranteed_until.0 - self.now.0);
        let until = if left.0 > 0 {
            format!("It stays open for at least {left}.")
        } else {
            "It may close at any moment.".into()
        };
        Some(format!("a branch is open. {who}. {until}"))
    }

    /// What one sees when looking through an exit.
    pub(crate) fn exit_words(&self, exit: &Exit) -> String {
        if let Some(words) = self.puzzle_exit_words(exit) {
            return words;
        }
        match (exit.kind, exit.state, exit.to) {
            (ExitKind::Branch, _, Some(_)) => self.window_words(exit).unwrap_or_default(),
            (ExitKind::Branch, _, None) => "a way that nobody has taken; it leads somewhere new".into(),
            (ExitKind::Stairs, _, to) => self.stairs_words(exit, to),
            (_, ExitState::Unexplored, _) => match sign_of(exit) {
                Some(sign) => format!("unexplored. {sign}"),
                None => "unexplored".into(),
            },
            (_, ExitState::OneWay, Some(to)) => {
                format!("{}, one-way: no path leads back from there", self.world.rooms[to].name)
            }
            (_, _, Some(to)) if exit.back => format!("{}, the way you came", self.world.rooms[to].name),
            (_, _, Some(to)) => self.world.rooms[to].name.clone(),
            (_, _, None) => "nowhere".into(),
        }
    }

    /// The body of `Room.Info`.
    pub(crate) fn room_info(&self, id: RoomId) -> RoomInfo {
        let room = &self.world.rooms[id];
        let area = match room.branch {
            Some(branch) => format!("{}/branch {branch}", room.area),
            None => room.area.clone(),
        };
        let z = room.branch.map_or(0, |_| -i32::try_from(room.floor).unwrap_or(0));
        let number = room.branch.map_or(0, |branch| branch.0);
        let mut info = RoomInfo {
            num: id.0,
            name: room.name.clone(),
            zone: area.clone(),
            area,
            environment: room.environment.clone(),
            terrain: room.environment.clone(),
            coords: format!("{number},{},{},{z}", room.at.x, room.at.y),
            coord: Coord { id: number, x: room.at.x, y: room.at.y, z },
            map: String::new(),
            details: Vec::new(),
            exits: BTreeMap::new(),
            exitsv2: BTreeMap::new(),
            depth: room.depth,
            floor: room.floor,
            branch: room.branch,
            clear: room.clear,
            ephemeral: room.branch.is_some(),
        };
        if !room.clear {
            info.details.push("unclear".into());
        }
        if self.stairs_down(id).is_some() {
            info.details.push("stairs".into());
        }
        if room.web {
            info.details.push("web".into());
        }
        if self.world.puzzle_at(id).is_some() {
            info.details.push("puzzle".into());
        }
        for exit in self.world.exits_of(id) {
            let key =
                exit.direction.map_or_else(|| exit.name.clone(), |direction| direction.letter().to_owned());
            if let (Some(to), Some(_)) = (exit.to, exit.direction) {
                info.exits.insert(key.clone(), to.0);
            }
            let unknown = exit.kind != ExitKind::Exit && exit.to.is_none();
            let state = if unknown { ExitState::Unexplored } else { exit.state };
            let details = ExitInfo {
                num: exit.to.map_or(-1, |to| i64::from(to.0)),
                state: state.name().into(),
                back: exit.back,
                cmd: exit.direction.is_none().then(|| exit.name.clone()),
            };
            info.exitsv2.insert(key, details);
        }
        info
    }
}
