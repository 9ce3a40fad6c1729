//! Display settings: `config` lists, explains and changes each setting.

use crate::command::account::setting::{AccountSetting, SETTINGS, UnfitValue, describe, setting_named};
use crate::command::parse::{Actor, Argument, SpeechArgument, TextArgument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::effect::{Effect, Output};
use crate::gmcp::media;
use crate::refusal::{Refusal, refuse};
use crate::room::look;
use crate::turn::Turn;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Settings;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "config",
        aliases: &["settings"],
        syntax: "config [SETTING [VALUE]]",
        summary: "Shows your settings with what each does and the values it takes; or one; or changes one.",
        example: "config width off: lines are no longer wrapped by the server.",
        takes_words: true,
        is_protected: true,
        run: run!(config),
        ..SETTING
    },
    CommandSpec {
        name: "prompt",
        syntax: "prompt [full | brief | off | custom TEXT]",
        summary: "Shows or changes what stands before what you type. See help prompt for what TEXT may hold.",
        example: "prompt custom %h of %H> shows your hit points, as in 27 of 30>.",
        takes_words: true,
        run: run!(prompt),
        ..SETTING
    },
    CommandSpec {
        name: "brief",
        syntax: "brief [on | off | auto]",
        summary: "Leaves rooms that you have seen since you connected undescribed, or describes them again; the same as config brief.",
        example: "brief: a known room is told by its name and exits; look still shows all of it.",
        run: run!(brief),
        ..SETTING
    },
    CommandSpec {
        name: "screenreader",
        syntax: "screenreader [on | off | auto]",
        summary: "Switches to plain sentences for a screen reader and back, as before logging in; the same as config reader.",
        example: "screenreader on: nothing is drawn, and what changes is told in words.",
        run: run!(screen_reader),
        ..SETTING
    },
];

/// Defaults of the commands here.
const SETTING: CommandSpec = CommandSpec { needs: Needs::Nothing, ..CommandSpec::GUEST };

/// Setting and its new value; an empty value only shows it.
#[derive(Clone, Copy)]
struct SettingChange<'a> {
    setting: &'static AccountSetting,
    value: &'a str,
}

impl<'a> Argument<'a> for SettingChange<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (name, value) = words.keyword();
        Ok(Self { setting: setting_named(&name)?, value: value.text() })
    }
}

fn config(turn: &mut Turn, actor: Actor, change: Option<SettingChange<'_>>) -> Result<(), Refusal> {
    let Some(SettingChange { setting, value }) = change else {
        let settings = &turn.world.accounts[actor.account].settings;
        let mut list = Markup::styled(Style::Heading, "Your settings");
        for setting in SETTINGS {
            describe(setting, settings, &mut list);
        }
        return actor.answer(turn, list);
    };
    change_or_tell(turn, actor, setting, value)
}

/// Sets a new value, if one is typed, and shows the setting.
fn change_or_tell(
    turn: &mut Turn,
    actor: Actor,
    setting: &AccountSetting,
    value: &str,
) -> Result<(), Refusal> {
    let mut settings = turn.world.accounts[actor.account].settings.clone();
    if !value.is_empty() {
        let unfit = |unfit| match unfit {
            UnfitValue::Value => {
                refuse!("{} takes {}.", setting.name, setting.values)
            }
            UnfitValue::Refused(reason) => reason,
        };
        (setting.choose)(&mut settings, value, &turn.config.limits).map_err(unfit)?;
        change_settings(turn, actor, settings.clone())?;
    }
    let mut list = Markup::new();
    describe(setting, &settings, &mut list);
    actor.answer(turn, list)
}

fn prompt(turn: &mut Turn, actor: Actor, SpeechArgument(value): SpeechArgument<'_>) -> Result<(), Refusal> {
    change_or_tell(turn, actor, setting_named("prompt")?, value)
}

/// Handles `screenreader`, the command also offered before login.
fn screen_reader(turn: &mut Turn, actor: Actor, value: Option<TextArgument<'_>>) -> Result<(), Refusal> {
    let other = match turn.world.accounts[actor.account].settings.screen_reader {
        Some(true) => "off",
        _ => "on",
    };
    let value = value.map_or(other, |value| value.0);
    change_or_tell(turn, actor, setting_named("reader")?, value)
}

fn brief(turn: &mut Turn, actor: Actor, value: Option<TextArgument<'_>>) -> Result<(), Refusal> {
    let other = if look::wants_brief(turn, actor.account) { "off" } else { "on" };
    change_or_tell(turn, actor, setting_named("brief")?, value.map_or(other, |value| value.0))
}

/// Stores the settings of an account and sends them to the session.
pub(crate) fn change_settings(turn: &mut Turn, actor: Actor, settings: Settings) -> Result<(), Refusal> {
    turn.require_writable()?;
    if let Some(account) = turn.world.accounts.edit(actor.account) {
        let sounded = account.settings.sound;
        account.settings = settings.clone();
        if sounded && !settings.sound {
            media::silence(turn, actor.session);
        }
    }
    turn.outbox.push(Effect::Output { session: actor.session, output: Output::Settings(Box::new(settings)) });
    Ok(())
}
