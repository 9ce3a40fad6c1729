//! Messages on their way out of a step: who gets them, and whose prompt they disturb.

use crate::base::{CharacterId, RoomId, SessionId};
use crate::game::data::{CharStatus, CharVitals, StatusNews};
use crate::game::sound::Sound;
use crate::game::{Class, Closed, Data, Effect, Effects, Game, Output, PromptFields};
use crate::text::Markup;
use crate::text::act::{Named, Scene, Template};
use crate::world::Posture;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Effects of the running step.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    effects: Vec<Effect>,
    prompts: BTreeSet<SessionId>,
    /// How many of the effects have been looked at for what is kept (`scrollback`).
    kept: usize,
    /// Members of parties of whom something may have changed.
    pub(super) members: BTreeSet<CharacterId>,
    /// Players whose clients need the whole of their party again.
    pub(super) parties: BTreeSet<CharacterId>,
    /// Clients around whose bodies something may be different.
    pub(super) mirrors: BTreeSet<SessionId>,
    /// Sounds of this step.
    pub(super) sounds: BTreeSet<(SessionId, Sound)>,
}

/// Something said, on its way to those who hear it: text, and data for clients with a window for it.
pub(super) struct Said {
    class: Class,
    line: Arc<Markup>,
    data: Option<Arc<Data>>,
}

impl Outbox {
    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn text(&mut self, session: SessionId, class: Class, text: &Arc<Markup>) {
        self.prompts.insert(session);
        self.effects.push(Effect::Output { session, output: Output::Text(class, Arc::clone(text)) });
    }

    pub(super) fn data(&mut self, session: SessionId, data: Data) {
        self.share(session, &Arc::new(data));
    }

    /// Data that several get.
    pub(super) fn share(&mut self, session: SessionId, data: &Arc<Data>) {
        self.effects.push(Effect::Output { session, output: Output::Data(Arc::clone(data)) });
    }

    /// The session gets a fresh prompt at the end of the step.
    pub(super) fn prompt(&mut self, session: SessionId) {
        self.prompts.insert(session);
    }

    /// The sessions that read something in this step.
    pub(super) fn prompted(&self) -> Vec<SessionId> {
        self.prompts.iter().copied().collect()
    }

    /// The texts that have not been kept yet.
    pub(super) fn fresh_texts(&self) -> impl Iterator<Item = (SessionId, Class, &Arc<Markup>)> {
        self.effects.iter().skip(self.kept).filter_map(|effect| match effect {
            Effect::Output { session, output: Output::Text(class, text) } => Some((*session, *class, text)),
            _ => None,
        })
    }

    /// The texts so far have been kept, or are not to be.
    pub(super) fn texts_kept(&mut self) {
        self.kept = self.effects.len();
    }

    pub(super) fn drain(&mut self, out: &mut Effects) {
        self.kept = 0;
        out.append(&mut self.effects);
    }
}

impl Game {
    /// Tells one body something, if somebody drives it.
    pub(crate) fn tell(&mut self, who: CharacterId, class: Class, text: impl Into<Markup>) {
        if let Some(session) = self.seated.get(&who) {
            self.outbox.text(*session, class, &Arc::new(text.into()));
        }
    }

    /// Tells everybody in a room but some.
    pub(crate) fn tell_room(
        &mut self,
        room: RoomId,
        except: &[CharacterId],
        class: Class,
        text: impl Into<Markup>,
    ) {
        let text = Arc::new(text.into());
        for who in self.world.occupants(room) {
            if !except.contains(who)
                && let Some(session) = self.seated.get(who)
            {
                self.outbox.text(*session, class, &text);
            }
        }
    }

    /// Something said; the channel as in `Comm.Channel.Text`.
    pub(super) fn said(&self, class: Class, channel: &str, talker: &str, line: Markup) -> Said {
        let data = self.wanted.channels.then(|| {
            let (channel, talker, text) = (channel.to_owned(), talker.to_owned(), line.text().to_owned());
            Arc::new(Data::ChannelText { channel, talker, text })
        });
        Said { class, line: Arc::new(line), data }
    }

    /// Tells one body what was said, if somebody drives it.
    pub(super) fn hears(&mut self, who: CharacterId, said: &Said) {
        let Some(session) = self.seated.get(&who).copied() else { return };
        self.outbox.text(session, said.class, &said.line);
        if let Some(data) = &said.data
            && self.seats.get(&session).is_some_and(|seat| seat.wants.channels)
        {
            self.outbox.share(session, data);
        }
    }

