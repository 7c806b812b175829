-- The chat: a Markdown buffer for each server that every turn is written to while it streams. What is below the last
-- `## You` is the user's, and is sent from there.
local client = require('pairwright.client')

local M = {}

local space = vim.api.nvim_create_namespace('pairwright.chat')

---@class pairwright.Chat
---@field buffer integer
---@field draft integer extmark of the heading above what the user writes

local chats = {} ---@type table<integer, pairwright.Chat> by client
local answers = {} ---@type table<string, { buffer: integer, mark: integer, kind: string }> by turn

local YOU, PAIR = '## You', '## Pairwright'
local HINT = '<CR> sends, <C-c> stops, g<CR> applies a block'

local function row_of(chat)
  return vim.api.nvim_buf_get_extmark_by_id(chat.buffer, space, chat.draft, {})[1] or 0
end

local function reset(chat)
  vim.api.nvim_buf_clear_namespace(chat.buffer, space, 0, -1)
  vim.api.nvim_buf_set_lines(chat.buffer, 0, -1, false, { YOU, '', '' })
  chat.draft = vim.api.nvim_buf_set_extmark(chat.buffer, space, 0, 0, {
    virt_text = { { '  ' .. HINT, 'PairwrightHint' } },
  })
end

local function keys(buffer)
  local function map(mode, lhs, run, desc)
    vim.keymap.set(mode, lhs, run, { buffer = buffer, desc = 'Pairwright: ' .. desc })
  end
  map('n', '<CR>', M.send, 'send')
  map('i', '<C-s>', function()
    vim.cmd('stopinsert')
    M.send()
  end, 'send')
  map('n', '<C-c>', require('pairwright.turns').stop, 'stop')
  map('n', 'g<CR>', M.apply, 'apply the block at the cursor')
end

---@param id integer
---@return pairwright.Chat
local function chat_of(id)
  local chat = chats[id]
  if chat and vim.api.nvim_buf_is_loaded(chat.buffer) then
    return chat
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, 'pairwright://chat/' .. id)
  vim.bo[buffer].bufhidden = 'hide'
  vim.bo[buffer].filetype = 'markdown'
  vim.b[buffer].pairwright_client = id
  chats[id] = { buffer = buffer, draft = 0 }
  reset(chats[id])
  keys(buffer)
  return chats[id]
end

local function window_for(buffer)
  local options = require('pairwright.config').get().chat
  local split = ({ left = 'topleft vertical', bottom = 'botright' })[options.position] or 'botright vertical'
  vim.cmd(('%s %dsplit'):format(split, options.size))
  local window = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(window, buffer)
  vim.wo[window].wrap, vim.wo[window].linebreak = true, true
  vim.wo[window].number, vim.wo[window].relativenumber, vim.wo[window].signcolumn = false, false, 'no'
  return window
end

local function to_draft(chat, window)
  vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(chat.buffer), 0 })
end

--- Show the chat; `focus` also goes there.
---@param focus boolean
function M.open(focus)
  local connection = client.get()
  if not connection then
    return client.say('no server is running for this buffer; see :checkhealth pairwright', vim.log.levels.ERROR)
  end
  local chat = chat_of(connection.id)
  local before = vim.api.nvim_get_current_win()
  local window = vim.fn.bufwinid(chat.buffer)
  if window < 0 then
    window = window_for(chat.buffer)
    to_draft(chat, window)
  end
  vim.api.nvim_set_current_win(focus and window or before)
end

-- What they come to is seen in the buffer they are about.
local QUIET = { edit = true, refine = true, apply = true }

local function insert(chat, rows)
  local row = row_of(chat)
  vim.api.nvim_buf_set_lines(chat.buffer, row, row, false, rows)
  -- Lines put right before the heading must leave its mark with it.
  vim.api.nvim_buf_set_extmark(chat.buffer, space, row + #rows, 0, {
    id = chat.draft,
    virt_text = { { '  ' .. HINT, 'PairwrightHint' } },
  })
  return row
end

