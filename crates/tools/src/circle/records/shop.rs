//! Shop records of a `.shp` file, in the newer and the older format.

use crate::circle::place::FileLine;
use crate::circle::records::lines::{Malformed, Record, RecordLines};

/// Marker of the newer format in the first line of a file.
pub(in crate::circle) const NEWER: &str = "v3.0";

/// A shop record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct Shop {
    pub(in crate::circle) place: FileLine,
    /// Goods that never run out, by item number.
    pub(in crate::circle) goods: Vec<i64>,
    pub(in crate::circle) keeper: i64,
    pub(in crate::circle) rooms: Vec<i64>,
    /// Prices in percent of an item's cost: for buying and for selling.
    pub(in crate::circle) percent: [u32; 2],
    /// Types of items that it buys, as written.
    pub(in crate::circle) types: Vec<(FileLine, String)>,
    /// Hours: opening and closing, twice.
    pub(in crate::circle) hours: [i64; 4],
}

/// Number of texts of a shop.
const TEXTS: usize = 7;
/// Number of goods, and of types bought, in the older format.
const FIXED: usize = 5;
/// Maximum length of a list, far above what area files contain.
const LIST_MAX: usize = 10_000;

/// Reads a shop record.
pub(in crate::circle) fn read(record: &mut Record<'_>, is_newer: bool) -> Result<Shop, Malformed> {
    let Record { place, lines, .. } = record;
    let goods = if is_newer { list(lines, "goods")? } else { fixed(lines, "goods")? };
    let percent = [percent(lines, "the price for buying")?, percent(lines, "the price for selling")?];
    let mut types = Vec::new();
    if is_newer {
        // Types may be words, with further words behind them.
        loop {
            let line = lines.read_line("the types that it buys, and -1")?;
            // A comment follows a semicolon.
            match line.split_once(';').map_or(line, |(word, _)| word.trim_end()) {
                "-1" => break,
                "" => {}
                word if types.len() < LIST_MAX => types.push((lines.place(), word.to_owned())),
                _ => return Err(lines.malformed("there are too many types")),
            }
        }
    } else {
        let place = lines.place();
        let numbers = fixed(lines, "types that it buys")?;
        types.extend(numbers.into_iter().map(|number| (place.clone(), number.to_string())));
    }
    for _ in 0..TEXTS {
        lines.read_text("the messages of the shop")?;
    }
    one(lines, "the temper")?;
    lines.read_line("the flags of the shop")?;
    let keeper = one(lines, "the shopkeeper")?;
    lines.read_line("with whom it trades")?;
    let rooms = if is_newer { list(lines, "rooms")? } else { vec![one(lines, "the room")?] };
    let mut hours = [0; 4];
    for hour in &mut hours {
        *hour = one(lines, "the hours")?;
    }
    Ok(Shop { place: place.clone(), goods, keeper, rooms, percent, types, hours })
}

fn one(lines: &mut RecordLines<'_>, wanted: &str) -> Result<i64, Malformed> {
    Ok(lines.read_numbers(1, wanted)?.first().copied().unwrap_or_default())
}

/// Reads a decimal number as whole percent.
fn percent(lines: &mut RecordLines<'_>, wanted: &str) -> Result<u32, Malformed> {
    let line = lines.read_line(wanted)?;
    let word = line.split_whitespace().next().unwrap_or_default();
    let fits = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && word.bytes().any(|byte| byte.is_ascii_digit());
    if !fits {
        return Err(lines.malformed(format!("{wanted} was expected")));
    }
    let (whole, parts) = word.split_once('.').unwrap_or((word, ""));
    let digits: String = parts.chars().filter(char::is_ascii_digit).chain("00".chars()).take(2).collect();
    let whole = if whole.is_empty() { Some(0) } else { whole.parse::<u32>().ok() };
    let percent = whole.and_then(|whole| whole.checked_mul(100)?.checked_add(digits.parse().ok()?));
    Ok(percent.unwrap_or(u32::MAX))
}

/// Reads numbers, one per line, up to -1.
fn list(lines: &mut RecordLines<'_>, wanted: &str) -> Result<Vec<i64>, Malformed> {
    let mut found = Vec::new();
    loop {
        match one(lines, &format!("{wanted}, and -1 behind them"))? {
            -1 => return Ok(found),
            _ if found.len() == LIST_MAX => {
                return Err(lines.malformed(format!("there are too many {wanted}")));
            }
            number => found.push(number),
        }
    }
}

fn fixed(lines: &mut RecordLines<'_>, wanted: &str) -> Result<Vec<i64>, Malformed> {
    let mut found = Vec::new();
    for _ in 0..FIXED {
        found.push(one(lines, wanted)?);
    }
    found.retain(|number| *number > 0);
    Ok(found)
}
