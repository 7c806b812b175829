-- How the server is and what runs, as a line for a status line and as events.
local client = require('pairwright.client')

local M = {}

local health = {} ---@type table<integer, { health: string, quiescent: boolean, message: string }>

--- Draw status lines anew.
function M.redraw()
  vim.cmd('redrawstatus!')
end

--- pairwright/status.
function M.changed(params, client_id)
  health[client_id] = params
  M.redraw()
  vim.api.nvim_exec_autocmds('User', { pattern = 'PairwrightStatus', modeline = false, data = params })
end

--- pairwright/commit.
function M.committed(params)
  if params.state ~= 'nothing' then
    client.say(params.message ~= '' and params.message or params.text)
  end
end

--- A server has ended, by itself or killed.
function M.lost(client_id, code, signal)
  health[client_id] = nil
  if (code ~= 0 or signal ~= 0) and signal ~= 15 and vim.v.exiting == vim.NIL then
    local text = ('the server has ended (code %d, signal %d); :Pairwright restart'):format(code, signal)
    client.say(text, vim.log.levels.ERROR)
  end
  M.redraw()
end

--- The line: health where it is not well, what runs, how much waits.
---@return string
function M.line()
  local connection = vim.lsp.get_clients({ name = 'pairwright' })[1]
  if not connection then
    return ''
  end
  local parts = {}
  local state = health[(client.get() or connection).id]
  if state and (state.health ~= 'ok' or not state.quiescent) then
    parts[#parts + 1] = state.message ~= '' and state.message or state.health
  end
  vim.list_extend(parts, require('pairwright.task').parts())
  for _, turn in ipairs(require('pairwright.turns').running()) do
    parts[#parts + 1] = turn.status
  end
  local count = require('pairwright.hunks').count()
  if count > 0 then
    parts[#parts + 1] = count == 1 and '1 hunk' or ('%d hunks'):format(count)
  end
  return #parts > 0 and 'Pairwright: ' .. table.concat(parts, ', ') or 'Pairwright'
end

--- Tell how the server is.
function M.show()
  client.command('status', {}, function(result)
    local rows = { ('%s %s, version %s'):format(result.health, result.message or '', result.version) }
    for _, root in ipairs(result.roots) do
      rows[#rows + 1] = ('%s: %d files%s'):format(root.root, root.files, root.ready and '' or ', not indexed yet')
    end
    rows[#rows + 1] = M.line()
    client.say(table.concat(rows, '\n'))
  end)
end

return M
