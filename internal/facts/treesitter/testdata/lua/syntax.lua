local util = require("lazy.util")
local options = require "lazy.config".options
local M, N = {}, 1
local unset

---A widget.
---@class Widget
local Widget = Base:extend{
  name = "w", ["key"] = 1, 3, [N] = 2,
  run = function(self, a) return self:draw(a) end,
  nested = { deep = N },
}

---Sets it up.
function M.setup(opts, ...)
  M.opts = opts or {}
  local x <const>, y = util.merge(opts.a, M.opts["b"]), options
  for i, v in ipairs(x) do print(i, v, y) end
  for j = 1, #x, 2 do M.count = j end
  M.count = M.count + 1
  if opts and x then return M elseif y then else return Widget end
  local t = { inner = 1 }
  t.later = t.inner
  t.inner = opts.inner
end

function Widget:draw(n)
  self.drawn = n
  self.drawn, self.more = self.drawn + 1, function() return self.name end
  return self
end

function Widget.static() return Widget:new{ name = "a" }:draw(1).drawn end
function M.a.b:go() return self end
function util.extra() end
local function helper(a) return helper(a - 1) end
function global_one() helper() end
M.late = function(a, b) helper(a) return b end
counter, other = 1, function() counter = counter + 1 end
other(counter)
repeat local z = helper() until z > 1
do local z = 1; print(z) end
while true do local w = z; break end
goto done
::done::
Widget:new():draw "text" { helper }
M["key"].z = M.setup
M.setup(1, 2).late()
local loaded = pcall(require, "x") and require("y").z
print(require("z").w, [[long M.setup]], unset)
return setmetatable(M, { __index = function(t, k) return rawget(t, k) end })
