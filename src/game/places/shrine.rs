//! Shrines: whoever prays there gets what the shrine gives, once.

use crate::base::CharacterId;
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::text::Markup;
use crate::text::act::Template;
use crate::world::RoomKind;

const PRAY: Template = Template::new("{actor} {prays|pray} at the shrine.");

impl Game {
    /// Somebody prays.
    pub(crate) fn pray(&mut self, who: CharacterId) -> Result<(), Refusal> {
        let body = &self.world.characters[who];
        let (room, fights) = (body.room, body.target.is_some());
        let row = &self.world.rooms[room];
        if row.kind != RoomKind::Shrine {
            return Err(Refusal::Because("There is no shrine here to pray at.".into()));
        }
        if fights {
            return Err(Refusal::InCombat);
        }
        if row.challenge.visitors.contains_key(&who) {
            return Err(Refusal::Because("You have prayed here. The shrine gives to each only once.".into()));
        }
        let affect = row.challenge.feature.clone().unwrap_or_default();
        let shrines = self.theme_of(room).map_or(&[][..], |theme| &theme.shrines);
        let prayer =
            shrines.iter().find(|shrine| shrine.affect == affect).map(|shrine| shrine.prayer.clone());
        let Some(prayer) = prayer.filter(|_| self.catalog.affects.contains_key(&affect)) else {
            return Err(Refusal::Because(
                "Whoever this shrine was built for is not listening any more.".into(),
            ));
        };
        if let Some(row) = self.world.rooms.edit(room) {
            row.challenge.visitors.insert(who, 1);
        }
        self.act(Class::Notice, &PRAY, who, None, "");
        self.tell(who, Class::Notice, Markup::plain(&prayer));
        self.apply_affect(who, &affect, None);
        Ok(())
    }
}
