//! Props that the text of a room names.

use super::nouns::things_in;
use crate::catalog::Prop;
use std::collections::BTreeMap;

/// Maximum number of props of one room, so that one short sentence names them.
const MOST: usize = 2;

/// Returns the props that a text names, in its order, each with the word that names it.
pub fn props_in<'p>(props: &'p BTreeMap<String, Prop>, text: &str) -> Vec<(&'p Prop, String)> {
    let mut found: Vec<(&Prop, String)> = Vec::new();
    let is_noun = |word: &str| props.values().any(|prop| prop.nouns.iter().any(|noun| noun == word));
    for (word, sentence) in things_in(text, is_noun) {
        let is_new = |prop: &Prop| found.iter().all(|(other, _)| other.key != prop.key);
        let prop = props.values().find(|prop| prop.is_named(&word, &sentence) && is_new(prop));
        found.extend(prop.map(|prop| (prop, word)));
    }
    found.truncate(MOST);
    found
}
