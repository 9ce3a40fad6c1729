//! Conditions of DG scripts as conditions of triggers: alternatives of tests. Only what a condition here can say is
//! translated; the reason for everything else is an error.

use crate::circle::items::Items;
use crate::circle::report::Untranslated;

/// Maximum number of tests of a condition.
const TESTS_MAX: usize = 8;

/// Condition: one alternative has to hold, with all its tests. `[[]]` always holds, and `[]` never.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AnyOf(pub(super) Vec<Vec<String>>);

/// Words or item that the condition of a branch asks for, if it asks for nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AskedTerm {
    /// Words that were said.
    Words(Vec<String>),
    /// Items that were given, by key.
    Items(Vec<String>),
}

impl AnyOf {
    pub(super) fn always() -> Self {
        Self(vec![Vec::new()])
    }

    const fn never() -> Self {
        Self(Vec::new())
    }

    pub(super) fn is_always(&self) -> bool {
        self.0.iter().any(Vec::is_empty)
    }

    pub(super) const fn is_never(&self) -> bool {
        self.0.is_empty()
    }

    fn one(test: String) -> Self {
        Self(vec![vec![test]])
    }

    /// Returns the condition that both hold; `None` if it is too long.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let all = self.0.iter().flat_map(|one| other.0.iter().map(move |two| [&one[..], &two[..]].concat()));
        Self(all.take(TESTS_MAX + 1).collect()).bounded()
    }

    fn or(mut self, other: Self) -> Option<Self> {
        self.0.extend(other.0);
        self.bounded()
    }

    fn bounded(self) -> Option<Self> {
        (self.0.len() <= TESTS_MAX && self.0.iter().map(Vec::len).sum::<usize>() <= TESTS_MAX).then_some(self)
    }

    /// Returns `true` if a second look finds the same: it asks for no chance, and for nothing that the script changes.
    pub(super) fn is_stable(&self) -> bool {
        self.0.iter().flatten().all(|test| test.trim_start_matches("not ").starts_with("level"))
    }

    /// Returns `true` if it asks for a chance, so that each look rolls the dice.
    pub(super) fn has_chance(&self) -> bool {
        self.0.iter().flatten().any(|test| test.contains("chance"))
    }

    /// Formats the condition as it is written in a line.
    pub(super) fn words(&self) -> String {
        self.0.iter().map(|all| all.join(" and ")).collect::<Vec<_>>().join(" or ")
    }
}

/// Operators, the longer ones first.
const SIGNS: [&str; 7] = ["/=", "==", "!=", "<=", ">=", "<", ">"];

/// Splits a comparison into its sides and its operator.
fn comparison(term: &str) -> Option<(&str, &str, &str)> {
    if let Some((left, right)) = term.split_once(" contains ") {
        return Some((left.trim(), "/=", right.trim()));
    }
    let (at, sign) =
        SIGNS.iter().filter_map(|sign| Some((term.find(sign)?, *sign))).min_by_key(|(at, sign)| {
            // Of two operators at one place, the longer one is meant.
            (*at, usize::MAX - sign.len())
        })?;
    let (left, right) = (term.get(..at)?, term.get(at + sign.len()..)?);
    Some((left.trim(), sign, right.trim().trim_matches('"')))
}

/// Removes parentheses around a whole text.
fn bare(mut text: &str) -> &str {
    loop {
        text = text.trim();
        let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        match inside.filter(|inside| !inside.contains(['(', ')']) || is_balanced(inside)) {
            Some(inside) => text = inside,
            None => return text,
        }
    }
}

/// Returns `true` if no parenthesis of a text closes before it opens.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i64;
    let never_below = text.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    });
    never_below && depth == 0
}

/// Splits a text at an operator outside of parentheses.
fn parts<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i64);
    let mut skip_until = 0;
    for (at, c) in text.char_indices() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth == 0 && at >= skip_until && text.get(at..).is_some_and(|rest| rest.starts_with(sign)) {
            parts.push(text.get(from..at).unwrap_or_default());
            from = at + sign.len();
            skip_until = from;
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// Translates a condition.
///
/// # Errors
/// The reason, if it cannot be said.
pub(super) fn translate(text: &str, items: &Items) -> Result<AnyOf, Untranslated> {
    let long = || "the condition is too long".to_owned();
    let mut any = AnyOf::never();
    for alternative in parts(bare(text), "||") {
        let mut all = AnyOf::always();
        for term in parts(bare(alternative), "&&") {
            all = all.and(&test(bare(term), items)?).ok_or_else(long)?;
        }
        any = any.or(all).ok_or_else(long)?;
    }
    Ok(any)
}

fn test(term: &str, items: &Items) -> Result<AnyOf, Untranslated> {
    if let Some(rest) = term.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
        return test(bare(rest), items).and_then(|asked| negated(&asked, term));
    }
    let yes = |holds: bool| Ok(if holds { AnyOf::always() } else { AnyOf::never() });
    let (left, sign, right) = comparison(term).unwrap_or((term, "!=", "0"));
    let variable = left.trim_matches('%').to_lowercase();
    let unknown = || Err(format!("the condition {term} cannot be said").into());
    let number = || right.parse::<i64>().map_err(|_| format!("the condition {term} cannot be said"));
    if variable == "actor.is_pc" {
        return yes(holds(1, sign, number()?));
    }
    if variable == "actor.level" {
        return level(sign, number()?).map_or_else(unknown, Ok);
    }
    if let Some(sides) = variable.strip_prefix("random.").and_then(|sides| sides.parse::<i64>().ok()) {
        return chance(sides, sign, number()?).map_or_else(unknown, Ok);
    }
    let item = variable.strip_prefix("actor.has_item(").and_then(|rest| rest.strip_suffix(')'));
    if let Some(key) = item.and_then(|number| number.parse().ok()).and_then(|number: i64| items.get(&number))
    {
        let has = AnyOf::one(format!("has {key}"));
        return match (sign, right) {
            ("!=" | ">", "0") | ("==", "1") => Ok(has),
            ("==", "0") => negated(&has, term),
            _ => unknown(),
        };
    }
    unknown()
}

