// A code block on the page as it grows; one that is an edit is a small diff, not its markers.

import { button, element } from './elements';
import { type Op, type Row, type Side, Sides, unified } from './edits';

/** Lines of code in one box: a long block is many boxes, so that a new line lays out few of them anew. */
const SLICE = 60;
const MARKS = { plain: '', gone: '-', come: '+' } as const;
const CLASSES = { ' ': 'same', '-': 'gone', '+': 'come', '…': 'fold' } as const;

interface Run {
  side: Side;
  node: Text;
  lines: number;
}

export class CodeBox {
  readonly box = element('figure', 'code');
  private readonly caption: HTMLElement;
  private readonly sides = new Sides();
  private readonly raw: string[] = [];
  private run: Run | undefined;
  private edit: HTMLElement[] = [];
  private isEdit = false;
  private atStart = true;

  constructor(private readonly info: string) {
    this.caption = element('figcaption', '', info);
    this.box.append(this.caption);
  }

  add(text: string): void {
    this.raw.push(text);
    for (const op of this.sides.feed(text)) this.take(op);
  }

  /** The block is whole: what can be done with it is offered. */
  finish(click: (what: 'apply' | 'insert' | 'copy', code: string) => void): void {
    for (const op of this.sides.end()) this.take(op);
    const code = this.raw.join('');
    const what = this.isEdit ? 'edit' : 'code block';
    const row = element('div', 'row');
    row.append(button('Apply', `Apply this ${what}`, () => click('apply', code)));
    if (!this.isEdit) row.append(button('Insert', 'Insert this code block at the cursor', () => click('insert', code)));
    row.append(button('Copy', `Copy this ${what}`, () => click('copy', code)));
    this.box.append(row);
  }

  private take(op: Op): void {
    if (op.op === 'text') this.append(op.side, op.text);
    else if (op.op === 'edit') this.begin();
    else this.whole(unified(op.old, op.fresh));
  }

  private begin(): void {
    this.isEdit = true;
    this.box.classList.add('edit');
    this.caption.textContent = [this.info, 'edit'].filter((one) => one !== '').join(', ');
    this.edit = [];
    this.run = undefined;
  }

  private append(side: Side, text: string): void {
    if (!this.run || this.run.side !== side || this.run.lines >= SLICE) this.run = this.slice(side);
    const mark = MARKS[side];
    const shown = mark === '' ? text : `${this.atStart ? mark : ''}${text.replace(/\n(?=[^])/g, `\n${mark}`)}`;
    this.atStart = text.endsWith('\n');
    this.run.node.appendData(shown);
    for (const letter of text) if (letter === '\n') this.run.lines += 1;
  }

  private slice(side: Side): Run {
    const pre = element('pre', side === 'plain' ? 'slice' : `slice ${side}`);
    const node = document.createTextNode('');
    pre.append(node);
    this.box.append(pre);
    if (side !== 'plain') this.edit.push(pre);
    this.atStart = true;
    return { side, node, lines: 0 };
  }

  /** Both sides are there: lines that stay are told from those that go and come. */
  private whole(rows: Row[]): void {
    for (const old of this.edit) old.remove();
    this.run = undefined;
    let pre: HTMLElement | undefined;
    let last: Row['mark'] | undefined;
    let count = 0;
    for (const { mark, text } of rows) {
      if (!pre || mark !== last || count >= SLICE) {
        pre = element('pre', `slice ${CLASSES[mark]}`);
        this.box.append(pre);
        count = 0;
      }
      pre.append(`${mark}${text}\n`);
      last = mark;
      count += 1;
    }
  }
}
