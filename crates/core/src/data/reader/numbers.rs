//! Reading of whole numbers within bounds: single numbers, pairs and lists.

use super::Reader;
use std::ops::RangeInclusive;
use toml::de::DeValue;

impl Reader<'_> {
    /// Reads an optional whole number. An invalid number is recorded and read as the least of the range.
    pub fn number_if_any(&mut self, name: &str, range: &RangeInclusive<u32>) -> Option<u32> {
        self.listed.record(name, || match *range.end() {
            u32::MAX => format!("number, at least {}", range.start()),
            most => format!("number from {} to {most}", range.start()),
        });
        let (place, value) = self.take(name)?;
        let fitting = whole_number(&value).filter(|number| range.contains(number));
        if fitting.is_none() {
            self.unfit(&place, name, &format!("a whole number from {} to {}", range.start(), range.end()));
        }
        Some(fitting.unwrap_or(*range.start()))
    }

    /// Reads a required whole number; the least of the range if missing or invalid.
    pub fn number(&mut self, name: &str, range: RangeInclusive<u32>) -> u32 {
        if let Some(number) = self.number_if_any(name, &range) {
            return number;
        }
        self.missing(name, "a whole number");
        *range.start()
    }

    /// Reads a whole number, with a default.
    pub fn number_or(&mut self, name: &str, range: RangeInclusive<u32>, otherwise: u32) -> u32 {
        let number = self.number_if_any(name, &range).unwrap_or(otherwise);
        self.listed.record_default(name, || {
            if otherwise == u32::MAX { String::new() } else { otherwise.to_string() }
        });
        number
    }

    /// Reads a signed whole number, with a default.
    pub fn signed_or(&mut self, name: &str, range: RangeInclusive<i32>, otherwise: i32) -> i32 {
        self.listed.record(name, || format!("number from {} to {}", range.start(), range.end()));
        self.listed.record_default(name, || otherwise.to_string());
        let Some((place, value)) = self.take(name) else { return otherwise };
        integer(&value).filter(|number| range.contains(number)).unwrap_or_else(|| {
            self.unfit(&place, name, &format!("a whole number from {} to {}", range.start(), range.end()));
            otherwise
        })
    }

    /// Reads a range from the keys `first_NAME` and `last_NAME`. Missing keys mean 0 and no upper bound.
    pub fn first_and_last(&mut self, name: &str, most: u32) -> (u32, u32) {
        let first = self.number_or(&format!("first_{name}"), 0..=most, 0);
        (first, self.number_or(&format!("last_{name}"), first..=u32::MAX, u32::MAX))
    }

    /// Reads a required list of at least one whole number.
    pub fn numbers(&mut self, name: &str, range: RangeInclusive<u32>) -> Vec<u32> {
        let expected = format!("a list of whole numbers from {} to {}", range.start(), range.end());
        self.listed.record(name, || format!("list of numbers from {} to {}", range.start(), range.end()));
        let Some((place, value)) = self.take(name) else {
            self.missing(name, &expected);
            return Vec::new();
        };
        let numbers: Option<Vec<u32>> = match &value {
            DeValue::Array(array) => array
                .iter()
                .map(|value| whole_number(value.get_ref()).filter(|number| range.contains(number)))
                .collect(),
            _ => None,
        };
        numbers.filter(|numbers| !numbers.is_empty()).unwrap_or_else(|| {
            self.unfit(&place, name, &expected);
            vec![*range.start()]
        })
    }

    /// Reads a required pair of whole numbers; the least of the range twice if missing or invalid.
    pub fn pair(&mut self, name: &str, range: &RangeInclusive<u32>) -> (u32, u32) {
        let expected = format!("two whole numbers from {} to {}", range.start(), range.end());
        self.listed.record(name, || format!("two numbers from {} to {}", range.start(), range.end()));
        let Some((place, value)) = self.take(name) else {
            self.missing(name, &expected);
            return (*range.start(), *range.start());
        };
        let numbers: Vec<u32> = match &value {
            DeValue::Array(array) => array.iter().filter_map(|value| whole_number(value.get_ref())).collect(),
            _ => Vec::new(),
        };
        if let [one, other] = *numbers.as_slice()
            && range.contains(&one)
            && range.contains(&other)
        {
            return (one, other);
        }
        self.unfit(&place, name, &expected);
        (*range.start(), *range.start())
    }

    /// Reads an optional list of exactly `N` signed whole numbers; `None` if invalid.
    pub fn integers_if_any<const N: usize>(
        &mut self,
        name: &str,
        range: &RangeInclusive<i32>,
    ) -> Option<[i32; N]> {
        let of = |range: &RangeInclusive<i32>| format!("from {} to {}", range.start(), range.end());
        self.listed.record(name, || format!("{N} numbers {}", of(range)));
        let (place, value) = self.take(name)?;
        let numbers: Option<Vec<i32>> = match &value {
            DeValue::Array(array) => array.iter().map(|value| integer(value.get_ref())).collect(),
            _ => None,
        };
        let numbers = numbers.filter(|numbers| numbers.iter().all(|number| range.contains(number)));
        let numbers = numbers.and_then(|numbers| <[i32; N]>::try_from(numbers).ok());
        if numbers.is_none() {
            let expected = format!("{N} whole numbers from {} to {}", range.start(), range.end());
            self.unfit(&place, name, &expected);
        }
        numbers
    }
}

/// Returns the value as an unsigned number.
fn whole_number(value: &DeValue<'_>) -> Option<u32> {
    match value {
        DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

/// Returns the value as a signed number.
fn integer(value: &DeValue<'_>) -> Option<i32> {
    match value {
        DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}
