-- Asking for the words of a request, its selection, and the mark in the buffer while a turn is about it.
local client = require('pairwright.client')

local M = {}

local space = vim.api.nvim_create_namespace('pairwright.turn')
local places = {} ---@type table<string, { buffer: integer, mark: integer }>

---@class pairwright.Selection
---@field buffer integer
---@field first integer row from 0
---@field last integer row from 0
---@field selected boolean lines, not a bare cursor

--- The lines a command was called for, else the cursor.
---@param call { range: integer, line1?: integer, line2?: integer }
---@return pairwright.Selection
function M.selection(call)
  local buffer = vim.api.nvim_get_current_buf()
  if call.range > 0 then
    return { buffer = buffer, first = call.line1 - 1, last = call.line2 - 1, selected = true }
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  return { buffer = buffer, first = row, last = row, selected = false }
end

--- `uri` and `range` of a selection; nothing for a buffer the server does not hold.
---@param selection pairwright.Selection
---@return table
function M.subject(selection)
  local connection = vim.lsp.get_clients({ bufnr = selection.buffer, name = 'pairwright' })[1]
  if not connection then
    return {}
  end
  local uri = vim.uri_from_bufnr(selection.buffer)
  local function column(row, byte)
    local line = vim.api.nvim_buf_get_lines(selection.buffer, row, row + 1, false)[1] or ''
    return vim.str_utfindex(line, connection.offset_encoding, math.min(byte or #line, #line), false)
  end
  if selection.selected then
    return {
      uri = uri,
      range = {
        start = { line = selection.first, character = 0 },
        ['end'] = { line = selection.last, character = column(selection.last) },
      },
    }
  end
  local at = { line = selection.first, character = column(selection.first, vim.api.nvim_win_get_cursor(0)[2]) }
  return { uri = uri, range = { start = at, ['end'] = at } }
end

--- Where a selection is, for a heading.
function M.label(selection)
  local name = vim.api.nvim_buf_get_name(selection.buffer)
  if name == '' or vim.bo[selection.buffer].buftype ~= '' then
    return nil
  end
  local path = vim.fn.fnamemodify(name, ':~:.')
  if not selection.selected then
    return path
  end
  return ('%s:%d-%d'):format(path, selection.first + 1, selection.last + 1)
end

local TITLES = { ask = 'Ask', edit = 'Edit', architect = 'Plan', context = 'Choose files for', help = 'Help' }

--- Start a turn of `mode` about `selection`; asks for the words where there are none. An empty line sends the AI
--- comment at the selection.
---@param mode string
---@param words string
---@param selection pairwright.Selection
---@param more? table
function M.request(mode, words, selection, more)
  local connection = client.get(selection.buffer)
  local args = vim.tbl_extend('force', M.subject(selection), more or {})
  local label = M.label(selection)
  local function send(text)
    if text == nil then
      return
    end
    args.text = text ~= '' and text or nil
    local place = args.uri and { buffer = selection.buffer, row = selection.first } or nil
    require('pairwright.turns').start(mode, args, { client = connection, place = place, label = label })
  end
  if words ~= '' or args.preset then
    return send(words)
  end
  vim.ui.input({ prompt = ('%s: '):format(TITLES[mode] or mode) }, send)
end

--- Diagnostics of the selected lines as the server takes them.
---@param selection pairwright.Selection
---@return table[]
function M.diagnostics(selection)
  local found = vim.tbl_filter(function(one)
    return one.lnum <= selection.last and (one.end_lnum or one.lnum) >= selection.first
  end, vim.diagnostic.get(selection.buffer))
  return vim.lsp.diagnostic.from(found)
end

--- Show at a line that a turn is about it.
---@param turn pairwright.Turn
---@param place { buffer: integer, row: integer }
function M.mark(turn, place)
  if not vim.api.nvim_buf_is_valid(place.buffer) then
    return
  end
  local mark = vim.api.nvim_buf_set_extmark(place.buffer, space, place.row, 0, { strict = false })
  places[turn.id] = { buffer = place.buffer, mark = mark }
  M.progress(turn)
end

--- Bring the mark of a turn up to date; it goes with the turn.
---@param turn pairwright.Turn
function M.progress(turn)
  local place = places[turn.id]
  if not place or not vim.api.nvim_buf_is_valid(place.buffer) then
    places[turn.id] = nil
    return
  end
  if turn.status == '' then
    vim.api.nvim_buf_del_extmark(place.buffer, space, place.mark)
    places[turn.id] = nil
    return
  end
  local at = vim.api.nvim_buf_get_extmark_by_id(place.buffer, space, place.mark, {})
  if at[1] then
    vim.api.nvim_buf_set_extmark(place.buffer, space, at[1], 0, {
      id = place.mark,
      virt_text = { { '  Pairwright: ' .. turn.status, 'PairwrightHint' } },
      strict = false,
    })
  end
end

return M
