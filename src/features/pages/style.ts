/** The style sheets of the pages, and of the viewer of OpenAPI. */

const dark =
  '--back: #242424; --text: #c9c9c9; --quiet: #b8b8b8; --line: #424242; --edge: #424242; --soft: #2e2e2e; --link: #74c0fc;';

/** The style sheet of the pages: the colours, fonts and sizes of the console (`packages/console/src/theme.ts`), light and dark. */
export const style = `:root {
  color-scheme: light dark;
  --back: #fff;
  --text: #000;
  --quiet: #495057;
  --line: #ced4da;
  --edge: #dee2e6;
  --soft: #f8f9fa;
  --link: #1971c2;
  --filled: #1971c2;
}
:root[data-colours='light'] { color-scheme: light; }
:root[data-colours='dark'] { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  :root:not([data-colours='light']) { ${dark} }
}
:root[data-colours='dark'] { ${dark} }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
header {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem;
  min-height: 52px; padding: 0 1rem; background: var(--back); border-bottom: 1px solid var(--edge);
}
header a { color: var(--text); text-decoration: none; }
.name { font-size: 18px; font-weight: 700; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem; }
header nav a { padding: 0.3rem 0.6rem; border-radius: 4px; font-size: 14px; }
header nav a:hover { background: var(--soft); }
header nav a[aria-current] { background: var(--filled); color: #fff; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 3; padding: 0.3rem 0.6rem; background: var(--back); }
main { max-width: 62rem; margin: 0 auto; padding: 0.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 1rem 0 0.6rem; }
h2 { font-size: 1.25rem; line-height: 1.35; margin: 2.2rem 0 0.6rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0.4rem; }
h1, h2, h3 { overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, pre:focus-visible, .table:focus-visible { outline: 2px solid var(--filled); outline-offset: 2px; }
p, main ul, main ol { max-width: 46rem; }
.quiet { color: var(--quiet); }
.button { display: inline-block; padding: 0.4rem 1rem; border-radius: 4px; background: var(--filled); color: #fff; font-weight: 600; font-size: 14px; text-decoration: none; }
code, pre { font: 0.88em/1.5 ui-monospace, SFMono-Regular, Menlo, Monaco, Consolas, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { padding: 0.8rem 1rem; overflow-x: auto; border: 1px solid var(--line); }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; font-size: 0.9rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.7rem 0.4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 700; }
.columns { display: flex; justify-content: center; }
main { flex: 1; min-width: 0; }
.anchor { text-decoration: none; opacity: 0; }
:hover > .anchor { opacity: 1; }
form { display: flex; gap: 0.4rem; margin: 0.8rem 0; max-width: 24rem; }
input, button { font: inherit; font-size: 14px; padding: 0.3rem 0.6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--back); color: var(--text); }
input { flex: 1; min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
button { cursor: pointer; }
button:hover { background: var(--soft); }
input:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--filled); outline-offset: 1px; }
.groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 2rem; }
.groups ul, .found { padding: 0; list-style: none; }
.groups li, .found li { margin: 0.35rem 0; }
.groups .quiet { display: block; font-size: 0.85rem; line-height: 1.4; }
.guides, .contents {
  display: none; position: sticky; top: 52px; flex: 0 0 230px; height: calc(100vh - 52px); overflow: auto;
  padding: 0.5rem 0.6rem 2rem; font-size: 14px; line-height: 1.4;
}
.guides { border-right: 1px solid var(--edge); }
.guides h2, .contents h2 { margin: 0.9rem 0.6rem 0.3rem; font-size: 12px; color: var(--quiet); }
.guides ul, .contents ul, .contents-above ul { margin: 0; padding: 0; list-style: none; }
.guides a, .contents a { display: block; padding: 0.25rem 0.6rem; border-radius: 4px; color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
.guides a:hover, .contents a:hover { background: var(--soft); }
.guides a[aria-current] { background: var(--filled); color: #fff; }
.depth-3 { padding-left: 0.8rem; }
.contents-above summary { cursor: pointer; color: var(--quiet); }
.contents-above li { margin: 0.35rem 0; }
.neighbours { justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--edge); }
.neighbours small { display: block; color: var(--quiet); }
.neighbours [rel='next'] { text-align: right; }
@media (min-width: 48em) { .guides { display: block; } }
@media (min-width: 75em) { .contents { display: block; } .contents-above { display: none; } }
@media print { header, .skip, .guides, .contents, .contents-above, .neighbours, form { display: none; } }
@media (max-width: 48em) { header { position: static; padding-block: 0.4rem; } header nav { margin-left: -0.6rem; } html { scroll-padding-top: 1rem; } }
`;

/** The style of the interactive reference. */
export const viewerStyle = `main { max-width: 90rem; }
:where(#viewer) pre, :where(#viewer) code { padding: 0; background: none; }

/* colours with enough contrast (WCAG 2, 1.4.3) */
:root { --get: #0b5cad; --post: #17734a; --put: #8f5200; --delete: #b3261e; --patch: #0b6b63; --other: #5b636d; }
#viewer .swagger-ui { color: var(--text); }
#viewer .swagger-ui .info .title small pre.version { color: #fff; }
#viewer .swagger-ui .info .title small { background: #5b636d; }
#viewer .swagger-ui .info .title small.version-stamp { background: #48690a; }
#viewer .swagger-ui .info a, #viewer .swagger-ui .info .url, #viewer .swagger-ui a.nostyle { color: var(--link); }
#viewer .swagger-ui .btn.authorize { color: var(--text); border-color: var(--post); }
#viewer .swagger-ui .btn.authorize span { color: inherit; }
#viewer .swagger-ui .btn.authorize svg { fill: currentColor; }
#viewer .swagger-ui .btn.cancel { color: var(--text); }
#viewer .swagger-ui .parameter__in { color: var(--quiet); }
#viewer .swagger-ui .download-contents { background: #5b636d; }
#viewer .swagger-ui .microlight span[style*='211, 99, 99'] { color: #f2a0a0 !important; }
#viewer .swagger-ui .btn.execute { background: var(--get); border-color: var(--get); color: #fff; }
#viewer .swagger-ui .opblock.opblock-get .opblock-summary-method { background: var(--get); color: #fff; }
#viewer .swagger-ui .opblock.opblock-post .opblock-summary-method { background: var(--post); color: #fff; }
#viewer .swagger-ui .opblock.opblock-put .opblock-summary-method { background: var(--put); color: #fff; }
#viewer .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: var(--delete); color: #fff; }
#viewer .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: var(--patch); color: #fff; }
`;
