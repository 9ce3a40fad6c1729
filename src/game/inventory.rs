//! Carrying: taking, laying down, handing over and stowing things, whole stacks or a part of one, within the limits.
//! Who asks for what is the commands' business.

use crate::base::{CharacterId, ItemId, RoomId};
use crate::catalog::{ItemClass, ItemPrototype};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::{Item, Place};

const TAKE: Template = Template::new("{actor} {takes|take} {object}.");
const POCKET: Template = Template::new("{actor} {pockets|pocket} {object}.");
const PUT_DOWN: Template = Template::new("{actor} {puts|put} down {object}.");
const PUT_IN: Template = Template::new("{actor} {puts|put} {object}.");
const GIVE: Template = Template::new("{actor} {gives|give} {target} {object}.");

impl Game {
    /// What a thing is an instance of; none if the content no longer knows it.
    pub(crate) fn kind_of(&self, item: ItemId) -> Option<&ItemPrototype> {
        self.catalog.items.get(&self.world.items.get(item)?.prototype)
    }

    /// What one does with a thing.
    pub(crate) fn class_of(&self, item: ItemId) -> ItemClass {
        self.kind_of(item).map_or(ItemClass::Trinket, |prototype| prototype.class)
    }

    /// "a clay lamp", "three clay lamps", "a corpse of a goblin".
    pub(crate) fn thing_words(&self, item: ItemId, count: u32) -> String {
        let row = &self.world.items[item];
        match &row.label {
            Some(label) if count == 1 => grammar::with_article(label, None),
            Some(label) => grammar::counted(count, label, None),
            None => self.item_words(&row.prototype, count as usize),
        }
    }

    /// "the clay lamp", "the corpse of a goblin".
    pub(crate) fn the_thing(&self, item: ItemId) -> String {
        let label = self.world.items[item].label.as_deref();
        let name = self.kind_of(item).map(|prototype| prototype.name.as_str());
        format!("the {}", label.or(name).unwrap_or("thing"))
    }

    /// Things at a place, oldest first.
    pub(crate) fn things_at(&self, place: Place) -> &[ItemId] {
        match place {
            Place::Room(room) => self.world.floor(room),
            Place::Holder(holder) => self.world.carried(holder),
            Place::Inside(container) => self.world.contents(container),
        }
    }

    /// How many things lie in other things at a place.
    fn nested_at(&self, place: Place) -> usize {
        self.things_at(place).iter().map(|item| self.world.with_contents(*item).len() - 1).sum()
    }

    /// The stack at a place that a thing of this kind would become part of.
    fn stack_for(&self, item: &Item, count: u32, place: Place) -> Option<ItemId> {
        let prototype = self.catalog.items.get(&item.prototype).filter(|prototype| prototype.stacks)?;
        let limits = &self.config.limits;
        let most = if prototype.class == ItemClass::Coin { limits.coins } else { limits.stack };
        let fits = |other: &ItemId| {
            let there = &self.world.items[*other];
            *other != item.id
                && there.prototype == item.prototype
                && there.copper == item.copper
                && there.label == item.label
                && there.worn.is_none()
                && self.world.rolled_for(*other).is_none()
                && (there.found_in, there.owner, there.owner_until, there.gone_at)
                    == (item.found_in, item.owner, item.owner_until, item.gone_at)
                && there.count.saturating_add(count) <= most
        };
        self.things_at(place).iter().copied().find(fits)
    }

    /// Whether a body can carry a thing, or so many of it, besides what it has.
    pub(crate) fn has_hands_for(&self, who: CharacterId, item: ItemId, count: u32) -> bool {
        let (row, place) = (&self.world.items[item], Place::Holder(who));
        if self.stack_for(row, count, place).is_some() {
            return true;
        }
        let held = self.world.root(item) == Some(place);
        let nested = if held { 0 } else { self.world.with_contents(item).len() - 1 };
        self.world.carried(who).len() < self.config.limits.items_carried as usize
            && self.nested_at(place) + nested <= self.config.limits.items_nested as usize
    }

    /// Moves a thing, or so many of a stack, and joins it to its like there. What it is from now on.
    pub(crate) fn stow(&mut self, item: ItemId, count: u32, to: Place) -> ItemId {
        let part = self.world.split_item(item, count);
        self.world.move_item(part, to);
        self.stack_up(part)
    }

    /// Joins a thing to its like where it lies. What it is from now on.
    pub(crate) fn stack_up(&mut self, item: ItemId) -> ItemId {
        let row = &self.world.items[item];
        match self.stack_for(row, row.count, row.place) {
            Some(stack) if row.worn.is_none() => {
                self.world.join_items(item, stack);
                stack
            }
            _ => item,
        }
    }

    /// Why somebody may not have a thing: it, or what it lies in, belongs to somebody else for now.
    fn kept_from(&self, who: CharacterId, item: ItemId) -> Option<Refusal> {
        if let Err(no) = self.may_take(item) {
            return Some(no);
        }
        let row = &self.world.items[item];
        if let Some(owner) = row.owner.filter(|owner| *owner != who)
            && row.owner_until.is_some_and(|until| until > self.now)
            && let Some(owner) = self.world.characters.get(owner)
            && !self.go_together(who, owner.id)
        {
            let what = grammar::capitalise(&self.the_thing(item)).into_owned();
            return Some(Refusal::Because(format!("{what} is {}'s for now.", owner.name)));
        }
        match row.place {
            Place::Inside(container) => self.kept_from(who, container),
            Place::Room(_) | Place::Holder(_) => None,
        }
    }

    /// Whether two are in one party.
    fn go_together(&self, one: CharacterId, other: CharacterId) -> bool {
        self.world.party_of(one).is_some_and(|party| self.world.party_of(other) == Some(party))
    }

