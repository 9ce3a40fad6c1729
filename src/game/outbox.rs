//! Messages on their way out of a step: who gets them, and whose prompt they disturb.

use crate::base::{CharacterId, RoomId, SessionId};
use crate::game::effect::CharStatus;
use crate::game::{Class, Closed, Data, Effect, Effects, Game, Output, PromptFields};
use crate::text::Markup;
use crate::text::act::{Named, Scene, Template};
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
        self.effects.push(Effect::Output { session, output: Output::Data(Arc::new(data)) });
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
                let vitals = self.vitals(character);
                self.outbox.data(session, vitals);
                self.send_status(session, character);
            }
            self.outbox.push(Effect::Output { session, output: Output::Prompt(fields) });
        }
    }

    /// Sends `Char.Status` if it is not what the client knows.
    fn send_status(&mut self, session: SessionId, who: CharacterId) {
        let status = self.status(who);
        let Some(seat) = self.seats.get_mut(&session) else { return };
        if seat.status.as_ref() != Some(&status) {
            seat.status = Some(status.clone());
            self.outbox.data(session, Data::CharStatus(status));
        }
    }

    fn status(&self, who: CharacterId) -> CharStatus {
        let body = &self.world.characters[who];
        let room = &self.world.rooms[body.room];
        let party = self.world.party_of(who).map(|party| &self.world.parties[party].members);
        let names = party.into_iter().flatten().map(|id| self.world.characters[*id].name.as_str());
        CharStatus {
            level: body.level,
            attack: self.attack_of(who),
            defence: self.defence_of(who),
            floor: self.world.dungeon_level(room.id),
            room_clear: room.clear,
            training: body.trainings,
            party: names.collect::<Vec<_>>().join(", "),
        }
    }

    fn vitals(&self, who: CharacterId) -> Data {
        let body = &self.world.characters[who];
        let (hp, max_hp) = (self.hp(who), self.max_hp_of(who));
        Data::CharVitals {
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
