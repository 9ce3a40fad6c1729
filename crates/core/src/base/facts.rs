//! Traversal of a row's values with their paths. Values are visited through serde, so that no field can be missed. Used
//! to disclose personal data and to find references to a player; not for storage.

use crate::base::{AccountId, CharacterId, GameTime};
use serde::de::value::Error;
use serde::ser::{self, Error as _, Serialize};
use std::borrow::Cow;

/// Single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact<'a> {
    /// Account id.
    Account(AccountId),
    /// Character id.
    Character(CharacterId),
    /// Timestamp.
    Time(GameTime),
    /// Any other number.
    Number(i128),
    /// Boolean.
    Flag(bool),
    /// Text.
    Text(&'a str),
}

/// Path of a value: the field names and string map keys that lead to it.
pub type Path = [Cow<'static, str>];

/// Calls `visit` for every value of a row. Absent values are skipped; the key of a map entry is visited before its
/// value.
pub fn visit_facts(row: &impl Serialize, visit: &mut dyn FnMut(&Path, Fact<'_>)) {
    let mut walk = FactWalk { path: Vec::new(), of: None, visit };
    // The visitor returns no errors, and rows that can be stored as JSON do not fail to serialise.
    let walked = row.serialize(&mut walk);
    debug_assert!(walked.is_ok(), "a row can be walked: {walked:?}");
}

/// Returns `true` if a row mentions the account or one of these characters.
pub fn mentions(row: &impl Serialize, account: AccountId, bodies: &[CharacterId]) -> bool {
    let mut found = false;
    visit_facts(row, &mut |_, fact| found |= is_of(fact, account, bodies));
    found
}

/// Returns `true` if a value is the account or one of these characters.
pub fn is_of(fact: Fact<'_>, account: AccountId, bodies: &[CharacterId]) -> bool {
    match fact {
        Fact::Account(id) => id == account,
        Fact::Character(id) => bodies.contains(&id),
        _ => false,
    }
}

struct FactWalk<'a> {
    path: Vec<Cow<'static, str>>,
    /// Newtype that wraps the next number.
    of: Option<&'static str>,
    visit: &'a mut dyn FnMut(&Path, Fact<'_>),
}

type Walked = Result<(), Error>;

impl FactWalk<'_> {
    #[expect(clippy::unnecessary_wraps, reason = "what serde calls ends with it")]
    fn tell(&mut self, fact: Fact<'_>) -> Walked {
        (self.visit)(&self.path, fact);
        Ok(())
    }

    fn number(&mut self, number: i128) -> Walked {
        let fact = match self.of.take() {
            Some("AccountId") => u32::try_from(number).map(|id| Fact::Account(AccountId(id))),
            Some("CharacterId") => u64::try_from(number).map(|id| Fact::Character(CharacterId(id))),
            Some("GameTime") => i64::try_from(number).map(|at| Fact::Time(GameTime(at))),
            _ => Ok(Fact::Number(number)),
        };
        self.tell(fact.map_err(Error::custom)?)
    }

    fn under(&mut self, name: Cow<'static, str>, value: &(impl Serialize + ?Sized)) -> Walked {
        self.path.push(name);
        let walked = value.serialize(&mut *self);
        self.path.pop();
        walked
    }
}

macro_rules! numbers {
    ($($function:ident: $number:ty;)*) => {$(
        fn $function(self, number: $number) -> Walked {
            self.number(i128::from(number))
        }
    )*};
}

