/** HTML templates that escape every value. */
import { escapedHtml } from '../../core.ts';

/** Safe HTML; only `html` and `trustedHtml` create it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a trusted source, such as a constant. */
export const trustedHtml = (text: string): Html => new Html(text);

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
export const scrollAttributes = (name: string): Html => html`tabindex="0" role="group" aria-label="${name}"`;

export const codeBlock = (text: string | Html): Html =>
  html`<pre ${scrollAttributes('Code')}><code>${text}</code></pre>`;

/** A table with a header row. */
export const table = (heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html =>
  html` <div class="table" ${scrollAttributes(tableName(heads))}>
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
