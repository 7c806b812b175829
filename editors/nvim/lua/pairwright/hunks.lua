-- Proposals that wait for a choice: what there is, drawn into the buffers they would change. Choosing is choose.lua.
local client = require('pairwright.client')

local M = {}

M.space = vim.api.nvim_create_namespace('pairwright.hunks')

---@class pairwright.Item
---@field client integer
---@field proposal string
---@field file table of the protocol
---@field hunk table of the protocol
---@field name string what the choice is called
---@field buffer? integer where it is drawn
---@field mark? integer its extmark there

local held = {} ---@type table<integer, table[]> proposals by client
local drawn = {} ---@type table<integer, pairwright.Item[]> by buffer
local asking = {} ---@type table<integer, boolean>

local function waits(hunk)
  return hunk.state == 'proposed' or hunk.state == 'stale'
end

local function name_of(file, hunk)
  if file.kind == 'create' then
    return 'new file ' .. file.path
  elseif file.kind == 'delete' then
    return 'deletion of ' .. file.path
  elseif file.movedFrom and hunk == file.hunks[1] then
    return 'rename to ' .. file.path
  end
  local first = file.movedFrom and 1 or 0
  for index, one in ipairs(file.hunks) do
    if one == hunk then
      return ('hunk %d of %d'):format(index - first, #file.hunks - first)
    end
  end
  return 'hunk'
end

--- Every waiting hunk, in the order of the proposals.
---@return pairwright.Item[]
function M.items()
  local found = {}
  local ids = vim.tbl_keys(held)
  table.sort(ids)
  for _, id in ipairs(ids) do
    for _, proposal in ipairs(held[id]) do
      for _, file in ipairs(proposal.files) do
        for _, hunk in ipairs(file.hunks) do
          if waits(hunk) then
            found[#found + 1] = {
              client = id,
              proposal = proposal.id,
              file = file,
              hunk = hunk,
              name = name_of(file, hunk),
            }
          end
        end
      end
    end
  end
  return found
end

--- How many hunks wait.
function M.count()
  return #M.items()
end

--- Lines of a text of the protocol, without the end of the last.
local function lines_of(text)
  local rows = vim.split(text, '\r?\n')
  if rows[#rows] == '' then
    rows[#rows] = nil
  end
  return rows
end

--- Rows `first` to before `last` that a hunk replaces.
---@param item pairwright.Item
---@return integer, integer
function M.rows(item)
  if item.mark and vim.api.nvim_buf_is_loaded(item.buffer) then
    local at = vim.api.nvim_buf_get_extmark_by_id(item.buffer, M.space, item.mark, { details = true })
    if at[1] then
      return at[1], at[3].end_row or at[1]
    end
  end
  local range = item.hunk.range
  if not range then
    return 0, 0
  end
  local last = range['end'].line
  if range['end'].character > 0 then
    last = last + 1
  end
  return range.start.line, last
end

local function new_lines(item, tabstop)
  local blanks = (' '):rep(tabstop)
  return vim.tbl_map(function(row)
    row = row:gsub('\t', blanks)
    -- The highlight goes on to the edge of the window.
    return { { row .. (' '):rep(math.max(0, 200 - #row)), 'PairwrightNew' } }
  end, lines_of(item.hunk.new))
end

local function draw_new(item, first, last)
  local rows = new_lines(item, vim.bo[item.buffer].tabstop)
  if #rows == 0 or item.file.kind == 'delete' then
    return
  end
  local above = last <= first and first == 0 and item.file.kind ~= 'create'
  vim.api.nvim_buf_set_extmark(item.buffer, M.space, math.max(0, last > first and last - 1 or first - 1), 0, {
    virt_lines = rows,
    virt_lines_above = above,
    strict = false,
  })
end

--- The line above the first one is not shown unless the window is told to leave room.
local function make_room(buffer, count)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      if vim.fn.line('w0') == 1 then
        vim.fn.winrestview({ topline = 1, topfill = count })
      end
    end)
  end
end

---@param item pairwright.Item
local function draw_one(item)
  local first, last = M.rows(item)
  local stale = item.hunk.stale or item.hunk.state == 'stale'
  local hint = stale and ('%s: its lines were changed since'):format(item.name) or item.name
  item.mark = vim.api.nvim_buf_set_extmark(item.buffer, M.space, first, 0, {
    end_row = last,
    end_col = 0,
    hl_group = stale and 'PairwrightStale' or 'PairwrightOld',
    hl_eol = true,
    virt_text = { { '  ' .. hint, 'PairwrightHint' } },
    strict = false,
  })
  if not stale then
    draw_new(item, first, last)
    if last <= first and first == 0 and item.file.kind == 'modify' then
      make_room(item.buffer, #lines_of(item.hunk.new))
    end
  end
end

--- The loaded buffers by the name of their file.
---@return table<string, integer>
function M.loaded()
  local found = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      found[vim.api.nvim_buf_get_name(buffer)] = buffer
    end
  end
  return found
end

local function draw()
  for buffer in pairs(drawn) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_clear_namespace(buffer, M.space, 0, -1)
    end
  end
  drawn = {}
  local preview, loaded = require('pairwright.config').get().preview, M.loaded()
  for _, item in ipairs(M.items()) do
    local buffer = loaded[vim.uri_to_fname(item.file.uri)]
    if buffer then
      item.buffer = buffer
      drawn[buffer] = drawn[buffer] or {}
      table.insert(drawn[buffer], item)
      if preview then
        draw_one(item)
      end
    end
  end
end

--- The waiting hunks of a buffer (0: the current one), from its top.
---@param buffer integer
---@return pairwright.Item[]
function M.in_buffer(buffer)
  if buffer == 0 then
    buffer = vim.api.nvim_get_current_buf()
  end
  local found = vim.list_extend({}, drawn[buffer] or {})
  table.sort(found, function(a, b)
    return M.rows(a) < M.rows(b)
  end)
  return found
end

--- Ask the server what waits, and draw it.
---@param connection? vim.lsp.Client
---@param done? fun()
function M.refresh(connection, done)
  connection = connection or client.get()
  if not connection then
    return
  end
  client.command('proposals', {}, function(result)
    held[connection.id] = result.proposals
    draw()
    require('pairwright.choose').list_again()
    require('pairwright.status').redraw()
    if done then
      done()
    end
  end, { client = connection, quiet = true })
end

--- The server says that what waits has changed. Several such within a moment are one.
function M.changed(_, client_id)
  if asking[client_id] then
    return
  end
  asking[client_id] = true
  vim.defer_fn(function()
    asking[client_id] = nil
    local connection = vim.lsp.get_client_by_id(client_id)
    if connection then
      M.refresh(connection)
      require('pairwright.task').chosen(connection)
    else
      held[client_id] = nil
      draw()
    end
  end, 20)
end

--- Draw into a buffer that has just come, and once more after typing has paused: a hunk may have become stale.
function M.attach(connection, buffer)
  if held[connection.id] == nil then
    held[connection.id] = {}
    M.refresh(connection)
  else
    draw()
  end
  local group = vim.api.nvim_create_augroup('pairwright.hunks.' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    group = group,
    buffer = buffer,
    callback = function()
      if drawn[buffer] and #drawn[buffer] > 0 then
        M.changed(nil, connection.id)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buffer,
    callback = function()
      drawn[buffer] = nil
    end,
  })
end

--- A line about a proposal that has just come.
---@param proposal string
function M.summary(proposal)
  local hunks, files = 0, {}
  for _, item in ipairs(M.items()) do
    if item.proposal == proposal then
      hunks = hunks + 1
      if files[#files] ~= item.file.path then
        files[#files + 1] = item.file.path
      end
    end
  end
  return ('%d %s proposed in %s'):format(hunks, hunks == 1 and 'change' or 'changes', table.concat(files, ', '))
end

--- After an accept or an undo: save what the server names, and show what was in the way.
---@param result table of pairwright.accept or pairwright.undo
---@param connection? vim.lsp.Client
function M.took(result, connection)
  local root, loaded = connection and connection.root_dir, M.loaded()
  for _, name in ipairs(result.save or {}) do
    local is_uri = name:find('^%a[%w+.-]+:') ~= nil
    local buffer = loaded[is_uri and vim.uri_to_fname(name) or vim.fs.joinpath(root or '', name)]
    if buffer and vim.bo[buffer].modified then
      vim.api.nvim_buf_call(buffer, function()
        vim.cmd('silent update')
      end)
    end
  end
  if (result.conflictText or '') ~= '' then
    require('pairwright.documents').show_text('conflicts', result.conflictText, '')
  end
end

return M
