/** What stands beside the content of a page: the guides by task, the headings of the page, and the search. */
import type { Guide, GuideGroup } from './guide-list.ts';
import { type Html, html } from './html.ts';
import type { Site } from './page.ts';

export const guideAddress = ({ root }: Site, { name }: Guide): string => `${root}docs/guides/${name}`;

/** All guides, the present one marked. */
export const guideMenu = (groups: readonly GuideGroup[], present: Guide, site: Site): Html => html`
  <nav class="guides" aria-label="Guides">
    ${searchForm(site)}
    ${groups.map(
      ({ title, guides }) =>
        html`<h2>${title}</h2>
          <ul>
            ${guides.map((guide) => html`<li>${linkTo(guide, site, guide === present)}</li>`)}
          </ul>`,
    )}
  </nav>
`;

const linkTo = (guide: Guide, site: Site, isPresent: boolean): Html =>
  isPresent
    ? html`<a href="${guideAddress(site, guide)}" aria-current="page">${guide.title}</a>`
    : html`<a href="${guideAddress(site, guide)}">${guide.title}</a>`;

/** @param sought what has been searched */
export const searchForm = ({ root }: Site, sought = ''): Html => html`
  <form role="search" action="${root}docs">
    <input
      type="search"
      name="search"
      value="${sought}"
      aria-label="Search the guides"
      placeholder="Search the guides"
    />
    <button>Search</button>
  </form>
`;

interface Entry {
  readonly id: string;
  readonly title: string;
  /** 3 for a part of the entry before it. */
  readonly depth?: number;
}

/** The headings of a page: beside it on wide screens, otherwise to be opened above it. */
export const contents = (entries: readonly Entry[]): { readonly beside: Html; readonly above: Html } | undefined => {
  if (entries.length === 0) return undefined;
  const list = html`<ul>
    ${entries.map(({ id, title, depth }) => html`<li class="depth-${depth ?? 2}"><a href="#${id}">${title}</a></li>`)}
  </ul>`;
  return {
    beside: html`<nav class="contents" aria-label="On this page">
      <h2>On this page</h2>
      ${list}
    </nav>`,
    above: html`<details class="contents-above">
      <summary>On this page</summary>
      ${list}
    </details>`,
  };
};
