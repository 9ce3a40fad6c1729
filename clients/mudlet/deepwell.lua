-- Deepwell in Mudlet: what the server tells as data (GMCP) goes to the map (atlas.lua) and to the window beside the text
-- (panel.lua). Nothing here reads the text of the game, and nothing answers the server but the commands that are pressed.

deepwell = deepwell or {}

local PACKAGE = "deepwell"

-- What Mudlet does not ask for by itself.
local WANTED = [[Core.Supports.Add ["Char 1", "Char.Items 1", "Char.Skills 1", "Room 1", "Room.Map 1", "Room.Wares 1", "Room.Puzzle 1", "Comm.Channel 1", "Party 1"] ]]

-- What is known; a message tells all of something, or what of it has changed.
deepwell.vitals = deepwell.vitals or {}
deepwell.status = deepwell.status or {}
deepwell.things = deepwell.things or {}
deepwell.carried = deepwell.carried or {}
deepwell.wares = deepwell.wares or {}
deepwell.skills = deepwell.skills or {}
deepwell.invitations = deepwell.invitations or {}
deepwell.contents = deepwell.contents or {}
deepwell.people = deepwell.people or {}
deepwell.members = deepwell.members or {}
deepwell.said = deepwell.said or {}

local function merge(into, from)
  for name, value in pairs(from or {}) do into[name] = value end
end

-- Tables for the things of each place.
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

ON["gmcp.Room.Puzzle.List"] = function() deepwell.furnish() end

ON["gmcp.Party.Update"] = function()
  local update = gmcp.Party.Update
  for at, member in ipairs(deepwell.members) do
    if member.name == update.name then deepwell.members[at] = update end
  end
  deepwell.show_around()
end

ON["gmcp.Comm.Channel.Text"] = function() deepwell.hear(gmcp.Comm.Channel.Text.text) end

-- Each connection is told anew what is wanted.
ON["sysProtocolEnabled"] = function(_, protocol)
  if protocol == "GMCP" then sendGMCP(WANTED) end
end

ON["sysInstallPackage"] = function(_, package)
  -- Mudlet needs a moment to make room.
  if package == PACKAGE then tempTimer(0.5, deepwell.wrap_text) end
end

ON["sysUninstallPackage"] = function(_, package)
  if package ~= PACKAGE then return end
  for _, handler in ipairs(deepwell.handlers) do killAnonymousEventHandler(handler) end
  deepwell.remove()
  deepwell = nil
end

-- Loading the package again must not run everything twice.
for _, handler in ipairs(deepwell.handlers or {}) do killAnonymousEventHandler(handler) end
deepwell.handlers = {}
for event, handler in pairs(ON) do
  table.insert(deepwell.handlers, registerAnonymousEventHandler(event, handler))
end

-- This draws the map. The mapper that Mudlet brings along reads text instead: it would print its help over the first
-- room, and take commands that begin with `map` for its own.
mudlet = mudlet or {}
mudlet.mapper_script = true
tempTimer(0, function()
  if table.contains(getPackages(), "generic_mapper") then uninstallPackage("generic_mapper") end
  -- Before anybody plays, so that the first room is told in the width that is left.
  deepwell.build()
end)

sendGMCP(WANTED)
