// What the extension and its chat view say to each other.

import type { Delta, TurnEnd, TurnEvent } from './wire';

export type Mode = 'ask' | 'edit' | 'architect' | 'context' | 'help';

/** A turn as the view draws it anew after it was closed. */
export interface Told {
  id: string;
  mode: string;
  request: string;
  text: string;
  end?: TurnEnd;
}

export type ToView =
  | { type: 'reset'; turns: Told[] }
  | { type: 'begin'; id: string; mode: string; request: string }
  | { type: 'deltas'; deltas: Delta[] }
  | { type: 'event'; event: TurnEvent }
  | { type: 'end'; end: TurnEnd }
  | { type: 'files'; editable: string[]; read: string[] }
  | { type: 'waiting'; proposals: string[] }
  | { type: 'selection'; label: string }
  | { type: 'focus'; mode?: Mode };

export type FromView =
  | { type: 'ready' }
  | { type: 'send'; mode: Mode; text: string; selection: boolean }
  | { type: 'stop' }
  | { type: 'apply'; code: string; before: string; info: string }
  | { type: 'insert'; code: string }
  | { type: 'copy'; code: string }
  | { type: 'drop'; path: string }
  | { type: 'add' }
  | { type: 'run'; command: string }
  | { type: 'proposal'; what: 'accept' | 'reject' | 'review'; proposal: string }
  | { type: 'new' };

/** Whether a code block is an edit as models write it: then it is applied as it stands, else by a request. */
export function isEdit(code: string): boolean {
  return /^<{5,9} ?SEARCH/m.test(code) || /^\*\*\* Begin Patch/m.test(code) || /^--- .*\n\+\+\+ /m.test(code);
}

/** A reply that holds nothing but the block, with the line before it that may name the file. */
export function asReply(code: string, before: string, info: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const name = before.trim() === '' ? '' : `${before.trim().split('\n').at(-1)}\n`;
  return `${name}${fence}${info}\n${code.replace(/\n?$/, '\n')}${fence}\n`;
}
