/** HTML templates that escape every value, and the frame of every page. */
import { escapedHtml } from '../../html-text.ts';

/** Safe HTML; only `html` and `trusted` create it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a trusted source, such as a constant. */
export const trusted = (text: string): Html => new Html(text);

type Part = string | number | Html | readonly Html[] | undefined;

/** A template whose values are escaped unless they are `Html`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + (at < parts.length ? shown(parts[at]) : '')).join(''));

function shown(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapedHtml(String(part));
}

/** Inline code. */
export const code = (text: string): Html => html`<code>${text}</code>`;

/** Attributes of a scrollable element, so that it can get the keyboard focus and has a name for screen readers. */
export const scrolling = (name: string): Html => html`tabindex="0" role="group" aria-label="${name}"`;

/** A block of code. */
export const codeBlock = (text: string | Html): Html => html`<pre ${scrolling('Code')}><code>${text}</code></pre>`;

/** A table with a header row. */
export const table = (heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html =>
  html` <div class="table" ${scrolling(tableName(heads))}>
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** The name of a table without a caption, from its headers. */
export const tableName = (heads: readonly string[]): string =>
  `Table: ${heads.filter((head) => head !== '').join(', ')}`;

/**
 * The relative address of `/` on a page, so that links also lead there below a path that a proxy removes.
 * @param url the requested path as the server receives it, such as `/docs/models/book`
 * @returns such as `../../`
 */
export function rootFrom(url: string): string {
  const [path = ''] = url.split('?', 1);
  return '../'.repeat(path.split('/').length - 2) || './';
}

/** The parts of a page besides its content. */
export interface Frame {
  readonly title: string;
  /** The relative address of `/`, by `rootFrom`. */
  readonly root: string;
  /** Further elements of the head. */
  readonly head?: Html;
}

/** A whole page. */
export const page = ({ title, root, head }: Frame, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Dossier</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${root}docs/style.css" />
        ${head}
      </head>
      <body>
        <header>
          <nav aria-label="Main">
            <a href="${root}"><strong>Dossier</strong></a>
            <a href="${root}docs">Reference</a>
            <a href="${root}docs/api">Try it</a>
          </nav>
        </header>
        <main>${content}</main>
      </body>
    </html> `.text;
