//! Coming and going of players: creation, login, takeover, link death, quitting.

use crate::base::{AccountId, CharacterId, SessionId};
use crate::game::data::CharStatus;
use crate::game::mirror::Mirror;
use crate::game::spawn::points;
use crate::game::{Ask, Class, Closed, Data, Effect, Game, Output, Seat, Timer, Wants, command, talk};
use crate::text::{Markup, Style, grammar, names};
use crate::world::{Account, Character, Role, Settings};
use std::collections::{BTreeMap, BTreeSet};

impl Game {
    /// A new account and its first character, in one batch.
    pub(super) fn create(&mut self, session: SessionId, name: &str, credential: String, wishes: Settings) {
        if self.seats.contains_key(&session) {
            return;
        }
        if self.read_only {
            return self
                .refuse_entry(session, "The server cannot write just now; please try again in a minute.");
        }
        let name = match self.free_name(name) {
            Ok(name) => name,
            Err(reason) => return self.refuse_entry(session, &reason),
        };
        let id = self.world.new_account_id();
        self.world.add_account(Account {
            id,
            name: name.shown.clone(),
            key: name.key.clone(),
            skeleton: name.skeleton.clone(),
            credential,
            recovery: None,
            role: Role::Player,
            settings: wishes,
            ignored: BTreeMap::new(),
            last_character: None,
            created_at: self.now,
        });
        let character = self.new_character(id, name);
        self.seat(session, id, character);
        self.tell(
            character,
            Class::System,
            Markup::plain("Welcome. Type ")
                .with(Style::Command, "help")
                .and(" if you are new; ")
                .with(Style::Command, "look")
                .and(" shows where you are."),
        );
        self.arrive_by_login(character, "climbs out of a cart, new to this place.");
        self.offer_guide(character);
    }

    /// A name that nobody has and that looks like nobody's.
    pub(crate) fn free_name(&self, name: &str) -> Result<names::Name, String> {
        let name = names::check(name, |word| self.is_reserved(word))
            .map_err(|error| format!("{}.", grammar::capitalise(&error.to_string())))?;
        if self.world.looks_taken(&name.skeleton) {
            return Err("That name is taken, or looks too much like one that is.".into());
        }
        Ok(name)
    }

    fn is_reserved(&self, word: &str) -> bool {
        command::names().any(|name| name == word)
            || self.catalog.mobs.values().any(|mob| mob.name.split(' ').any(|part| part == word))
            || self.catalog.items.values().any(|item| item.name.split(' ').any(|part| part == word))
    }

    /// A further body of an account, at the place where new ones begin.
    pub(crate) fn new_character(&mut self, account: AccountId, name: names::Name) -> CharacterId {
        let id = self.world.new_character_id();
        let home = self.town();
        let beginner = self.catalog.rules.beginner;
        self.world.add_character(Character {
            account: Some(account),
            key: Some(name.key),
            skeleton: Some(name.skeleton),
            description: "A climber in worn clothes, with rope burns on both hands.".into(),
            hp: points(beginner.hp),
            max_hp: points(beginner.hp),
            attack: points(beginner.attack),
            defence: points(beginner.defence),
            guide: self.guide_offer(),
            ..Character::new(id, name.shown, home, self.now)
        });
        self.mint(id, i64::from(beginner.purse), "beginner");
        id
    }

    /// Somebody has proved to own an account: it enters the character it named, or the one it played last. A body
    /// that is in the world is taken over at once, whoever drives it.
    pub(super) fn login(&mut self, session: SessionId, account: AccountId, name: &str, wishes: &Settings) {
        if self.seats.contains_key(&session) {
            return;
        }
        let Some(owner) = self.world.accounts.get(account) else {
            return self.refuse_entry(session, "That account does not exist.");
        };
        let named = self.world.character_by_name(name).filter(|id| self.is_of(*id, account));
        let chosen = named
            .or(owner.last_character)
            .filter(|id| self.is_of(*id, account))
            .or_else(|| self.world.characters_of(account).next());
        let Some(character) = chosen else {
            return self.refuse_entry(session, "That account has no character.");
        };
        if self.read_only && !self.world.characters[character].awake {
            return self
                .refuse_entry(session, "The server cannot write just now; please try again in a minute.");
        }
        self.apply_wishes(account, wishes);
        self.enter(session, account, character);
    }

