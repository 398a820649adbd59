/** The guides by task, as `docs/README.md` lists them, with their headings. They are read once. */
import { readFile } from 'node:fs/promises';
import { packageRoot } from '../../adapters/package-root.ts';

const folder = new URL('docs/', packageRoot);

/** A heading within a guide. */
interface Heading {
  /** 2 or 3. */
  readonly depth: number;
  readonly id: string;
  readonly title: string;
}

export interface Guide {
  /** The name of its file without the ending, and of its page. */
  readonly name: string;
  readonly title: string;
  /** What it is about. */
  readonly summary: string;
  /** In Markdown. */
  readonly text: string;
  readonly headings: readonly Heading[];
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/** A guide or one of its headings, which a search has found. */
export interface SearchHit {
  readonly guide: Guide;
  readonly heading: Heading | undefined;
}

let read: Promise<readonly GuideGroup[]> | undefined;

/** The groups in reading order. An installation without docs has none. */
export const guideGroups = (): Promise<readonly GuideGroup[]> => (read ??= readGroups());

/** All guides in reading order. */
export const guidesOf = (groups: readonly GuideGroup[]): readonly Guide[] => groups.flatMap(({ guides }) => guides);

async function readGroups(): Promise<readonly GuideGroup[]> {
  const index = await textOf('README').catch(() => '');
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const lines = section.matchAll(/^- \[([^\]]+)\]\(([a-z-]+)\.md\): (.+)$/gm);
      return { title: section.split('\n', 1)[0] ?? '', guides: Promise.all([...lines].map(readGuide)) };
    });
  return Promise.all(groups.map(async ({ title, guides }) => ({ title, guides: await guides })));
}

async function readGuide([, title = '', name = '', summary = '']: readonly string[]): Promise<Guide> {
  const text = await textOf(name);
  return { name, title: plain(title), summary: plain(summary), text, headings: headingsOf(text) };
}

const textOf = (name: string): Promise<string> => readFile(new URL(`${name}.md`, folder), 'utf8');
const plain = (markdown: string): string => markdown.replaceAll('`', '');

function headingsOf(text: string): readonly Heading[] {
  const idFor = makeIds();
  const lines = text.replace(/^```.*?^```$/gms, '').matchAll(/^(#{1,6}) (.+)$/gm);
  return [...lines]
    .map(([, marks = '', title = '']) => ({ depth: marks.length, id: idFor(title), title: plain(title) }))
    .filter(({ depth }) => depth === 2 || depth === 3);
}

/** Creates ids of headings as GitHub does: from the text, with a number for duplicates. */
export function makeIds(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const letters = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    const id = letters.replaceAll(' ', '-');
    let own = id;
    for (let number = 1; taken.has(own); number++) own = `${id}-${number}`;
    taken.add(own);
    return own;
  };
}

/** The most results of a search. */
const maxFound = 50;

/** The guides and headings whose titles have all words of a text, guides first. A heading is also found by words of its guide's title. */
export function search(groups: readonly GuideGroup[], sought: string): readonly SearchHit[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const guides = guidesOf(groups);
  const byTitle = guides.filter(({ title, summary }) => hasAll(`${title} ${summary}`));
  const byHeading = guides.flatMap((guide) =>
    guide.headings
      .filter(({ title }) => hasAll(`${guide.title} ${title}`) && !hasAll(guide.title))
      .map((heading) => ({ guide, heading })),
  );
  return [...byTitle.map((guide) => ({ guide, heading: undefined })), ...byHeading].slice(0, maxFound);
}
