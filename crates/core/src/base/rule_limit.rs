//! Limits at which the rules refuse, skip or remove something, in one table. Rules emit `Effect::LimitReached`, and the
//! shell counts them for the operator by setting.

use crate::base::limits::Limits;

macro_rules! rule_limits {
    ($($limit:ident: $name:ident;)*) => {
        /// Limit that the rules enforce.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum RuleLimit {
            $(#[doc = concat!("Setting `limits.", stringify!($name), "`.")] $limit,)*
        }

        impl RuleLimit {
            /// All limits, in export order.
            pub const ALL: &'static [Self] = &[$(Self::$limit,)*];

            /// Returns the name of the setting.
            pub const fn setting(self) -> &'static str {
                match self {
                    $(Self::$limit => concat!("limits.", stringify!($name)),)*
                }
            }

            /// Returns the value of the setting.
            pub const fn of(self, limits: &Limits) -> u32 {
                match self {
                    $(Self::$limit => limits.$name,)*
                }
            }
        }
    };
}

rule_limits! {
    Guests: guests;
    LoginsPerMinute: logins_per_minute;
    InputsWaiting: inputs_waiting;
    CharactersPerAccount: characters_per_account;
    SpeechLoad: speech_load;
    ChannelLines: channel_lines;
    PursesPerDay: purses_per_day;
    DeedLines: deed_lines;
    PromptChars: prompt_chars;
    TitleChars: title_chars;
    PoseChars: pose_chars;
    AppearanceChars: appearance_chars;
    Aliases: aliases;
    AliasChars: alias_chars;
    Highlights: highlights;
    Ignored: ignored;
    Friends: friends;
    Reports: reports;
    ReportsPerAccount: reports_per_account;
    Bans: bans;
    MailChars: mail_chars;
    MailThings: mail_things;
    MailsPerMailbox: mails_per_mailbox;
    MailsPerSender: mails_per_sender;
    MailsPerDay: mails_per_day;
    Mails: mails;
    NoteChars: note_chars;
    Notes: notes;
    PhrasesPerRoom: phrases_per_room;
    ItemsCarried: items_carried;
    ItemsInRoom: items_in_room;
    ItemsInside: items_inside;
    ItemsNested: items_nested;
    Coins: coins;
    Companions: companions;
    PartyInvitations: party_invitations;
    DuelRequests: duel_requests;
    Quests: quests;
    Errands: errands;
    WalkSteps: walk_steps;
    Branches: branches;
    RoomsPerBranch: rooms_per_branch;
    Expeditions: expeditions;
    ExpeditionsPerCharacter: expeditions_per_character;
    WeeklyMembers: weekly_members;
    Camps: camps;
    PocketSlots: pocket_slots;
    BuiltRooms: built_rooms;
    Zones: zones;
    ZonesAtOnce: zones_at_once;
    Vaults: vaults;
    Definitions: definitions;
    DefinitionBytes: definition_bytes;
    DescriptionChars: description_chars;
    NameChars: name_chars;
    DraftLines: draft_lines;
    ScriptLines: script_lines;
    DetailsPerRoom: details_per_room;
    TagsPerRoom: tags_per_room;
    SpawnsPerRoom: spawns_per_room;
    TriggersPerRoom: triggers_per_room;
    ShopStock: shop_stock;
    VariablesPerZone: variables_per_zone;
    VariablesPerObject: variables_per_object;
    VariableBytes: variable_bytes;
    WaitsPerRoom: waits_per_room;
    TriggerDepth: trigger_depth;
    TriggerLines: trigger_lines;
    ScriptToldBytes: script_told_bytes;
    ScriptWork: script_work;
    ScriptSteps: script_steps;
    ScriptMemoryBytes: script_memory_bytes;
}
