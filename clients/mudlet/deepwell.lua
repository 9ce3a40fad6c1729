-- Deepwell in Mudlet: passes GMCP data to the map (atlas.lua) and to the window beside the text (panel.lua, state.lua,
-- fight.lua), and starts and stops the package. The package does not parse the game's text, and sends only commands
-- that the player clicks or has a key for.

deepwell = deepwell or {}

local PACKAGE = "deepwell"
-- Equal to the version in config.lua.
local VERSION = "6"

-- Modules that Mudlet does not request by default.
local WANTED = [[Core.Supports.Add ["Char 1", "Char.Items 1", "Char.Afflictions 1", "Char.Defences 1", "Char.Skills 1", "Char.Quests 1", "Char.Macros 1", "Char.Mail 1", "Char.Actions 1", "Char.Enemies 1", "Room 1", "Room.Map 1", "Room.Wares 1", "Room.Puzzle 1", "Room.Branches 1", "Room.Notes 1", "World.Time 1", "Comm.Channel 1", "Party 1"] ]]

-- Current state; each message replaces or updates a part.
for _, field in ipairs({
  "vitals", "status", "things", "carried", "wares", "skills", "quests", "invitations", "contents", "people", "members",
  "said", "afflictions", "defences", "actions", "enemies", "signs", "branches", "notes", "time", "macros",
}) do
  deepwell[field] = deepwell[field] or {}
end
deepwell.mail = deepwell.mail or { mails = 0, unread = 0 }

local function merge(into, from)
  for name, value in pairs(type(from) == "table" and from or {}) do into[name] = value end
end

-- Tables for the items of each location.
local PLACES = { room = "things", inv = "carried" }

local VITALS = { hp = "number", maxhp = "number", level = "number", xp = "number", nextxp = "number" }
local CHOICE = { text = "string", command = "string" }

local ON = {}

ON["gmcp.Room.Info"] = function()
  deepwell.show_around()
  deepwell.room()
end

ON["gmcp.Room.Map"] = function() deepwell.remember() end

ON["gmcp.Room.Players"] = function()
  deepwell.people = {}
  for _, one in ipairs(gmcp.Room.Players) do deepwell.people[one.name] = one end
  deepwell.show_around()
end

ON["gmcp.Room.AddPlayer"] = function()
  local one = gmcp.Room.AddPlayer
  deepwell.people[one.name] = one
  deepwell.show_around()
end

ON["gmcp.Room.RemovePlayer"] = function()
  deepwell.people[gmcp.Room.RemovePlayer] = nil
  deepwell.show_around()
end

ON["gmcp.Char.Items.List"] = function()
  local told = gmcp.Char.Items.List
  local place = PLACES[told.location]
  if not place then return end
  deepwell[place] = {}
  for _, thing in ipairs(told.items) do deepwell[place][thing.id] = thing end
  deepwell.show_around()
end

local function thing_changed(change, gone)
  return function()
    local told = gmcp.Char.Items[change]
    local place = PLACES[told.location]
    if not place then return end
    deepwell[place][told.item.id] = not gone and told.item or nil
    deepwell.show_around()
  end
end
ON["gmcp.Char.Items.Add"] = thing_changed("Add", false)
ON["gmcp.Char.Items.Update"] = thing_changed("Update", false)
ON["gmcp.Char.Items.Remove"] = thing_changed("Remove", true)

ON["gmcp.Char.Vitals"] = function()
  deepwell.vitals = deepwell.record(deepwell.body("Char.Vitals"), VITALS)
  deepwell.show_vitals()
end

ON["gmcp.Char.Status"] = function()
  merge(deepwell.status, gmcp.Char.Status)
  deepwell.show_state()
  deepwell.show_around()
end

ON["gmcp.Char.Dialogue"] = function()
  local body = deepwell.body("Char.Dialogue")
  deepwell.dialogue = deepwell.record(body, { name = "string", text = "string" })
  deepwell.dialogue.choices = deepwell.records(type(body) == "table" and body.choices, CHOICE, "command")
  deepwell.show_around()
end

deepwell.state_handlers(ON)
deepwell.fight_handlers(ON)

ON["gmcp.Party.Info"] = function()
  deepwell.members = gmcp.Party.Info.members or {}
  deepwell.show_around()
end

ON["gmcp.Party.Invitations"] = function()
  deepwell.invitations = gmcp.Party.Invitations
  deepwell.show_around()
end

ON["gmcp.Room.Wares.List"] = function()
  deepwell.wares = gmcp.Room.Wares.List
  deepwell.show_around()
end

ON["gmcp.Room.Branches.List"] = function()
  deepwell.branches = {}
  local body = deepwell.body("Room.Branches.List")
  for _, entry in ipairs(type(body) == "table" and body or {}) do
    local branch = deepwell.record(entry, { exit = "string" })
    local names = {}
    local players = type(entry) == "table" and entry.players
    for _, name in ipairs(type(players) == "table" and players or {}) do table.insert(names, tostring(name)) end
    branch.who = #names > 0 and table.concat(names, ", ") or "nobody is there"
    if branch.exit ~= "" then table.insert(deepwell.branches, branch) end
  end
  deepwell.show_around()
end

ON["gmcp.Room.Notes.List"] = function()
  local shape = { from = "string", title = "string", command = "string" }
  deepwell.notes = deepwell.records(deepwell.body("Room.Notes.List"), shape, "command")
  deepwell.show_around()
