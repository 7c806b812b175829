-- Texts that lie on no disk: the map, what was sent, diffs of proposals and checkpoints. Read from the server, and
-- again when it says that they have changed.
local client = require('pairwright.client')

local M = {}

local TYPES = { map = 'text', sent = 'markdown', session = 'markdown', proposal = 'diff', checkpoint = 'diff' }

local function fill(buffer, text)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n'))
  vim.bo[buffer].modifiable = false
end

--- The buffer of a name, made where there is none.
local function buffer_of(name, kind)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == name then
      return buffer
    end
  end
  local buffer = vim.api.nvim_create_buf(true, true)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = kind
  return buffer
end

--- Put a buffer before the user: its window, else a split.
local function show(buffer)
  local window = vim.fn.bufwinid(buffer)
  if window > 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('split')
    vim.api.nvim_win_set_buf(0, buffer)
  end
end

--- Show a text that does not change.
function M.show_text(name, text, kind)
  local buffer = buffer_of('pairwright://' .. name, kind)
  show(buffer)
  fill(buffer, text)
end

--- Show a document of the scheme `pairwright`.
---@param uri string
---@param shown? fun(buffer: integer)
function M.show(uri, shown)
  local connection = client.get()
  client.request('pairwright/document', { uri = uri }, function(result)
    local name = uri:match('^pairwright:/(%a+)') or ''
    local buffer = buffer_of(uri, TYPES[name] or 'text')
    show(buffer)
    fill(buffer, result.text)
    vim.b[buffer].pairwright_client = connection and connection.id
    if shown then
      shown(buffer)
    end
  end, connection)
end

--- A document has another text now. One that is not shown is not read again, and so forgotten by the server.
function M.changed(params, client_id)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == params.uri then
      client.request('pairwright/document', { uri = params.uri }, function(result)
        if vim.api.nvim_buf_is_valid(buffer) then
          fill(buffer, result.text)
        end
      end, vim.lsp.get_client_by_id(client_id))
    end
  end
end

--- Choose a checkpoint and show what it changed.
function M.checkpoints()
  client.command('checkpoints', { limit = 100 }, function(result)
    if #result.checkpoints == 0 then
      return client.say('nothing was changed yet.')
    end
    vim.ui.select(result.checkpoints, {
      prompt = 'Checkpoints:',
      format_item = function(one)
        return one.text
      end,
    }, function(choice)
      if choice then
        M.show(('pairwright:/checkpoint/%s.diff'):format(choice.id))
      end
    end)
  end)
end

return M
