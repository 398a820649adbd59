/**
 * The interactive reference: a page for Swagger UI. Its files come from `@fastify/swagger-ui`, which ships them without the
 * package that reports installations. The door to `@fastify/swagger-ui`; none of its code runs in the server.
 */ import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unknownPath } from "../errors.js";
import { html, page } from "./html.js";
import { viewerStyle } from "./style.js";
const start = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', show);
show();
window.ui = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  docExpansion: 'none',
});
`;
const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static');
const fromPackage = async (type, name)=>({
        type,
        body: await readFile(join(folder, name))
    });
const files = new Map([
    [
        'swagger-ui.css',
        ()=>fromPackage(css, 'swagger-ui.css')
    ],
    [
        'swagger-ui-bundle.js',
        ()=>fromPackage(script, 'swagger-ui-bundle.js')
    ],
    [
        'viewer.css',
        ()=>Promise.resolve({
                type: css,
                body: viewerStyle
            })
    ],
    [
        'start.js',
        ()=>Promise.resolve({
                type: script,
                body: start
            })
    ]
]);
/** A file of the viewer. @throws 404 for any other name */ export function viewerFile(name) {
    const file = files.get(name);
    if (file === undefined) throw unknownPath();
    return file();
}
export const viewerPage = ()=>page({
        title: 'Try it',
        head: html`<link rel="stylesheet" href="/docs/api/swagger-ui.css" />
        <link rel="stylesheet" href="/docs/api/viewer.css" />
        <script src="/docs/api/swagger-ui-bundle.js" defer></script>
        <script src="/docs/api/start.js" defer></script>`
    }, html`<div id="viewer">
      <noscript
        ><p>This page needs JavaScript. <a href="/docs">The reference</a> does without.</p></noscript
      >
    </div>`);