end

ON["gmcp.Char.Skills.List"] = function()
  local body = deepwell.body("Char.Skills.List")
  local shape = { name = "string", desc = "string", command = "string", learnt = "boolean", ready = "boolean" }
  deepwell.skills = deepwell.records(type(body) == "table" and body.skills, shape, "name")
  deepwell.show_around()
end

ON["gmcp.Char.Quests.List"] = function()
  deepwell.quests = gmcp.Char.Quests.List
  deepwell.show_around()
end

ON["gmcp.Char.Macros.List"] = function()
  local body = deepwell.body("Char.Macros.List")
  deepwell.macros = {}
  for key, line in pairs(type(body) == "table" and type(body.macros) == "table" and body.macros or {}) do
    deepwell.macros[tostring(key)] = tostring(line)
  end
  deepwell.show_around()
end

ON["gmcp.Room.Puzzle.List"] = function() deepwell.furnish() end

ON["gmcp.Party.Update"] = function()
  local update = gmcp.Party.Update
  for at, member in ipairs(deepwell.members) do
    if member.name == update.name then deepwell.members[at] = update end
  end
  deepwell.show_around()
end

ON["gmcp.Comm.Channel.Text"] = function() deepwell.hear(gmcp.Comm.Channel.Text.text) end

-- Modules must be requested again for each connection.
ON["sysProtocolEnabled"] = function(_, protocol)
  if protocol == "GMCP" then sendGMCP(WANTED) end
end

local function profile_file() return getMudletHomeDir() .. "/deepwell_profile.lua" end

-- Returns what the package stores in the profile: `removed`, the version that the player removed, or `always` after
-- the server has brought it back; and `map_info`, the texts of Mudlet on the map that the package has hidden.
local function load_profile()
  local stored = {}
  if io.exists(profile_file()) then pcall(table.load, profile_file(), stored) end
  return stored
end

local function save_profile(stored) pcall(table.save, profile_file(), stored) end

local function register(events)
  for event, handler in pairs(events) do
    table.insert(deepwell.handlers, registerAnonymousEventHandler(event, handler))
  end
end

-- Removes all handlers, timers and keys.
local function release()
  for _, handler in ipairs(deepwell.handlers or {}) do killAnonymousEventHandler(handler) end
  for _, timer in ipairs(deepwell.timers or {}) do killTimer(timer) end
  for _, bound in ipairs(deepwell.keys or {}) do killKey(bound) end
  deepwell.handlers, deepwell.timers, deepwell.keys = {}, {}, {}
end

local function later(seconds, work, repeats)
  table.insert(deepwell.timers, tempTimer(seconds, work, repeats))
end

-- Draws countdowns again, each second.
local function tick()
  if deepwell.effects_count then deepwell.show_state() end
  if deepwell.actions_count then deepwell.show_actions() end
end

ON["sysInstallPackage"] = function(_, package)
  -- Mudlet needs a moment to resize the text area.
  if package == PACKAGE then later(0.5, deepwell.wrap_text) end
end

ON["sysUninstallPackage"] = function(_, package)
  if package ~= PACKAGE then return end
  release()
  deepwell.remove()
  deepwell.show_map_info(load_profile().map_info or {})
  mudlet.mapper_script = deepwell.other_mapper
  save_profile({ removed = VERSION })
  deepwell = nil
end

-- Starts the package.
local function start()
  local stored = load_profile()
  stored.removed = nil
  stored.map_info = stored.map_info or deepwell.map_info()
  save_profile(stored)
  deepwell.hide_map_info(stored.map_info)
  register(ON)
  deepwell.bind_keys()
  later(1, tick, true)
  -- Replaces Mudlet's default mapper, which parses text: it would print its help over the first room, and intercept
  -- commands that begin with `map`.
  deepwell.other_mapper = mudlet.mapper_script
  mudlet.mapper_script = true
  later(0, function()
    if table.contains(getPackages(), "generic_mapper") then uninstallPackage("generic_mapper") end
    -- Before the player logs in, so that the first room is wrapped at the remaining width.
    deepwell.build()
  end)
  sendGMCP(WANTED)
end

-- Starts the package after all, for a player who had removed it.
function deepwell.wake()
  release()
  start()
  later(0.5, deepwell.wrap_text)
end

-- Handlers of a package that the server installs again although the player has removed it. Mudlet would download a
-- package that is missing at each connection, so it stays installed, but does nothing.
local ASLEEP = {
  sysInstallPackage = function(_, package, file)
    if package ~= PACKAGE then return end
    -- Mudlet puts what a server offers into the folder of the profile; a file from elsewhere comes from the player.
    if file and not file:find(getMudletHomeDir(), 1, true) then return deepwell.wake() end
    echo("The Deepwell package was removed from this profile, so it does nothing. ")
    echoLink("Use it again", "deepwell.wake()", "Use it again", true)
    echo("\n")
  end,
  sysUninstallPackage = function(_, package)
    if package ~= PACKAGE then return end
    release()
    deepwell = nil
  end,
}

mudlet = mudlet or {}
-- Reloading the package must not register handlers twice.
release()
local stored = load_profile()
if stored.removed == VERSION or stored.removed == "always" then
  save_profile({ removed = "always" })
  register(ASLEEP)
else
  start()
end
