/** Renders the guides of `docs/` from Markdown. The adapter of marked. */
import { readdir, readFile } from 'node:fs/promises';
import { Marked, Renderer } from 'marked';
import { unknownPath } from '../../errors.ts';
import { escapedHtml } from '../../html-text.ts';
import { packageRoot } from '../../package-root.ts';
import { html, scrolling, tableName, trusted } from './html.ts';
import { page, type Site } from './page.ts';

const folder = new URL('docs/', packageRoot);

/** Renders the elements that are not overridden here. */
const stock = new Renderer();

export interface Guide {
  readonly name: string;
  readonly title: string;
}

/** The guides in reading order for newcomers. Other guides follow, sorted by title. */
export const readingOrder: readonly string[] = [
  'start',
  'command',
  'models',
  'links',
  'permissions',
  'users',
  'sign-up',
  'authentication',
  'sessions',
  'keys',
  'second-factor',
  'oauth',
  'audit',
  'endpoints',
  'queries',
  'writing',
  'history',
  'errors',
  'recipes',
  'helpdesk',
  'console',
  'client',
  'browser',
  'realtime',
  'changes',
  'jobs',
  'webhooks',
  'aggregation',
  'functions',
  'routes',
  'plugins',
  'api',
  'bulk-writes',
  'hooks',
  'mcp',
  'limits',
  'settings',
  'indexes',
  'deploying',
  'backups',
  'scaling',
  'operating',
  'proxy',
  'upgrading',
  'store',
  'moving-data',
  'moving-to-mongodb',
  'performance',
  'embedding',
  'coming-from-express',
  'migrating',
  'threats',
  'dependencies',
  'architecture',
  'internals',
  'glossary',
];

const positionOf = (name: string): number =>
  readingOrder.includes(name) ? readingOrder.indexOf(name) : readingOrder.length;

/** The available guides in reading order. An installation without docs has none. */
export async function guides(): Promise<readonly Guide[]> {
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((file) => /^[a-z-]+\.md$/.test(file)).map((file) => file.slice(0, -3));
  const found = await Promise.all(names.map(async (name) => ({ name, title: titleOf(await textOf(name), name) })));
  return found.sort((a, b) => positionOf(a.name) - positionOf(b.name) || a.title.localeCompare(b.title, 'en'));
}

/** Renders a guide as a page. @throws 404 for an unknown name */
export async function guidePage(name: string, site: Site): Promise<string> {
  const names = new Set((await guides()).map((guide) => guide.name));
  if (!names.has(name)) throw unknownPath();
  const text = await textOf(name);
  return page(
    { title: titleOf(text, name), site, entry: 'Guides' },
    html`${trusted(guideHtml(text, names, site.root))}`,
  );
}

/**
 * Renders a guide's Markdown to HTML. Headings get the ids that GitHub generates; a link to a file without a page becomes plain
 * text.
 * @param names the available guides
 * @param root the relative address of `/`
 */
export function guideHtml(text: string, names: ReadonlySet<string>, root: string): string {
  const idFor = makeIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = idFor(this.parser.parseInline(tokens, this.parser.textRenderer));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ tokens, href }) {
        const [target, shown] = [addressOf(href, names, root), this.parser.parseInline(tokens)];
        return target === undefined ? shown : `<a href="${escapedHtml(target)}">${shown}</a>`;
      },
      // pictures are for readers of the repository; the server does not serve them
      image: ({ text }) => `<em>${escapedHtml(text)}</em>`,
      code(token) {
        const block = stock.code.call(this, token);
        return block.replace(/^<pre>/, `<pre ${scrolling('Code').text}>`);
      },
      table(token) {
        const heads = token.header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer));
        const rows = stock.table.call(this, token);
        return `<div class="table" ${scrolling(tableName(heads)).text}>${rows}</div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** The address of a link in a guide; undefined for a file that is not served. */
function addressOf(href: string, names: ReadonlySet<string>, root: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\/)?([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return names.has(name) ? `${root}docs/guides/${name}${anchor}` : undefined;
}

/** Creates ids of headings as GitHub does: from the text, with a number for duplicates. */
function makeIds(): (heading: string) => string {
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

const textOf = (name: string): Promise<string> => readFile(new URL(`${name}.md`, folder), 'utf8');
const titleOf = (text: string, name: string): string => /^# (.+)$/m.exec(text)?.[1] ?? name;
