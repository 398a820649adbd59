/** The guides of `docs/`, from Markdown. The door to marked. */
import { readFile, readdir } from 'node:fs/promises';
import { marked } from 'marked';
import { unknownPath } from '../errors.ts';
import { html, page, trusted } from './html.ts';

const folder = new URL('../../docs/', import.meta.url);

export interface Guide {
  readonly name: string;
  readonly title: string;
}

/** The guides that there are, by title. A copy without its docs has none. */
export async function guides(): Promise<readonly Guide[]> {
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((file) => /^[a-z-]+\.md$/.test(file)).map((file) => file.slice(0, -3));
  const found = await Promise.all(names.map(async (name) => ({ name, title: titleOf(await textOf(name), name) })));
  return found.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

/** One guide as a page. @throws 404 when there is none of this name */
export async function guidePage(name: string): Promise<string> {
  if (!(await guides()).some((guide) => guide.name === name)) throw unknownPath();
  const text = await textOf(name);
  const linked = text.replace(/\]\((?:\.\/)?([a-z-]+)\.md(#[^)]*)?\)/g, '](/docs/guides/$1$2)');
  return page({ title: titleOf(text, name) }, html`${trusted(marked.parse(linked, { async: false }))}`);
}

const textOf = (name: string): Promise<string> => readFile(new URL(`${name}.md`, folder), 'utf8');
const titleOf = (text: string, name: string): string => /^# (.+)$/m.exec(text)?.[1] ?? name;