/// Negates a single test.
fn negated(asked: &AnyOf, term: &str) -> Result<AnyOf, Untranslated> {
    if asked.is_always() {
        return Ok(AnyOf::never());
    }
    match &asked.0[..] {
        [] => Ok(AnyOf::always()),
        [all] => {
            let not = |test: &String| {
                test.strip_prefix("not ").map_or_else(|| format!("not {test}"), str::to_owned)
            };
            Ok(AnyOf(all.iter().map(|test| vec![not(test)]).collect()))
        }
        _ => Err(format!("the condition {term} cannot be said").into()),
    }
}

fn holds(left: i64, sign: &str, right: i64) -> bool {
    match sign {
        "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left >= right,
    }
}

fn level(sign: &str, number: i64) -> Option<AnyOf> {
    let number = u32::try_from(number.clamp(0, 10_000)).ok()?;
    let (least, below) = (|n: u32| format!("level {n}"), |n: u32| format!("not level {n}"));
    Some(match sign {
        ">=" => AnyOf::one(least(number)),
        ">" => AnyOf::one(least(number + 1)),
        "<" => AnyOf::one(below(number)),
        "<=" => AnyOf::one(below(number + 1)),
        "==" => AnyOf(vec![vec![least(number), below(number + 1)]]),
        "!=" => AnyOf(vec![vec![below(number)], vec![least(number + 1)]]),
        _ => return None,
    })
}

/// Returns the chance that a die compares to a number in a way, in whole percent.
fn chance(sides: i64, sign: &str, number: i64) -> Option<AnyOf> {
    if !(1..=1_000_000).contains(&sides) || sign == "/=" {
        return None;
    }
    let up_to = |number: i64| number.clamp(0, sides);
    let hits = match sign {
        "==" => i64::from((1..=sides).contains(&number)),
        "!=" => sides - i64::from((1..=sides).contains(&number)),
        "<" => up_to(number.saturating_sub(1)),
        "<=" => up_to(number),
        ">" => sides - up_to(number),
        _ => sides - up_to(number.saturating_sub(1)),
    };
    Some(match hits {
        0 => AnyOf::never(),
        hits if hits == sides => AnyOf::always(),
        hits => AnyOf::one(format!("chance {}%", (hits * 100 / sides).clamp(1, 99))),
    })
}

/// Returns the words or the items that a condition asks for, if it asks for nothing else.
pub(super) fn choice(text: &str, items: &Items) -> Option<AskedTerm> {
    let (mut words, mut keys) = (Vec::new(), Vec::new());
    for term in parts(bare(text), "||") {
        let (left, sign, right) = comparison(bare(term))?;
        match (left.trim_matches('%').to_lowercase().as_str(), sign) {
            ("speech", "/=" | "==") if !right.is_empty() => words.push(right.to_owned()),
            ("object.vnum", "==") => keys.push(items.get(&right.parse::<i64>().ok()?)?.clone()),
            _ => return None,
        }
    }
    match (words.is_empty(), keys.is_empty()) {
        (false, true) => Some(AskedTerm::Words(words)),
        (true, false) => Some(AskedTerm::Items(keys)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_translated_or_refused() {
        let items = Items::from([(7, "z_key".to_owned())]);
        let outcome = |text: &str| match translate(text, &items) {
            Ok(any) if any.is_always() => "always".to_owned(),
            Ok(any) if any.is_never() => "never".to_owned(),
            Ok(any) => any.words(),
            Err(refusal) => refusal.to_string(),
        };
        for (text, expected) in [
            ("%actor.is_pc%", "always"),
            ("!%actor.is_pc%", "never"),
            ("%actor.is_pc% && %actor.level% < 5", "not level 5"),
            ("(%actor.level% >= 5) || (%actor.level% == 2)", "level 5 or level 2 and not level 3"),
            ("%random.4% == 1", "chance 25%"),
            ("%random.100% <= 30", "chance 30%"),
            ("%random.3% > 9", "never"),
            ("%actor.has_item(7)%", "has z_key"),
            ("!%actor.has_item(7)%", "not has z_key"),
            ("%actor.has_item(8)%", "the condition %actor.has_item(8)% cannot be said"),
            ("%actor.sex% == male", "the condition %actor.sex% == male cannot be said"),
            ("((((", "the condition (((( cannot be said"),
            ("", "the condition  cannot be said"),
            (
                "%actor.level% > 99999999999999999999",
                "the condition %actor.level% > 99999999999999999999 cannot be said",
            ),
        ] {
            assert_eq!(outcome(text), expected, "{text}");
        }
        let choice_of = |text: &str| choice(text, &items);
        assert_eq!(
            choice_of("%speech% /= hello || %speech% contains hi"),
            Some(AskedTerm::Words(vec!["hello".into(), "hi".into()]))
        );
        assert_eq!(choice_of("%object.vnum% == 7"), Some(AskedTerm::Items(vec!["z_key".into()])));
        assert_eq!(choice_of("%object.vnum% == 7 || %speech% /= a"), None);
        let long = ["%actor.level% == 3"; 9].join(" || ");
        assert_eq!(outcome(&long), "the condition is too long");
    }
}