    /// Takes a thing, or so many of it, from the floor or out of a container in reach.
    pub(crate) fn take(&mut self, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
        if self.class_of(item) == ItemClass::Corpse {
            let name = self.the_thing(item);
            return Err(Refusal::Because(format!(
                "Nobody would carry {name}. Type get all from corpse for what is in it."
            )));
        }
        if let Some(no) = self.kept_from(who, item) {
            return Err(no);
        }
        self.receive(who, item, count)
    }

    /// Somebody gets a thing that lies here, whoever it belonged to.
    pub(crate) fn receive(&mut self, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
        let from = self.world.items[item].place;
        let mut what = self.thing_words(item, count);
        if let Place::Inside(container) = from {
            what = format!("{what} from {}", self.the_thing(container));
        }
        if self.class_of(item) == ItemClass::Coin {
            self.pocket(who, item, count)?;
            self.act(Class::Notice, &POCKET, who, None, &what);
            self.learns(who, Lesson::GotMoney);
        } else {
            if !self.has_hands_for(who, item, count) {
                return Err(Refusal::HandsFull);
            }
            let part = self.world.split_item(item, count);
            self.disown(part, who);
            let part = self.stow(part, count, Place::Holder(who));
            self.act(Class::Notice, &TAKE, who, None, &what);
            self.learns(who, Lesson::GotThing);
            self.wear_if_better(who, part);
        }
        if let Place::Inside(container) = from {
            self.clear_away(container);
        }
        Ok(())
    }

    /// What was somebody's for a while is the taker's; taken outside a branch it is no loot of the run either.
    pub(super) fn disown(&mut self, item: ItemId, who: CharacterId) {
        let below = self.world.rooms[self.world.characters[who].room].branch.is_some();
        if let Some(row) = self.world.items.edit(item) {
            (row.owner, row.owner_until) = (None, None);
            row.found_in = row.found_in.filter(|_| below);
        }
    }

    /// Puts a thing, or so many of it, on the floor.
    pub(crate) fn put_down(&mut self, who: CharacterId, item: ItemId, count: u32) {
        let what = self.thing_words(item, count);
        let room = self.world.characters[who].room;
        let part = self.stow(item, count, Place::Room(room));
        self.after_gear_change(who);
        self.act(Class::Notice, &PUT_DOWN, who, None, &what);
        self.tread(room, part);
    }

    /// Hands a thing, or so many of it, to somebody here.
    pub(crate) fn give_thing(
        &mut self,
        who: CharacterId,
        item: ItemId,
        count: u32,
        to: CharacterId,
    ) -> Result<(), Refusal> {
        if !self.has_hands_for(to, item, count) {
            let name = &self.world.characters[to].name;
            return Err(Refusal::Because(format!("{name} cannot carry any more.")));
        }
        let what = self.thing_words(item, count);
        self.stow(item, count, Place::Holder(to));
        self.after_gear_change(who);
        self.act(Class::Notice, &GIVE, who, Some(to), &what);
        Ok(())
    }

    /// Puts a thing, or so many of it, into a container in reach.
    pub(crate) fn put_in(
        &mut self,
        who: CharacterId,
        item: ItemId,
        count: u32,
        container: ItemId,
    ) -> Result<(), Refusal> {
        let because = |words: String| Err(Refusal::Because(words));
        let into = self.the_thing(container);
        let holds = self.kind_of(container).map_or(0, |prototype| prototype.holds as usize);
        if self.class_of(container) != ItemClass::Container || holds == 0 {
            return because(format!("Nothing can be put into {into}."));
        }
        if self.world.items[item].worn.is_some() {
            return because(format!("You wear {}; remove it first.", self.the_thing(item)));
        }
        if item == container {
            return because(format!("However you turn it, {into} does not go into itself."));
        }
        if !self.world.fits_inside(item, container) {
            return because(format!("Bags within bags within bags: {into} takes no more of them."));
        }
        let place = Place::Inside(container);
        let fits = self.stack_for(&self.world.items[item], count, place).is_some()
            || self.world.contents(container).len() < holds.min(self.config.limits.items_inside as usize);
        let root = self.world.root(container);
        let nested = root.map_or(0, |root| self.nested_at(root));
        let adds =
            if self.world.items[item].place == place { 0 } else { self.world.with_contents(item).len() };
        if !fits || nested + adds > self.config.limits.items_nested as usize {
            return because(format!("{} is full.", grammar::capitalise(&into)));
        }
        let what = format!("{} into {into}", self.thing_words(item, count));
        self.stow(item, count, place);
        self.act(Class::Notice, &PUT_IN, who, None, &what);
        Ok(())
    }

    /// A floor holds only so much: what has lain there longest crumbles, and what is somebody's last. The thing
    /// that came last stays.
    pub(crate) fn tread(&mut self, room: RoomId, newest: ItemId) {
        let limits = self.config.limits.clone();
        let place = Place::Room(room);
        while self.world.floor(room).len() > limits.items_in_room as usize
            || self.nested_at(place) > limits.items_nested as usize
        {
            let others = || self.world.floor(room).iter().copied().filter(|other| *other != newest);
            let free = |item: &ItemId| {
                let until = self.world.items[*item].owner_until;
                self.world.rolled_for(*item).is_none() && until.is_none_or(|until| until <= self.now)
            };
            let Some(oldest) = others().find(free).or_else(|| others().next()) else { return };
            let lost = self.thing_words(oldest, self.world.items[oldest].count);
            self.world.remove_item(oldest, "trodden");
            self.tell_room(
                room,
                &[],
                Class::Notice,
                format!("The heap is too high: {lost} is trodden to pieces."),
            );
        }
    }
}
