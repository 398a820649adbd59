/** The frame of every page: the header with the menu, what stands beside the content, and the content. */
import { appName, consolePath, type Context } from '../../core.ts';
import { type Html, html } from './html.ts';

/** What the pages of a server share, as one of them sees it. */
export interface Site {
  /** The name of the project. */
  readonly name: string;
  /** The relative address of `/`, so that links also lead there below a path that a proxy removes. */
  readonly root: string;
  /** The relative address of the console; undefined for a server without one. */
  readonly console: string | undefined;
  /** The colours that are chosen in the console; undefined for those of the system. */
  readonly colours: string | undefined;
}

/** The site from the page that a request is for. */
export function siteOf({ url, headers, services }: Pick<Context, 'url' | 'headers' | 'services'>): Site {
  const [name, path] = [services.of(appName), services.of(consolePath)];
  const root = rootFrom(url);
  const console = path === undefined ? undefined : root + path.slice(1);
  return { name, root, console, colours: coloursIn(headers.cookie) };
}

/** The colours that a cookie names, which the console sets (`packages/console/src/colours.tsx`): these two texts and no other. */
const coloursIn = (cookies = ''): string | undefined =>
  /(?:^|; )dossier_colours=(light|dark)(?:;|$)/.exec(cookies)?.[1];

/** @param url the requested path as the server receives it, such as `/docs/guides/queries` @returns such as `../../` */
function rootFrom(url: string): string {
  const [path = ''] = url.split('?', 1);
  return '../'.repeat(path.split('/').length - 2) || './';
}

/** Where models are described: in the console, or where `/docs` says. @param name of one model */
export function modelsAddress({ root, console }: Site, name?: string): string {
  if (console === undefined) return `${root}docs#models`;
  return `${console}#/reference${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}

/** The entries of the menu by their names. */
const entries = {
  Console: ({ console }: Site) => console,
  Guides: ({ root }: Site) => `${root}docs`,
  Models: modelsAddress,
  OpenAPI: ({ root }: Site) => `${root}docs/api`,
} as const;

/** The parts of a page besides its content. */
export interface Frame {
  readonly title: string;
  readonly site: Site;
  /** The entry of the menu that leads here. */
  readonly entry?: keyof typeof entries;
  /** Further elements of the head. */
  readonly head?: Html;
  /** What stands before and after the content on wide screens. */
  readonly before?: Html | undefined;
  readonly after?: Html | undefined;
}

/** A whole page. */
export const page = ({ title, site, entry, head, before, after }: Frame, content: Html): string =>
  html`<!doctype html>
    <html lang="en" ${site.colours === undefined ? '' : html`data-colours="${site.colours}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${site.colours ?? 'light dark'}" />
        <meta name="application-name" content="${site.name}" />
        <title>${title === site.name ? title : `${title} · ${site.name}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${site.root}docs/style.css" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="name" href="${site.root}">${site.name}</a>
          <nav aria-label="Main">${menuOf(site, entry)}</nav>
        </header>
        <div class="columns">
          ${before}
          <main id="content">${content}</main>
          ${after}
        </div>
      </body>
    </html> `.text;

const menuOf = (site: Site, entry: string | undefined): readonly Html[] =>
  Object.entries(entries).flatMap(([name, addressIn]) => {
    const href = addressIn(site);
    if (href === undefined) return [];
    return [
      name === entry ? html`<a href="${href}" aria-current="true">${name}</a>` : html`<a href="${href}">${name}</a>`,
    ];
  });
