-- function fake() end
local json = require("json")
local M = {}
local Cart <const> = setmetatable({}, { __index = Base })
VERSION = "1.0"
M.limit = 10

--[[ function fake2() end ]]
--[==[
function fake3() end
]==]

function globalFn(a, b) return helper(a) end
local function localFn(...) return select("#", ...) end
function M.create(opts) return setmetatable(opts, M) end
function M.sub.deep(x) return x end
function M:push(item) table.insert(self.items, item); self:notify(item) end
M.handler = function(x) return double(x) end
M["quoted"] = function() return 1 end
local lambda = function(n) return n * 2 end
local x, y = 1, function() return z() end

M.mt = {
  __index = function(t, k) return lookup(t, k) end,
  ["__call"] = function() end,
  name = "x",
  nested = { run = function() go() end },
}

function M.outer()
  local inner = function() return 1 end
  local function inner2() return inner() end
  local t = { field = function() end }
  for i, v in ipairs(t) do print(i, v) end
  local s = [[function fake4() end]]
  goto done
  ::done::
  return M.new "str", M.make { a = 1 }, obj.field:method()
end

if cond then function conditional() end end
return M
