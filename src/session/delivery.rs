//! Handles deliveries from the server to a session.

use super::{
    Delivery, MsspFigures, PlayState, Request, Session, SessionAction, SessionConfig, SessionStage, mssp,
};
use crate::session::login::form::{self, LoginMethod};
use crate::session::login::{gmcp, seat};
use deepwell_core::base::GameTime;
use deepwell_core::world::Settings;
use deepwell_game::{Effect, Output};

impl Session {
    /// Handles a delivery from the server.
    pub fn deliver(&mut self, delivery: Delivery, now: GameTime, actions: &mut Vec<SessionAction>) {
        self.at(now);
        if self.is_closed() {
            return;
        }
        match delivery {
            Delivery::Effect(effect) => self.effect(effect, actions),
            Delivery::NameLookedUp(standing) => {
                if let SessionStage::Login(login) = &mut self.stage {
                    login.name_looked_up(&standing, &mut self.screen);
                }
            }
            Delivery::LoginFailed(reason) => self.failed(&reason, actions),
            Delivery::LoginPostponed(reason) => {
                gmcp::tell_result(self, Some(&reason));
                self.entry_refused(&reason);
                if let SessionStage::Login(login) = &mut self.stage {
                    login.postponed(&reason, &mut self.screen);
                }
            }
            Delivery::Queued(number) => self.tell_number(number),
            Delivery::PasswordRefused(reason) => self.password_refused(&reason),
            Delivery::NotAnswered(message) => {
                if let SessionStage::Playing(play) = &mut self.stage {
                    play.end_answer();
                }
                self.screen.text(&message);
            }
            Delivery::Reattached(reason) => {
                if let SessionStage::Playing(play) = &mut self.stage {
                    play.enter_again();
                }
                self.password_refused(&reason);
            }
            Delivery::RecoveryMade(code) => self.recovery_made(code),
            Delivery::NameChecked { name, flaw } => form::tell_name(&mut self.screen, &name, flaw.as_deref()),
            Delivery::Players(names) => form::tell_players(&mut self.screen, &names),
            Delivery::Status(figures) => self.tell_status(figures),
            Delivery::Show(text) => self.screen.text(&text),
        }
        self.go_on(actions);
    }

    /// Tells a client that waits in the queue its number. Clients that log in by `Char.Login` are told in text like all
    /// others, since the package has no message for it.
    fn tell_number(&mut self, number: u32) {
        let message = match &self.stage {
            SessionStage::Login(login) if login.waits() => format!("You are number {number} at the gate."),
            SessionStage::Playing(_) if self.is_asked() => format!("Your password waits as number {number}."),
            SessionStage::Opening
            | SessionStage::Login(_)
            | SessionStage::Playing(_)
            | SessionStage::Closed => return,
        };
        self.entry_waits(&message);
        self.screen.say(&message);
    }

    fn effect(&mut self, effect: Effect, actions: &mut Vec<SessionAction>) {
        match effect {
            Effect::Output { output, .. } => self.output(output),
            Effect::Entered { settings, .. } => self.entered(*settings),
            Effect::Refused { reason, .. } => self.failed(&reason, actions),
            Effect::Close { why, .. } => self.close(why, actions),
            Effect::Inspect { asker, name, .. } => {
                let text = self.report(&name);
                if asker == self.id {
                    self.screen.text(&text);
                } else {
                    actions.push(SessionAction::Ask(Request::Report { to: asker, text }));
                }
            }
            Effect::MakeCode { account, .. } => self.make_code(account, actions),
            Effect::Warning { .. }
            | Effect::Counted(_)
            | Effect::Public(_)
            | Effect::LimitReached(_)
            | Effect::Answered { .. }
            | Effect::Reload { .. }
            | Effect::Files(_)
            | Effect::ReadPart { .. }
            | Effect::Stop { .. } => {}
        }
    }

    fn tell_status(&mut self, figures: MsspFigures) {
        let SessionConfig { name, listing, ports, compression, .. } = &*self.config;
        let variables = mssp::variables(name, listing, *ports, *compression, figures);
        if self.asked_by_option > 0 {
            self.asked_by_option -= 1;
            let variables = variables.iter().map(|(name, values)| (name.as_str(), values.as_slice()));
            self.screen.terminal().status(variables);
        } else {
            self.screen.raw(&mssp::text(&variables));
            self.screen.want_prompt();
        }
    }

    fn output(&mut self, output: Output) {
        match output {
            Output::Text(class, text) => self.screen.tell(class, &text),
            Output::Prompt(fields) => {
                if let SessionStage::Playing(play) = &mut self.stage
                    && play.update_fields(fields)
                {
                    self.screen.want_prompt();
                }
            }
            Output::Data(data) => self.data(&data),
            Output::Settings(settings) => self.set(*settings),
            Output::Local(local) => self.local(local),
        }
    }

    fn entered(&mut self, settings: Settings) {
        if let SessionStage::Login(login) = &mut self.stage {
            if login.is_visit() {
                self.entry = LoginMethod::Visit;
            }
            self.stage = SessionStage::Playing(PlayState::new(login.take_spoken()));
            self.subscriptions.entered(self.now);
            gmcp::tell_result(self, None);
            seat::offer(self);
            self.screen.terminal().logged_in();
            self.screen.show_input();
            self.screen.fresh_line();
            // The prompt follows the game's first output.
            self.screen.drop_prompt();
        }
        self.set(settings);
    }

    /// Changes the player's settings.
    fn set(&mut self, settings: Settings) {
        self.screen.set(settings);
        if let SessionStage::Playing(play) = &mut self.stage {
            play.forget_prompt();
        }
    }

    fn failed(&mut self, reason: &str, actions: &mut Vec<SessionAction>) {
        gmcp::tell_result(self, Some(reason));
        self.entry_refused(reason);
        if let SessionStage::Login(login) = &mut self.stage
            && let Some(why) = login.failed(reason, &mut self.screen)
        {
            self.close(why, actions);
        }
    }
}
