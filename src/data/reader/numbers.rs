//! Whole numbers under the keys of a table: one, two, or a list of them, within bounds.

use super::Reader;
use std::ops::RangeInclusive;
use toml::de::DeValue;

impl Reader<'_> {
    /// A whole number, if there is one.
    pub fn number_if_any(&mut self, name: &str, range: &RangeInclusive<u32>) -> Option<u32> {
        let (place, value) = self.take(name)?;
        let fitting = whole_number(&value).filter(|number| range.contains(number));
        if fitting.is_none() {
            self.unfit(&place, name, &format!("a whole number from {} to {}", range.start(), range.end()));
        }
        Some(fitting.unwrap_or(*range.start()))
    }

    /// A whole number that has to be there; the least one stands for a wrong one.
    pub fn number(&mut self, name: &str, range: RangeInclusive<u32>) -> u32 {
        if let Some(number) = self.number_if_any(name, &range) {
            return number;
        }
        self.missing(name, "a whole number");
        *range.start()
    }

    /// A whole number, or what stands for it.
    pub fn number_or(&mut self, name: &str, range: RangeInclusive<u32>, otherwise: u32) -> u32 {
        self.number_if_any(name, &range).unwrap_or(otherwise)
    }

    /// A whole number that may be below zero, or what stands for it.
    pub fn signed_or(&mut self, name: &str, range: RangeInclusive<i32>, otherwise: i32) -> i32 {
        let Some((place, value)) = self.take(name) else { return otherwise };
        integer(&value).filter(|number| range.contains(number)).unwrap_or_else(|| {
            self.unfit(&place, name, &format!("a whole number from {} to {}", range.start(), range.end()));
            otherwise
        })
    }

    /// The first and the last that something is for, under `first_NAME` and `last_NAME`; without a key from the beginning
    /// and without end.
    pub fn first_and_last(&mut self, name: &str, most: u32) -> (u32, u32) {
        let first = self.number_or(&format!("first_{name}"), 0..=most, 0);
        (first, self.number_or(&format!("last_{name}"), first..=u32::MAX, u32::MAX))
    }

    /// Whole numbers; at least one of them.
    pub fn numbers(&mut self, name: &str, range: RangeInclusive<u32>) -> Vec<u32> {
        let expected = format!("a list of whole numbers from {} to {}", range.start(), range.end());
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

    /// Two whole numbers that have to be there; the least ones stand for wrong ones.
    pub fn pair(&mut self, name: &str, range: &RangeInclusive<u32>) -> (u32, u32) {
        let expected = format!("two whole numbers from {} to {}", range.start(), range.end());
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

    /// So many whole numbers, which may be below zero, if they are there; none if they are wrong.
    pub fn integers_if_any<const N: usize>(
        &mut self,
        name: &str,
        range: &RangeInclusive<i32>,
    ) -> Option<[i32; N]> {
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

/// A whole number that is not below zero.
fn whole_number(value: &DeValue<'_>) -> Option<u32> {
    match value {
        DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

/// A whole number that may be below zero.
fn integer(value: &DeValue<'_>) -> Option<i32> {
    match value {
        DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}
