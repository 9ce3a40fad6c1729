-- Reads message bodies as records with known fields, so that a missing field, or one of another type, never stops a
-- handler.

deepwell = deepwell or {}

local DEFAULTS = { string = "", number = 0, boolean = false }

-- Returns a record with the fields of the shape. A shape has a type for each field: `string`, `number` or `boolean`;
-- `string?` and `number?` are nil instead of the default.
function deepwell.record(body, shape)
  local made = {}
  if type(body) ~= "table" then body = {} end
  for name, kind in pairs(shape) do
    local wanted = kind:gsub("%?$", "")
    if type(body[name]) == wanted then
      made[name] = body[name]
    elseif kind == wanted then
      made[name] = DEFAULTS[wanted]
    end
  end
  return made
end

-- Returns the records of a list whose field `key` is not empty.
function deepwell.records(body, shape, key)
  local made = {}
  for _, entry in ipairs(type(body) == "table" and body or {}) do
    local one = deepwell.record(entry, shape)
    if one[key] ~= "" then table.insert(made, one) end
  end
  return made
end

-- Returns the body of the message that has just arrived; nil if the path does not lead to one.
function deepwell.body(path)
  local at = gmcp
  for part in path:gmatch("[^.]+") do
    if type(at) ~= "table" then return nil end
    at = at[part]
  end
  return at
end

-- Returns the time at which a span of seconds from now ends; nil without one.
function deepwell.ends(seconds) return seconds and getEpoch() + seconds end

-- Returns the whole seconds until a time.
function deepwell.seconds_to(ends) return math.max(0, math.ceil(ends - getEpoch())) end
