// The conversation on the page: blocks are only ever appended, and those out of sight cost no layout.

import type { Told } from '../src/messages';
import type { Delta, TurnEnd, TurnEvent } from '../src/wire';
import { CodeBox } from './codebox';
import { button, element } from './elements';
import { type Kind, spans, type Step, Stream } from './markdown';

export interface Clicks {
  code(what: 'apply' | 'insert' | 'copy', code: string, before: string, info: string): void;
  proposal(what: 'accept' | 'reject' | 'review', proposal: string): void;
  run(command: string): void;
}

/** The answer of one turn as it grows. */
class Answer {
  private readonly stream = new Stream();
  private info = '';
  private code: CodeBox | undefined;
  private box: HTMLElement | undefined;
  private node: Text | undefined;
  private last = '';

  constructor(
    private readonly into: HTMLElement,
    private readonly clicks: Clicks,
  ) {}

  feed(text: string): void {
    for (const step of this.stream.feed(text)) this.take(step);
  }

  end(): void {
    for (const step of this.stream.end()) this.take(step);
  }

  private take(step: Step): void {
    if (step.step === 'open') this.begin(step.kind, step.level, step.info);
    else if (step.step === 'text') this.add(step.text);
    else this.close();
  }

  private begin(kind: Kind, level: number, info: string): void {
    this.info = info;
    if (kind === 'code') {
      this.code = new CodeBox(info);
      this.into.append(this.code.box);
      return;
    }
    const tag = kind === 'heading' ? `h${Math.min(level + 1, 6)}` : kind === 'quote' ? 'blockquote' : 'p';
    this.box = element(tag, `block ${kind}`);
    if (kind === 'item') this.box.classList.add(`level${Math.min(level, 4)}`);
    this.node = document.createTextNode('');
    this.box.append(this.node);
    this.into.append(this.box);
  }

  private add(text: string): void {
    if (this.code) this.code.add(text);
    else this.node?.appendData(text);
  }

  private close(): void {
    if (this.code) this.finishCode(this.code);
    else this.finishText();
    this.code = this.box = this.node = undefined;
  }

  private finishText(): void {
    const text = this.node?.data ?? '';
    this.last = text;
    this.box?.replaceChildren(
      ...spans(text).map((span) => {
        if (span.kind === 'plain') return document.createTextNode(span.text);
        const tag = { code: 'code', strong: 'strong', emphasis: 'em', link: 'a' }[span.kind];
        const made = element(tag, '', span.text);
        if (span.href) made.setAttribute('href', span.href);
        return made;
      }),
    );
  }

  private finishCode(box: CodeBox): void {
    const { info, last } = this;
    box.finish((what, code) => this.clicks.code(what, code, last, info));
    this.last = '';
  }
}

interface Shown {
  box: HTMLElement;
  request: HTMLElement;
  thought: Text | undefined;
  answer: Answer;
  heard: boolean;
}

/** All turns, and what streams into them. `draw` is called once a frame at most. */
export class Transcript {
  private readonly turns = new Map<string, Shown>();
  private readonly rows = new Map<string, HTMLElement>();
  private waiting: Delta[] = [];
  private frame = 0;
  private follows = true;
  private top = 0;
  private height = 0;

  constructor(
    private readonly into: HTMLElement,
    private readonly clicks: Clicks,
  ) {
    into.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  reset(turns: readonly Told[]): void {
    this.turns.clear();
    this.rows.clear();
    this.waiting = [];
    this.into.replaceChildren();
    this.follows = true;
    for (const one of turns) {
      const shown = this.begin(one.id, one.mode, one.request);
      shown.answer.feed(one.text);
      shown.heard = one.text !== '';
      if (one.end) this.end(one.end);
    }
    this.scroll();
  }

  begin(id: string, mode: string, request: string): Shown {
    const known = this.turns.get(id);
    if (known) {
      known.request.textContent = request;
      return known;
    }
    const box = element('article', 'turn');
    const words = element('p', 'request', request);
    words.dataset['mode'] = mode;
    const body = element('section', 'answer');
    box.append(words, body);
    this.into.append(box);
    const made: Shown = { box, request: words, thought: undefined, answer: new Answer(body, this.clicks), heard: false };
    this.turns.set(id, made);
    this.follows = true;
    this.scroll();
    return made;
  }

  take(deltas: readonly Delta[]): void {
    this.waiting.push(...deltas);
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  event(event: TurnEvent): void {
    this.draw();
    const shown = this.turns.get(event.id);
    if (!shown) return;
    const said = remark(event);
    if (said) shown.box.append(element('p', 'remark', said));
    this.scroll();
  }

  end(end: TurnEnd): void {
    this.draw();
    const shown = this.turns.get(end.id) ?? this.begin(end.id, '', '');
    if (!shown.heard && end.text) shown.answer.feed(end.text);
    shown.answer.end();
    const said = [...(end.missing ?? []), ...(end.findings ?? []), ...(end.message ? [end.message] : [])];
    for (const line of said) shown.box.append(element('p', 'remark', line));
    if (end.accepted) shown.box.append(element('p', 'remark', end.accepted.message));
    else if (end.proposal) shown.box.append(this.choices(end.proposal));
    for (const command of end.shell ?? []) shown.box.append(this.command(command));
    this.scroll();
  }

  private draw(): void {
    if (this.frame !== 0) cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const { id, kind, text } of this.waiting) {
      const shown = this.turns.get(id) ?? this.begin(id, '', '');
      if (kind === 'text') {
        shown.heard = true;
        shown.answer.feed(text);
      } else {
        this.think(shown, text);
      }
    }
    this.waiting = [];
    this.scroll();
  }

  private think(shown: Shown, text: string): void {
    if (!shown.thought) {
      const details = element('details', 'thought');
      details.append(element('summary', '', 'Thinking'));
      shown.thought = document.createTextNode('');
      details.append(shown.thought);
      shown.request.after(details);
    }
    shown.thought.appendData(text);
  }

  /** The choices of proposals that wait no more go out of sight; an undo may bring them back. */
  waits(proposals: readonly string[]): void {
    for (const [proposal, row] of this.rows) row.hidden = !proposals.includes(proposal);
  }

  private choices(proposal: string): HTMLElement {
    const row = element('div', 'row');
    this.rows.set(proposal, row);
    for (const [text, what] of [['Review', 'review'], ['Accept all', 'accept'], ['Reject all', 'reject']] as const) {
      row.append(button(text, `${text}: the change of this turn`, () => this.clicks.proposal(what, proposal)));
    }
    return row;
  }

  private command(command: string): HTMLElement {
    const row = element('div', 'row');
    row.append(element('code', '', command), button('Run', `Run ${command}`, () => this.clicks.run(command)));
    return row;
  }

  /** Only a scroll upwards is the user's: blocks that get their real height as they come into sight move the end too. */
  private scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.into;
    if (scrollTop + clientHeight >= scrollHeight - 40) this.follows = true;
    else if (scrollTop < this.top && scrollHeight >= this.height) this.follows = false;
    else this.scroll();
    this.top = scrollTop;
    this.height = scrollHeight;
  }

  private scroll(): void {
    if (this.follows) this.into.scrollTop = this.into.scrollHeight;
  }
}

function remark(event: TurnEvent): string {
  if (event.kind === 'reflected') return `Asked again: ${String(event['text'])}`;
  if (event.kind === 'offered') return `Named, not in the chat: ${(event['paths'] as string[]).join(', ')}`;
  if (event.kind === 'looked') {
    return (event['wishes'] as [string, string][]).map(([asked, found]) => `Looked up ${asked}: ${found}`).join('\n');
  }
  return '';
}