    /// Puts a session into a body, waking it if it sleeps.
    pub(crate) fn enter(&mut self, session: SessionId, account: AccountId, character: CharacterId) {
        let was_awake = self.world.characters[character].awake;
        if let Some(old) = self.seated.get(&character).copied() {
            self.outbox.text(
                old,
                Class::System,
                &Markup::styled(
                    Style::System,
                    "You have connected from somewhere else, and this connection ends.",
                )
                .into(),
            );
            self.unseat(old);
            self.close(old, Closed::TakenOver);
        }
        self.seat(session, account, character);
        if was_awake {
            self.tell(character, Class::Notice, "You take hold of your body again.");
            let room = self.world.characters[character].room;
            self.tell_room(
                room,
                &[character],
                Class::Movement,
                self.name_of(character).and(" blinks, awake again."),
            );
            self.show_room(character);
        } else {
            self.arrive_by_login(character, "wakes and gets up.");
        }
    }

    fn is_of(&self, character: CharacterId, account: AccountId) -> bool {
        self.world.characters.get(character).is_some_and(|c| c.account == Some(account))
    }

    fn apply_wishes(&mut self, account: AccountId, wishes: &Settings) {
        let old = &self.world.accounts[account].settings;
        let settings = Settings {
            colour: wishes.colour.or(old.colour),
            reader: wishes.reader.or(old.reader),
            utf8: wishes.utf8.or(old.utf8),
            ..old.clone()
        };
        if settings != *old
            && !self.read_only
            && let Some(row) = self.world.accounts.edit(account)
        {
            row.settings = settings;
        }
    }

    /// A client reads aloud what it gets. Once known that stays, until the player says otherwise.
    pub(super) fn listens_aloud(&mut self, session: SessionId) {
        let Some(account) = self.seats.get(&session).map(|seat| seat.account) else { return };
        if self.read_only || self.world.accounts[account].settings.reader.is_some() {
            return;
        }
        if let Some(row) = self.world.accounts.edit(account) {
            row.settings.reader = Some(true);
            let settings = row.settings.clone();
            self.outbox.push(Effect::Output { session, output: Output::Settings(settings) });
        }
    }

    fn seat(&mut self, session: SessionId, account: AccountId, character: CharacterId) {
        let seat = Seat {
            character,
            account,
            wants: Wants::default(),
            reply_to: None,
            shouted_at: None,
            status: None,
            vitals: None,
            mirror: Mirror::default(),
            rooms_shown: BTreeSet::new(),
            party_told: BTreeMap::new(),
        };
        self.seats.insert(session, seat);
        self.seated.insert(character, session);
        if !self.read_only {
            self.end_waiting(character);
        }
        if self.world.accounts[account].last_character != Some(character)
            && !self.read_only
            && let Some(owner) = self.world.accounts.edit(account)
        {
            owner.last_character = Some(character);
        }
        self.outbox.push(Effect::Entered {
            session,
            account,
            character,
            name: self.world.characters[character].name.clone(),
            settings: self.world.accounts[account].settings.clone(),
        });
    }

    /// The body has a driver again.
    pub(super) fn end_waiting(&mut self, character: CharacterId) {
        if self.world.characters[character].link_dead_until.is_some()
            && let Some(body) = self.world.characters.edit(character)
        {
            body.link_dead_until = None;
        }
        self.show_member(character);
    }

    fn arrive_by_login(&mut self, character: CharacterId, how: &str) {
        self.world.set_awake(character, true);
        self.show_member(character);
        let now = self.now;
        if let Some(body) = self.world.characters.edit(character) {
            body.seen_at = now;
        }
        let body = &self.world.characters[character];
        let (room, branch) = (body.room, body.branch);
        self.tell_room(room, &[character], Class::Movement, self.name_of(character).and(" ").and(how));
        if let Some(branch) = branch {
            self.wake_branch(branch);
        }
        self.stirs_up(room);
        self.show_room(character);
        self.enters_puzzle(character, room);
    }

    pub(super) fn refuse_entry(&mut self, session: SessionId, reason: &str) {
        self.outbox.push(Effect::Refused { session, reason: reason.into() });
    }