    /// One action as everybody in the actor's room reads it, each from where they stand.
    pub(crate) fn act(
        &mut self,
        class: Class,
        template: &Template,
        actor: CharacterId,
        target: Option<CharacterId>,
        object: &str,
    ) {
        if !self.is_heard(self.world.characters[actor].room) {
            return;
        }
        let actor_name = self.the(actor);
        let target_name = target.map(|target| self.the(target));
        let render = |game: &Self, viewer: Option<CharacterId>| {
            let mut scene = Scene::of(game.seen(actor, &actor_name, viewer)).object(Named::item(object));
            if let (Some(target), Some(name)) = (target, &target_name) {
                scene = scene.target(game.seen(target, name, viewer));
            }
            Arc::new(template.render(&scene))
        };
        let mut shared = None;
        for who in self.world.occupants(self.world.characters[actor].room) {
            let Some(session) = self.seated.get(who) else { continue };
            let text = if *who == actor || Some(*who) == target {
                render(self, Some(*who))
            } else {
                Arc::clone(shared.get_or_insert_with(|| render(self, None)))
            };
            self.outbox.text(*session, class, &text);
        }
    }

    fn seen<'a>(&self, who: CharacterId, name: &'a str, viewer: Option<CharacterId>) -> Named<'a> {
        let named =
            if self.world.characters[who].is_player() { Named::player(name) } else { Named::mob(name) };
        named.seen_by_self(viewer == Some(who))
    }

    /// Ends a session after what was said so far.
    pub(super) fn close(&mut self, session: SessionId, why: Closed) {
        self.outbox.prompts.remove(&session);
        self.outbox.push(Effect::Close { session, why });
    }

    /// The body's hit points may have changed: its driver's prompt and gauges show them.
    pub(crate) fn show_vitals(&mut self, who: CharacterId) {
        if let Some(session) = self.seated.get(&who) {
            self.outbox.prompts.insert(*session);
        }
        self.show_member(who);
    }

    pub(super) fn finish_prompts(&mut self) {
        for session in std::mem::take(&mut self.outbox.prompts) {
            let Some(seat) = self.seats.get(&session) else { continue };
            let (character, wants) = (seat.character, seat.wants);
            let body = &self.world.characters[character];
            let fields = PromptFields {
                hp: self.hp(character),
                max_hp: self.max_hp_of(character),
                fighting: body.target.is_some(),
                floor: self.world.dungeon_level(body.room),
                trainings: body.trainings,
                might: self.might_of(character),
                level: body.level,
                missing_xp: self.missing_experience(character),
            };
            if wants.character {
                self.send_vitals(session, character);
                self.send_status(session, character);
            }
            self.outbox.push(Effect::Output { session, output: Output::Prompt(fields) });
        }
    }

    /// Sends `Char.Vitals` if they are not what the client knows.
    fn send_vitals(&mut self, session: SessionId, who: CharacterId) {
        let vitals = self.vitals(who);
        let Some(seat) = self.seats.get_mut(&session) else { return };
        if seat.vitals.as_ref() != Some(&vitals) {
            seat.vitals = Some(vitals.clone());
            self.outbox.data(session, Data::CharVitals(vitals));
        }
    }

    /// Sends what of `Char.Status` is not what the client knows.
    fn send_status(&mut self, session: SessionId, who: CharacterId) {
        let status = self.status(who);
        let Some(seat) = self.seats.get_mut(&session) else { return };
        if seat.status.as_ref() != Some(&status) {
            let told = seat.status.replace(status.clone());
            self.outbox.data(session, Data::CharStatus(Box::new(StatusNews { now: status, told })));
        }
    }

    fn status(&self, who: CharacterId) -> CharStatus {
        let body = &self.world.characters[who];
        let room = &self.world.rooms[body.room];
        let party = self.world.party_of(who).map(|party| &self.world.parties[party].members);
        let names = party.into_iter().flatten().map(|id| self.world.characters[*id].name.as_str());
        let enemy = body.target.filter(|enemy| self.world.characters.get(*enemy).is_some());
        CharStatus {
            level: body.level,
            attack: self.attack_of(who),
            defence: self.defence_of(who),
            floor: self.world.dungeon_level(room.id),
            room_clear: room.clear,
            training: body.trainings,
            party: names.collect::<Vec<_>>().join(", "),
            pos: match body.posture {
                Posture::Standing => "standing",
                Posture::Resting => "resting",
                Posture::Asleep => "asleep",
                Posture::Down => "down",
            },
            gold: body.money.purse,
            enemy: enemy.map(|enemy| self.shown_name(enemy)).unwrap_or_default(),
            enemypct: enemy.map_or(0, |enemy| percent(self.hp(enemy), self.max_hp_of(enemy))),
        }
    }

    fn vitals(&self, who: CharacterId) -> CharVitals {
        let body = &self.world.characters[who];
        let (hp, max_hp) = (self.hp(who), self.max_hp_of(who));
        CharVitals {
            hp,
            maxhp: max_hp,
            xp: body.xp,
            nextxp: self.catalog.rules.levels.next(body.level),
            level: body.level,
            might: self.might_of(who),
            string: format!("HP:{hp}/{max_hp}"),
        }
    }
}

/// How many hundredths are left; at least one of whoever has any.
fn percent(left: i32, most: i32) -> u32 {
    let hundredths = i64::from(left).max(0) * 100 / i64::from(most).max(1);
    u32::try_from(hundredths.clamp(i64::from(left > 0), 100)).unwrap_or(0)
}
