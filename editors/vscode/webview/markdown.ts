// Markdown as it streams in: text in, steps that append blocks out. Nothing that was said is ever drawn anew.

export type Kind = 'paragraph' | 'heading' | 'item' | 'quote' | 'code';

export type Step =
  | { step: 'open'; kind: Kind; level: number; info: string }
  | { step: 'text'; text: string }
  | { step: 'close' };

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^(#{1,6}) +/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)]) +/;
const QUOTE = /^> ?/;
// An edit that stands in no fence is code from its first marker to its last.
const EDIT = /^<{5,9} ?SEARCH\b/i;
const EDIT_END = /^>{5,9} ?REPLACE\b/i;
const BARE = '>';
const MAY_CLOSE = /^(?: {0,3}[`~]*\s*|>{1,9} ?[A-Z]{0,7}\s*)$/i;
// The beginning of a line that may still become a fence, a heading, an item, a quote or an edit.
const UNDECIDED = /^(?: {0,3}(?:`{1,}|~{1,})[^\n]*|#{1,6} *|\s*(?:[-*+]|\d{1,9}[.)]?) *|\s+|>|<{1,9} ?[A-Z]{0,6}|<{5,9} ?SEARCH\b.*)$/i;

export class Stream {
  private line = '';
  private begun = false;
  private open: Kind | undefined;
  private fence = '';

  feed(text: string): Step[] {
    const steps: Step[] = [];
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      if (end < 0) break;
      this.piece(text.slice(from, end), steps);
      this.endLine(steps);
      from = end + 1;
    }
    if (from < text.length) this.piece(text.slice(from), steps);
    return steps;
  }

  end(): Step[] {
    const steps: Step[] = [];
    if (this.line !== '' && !this.begun) this.endLine(steps);
    if (this.open) this.close(steps);
    return steps;
  }

  private piece(text: string, steps: Step[]): void {
    if (this.begun) {
      if (text !== '') steps.push({ step: 'text', text });
      return;
    }
    this.line += text;
    const waits = this.fence ? MAY_CLOSE.test(this.line) : UNDECIDED.test(this.line) || this.line === '';
    if (!waits) this.begin(steps);
  }

  /** The kind of the line is known: its block is opened or goes on. */
  private begin(steps: Step[]): void {
    this.begun = true;
    if (this.fence) {
      steps.push({ step: 'text', text: this.line });
      return;
    }
    const [kind, level, rest] = kindOf(this.line);
    if (kind !== 'paragraph' || this.open !== 'paragraph') this.start(steps, kind, level, '');
    else steps.push({ step: 'text', text: '\n' });
    if (rest !== '') steps.push({ step: 'text', text: rest });
  }

  private endLine(steps: Step[]): void {
    if (this.fence) this.endCodeLine(steps);
    else if (!this.begun) this.endUndecided(steps);
    if (this.open === 'heading') this.close(steps);
    this.line = '';
    this.begun = false;
  }

  private endCodeLine(steps: Step[]): void {
    const isEdit = this.fence === BARE;
    const isLast = isEdit && !this.begun && EDIT_END.test(this.line);
    const closing = isEdit ? null : FENCE.exec(this.line);
    if (!this.begun && closing?.[1]?.startsWith(this.fence) && closing[2]?.trim() === '') {
      this.close(steps);
      this.fence = '';
      return;
    }
    steps.push({ step: 'text', text: `${this.begun ? '' : this.line}\n` });
    if (!isLast) return;
    this.close(steps);
    this.fence = '';
  }

  private endUndecided(steps: Step[]): void {
    const fence = FENCE.exec(this.line);
    if (fence) {
      this.start(steps, 'code', 0, (fence[2] ?? '').trim());
      this.fence = fence[1] ?? '```';
    } else if (EDIT.test(this.line)) {
      this.start(steps, 'code', 0, '');
      this.fence = BARE;
      steps.push({ step: 'text', text: `${this.line}\n` });
    } else if (this.line.trim() === '') {
      if (this.open) this.close(steps);
    } else {
      this.begin(steps);
    }
  }

  private start(steps: Step[], kind: Kind, level: number, info: string): void {
    if (this.open) this.close(steps);
    this.open = kind;
    steps.push({ step: 'open', kind, level, info });
  }

  private close(steps: Step[]): void {
    this.open = undefined;
    steps.push({ step: 'close' });
  }
}

function kindOf(line: string): [Kind, number, string] {
  let match = HEADING.exec(line);
  if (match) return ['heading', match[1]?.length ?? 1, line.slice(match[0].length)];
  match = ITEM.exec(line);
  if (match) return ['item', Math.floor((match[1]?.length ?? 0) / 2), line.trimStart()];
  match = QUOTE.exec(line);
  if (match) return ['quote', 0, line.slice(match[0].length)];
  return ['paragraph', 0, line];
}

export interface Span {
  kind: 'plain' | 'code' | 'strong' | 'emphasis' | 'link';
  text: string;
  href?: string;
}

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|(?<![\w*])\*(?!\s)([^*]+?)\*(?![\w*])|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/gs;

/** The parts of a finished block. Only links to http and https are links. */
export function spans(text: string): Span[] {
  const found: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > done) found.push({ kind: 'plain', text: text.slice(done, match.index) });
    const [, , code, strong, emphasis, label, href] = match;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', text: emphasis });
    else found.push({ kind: 'link', text: label ?? '', href: href ?? '' });
    done = match.index + match[0].length;
  }
  if (done < text.length) found.push({ kind: 'plain', text: text.slice(done) });
  return found;
}
