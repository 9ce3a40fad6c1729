-- Deepwell in Mudlet: passes GMCP data to the map (atlas.lua) and to the window beside the text (panel.lua). The
-- package does not parse the game's text, and sends only commands that the player clicks.

deepwell = deepwell or {}

local PACKAGE = "deepwell"

-- Modules that Mudlet does not request by default.
local WANTED = [[Core.Supports.Add ["Char 1", "Char.Items 1", "Char.Skills 1", "Char.Quests 1", "Room 1", "Room.Map 1", "Room.Wares 1", "Room.Puzzle 1", "Comm.Channel 1", "Party 1"] ]]

-- Current state; each message replaces or updates a part.
deepwell.vitals = deepwell.vitals or {}
deepwell.status = deepwell.status or {}
deepwell.things = deepwell.things or {}
deepwell.carried = deepwell.carried or {}
deepwell.wares = deepwell.wares or {}
deepwell.skills = deepwell.skills or {}
deepwell.quests = deepwell.quests or {}
deepwell.invitations = deepwell.invitations or {}
deepwell.contents = deepwell.contents or {}
deepwell.people = deepwell.people or {}
deepwell.members = deepwell.members or {}
deepwell.said = deepwell.said or {}

local function merge(into, from)
  for name, value in pairs(from or {}) do into[name] = value end
end

-- Tables for the items of each location.
local PLACES = { room = "things", inv = "carried" }

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
  deepwell.vitals = gmcp.Char.Vitals
  deepwell.show_vitals()
end

ON["gmcp.Char.Status"] = function()
  merge(deepwell.status, gmcp.Char.Status)
  deepwell.show_vitals()
  deepwell.show_around()
end

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

ON["gmcp.Char.Skills.List"] = function()
  deepwell.skills = gmcp.Char.Skills.List
  deepwell.show_around()
end

ON["gmcp.Char.Quests.List"] = function()
  deepwell.quests = gmcp.Char.Quests.List
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

ON["sysInstallPackage"] = function(_, package)
  -- Mudlet needs a moment to resize the text area.
  if package == PACKAGE then tempTimer(0.5, deepwell.wrap_text) end
end

ON["sysUninstallPackage"] = function(_, package)
  if package ~= PACKAGE then return end
  for _, handler in ipairs(deepwell.handlers) do killAnonymousEventHandler(handler) end
  deepwell.remove()
  deepwell = nil
end

-- Reloading the package must not register handlers twice.
for _, handler in ipairs(deepwell.handlers or {}) do killAnonymousEventHandler(handler) end
deepwell.handlers = {}
for event, handler in pairs(ON) do
  table.insert(deepwell.handlers, registerAnonymousEventHandler(event, handler))
end

-- Replaces Mudlet's default mapper, which parses text: it would print its help over the first room, and intercept
-- commands that begin with `map`.
mudlet = mudlet or {}
mudlet.mapper_script = true
tempTimer(0, function()
  if table.contains(getPackages(), "generic_mapper") then uninstallPackage("generic_mapper") end
  -- Before the player logs in, so that the first room is wrapped at the remaining width.
  deepwell.build()
end)

sendGMCP(WANTED)
