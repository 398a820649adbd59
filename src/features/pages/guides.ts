/** Renders the guides of `docs/` from Markdown. The adapter of marked. */
import { Marked, Renderer } from 'marked';
import { escapedHtml, unknownPath } from '../../core.ts';
import { contents, guideAddress, guideMenu } from './beside.ts';
import { type Guide, guideGroups, guidesOf, makeIds } from './guide-list.ts';
import { type Html, html, scrollAttributes, tableName, trustedHtml } from './html.ts';
import { page, type Site } from './page.ts';

/** Renders the elements that are not overridden here. */
const stock = new Renderer();

/** Renders a guide as a page. @throws 404 for an unknown name */
export async function guidePage(name: string, site: Site): Promise<string> {
  const groups = await guideGroups();
  const guides = guidesOf(groups);
  const at = guides.findIndex((one) => one.name === name);
  const guide = guides[at];
  if (guide === undefined) throw unknownPath();
  const { title, text, headings } = guide;
  const names = new Set(guides.map((one) => one.name));
  const { beside, above } = contents(headings) ?? {};
  return page(
    { title, site, entry: 'Guides', before: guideMenu(groups, guide, site), after: beside },
    html`${above} ${trustedHtml(guideHtml(text, names, site.root))} ${neighbours(guides[at - 1], guides[at + 1], site)}`,
  );
}

function neighbours(previous: Guide | undefined, next: Guide | undefined, site: Site): Html {
  const link = (relation: string, label: string, guide: Guide | undefined): Html =>
    guide === undefined
      ? html`<span></span>`
      : html`<a rel="${relation}" href="${guideAddress(site, guide)}"><small>${label}</small> ${guide.title}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next guide">
    ${link('prev', 'Previous', previous)} ${link('next', 'Next', next)}
  </nav>`;
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
        // for the mouse; the contents beside the text have the same links
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ tokens, href }) {
        const [target, shown] = [addressOf(href, names, root), this.parser.parseInline(tokens)];
        return target === undefined ? shown : `<a href="${escapedHtml(target)}">${shown}</a>`;
      },
      // pictures are for readers of the repository; the server does not serve them
      image: ({ text }) => `<em>${escapedHtml(text)}</em>`,
      code(token) {
        const block = stock.code.call(this, token);
        return block.replace(/^<pre>/, `<pre ${scrollAttributes('Code').text}>`);
      },
      table(token) {
        const heads = token.header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer));
        const rows = stock.table.call(this, token);
        return `<div class="table" ${scrollAttributes(tableName(heads)).text}>${rows}</div>\n`;
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
