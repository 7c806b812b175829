-- Choosing among waiting hunks: at the cursor, in a selection, in the quickfix list, a file, all.
local client = require('pairwright.client')
local hunks = require('pairwright.hunks')

local M = {}

local TITLE = 'Pairwright hunks'

local function key(item)
  return item.proposal .. ' ' .. item.hunk.id
end

local function in_quickfix()
  return vim.bo.buftype == 'quickfix' and vim.fn.getqflist({ title = 0 }).title == TITLE
end

--- The hunks that lines `first` to `last` (from 0) of the quickfix list stand for.
local function listed(first, last)
  local wanted, found = {}, {}
  for row, entry in ipairs(vim.fn.getqflist()) do
    if row - 1 >= first and row - 1 <= last and entry.user_data ~= '' then
      wanted[entry.user_data] = true
    end
  end
  for _, item in ipairs(hunks.items()) do
    if wanted[key(item)] then
      found[#found + 1] = item
    end
  end
  return found
end

--- The hunks of the files that the selected lines of a task's view stand for.
local function of_task(selection)
  local proposals = require('pairwright.taskview').proposals(selection.buffer, selection.first, selection.last)
  return vim.tbl_filter(function(item)
    return proposals[item.file.path] == item.proposal
  end, hunks.items())
end

---@param item pairwright.Item
local function touches(item, first, last)
  if item.file.kind == 'create' or item.file.kind == 'delete' then
    return true
  end
  local from, to = hunks.rows(item)
  if to > from then
    return from <= last and first < to
  end
  -- New lines have none of their own: they are drawn below the line before them.
  return (from <= last and first <= from) or (from - 1 <= last and first <= from - 1)
end

--- The hunks at `selection` in front of the user.
---@param selection pairwright.Selection
---@return pairwright.Item[]
function M.at(selection)
  if in_quickfix() then
    return listed(selection.first, selection.last)
  elseif vim.b[selection.buffer].pairwright_task then
    return of_task(selection)
  elseif vim.b[selection.buffer].pairwright_hunk then
    return vim.tbl_filter(function(item)
      return key(item) == vim.b[selection.buffer].pairwright_hunk
    end, hunks.items())
  end
  local found = vim.tbl_filter(function(item)
    return touches(item, selection.first, selection.last)
  end, hunks.in_buffer(selection.buffer))
  if not selection.selected and #found > 1 then
    -- The cursor means one: the one whose lines it is on before one that is only drawn there.
    for _, item in ipairs(found) do
      local from, to = hunks.rows(item)
      if from <= selection.first and selection.first < to then
        return { item }
      end
    end
    return { found[1] }
  end
  return found
end

--- The file of a proposal that the user is in; nil where there is none.
local function file_here(selection)
  local item = M.at(selection)[1] or hunks.in_buffer(selection.buffer)[1]
  local proposal = vim.api.nvim_buf_get_name(selection.buffer):match('^pairwright:/proposal/(%w+)%.diff$')
  for _, one in ipairs(proposal and hunks.items() or {}) do
    item = item or (one.proposal == proposal and one or nil)
  end
  return item
end

local function told(verb, result, connection)
  local good = result.state == 'applied' or result.state == 'rejected'
  client.say(result.message, good and vim.log.levels.INFO or vim.log.levels.WARN)
  if verb == 'accept' then
    hunks.took(result, connection)
  end
  hunks.refresh(connection)
end

local function send(verb, args, client_id)
  local connection = vim.lsp.get_client_by_id(client_id)
  client.command(verb, args, function(result)
    told(verb, result, connection)
  end, { client = connection })
end

local function nothing()
  local count = hunks.count()
  local there = count > 0 and ('; %d wait elsewhere, :Pairwright hunks lists them'):format(count) or ''
  client.say('no hunk here' .. there .. '.', vim.log.levels.WARN)
end

--- Accept or reject.
---@param verb 'accept'|'reject'
---@param what string '' for the hunks at the selection, `file`, `all`
---@param selection pairwright.Selection
function M.choose(verb, what, selection)
  if what == 'all' then
    local item = file_here(selection) or hunks.items()[#hunks.items()]
    if not item then
      return nothing()
    end
    return send(verb, { proposal = item.proposal }, item.client)
  elseif what == 'file' then
    local item = file_here(selection)
    if not item then
      return nothing()
    end
    return send(verb, { proposal = item.proposal, files = { item.file.path } }, item.client)
  end
  local found, order, picked = M.at(selection), {}, {}
  for _, item in ipairs(found) do
    if not picked[item.proposal] then
      picked[item.proposal] = { client = item.client, hunks = {} }
      order[#order + 1] = item.proposal
    end
    table.insert(picked[item.proposal].hunks, item.hunk.id)
  end
  if #order == 0 then
    return nothing()
  end
  for _, proposal in ipairs(order) do
    send(verb, { proposal = proposal, hunks = picked[proposal].hunks }, picked[proposal].client)
  end
end

--- A further turn about the hunk at the cursor, else about the last proposal.
---@param words string
---@param selection pairwright.Selection
function M.refine(words, selection)
  local here = M.at(selection)[1]
  local item = here or hunks.items()[#hunks.items()]
  if not item then
    return nothing()
  end
  M.refine_with({ proposal = item.proposal, hunks = here and { here.hunk.id } or nil }, words, item.client)
end

--- The same for an argument of the protocol.
function M.refine_with(args, words, client_id)
  local connection = vim.lsp.get_client_by_id(client_id)
  local function go(text)
    if text and text ~= '' then
      args.instruction = text
      require('pairwright.turns').start('refine', args, { client = connection })
    end
  end
  if words ~= '' then
    return go(words)
  end
  vim.ui.input({ prompt = 'Refine: ' }, go)
end

--- The hunk that follows those of a buffer, round all of them.
local function beyond(buffer, step)
  local items, uri, at = hunks.items(), vim.uri_from_bufnr(buffer), nil
  for index, item in ipairs(items) do
    local is_here = item.file.uri == uri or key(item) == vim.b[buffer].pairwright_hunk
    if is_here and (step > 0 or not at) then
      at = index
    end
  end
  if not at then
    return items[step > 0 and 1 or #items]
  end
  return items[(at - 1 + step) % #items + 1]
end

--- Go to the next or the previous hunk: of this buffer, then of the other files.
---@param step 1|-1
function M.go(step)
  local buffer, row = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local own = hunks.in_buffer(buffer)
  local from, to = 1, #own
  if step < 0 then
    from, to = #own, 1
  end
  for at = from, to, step do
    local first = math.min(hunks.rows(own[at]), vim.api.nvim_buf_line_count(buffer) - 1)
    if (step > 0 and first > row) or (step < 0 and first < row) then
      vim.cmd("normal! m'")
      vim.api.nvim_win_set_cursor(0, { first + 1, 0 })
      return
    end
  end
  local item = beyond(buffer, step)
  if not item then
    return nothing()
  end
  M.visit(item)
end

--- Whether there is nothing yet where a hunk makes a file. A buffer of it would be a file that is in its way.
local function is_nowhere(item)
  local path = vim.uri_to_fname(item.file.uri)
  return item.file.kind == 'create' and not hunks.loaded()[path] and not vim.uv.fs_stat(path)
end

--- Show a hunk, in its file; a new file as a diff.
---@param item pairwright.Item
function M.visit(item)
  vim.cmd("normal! m'")
  if is_nowhere(item) then
    return require('pairwright.documents').show(('pairwright:/proposal/%s.diff'):format(item.proposal), function(buffer)
      vim.b[buffer].pairwright_hunk = key(item)
      vim.fn.search('\\V+++ \\.\\*' .. vim.fn.escape(item.file.path, '\\'), 'cw')
    end)
  end
  local buffer = vim.uri_to_bufnr(item.file.uri)
  vim.bo[buffer].buflisted = true
  vim.api.nvim_win_set_buf(0, buffer)
  local first = math.min(hunks.rows(item), vim.api.nvim_buf_line_count(buffer) - 1)
  vim.api.nvim_win_set_cursor(0, { first + 1, 0 })
end

local function entries()
  return vim.tbl_map(function(item)
    local first = hunks.rows(item)
    local rows = vim.split(item.hunk.new ~= '' and item.hunk.new or item.hunk.old, '\n')
    return {
      filename = vim.uri_to_fname(item.file.uri),
      lnum = first + 1,
      text = ('%s: %s'):format(item.name, vim.trim(rows[1] or '')),
      type = item.hunk.stale and 'W' or 'I',
      user_data = key(item),
    }
  end, hunks.items())
end

--- All waiting hunks in the quickfix list, also those of files that are not open.
function M.list()
  local found = entries()
  if #found == 0 then
    return client.say('no hunk waits for a choice.')
  end
  vim.fn.setqflist({}, ' ', { title = TITLE, items = found })
  vim.cmd('copen')
end

--- Bring the list up to date while it is the one in use.
function M.list_again()
  local now = vim.fn.getqflist({ title = 0, idx = 0 })
  if now.title == TITLE then
    local found = entries()
    local idx = #found > 0 and math.max(1, math.min(now.idx, #found)) or nil
    vim.fn.setqflist({}, 'r', { title = TITLE, items = found, idx = idx })
  end
end

return M
