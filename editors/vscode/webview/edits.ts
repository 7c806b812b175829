// Edits inside code blocks as they stream in: which lines go and which come, and both as one small diff. Pure.

export type Side = 'plain' | 'gone' | 'come';

/** `edit`: a block begins. `text`: of lines, without marks. `done`: both sides of the block, whole. */
export type Op = { op: 'edit' } | { op: 'text'; side: Side; text: string } | { op: 'done'; old: string; fresh: string };

// The marker lines in the forms that the server reads.
const HEAD = /^[ \t]*<{5,9} ?SEARCH(?:[ \t>:].*)?$/i;
const DIVIDER = /^[ \t]*={5,9}[ \t]*$/;
const END = /^[ \t]*>{5,9} ?REPLACE[ \t>:]*$/i;
const MARK = { plain: '<', gone: '=', come: '>' } as const;
const BEGINNING = /^(.)\1{0,8} ?[A-Z]*[ \t>:]*$/i;

/** Parts the text of a code block. The beginning of a line is held back while it may be a marker. */
export class Sides {
  private side: Side = 'plain';
  private line = '';
  private begun = false;
  private old = '';
  private fresh = '';

  feed(text: string): Op[] {
    const found: Op[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.piece(text.slice(from, end), found);
      this.endLine(found);
      from = end + 1;
    }
    if (from < text.length) this.piece(text.slice(from), found);
    return found;
  }

  end(): Op[] {
    const found: Op[] = [];
    if (this.line !== '' && !this.marker(found)) this.say(this.line, found);
    this.line = '';
    return found;
  }

  private piece(text: string, found: Op[]): void {
    if (this.begun) {
      if (text !== '') this.say(text, found);
      return;
    }
    this.line += text;
    if (this.isOpen()) return;
    this.begun = true;
    this.say(this.line, found);
    this.line = '';
  }

  /** Whether the line may still become a marker. */
  private isOpen(): boolean {
    const line = this.line.trimStart();
    if (line === '') return true;
    return line[0] === MARK[this.side] && (BEGINNING.test(line) || (this.side === 'plain' && HEAD.test(line)));
  }

  private endLine(found: Op[]): void {
    if (this.begun) this.say('\n', found);
    else if (!this.marker(found)) this.say(`${this.line}\n`, found);
    this.line = '';
    this.begun = false;
  }

  private marker(found: Op[]): boolean {
    if (this.side === 'plain' && HEAD.test(this.line)) {
      this.side = 'gone';
      this.old = this.fresh = '';
      found.push({ op: 'edit' });
    } else if (this.side === 'gone' && DIVIDER.test(this.line)) {
      this.side = 'come';
    } else if (this.side === 'come' && END.test(this.line)) {
      this.side = 'plain';
      found.push({ op: 'done', old: this.old, fresh: this.fresh });
    } else {
      return false;
    }
    return true;
  }

  private say(text: string, found: Op[]): void {
    if (this.side === 'gone') this.old += text;
    if (this.side === 'come') this.fresh += text;
    found.push({ op: 'text', side: this.side, text });
  }
}

/** A line of a diff; of `…` the text says how many lines are left out. */
export interface Row {
  mark: ' ' | '-' | '+' | '…';
  text: string;
}

const AROUND = 3;
/** Pairs of lines that are compared at most; above it all goes and all comes. */
const MOST = 40_000;

/** Both sides as one diff, with few unchanged lines around what changes. */
export function unified(old: string, fresh: string): Row[] {
  const a = lines(old);
  const b = lines(fresh);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (text: string): Row => ({ mark: ' ', text });
  return folded([
    ...a.slice(0, head).map(same),
    ...changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ]);
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The longest common subsequence, by the table of its lengths from the end. */
function changed(a: string[], b: string[]): Row[] {
  const out: Row[] = [];
  const width = b.length + 1;
  const size = a.length * b.length > MOST ? 0 : (a.length + 1) * width;
  const table = new Uint16Array(size);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = a.length - 1; size > 0 && i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let j = 0;
  a.forEach((text, i) => {
    while (j < b.length && text !== b[j] && at(i, j + 1) > at(i + 1, j)) out.push({ mark: '+', text: b[j++] ?? '' });
    const isKept = size > 0 && text === b[j];
    out.push({ mark: isKept ? ' ' : '-', text });
    if (isKept) j += 1;
  });
  out.push(...b.slice(j).map((text): Row => ({ mark: '+', text })));
  return out;
}

function folded(rows: Row[]): Row[] {
  const out: Row[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (to < rows.length && rows[to]?.mark === ' ') to += 1;
    const before = from === 0 ? 0 : AROUND;
    const behind = to === rows.length ? 0 : AROUND;
    const hidden = to - from - before - behind;
    if (hidden > 1) {
      const text = `${hidden} lines`;
      out.push(...rows.slice(from, from + before), { mark: '…', text }, ...rows.slice(to - behind, to));
    } else {
      out.push(...rows.slice(from, to));
    }
    const next = rows[to];
    if (next) out.push(next);
    from = to + 1;
  }
  return out;
}
