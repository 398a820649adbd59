/**
 * The interactive reference: a page for Swagger UI. Its files come from `@fastify/swagger-ui`, which ships them without the
 * package that reports installations. The adapter of `@fastify/swagger-ui`, whose code does not run in the server.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unknownPath } from '../../core.ts';
import { html } from './html.ts';
import { page, type Site } from './page.ts';
import { viewerStyle } from './style.ts';
import { viewerScript } from './viewer-script.ts';

interface File {
  readonly type: string;
  readonly body: string | Buffer;
}

const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static');

const fromPackage = async (type: string, name: string): Promise<File> => ({
  type,
  body: await readFile(join(folder, name)),
});

const files: ReadonlyMap<string, () => Promise<File>> = new Map([
  ['swagger-ui.css', () => fromPackage(css, 'swagger-ui.css')],
  ['swagger-ui-bundle.js', () => fromPackage(script, 'swagger-ui-bundle.js')],
  ['viewer.css', () => Promise.resolve({ type: css, body: viewerStyle })],
  ['start.js', () => Promise.resolve({ type: script, body: viewerScript })],
]);

/** A file of the viewer. @throws 404 for any other name */
export function viewerFile(name: string): Promise<File> {
  const file = files.get(name);
  if (file === undefined) throw unknownPath();
  return file();
}

export const viewerPage = (site: Site): string =>
  page(
    {
      title: 'OpenAPI',
      site,
      entry: 'OpenAPI',
      head: html`<link rel="stylesheet" href="${site.root}docs/api/swagger-ui.css" />
        <link rel="stylesheet" href="${site.root}docs/api/viewer.css" />
        <script src="${site.root}docs/api/swagger-ui-bundle.js" defer></script>
        <script src="${site.root}docs/api/start.js" defer></script>`,
    },
    html`<div id="viewer" data-root="${site.root}">
      <noscript
        ><p>This page needs JavaScript. <a href="${site.root}docs">The reference</a> does not.</p></noscript
      >
    </div>`,
  );
