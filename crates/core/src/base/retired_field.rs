//! Fields that stored rows may have although their type has none of that name: their values are kept elsewhere.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

/// Deserializer of a struct that puts the value of one more field aside.
#[derive(Debug)]
pub struct RetiredField<'r, D, T> {
    inner: D,
    name: &'static str,
    value: &'r mut Option<T>,
}

impl<'r, D, T> RetiredField<'r, D, T> {
    /// Creates a deserializer that stores the value of the field `name`, if there is one.
    pub fn new(inner: D, name: &'static str, value: &'r mut Option<T>) -> Self {
        Self { inner, name, value }
    }
}

impl<'de, D: Deserializer<'de>, T: Deserialize<'de>> Deserializer<'de> for RetiredField<'_, D, T> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Self { inner, name, value } = self;
        inner.deserialize_map(RetiredField { inner: visitor, name, value })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>, T: Deserialize<'de>> Visitor<'de> for RetiredField<'_, V, T> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        let Self { inner, name, value } = self;
        inner.visit_map(RetiredField { inner: fields, name, value })
    }
}

impl<'de, A: MapAccess<'de>, T: Deserialize<'de>> MapAccess<'de> for RetiredField<'_, A, T> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, mut seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            match self.inner.next_key_seed(FieldKey { name: self.name, seed })? {
                None => return Ok(None),
                Some(Ok(key)) => return Ok(Some(key)),
                Some(Err(unused)) => {
                    *self.value = Some(self.inner.next_value()?);
                    seed = unused;
                }
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

/// Key of a field; the retired one gives the seed back.
struct FieldKey<K> {
    name: &'static str,
    seed: K,
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for FieldKey<K> {
    type Value = Result<K::Value, K>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for FieldKey<K> {
    type Value = Result<K::Value, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        if key == self.name {
            return Ok(Err(self.seed));
        }
        let key: StrDeserializer<'_, E> = key.into_deserializer();
        self.seed.deserialize(key).map(Ok)
    }
}
