-- Checks of the plugin with a stand-in for MUSHclient: negotiation, what each key says, and malformed messages.
--
-- lua5.1 clients/mushclient/checks.lua

local here = arg[0]:gsub("[^/]*$", "")
local each_damage = dofile(here .. "../damage.lua")

local function equal(found, wanted)
  if found ~= wanted then error(string.format("%s\ninstead of\n%s", tostring(found), tostring(wanted)), 2) end
end

-- A stand-in for MUSHclient's JSON module. Like that one, it reads null as a function, and raises errors.
local function null() end
local function decode(text)
  local at = 1
  local function skip() at = text:find("[^%s]", at) or #text + 1 end
  local function take(pattern)
    skip()
    local found = text:match("^" .. pattern, at)
    if found then at = at + #found end
    return found
  end
  local value
  local function sequence(close, read)
    if take(close) then return end
    repeat read() until not take(",")
    assert(take(close), "no end")
  end
  local function quoted()
    local found = assert(take('"[^"\\]*"'), "only strings without escapes")
    return found:sub(2, -2)
  end
  function value()
    if take("{") then
      local made = {}
      sequence("}", function()
        local key = quoted()
        assert(take(":"), "no colon")
        made[key] = value()
      end)
      return made
    elseif take("%[") then
      local made = {}
      sequence("%]", function() table.insert(made, value()) end)
      return made
    elseif take("true") then return true
    elseif take("false") then return false
    elseif take("null") then return null
    end
    local number = take("%-?[%d.eE+]+")
    return number and tonumber(number) or quoted()
  end
  local made = value()
  skip()
  assert(at > #text, "text behind the value")
  return made
end
json = { decode = decode }
package.preload.json = function() return json end

-- MUSHclient.
local SPEECH, READER = "463242566069ebfd1b379ec1", "925cdd0331023d9f0b8f05a7"
local plugins, spoken, noted, sent, packets, keys, connected
sendto = { script = 12 }
function IsPluginInstalled(id) return plugins[id] ~= nil end
function GetPluginInfo(id, what) assert(what == 17); return plugins[id].enabled end
function CallPlugin(id, routine, ...)
  if plugins[id].broken then return 30000 end
  table.insert(spoken, table.concat({ routine, tostring((...)), tostring((select(2, ...))) }, " "))
  return 0
end
function Note(text) table.insert(noted, text) end
function Send(command) table.insert(sent, command) end
function SendPkt(bytes) table.insert(packets, bytes) end
function AcceleratorTo(key, script, to)
  assert(to == sendto.script)
  assert(not keys[key], "two bindings of " .. key)
  keys[key] = assert(loadstring(script), script)
  return 0
end
function Accelerator(key, text) assert(text == ""); keys[key] = nil; return 0 end
function IsConnected() return connected end
function Version() return "5.06" end
local clock = 1000
function os.time() return clock end

local file = assert(io.open(here .. "deepwell.xml"))
local xml = file:read("*a")
file:close()
local script = assert(xml:match("<script>%s*<!%[CDATA%[(.-)%]%]>"))

local function install()
  plugins, spoken, noted, sent, packets, keys = {}, {}, {}, {}, {}, {}
  assert(loadstring(script, "=deepwell.xml"))()
  OnPluginInstall()
end

local function gmcp(message) OnPluginTelnetSubnegotiation(201, message) end

-- Returns what a key says.
local function press(key)
  noted = {}
  assert(keys[key], "no key " .. key)()
  return table.concat(noted, " | ")
end

local CHECKS = {}

function CHECKS.gmcp_is_negotiated()
  equal(OnPluginTelnetRequest(201, "WILL"), true)
  equal(#packets, 0)
  equal(OnPluginTelnetRequest(201, "SENT_DO"), true)
  equal(packets[1], '\255\250\201Core.Hello {"client": "MUSHclient", "version": "5.06"}\255\240')
  assert(packets[2]:find("^\255\250\201Core.Supports.Set %[.*\"Char.Actions 1\".*%]\255\240$"), packets[2])
  equal(OnPluginTelnetRequest(24, "WILL"), false)
end

function CHECKS.plugin_that_is_added_later_asks_for_gmcp()
  connected = true
  install()
  equal(packets[1], "\255\253\201")
  equal(#packets, 3)
end

function CHECKS.messages_are_kept_by_kind()
  gmcp('Comm.Channel.Text {"channel": "tell Bera", "talker": "Bera", "text": "Bera tells you: this way"}')
  gmcp('Comm.Channel.Text {"channel": "ooc", "talker": "Bera", "text": "[Ooc] Bera: good night"}')
  gmcp('Comm.Channel.Text {"channel": "say", "talker": "Bera", "text": "Bera says: hush"}')
  for _, line in ipairs({ "You hit the rat for five points.", "Notice: A way opens.", "Well Square", "Tell: Bera tells you: this way",
    "> The silver spider misses you.", "Tip: A fight goes on by itself.", "HP 9 of 30, fighting> Fight: The rat bites." }) do
    equal(OnPluginLineReceived(line), true)
  end
  equal(press("Alt+1"), "The rat bites.")
  equal(press("Alt+8"), "Bera tells you: this way")
  equal(press("Alt+9"), "No more.")
  equal(press("Ctrl+Alt+Right"), "tells, 1")
  equal(press("Alt+1"), "Bera tells you: this way")
  equal(press("Ctrl+Alt+Right"), "says, 1")
  equal(press("Ctrl+Alt+Right"), "channels, 1")
  equal(press("Ctrl+Alt+Right"), "notices, 2")
  equal(press("Alt+2"), "A way opens.")
  equal(press("Ctrl+Alt+Right"), "fights, 3")
  equal(press("Ctrl+Alt+Home"), "You hit the rat for five points.")
  equal(press("Ctrl+Alt+Down"), "The silver spider misses you.")
  OnPluginLineReceived("You miss the rat.")
  equal(press("Ctrl+Alt+Down"), "The rat bites.")
  equal(press("Ctrl+Alt+End"), "You miss the rat.")
  equal(press("Ctrl+Alt+Up"), "The rat bites.")
  equal(press("Ctrl+Alt+Right"), "all, 9")
  equal(press("Ctrl+Alt+Left"), "fights, 4")
end

function CHECKS.old_messages_are_dropped()
  for number = 1, 250 do OnPluginLineReceived("You hit it for " .. number) end
  equal(press("Ctrl+Alt+Left"), "fights, 200")
  equal(press("Ctrl+Alt+Home"), "You hit it for 51")
end

function CHECKS.empty_kinds_are_told()
  equal(press("Alt+1"), "No messages.")
  equal(press("Ctrl+Alt+Right"), "tells, 0")
  equal(press("Ctrl+Alt+Up"), "No tells.")
end

function CHECKS.state_is_told()
  equal(press("Alt+Shift+H"), "Hit points are not known.")
  gmcp('Char.Vitals {"hp": 27, "maxhp": 30, "might": null}')
  equal(press("Alt+Shift+H"), "27 of 30 hit points.")
  gmcp('Room.Info {"num": 1, "exitsv2": {"w": {"num": 1, "state": "open", "back": true}, '
    .. '"n": {"num": -1, "state": "unexplored"}, "gate": {"num": 2, "cmd": "enter gate", "state": "locked"}}}')
  equal(press("Alt+Shift+X"), "north, unexplored. west, the way back. gate, locked.")
  gmcp('Char.Status {"gold": 1243, "enemy": ""}')
  gmcp('Char.Mail.Status {"mails": 5, "unread": 2}')
  equal(press("Alt+Shift+P"), "Purse: 1 platinum, 2 gold, 4 silver, 3 copper. Mail: 2 unread of 5.")
  gmcp('Char.Afflictions.List [{"name": "poisoned", "desc": "Green.", "secs": 41}]')
  gmcp('Char.Afflictions.Add {"name": "webbed", "desc": "Sticky."}')
  gmcp('Char.Defences.List [{"name": "blessed", "desc": "Light.", "secs": 90}]')
  clock = clock + 40
  equal(press("Alt+Shift+E"), "poisoned, 1 second. webbed. blessed, 50 seconds.")
  gmcp('Char.Afflictions.Remove ["poisoned", "webbed"]')
  equal(press("Alt+Shift+E"), "blessed, 50 seconds.")
  OnPluginConnect()
  equal(press("Alt+Shift+E"), "No effects.")
end

function CHECKS.foes_are_told_with_announcement()
  equal(press("Alt+Shift+F"), "No foes.")
  gmcp('Char.Enemies.List [{"id": "m31", "name": "a clay rat", "pct": 60, "target": "you", "mine": true, '
    .. '"announces": "The clay rat lowers its head.", "answer": "aside"}, {"id": "m32", "name": "a bat", "pct": 100}]')
  equal(press("Alt+Shift+F"),
    "a clay rat, 60 percent, your target, fights you. The clay rat lowers its head. Answer: aside. a bat, 100 percent.")
end

function CHECKS.actions_are_told_and_done()
  equal(press("Alt+Shift+A"), "Nothing to do here.")
  gmcp('Char.Actions.List [{"kind": "answer", "label": "Step aside", "command": "aside", "ready": true}, '
    .. '{"kind": "ability", "label": "Bash", "command": "bash", "ready": false, "secs": 4}, '
    .. '{"kind": "puzzle", "label": "Answer", "command": "answer", "ready": true, "asks": true}]')
  equal(press("Alt+Shift+A"), "1 Step aside. 2 Bash, 4 seconds. 3 Answer.")
  equal(press("Alt+Shift+1"), "")
  equal(press("Alt+Shift+2"), "Bash, 4 seconds.")
  equal(press("Alt+Shift+3"), "Type answer and your own words.")
  equal(press("Alt+Shift+4"), "No action 4.")
  equal(table.concat(sent, " "), "aside")
end

function CHECKS.plugin_for_speech_is_preferred()
  plugins[SPEECH], plugins[READER] = { enabled = true }, { enabled = true }
  equal(press("Alt+1"), "")
  plugins[SPEECH].enabled = false
  equal(press("Alt+1"), "")
  equal(table.concat(spoken, " | "), "say No messages. true | stop nil nil | say No messages. nil")
  plugins[READER].broken = true
  equal(press("Alt+1"), "No messages.")
end

function CHECKS.keys_are_freed_and_bound_again()
  OnPluginDisable()
  equal(next(keys), nil)
  OnPluginEnable()
  OnPluginClose()
  equal(next(keys), nil)
end

-- Each message with all its fields.
local MESSAGES = {
  ["Char.Vitals"] = { hp = 27, maxhp = 30 },
  ["Char.Status"] = { gold = 40 },
  ["Char.Mail.Status"] = { mails = 5, unread = 2 },
  ["Room.Info"] = { exitsv2 = { n = { num = 1, state = "open", back = true } } },
  ["Char.Actions.List"] = { { label = "Bash", command = "bash", ready = false, secs = 4 } },
  ["Char.Enemies.List"] = {
    { name = "a rat", pct = 60, target = "you", mine = true, announces = "It waits.", answer = "aside" },
  },
  ["Char.Afflictions.List"] = { { name = "poisoned", desc = "Green.", secs = 40 } },
  ["Char.Afflictions.Add"] = { name = "poisoned", desc = "Green.", secs = 40 },
  ["Char.Defences.Remove"] = { "poisoned" },
  ["Comm.Channel.Text"] = { channel = "ooc", talker = "Bera", text = "hi" },
}

function CHECKS.malformed_messages_raise_no_error()
  local tried = 0
  local function try(package, text)
    gmcp(package .. text)
    for key in pairs(keys) do press(key) end
    tried = tried + 1
  end
  for package, body in pairs(MESSAGES) do
    for _, text in ipairs({ "", " ", " {", " text", " [1 2]", " null" }) do try(package, text) end
    each_damage(body, function(damaged)
      json.decode = function() return damaged end
      try(package, " {}")
    end)
    json.decode = decode
  end
  assert(tried > 500, tried)
end

local names = {}
for name in pairs(CHECKS) do table.insert(names, name) end
table.sort(names)
for _, name in ipairs(names) do
  connected = false
  install()
  local done, message = xpcall(CHECKS[name], debug.traceback)
  if not done then
    io.stderr:write(name .. ": " .. message .. "\n")
    os.exit(1)
  end
  print(name)
end
