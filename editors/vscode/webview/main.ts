// The page of the chat view: joins the form and the transcript to the extension.

import type { FromView, Mode, ToView } from '../src/messages';
import { Cost } from './cost';
import { Transcript } from './transcript';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const host = acquireVsCodeApi();
const send = (message: FromView): void => host.postMessage(message);
const by = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

const text = by<HTMLTextAreaElement>('text');
const mode = by<HTMLSelectElement>('mode');
const stop = by('stop');
const cost = new Cost();
const running = new Set<string>();

const transcript = new Transcript(by('transcript'), {
  code: (what, code, before, info) =>
    send(what === 'apply' ? { type: 'apply', code, before, info } : { type: what, code }),
  proposal: (what, proposal) => send({ type: 'proposal', what, proposal }),
  run: (command) => send({ type: 'run', command }),
});

function submit(): void {
  const words = text.value.trim();
  if (words === '') return;
  const selection = by<HTMLInputElement>('selected').checked;
  send({ type: 'send', mode: mode.value as Mode, text: words, selection });
  text.value = '';
}

function chip(path: string, read: boolean): HTMLElement {
  const item = document.createElement('li');
  item.textContent = read ? `${path} (read)` : path;
  const drop = document.createElement('button');
  drop.type = 'button';
  drop.textContent = '×';
  drop.setAttribute('aria-label', `Take ${path} out of the chat`);
  drop.addEventListener('click', () => send({ type: 'drop', path }));
  item.append(drop);
  return item;
}

function files(editable: string[], read: string[]): void {
  const add = document.createElement('button');
  add.type = 'button';
  add.textContent = '+ File';
  add.setAttribute('aria-label', 'Add files to the chat');
  add.addEventListener('click', () => send({ type: 'add' }));
  const item = document.createElement('li');
  item.append(add);
  by('files').replaceChildren(...editable.map((p) => chip(p, false)), ...read.map((p) => chip(p, true)), item);
}

function status(words: string): void {
  by('status').textContent = words;
  stop.hidden = running.size === 0;
}

function take(message: ToView): void {
  switch (message.type) {
    case 'reset':
      running.clear();
      transcript.reset(message.turns);
      for (const { id, end } of message.turns) if (!end) running.add(id);
      return status('');
    case 'begin':
      transcript.begin(message.id, message.mode, message.request);
      running.add(message.id);
      return status('Working');
    case 'deltas':
      return transcript.take(message.deltas);
    case 'event':
      transcript.event(message.event);
      cost.take(message.event);
      by('cost').textContent = cost.words();
      if (message.event.kind === 'status') status(String(message.event['text']));
      return;
    case 'end':
      transcript.end(message.end);
      running.delete(message.end.id);
      return status(running.size > 0 ? 'Working' : message.end.outcome === 'done' ? 'Done' : 'Stopped');
    case 'files':
      return files(message.editable, message.read);
    case 'waiting':
      return transcript.waits(message.proposals);
    case 'selection':
      by('selection').hidden = message.label === '';
      by('where').textContent = message.label;
      return;
    case 'focus':
      if (message.mode) mode.value = message.mode;
      text.focus();
  }
}

by('form').addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
});
text.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  }
});
stop.addEventListener('click', () => send({ type: 'stop' }));
by('new').addEventListener('click', () => send({ type: 'new' }));
window.addEventListener('message', (event: MessageEvent<ToView>) => take(event.data));
files([], []);
send({ type: 'ready' });