--- A turn has begun: its request, and a place for the answer, above what the user is writing.
---@param turn pairwright.Turn
function M.begin(turn)
  local chat = chat_of(turn.client)
  local about = turn.mode ~= 'ask' and { turn.mode } or {}
  about[#about + 1] = turn.label
  local heading = #about > 0 and ('%s (%s)'):format(YOU, table.concat(about, ', ')) or YOU
  local request = turn.mode == 'apply' and { 'the reply below' } or vim.split(turn.request, '\n')
  local rows = { heading, '' }
  vim.list_extend(rows, request)
  vim.list_extend(rows, { '', PAIR, '', '', '' })
  local row = insert(chat, rows) + #rows - 2
  answers[turn.id] = {
    buffer = chat.buffer,
    mark = vim.api.nvim_buf_set_extmark(chat.buffer, space, row, 0, {}),
    kind = 'text',
  }
  if not QUIET[turn.mode] then
    local current = vim.api.nvim_get_current_buf()
    if current ~= chat.buffer and vim.fn.bufwinid(chat.buffer) < 0 then
      M.open(false)
    end
  end
  M.write(turn)
end

local function put(answer, text)
  local at = vim.api.nvim_buf_get_extmark_by_id(answer.buffer, space, answer.mark, {})
  if at[1] then
    vim.api.nvim_buf_set_text(answer.buffer, at[1], at[2], at[1], at[2], vim.split(text, '\n'))
  end
end

--- Write what has come of an answer.
---@param turn pairwright.Turn
function M.write(turn)
  local answer = answers[turn.id]
  if not answer or not vim.api.nvim_buf_is_loaded(answer.buffer) then
    return
  end
  for _, piece in ipairs(turn.pieces) do
    local kind, text = piece[1], piece[2]
    local lead = ''
    if kind ~= answer.kind then
      lead = answer.kind == 'text' and kind == 'reasoning' and '> ' or '\n\n'
    end
    if kind == 'note' then
      lead, text = '\n\n', ('*%s*'):format(text)
    elseif kind == 'reasoning' then
      text = text:gsub('\n', '\n> ')
    end
    answer.kind = kind
    put(answer, lead .. text)
  end
  turn.pieces = {}
end

--- A turn is over.
---@param turn pairwright.Turn
---@param params table of pairwright/turn/end
function M.finish(turn, params)
  local answer = answers[turn.id]
  answers[turn.id] = nil
  if not answer or not vim.api.nvim_buf_is_loaded(answer.buffer) then
    return
  end
  local said = ''
  if turn.text == '' and params.text and params.text ~= '' then
    said = params.text
  end
  if params.outcome == 'stop' then
    said = said .. ('\n\n*%s*'):format(params.message)
  elseif params.proposal then
    said = said .. '\n\n*A proposal waits: :Pairwright hunks*'
  end
  if turn.usage then
    local cost = (turn.usage.cost or 0) > 0 and (', $%.4f'):format(turn.usage.cost) or ''
    said = said .. ('\n\n*%d tokens%s*'):format(turn.usage.prompt + turn.usage.completion, cost)
  end
  put(answer, said)
  vim.api.nvim_buf_del_extmark(answer.buffer, space, answer.mark)
end

local MODES = { edit = 'edit', architect = 'architect', context = 'context', help = 'help', ask = 'ask' }

--- Send what is written below the last heading.
function M.send()
  if client.origin(0) then
    return require('pairwright.turns').start('send', { uri = vim.uri_from_bufnr(0) })
  end
  local id = vim.b.pairwright_client
  local chat = id and chats[id]
  if not chat or chat.buffer ~= vim.api.nvim_get_current_buf() then
    return client.say('what is to be sent is written in the chat; :Pairwright chat opens it.', vim.log.levels.WARN)
  end
  local row = row_of(chat) + 1
  local words = vim.trim(table.concat(vim.api.nvim_buf_get_lines(chat.buffer, row, -1, false), '\n'))
  local mode, rest = words:match('^/(%a+)%s*(.*)$')
  if not MODES[mode] then
    mode, rest = 'ask', words
  end
  if rest == '' then
    return client.say('write below the last "## You" first.', vim.log.levels.WARN)
  end
  vim.api.nvim_buf_set_lines(chat.buffer, row, -1, false, { '', '' })
  to_draft(chat, 0)
  require('pairwright.turns').start(MODES[mode], { text = rest }, { client = vim.lsp.get_client_by_id(id) })
end

--- The fenced block around line `row` (from 1) of `rows`, with the line before it, which may name the file.
local function block_at(rows, row)
  local fence, first
  for number, line in ipairs(rows) do
    local ticks = line:match('^(```+)')
    if ticks and not fence then
      fence, first = ticks, number
    elseif ticks and fence and #ticks >= #fence and line:match('^`+%s*$') then
      if row >= first - 1 and row <= number then
        return math.max(1, first - 1), number
      end
      fence = nil
    end
  end
end

--- The edit block without a fence around line `row`.
local function bare_block_at(rows, row)
  local first
  for number, line in ipairs(rows) do
    if line:match('^<<<<<<< SEARCH') then
      first = number
    elseif line:match('^>>>>>>> REPLACE') and first then
      if row >= first - 1 and row <= number then
        return math.max(1, first - 1), number
      end
      first = nil
    end
  end
end

--- Make a proposal of the block at the cursor.
function M.apply()
  local rows = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local first, last = block_at(rows, row)
  if not first then
    first, last = bare_block_at(rows, row)
  end
  if not first then
    return client.say('there is no block at the cursor.', vim.log.levels.WARN)
  end
  M.apply_lines(vim.list_slice(rows, first, last))
end

--- Make a proposal of lines that hold edit blocks.
---@param rows string[]
function M.apply_lines(rows)
  require('pairwright.turns').start('apply', { text = table.concat(rows, '\n') .. '\n' })
end

--- Begin a new conversation.
function M.new()
  local connection = client.get()
  client.command('sessions', { action = 'new' }, function()
    reset(chat_of(assert(connection).id))
    client.say('a new conversation.')
  end, { client = connection })
end

--- Choose a conversation and go on with it.
function M.resume()
  local connection = client.get()
  client.command('sessions', { action = 'list' }, function(result)
    vim.ui.select(result.sessions, {
      prompt = 'Go on with:',
      format_item = function(one)
        return ('%s (%d turns)'):format(one.title, one.turns)
      end,
    }, function(choice)
      if choice then
        client.command('sessions', { action = 'resume', session = choice.session }, function(found)
          local chat = chat_of(assert(connection).id)
          reset(chat)
          for _, turn in ipairs(found.turns) do
            local rows = { turn.mode == 'ask' and YOU or ('%s (%s)'):format(YOU, turn.mode), '' }
            vim.list_extend(rows, vim.split(turn.request, '\n'))
            vim.list_extend(rows, { '', PAIR, '' })
            vim.list_extend(rows, vim.split(turn.answer, '\n'))
            insert(chat, vim.list_extend(rows, { '' }))
          end
          M.open(true)
        end, { client = connection })
      end
    end)
  end, { client = connection })
end

return M