impl<'a, 'v> ser::Serializer for &'a mut FactWalk<'v> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Inside<'a, 'v>;
    type SerializeMap = MapEntries<'a, 'v>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Inside<'a, 'v>;

    numbers! {
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
    }

    fn serialize_bool(self, flag: bool) -> Walked {
        self.tell(Fact::Flag(flag))
    }

    fn serialize_f32(self, number: f32) -> Walked {
        self.tell(Fact::Text(&number.to_string()))
    }

    fn serialize_f64(self, number: f64) -> Walked {
        self.tell(Fact::Text(&number.to_string()))
    }

    fn serialize_char(self, letter: char) -> Walked {
        self.tell(Fact::Text(letter.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, text: &str) -> Walked {
        self.tell(Fact::Text(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Walked {
        bytes.iter().try_for_each(|byte| self.number(i128::from(*byte)))
    }

    fn serialize_none(self) -> Walked {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Walked {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Walked {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Walked {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Walked {
        self.tell(Fact::Text(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Walked {
        self.of = Some(name);
        let walked = value.serialize(&mut *self);
        self.of = None;
        walked
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Walked {
        self.under(variant.into(), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'a, 'v>, Error> {
        Ok(Inside::new(self, variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapEntries<'a, 'v>, Error> {
        Ok(MapEntries { walk: self, key: None })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'a, 'v>, Error> {
        Ok(Inside::new(self, variant))
    }
}

/// Visitor for the fields of an enum variant.
struct Inside<'a, 'v>(&'a mut FactWalk<'v>);

impl<'a, 'v> Inside<'a, 'v> {
    fn new(walk: &'a mut FactWalk<'v>, variant: &'static str) -> Self {
        walk.path.push(variant.into());
        Self(walk)
    }
}

impl Drop for Inside<'_, '_> {
    fn drop(&mut self) {
        self.0.path.pop();
    }
}

/// Visitor for map entries, with the current key if it is a string.
struct MapEntries<'a, 'v> {
    walk: &'a mut FactWalk<'v>,
    key: Option<String>,
}

impl ser::SerializeMap for MapEntries<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Walked {
        let mut word = None;
        let outer_visit = &mut *self.walk.visit;
        let mut visit = |path: &Path, fact: Fact<'_>| match fact {
            Fact::Text(text) => word = Some(text.to_owned()),
            other => outer_visit(path, other),
        };
        let path = std::mem::take(&mut self.walk.path);
        let mut walk = FactWalk { path, of: None, visit: &mut visit };
        let walked = key.serialize(&mut walk);
        self.walk.path = walk.path;
        self.key = word;
        walked
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
        match self.key.take() {
            Some(key) => self.walk.under(key.into(), value),
            None => value.serialize(&mut *self.walk),
        }
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

macro_rules! elements {
    ($($of:ident::$function:ident;)*) => {$(
        impl ser::$of for &mut FactWalk<'_> {
            type Ok = ();
            type Error = Error;

            fn $function<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
                value.serialize(&mut **self)
            }

            fn end(self) -> Walked {
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
}

impl ser::SerializeStruct for &mut FactWalk<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Walked {
        self.under(name.into(), value)
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

impl ser::SerializeTupleVariant for Inside<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Walked {
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

impl ser::SerializeStructVariant for Inside<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Walked {
        self.0.under(name.into(), value)
    }

    fn end(self) -> Walked {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Place {
        At(CharacterId),
        Between { one: AccountId, other: &'static str },
        Nowhere,
    }

    #[derive(Serialize)]
    struct Row {
        id: AccountId,
        made_at: GameTime,
        none: Option<u8>,
        places: Vec<Place>,
        names: BTreeMap<CharacterId, &'static str>,
        words: BTreeMap<&'static str, bool>,
    }

    #[test]
    fn every_value_is_visited_with_path_and_type() {
        let between = Place::Between { one: AccountId(8), other: "wall" };
        let row = Row {
            id: AccountId(7),
            made_at: GameTime(60_000),
            none: None,
            places: vec![Place::At(CharacterId(3)), between, Place::Nowhere],
            names: BTreeMap::from([(CharacterId(9), "Bera")]),
            words: BTreeMap::from([("pager", true)]),
        };
        let mut seen = Vec::new();
        visit_facts(&row, &mut |path, fact| seen.push(format!("{}: {fact:?}", path.join(" "))));
        assert_eq!(
            seen,
            [
                "id: Account(AccountId(7))",
                "made_at: Time(GameTime(60000))",
                "places At: Character(CharacterId(3))",
                "places Between one: Account(AccountId(8))",
                "places Between other: Text(\"wall\")",
                "places: Text(\"Nowhere\")",
                "names: Character(CharacterId(9))",
                "names: Text(\"Bera\")",
                "words pager: Flag(true)",
            ]
        );
        assert!(mentions(&row, AccountId(0), &[CharacterId(9)]) && mentions(&row, AccountId(8), &[]));
        assert!(!mentions(&row, AccountId(9), &[CharacterId(7)]));
    }
}