    fn unseat(&mut self, session: SessionId) -> Option<Seat> {
        let seat = self.seats.remove(&session)?;
        self.seated.remove(&seat.character);
        if seat.wants != Wants::default() {
            self.count_wants();
        }
        Some(seat)
    }

    /// The link broke: the body stays, can be hit, and has a deadline.
    pub(super) fn lost(&mut self, session: SessionId) {
        let Some(seat) = self.unseat(session) else { return };
        let room = self.world.characters[seat.character].room;
        self.tell_room(
            room,
            &[],
            Class::Movement,
            self.name_of(seat.character).and(" stares into the dark and does not move."),
        );
        self.begin_link_death(seat.character);
    }

    /// Sets the deadline of a body without connection, unless it has one.
    pub(super) fn begin_link_death(&mut self, character: CharacterId) {
        let until = self.world.characters[character].link_dead_until;
        let until = until.unwrap_or(self.now + self.config.limits.link_dead);
        if self.world.characters[character].link_dead_until != Some(until)
            && let Some(body) = self.world.characters.edit(character)
        {
            body.link_dead_until = Some(until);
        }
        self.timers.schedule(until, Timer::LinkDead(character));
        self.show_member(character);
    }

    /// The deadline is over: the body leaves the world, and wakes where it was when its player comes back.
    pub(super) fn end_link_death(&mut self, character: CharacterId) {
        let over = |until| until <= self.now;
        let waits = |body: &Character| body.awake && body.link_dead_until.is_some_and(over);
        if !self.seated.contains_key(&character) && self.world.characters.get(character).is_some_and(waits) {
            self.fall_asleep(character, " sinks down in a corner and falls asleep.");
        }
    }

    /// A player leaves on its own word.
    pub(crate) fn quit(&mut self, session: SessionId) {
        if let Some(seat) = self.unseat(session) {
            self.fall_asleep(seat.character, " finds a dry corner and falls asleep.");
        }
        self.close(session, Closed::Quit);
    }

    /// Takes a body out of the world; its fights end.
    pub(crate) fn fall_asleep(&mut self, character: CharacterId, how: &str) {
        if self.is_down(character) {
            self.out_of(character);
        }
        self.stop_fights_of(character);
        self.forgets(character);
        self.forget_lessons(character);
        let room = self.world.characters[character].room;
        self.tell_room(room, &[character], Class::Movement, self.name_of(character).and(how));
        self.world.set_awake(character, false);
        self.leaves_puzzle(character, room, None);
        self.remember_if_deserted(room);
        let now = self.now;
        if let Some(body) = self.world.characters.edit(character) {
            body.link_dead_until = None;
            body.seen_at = now;
        }
        self.party_sleeps(character);
    }

    /// Leaves the body a session drives for another of the same account.
    pub(crate) fn switch_body(&mut self, session: SessionId, to: CharacterId) {
        let Some(seat) = self.unseat(session) else { return };
        self.fall_asleep(seat.character, " finds a dry corner and falls asleep.");
        self.enter(session, seat.account, to);
        self.wants(session, seat.wants);
    }

    /// A client asked for structured data: it gets all of it again.
    pub(super) fn wants(&mut self, session: SessionId, data: Wants) {
        let Some(seat) = self.seats.get_mut(&session) else { return };
        seat.wants = data;
        (seat.status, seat.vitals, seat.mirror) = (None, None, Mirror::default());
        let character = seat.character;
        self.count_wants();
        self.outbox.mirrors.insert(session);
        if data.character {
            let name = self.world.characters[character].name.clone();
            self.outbox.data(session, Data::CharName { fullname: name.clone(), name });
            self.outbox.data(session, Data::CharStatusVars(CharStatus::vars()));
            self.outbox.prompt(session);
        }
        if data.room {
            self.send_room_info(character);
        }
        if data.channels {
            self.outbox.data(session, Data::Channels(talk::CHANNELS.to_vec()));
        }
        if data.party {
            self.outbox.parties.insert(character);
        }
    }

    /// A client asks for something that it could have been told anyway.
    pub(super) fn asks(&mut self, session: SessionId, what: Ask) {
        match what {
            Ask::Pack => self.tell_pack(session),
            Ask::Room => self.tell_things(session),
            Ask::Contents(container) => self.tell_contents(session, container),
            Ask::ChannelPlayers => self.tell_channel_players(session),
        }
    }
}
