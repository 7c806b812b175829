// Plans as documents: which task one is of, where its files stand, where its faults belong. Pure: knows no editor.

const META = /<!-- pairwright-task (\{.*?\}) -->/;
const FAULTS = 'The plan cannot be carried out:';

/** The task whose plan a document is, by the beginning of its text; empty where it is none. */
export function taskOf(text: string): string {
  const found = META.exec(text.slice(0, 4000));
  if (!found) return '';
  try {
    const { task } = JSON.parse(found[1] ?? '') as { task?: unknown };
    return typeof task === 'string' ? task : '';
  } catch {
    return '';
  }
}

/** The line of the heading of `path`, the last of several; 0 where it has none. */
export function headingOf(text: string, path: string): number {
  return headings(text).findLast(({ words }) => words.includes(path))?.line ?? 0;
}

/** A fault and the line it belongs to. */
export interface Fault {
  line: number;
  text: string;
}

/** The faults that a refused plan is told to have; none where the refusal is about something else. Each begins with the
 * path of its file. */
export function faults(refusal: string, plan: string): Fault[] {
  const [head, ...lines] = refusal.split('\n');
  if (head !== FAULTS) return [];
  const known = headings(plan);
  return lines.map((text) => {
    const isOf = (word: string): boolean => text.startsWith(word) && /^:? /.test(text.slice(word.length));
    const fitting = known.filter(({ words }) => words.some(isOf));
    return { line: fitting.at(-1)?.line ?? 0, text };
  });
}

function headings(text: string): { line: number; words: string[] }[] {
  return text.split(/\r\n|\r|\n/).flatMap((content, line) => {
    if (!/^ {0,3}#{1,6}\s/.test(content)) return [];
    const bare = content.replace(/^\s*#+/, '').replace(/[`*"'()[\],:]/g, ' ');
    return [{ line, words: bare.split(/\s+/).filter((word) => word !== '') }];
  });
}
