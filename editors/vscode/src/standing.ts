// Where waiting hunks stand and what they would make of a text. Pure: knows no editor.

import type { Hunk, Position, Proposal, ProposedFile, Range } from './wire';

/** A waiting hunk of a file that is there, with the proposal and file it belongs to. */
export interface Standing {
  proposal: Proposal;
  file: ProposedFile;
  hunk: Hunk & { range: Range };
  index: number;
  total: number;
}

const CHOSEN = new Set(['applied', 'rejected']);

export function waits(hunk: Hunk): boolean {
  return !CHOSEN.has(hunk.state);
}

/** The waiting hunks of `uri` from its top to its end. */
export function standing(proposals: readonly Proposal[], same: (uri: string) => boolean): Standing[] {
  const found: Standing[] = [];
  for (const proposal of proposals) {
    for (const file of proposal.files) {
      if (file.uri === undefined || !same(file.uri)) continue;
      file.hunks.forEach((hunk, at) => {
        if (waits(hunk) && hunk.range !== undefined) {
          const placed = { ...hunk, range: hunk.range };
          found.push({ proposal, file, hunk: placed, index: at + 1, total: file.hunks.length });
        }
      });
    }
  }
  return found.sort((a, b) => before(a.hunk.range.start, b.hunk.range.start));
}

function before(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** The hunk at `line`, else undefined. A pure insertion has no line of its own: the one behind it stands for it. */
export function at(stands: readonly Standing[], line: number): Standing | undefined {
  return stands.find(({ hunk: { range } }) => {
    const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
    return range.start.line <= line && line <= last;
  });
}

/** The next hunk behind `line` (or before it, with `back`), round the end. */
export function next(stands: readonly Standing[], line: number, back = false): Standing | undefined {
  if (!back) return stands.find((one) => one.hunk.range.start.line > line) ?? stands[0];
  return [...stands].reverse().find((one) => one.hunk.range.start.line < line) ?? stands.at(-1);
}

/** The text of a file with its waiting hunks taken; stale ones are left out. `text`: undefined for a new file. */
export function proposed(file: ProposedFile, text: string | undefined): string {
  if (file.kind === 'delete') return '';
  const hunks = file.hunks.filter(waits);
  if (text === undefined) return hunks.map((hunk) => hunk.new).join('');
  const starts = lineStarts(text);
  const offset = (where: Position): number => {
    const start = starts[where.line];
    return start === undefined ? text.length : Math.min(start + where.character, text.length);
  };
  let out = '';
  let done = 0;
  const placed = hunks.flatMap((hunk) => (hunk.range && !hunk.stale ? [{ range: hunk.range, text: hunk.new }] : []));
  for (const one of placed.sort((a, b) => before(a.range.start, b.range.start))) {
    out += text.slice(done, offset(one.range.start)) + one.text;
    done = offset(one.range.end);
  }
  return out + text.slice(done);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

/** How a hunk is drawn: lines that go, and what comes, at the end of the line it stands beside. */
export interface Drawn {
  gone: number[];
  come: { line: number; text: string }[];
  /** New lines that have no old line beside them. */
  more: number;
}

export function drawn(hunk: Hunk & { range: Range }): Drawn {
  const { start, end } = hunk.range;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const isEmpty = start.line === end.line && start.character === end.character;
  const gone = isEmpty ? [] : Array.from({ length: last - start.line + 1 }, (_, i) => start.line + i);
  const lines = hunk.new === '' ? [] : hunk.new.replace(/\r?\n$/, '').split(/\r?\n/);
  const room = Math.max(gone.length, 1);
  const come = lines.slice(0, room).map((text, i) => ({ line: start.line + i, text }));
  return { gone, come, more: Math.max(0, lines.length - room) };
}

/** A hunk as a diff, for a hover. */
export function asDiff(hunk: Hunk): string {
  const side = (text: string, mark: string): string[] =>
    text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/).map((line) => mark + line);
  return [...side(hunk.old, '-'), ...side(hunk.new, '+')].join('\n');
}
