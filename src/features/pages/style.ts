/** The style sheet of the pages, light and dark. */
export const style = `:root {
  color-scheme: light dark;
  --back: #fdfdfc;
  --text: #1d2126;
  --quiet: #5b636d;
  --line: #dcdfe3;
  --soft: #f1f3f5;
  --link: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root { --back: #14171a; --text: #e6e9ec; --quiet: #a1aab4; --line: #343a41; --soft: #1f2429; --link: #7db8f5; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); }
nav, main { max-width: 62rem; margin: 0 auto; padding: 0.8rem 1.2rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 1.2rem 0 0.6rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 0.6rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0.4rem; }
a { color: var(--link); }
nav a { text-decoration: none; }
a:focus-visible, pre:focus-visible, .table:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
p, ul, ol { max-width: 44rem; }
.quiet { color: var(--quiet); }
code, pre { font: 0.88em/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { padding: 0.8rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.7rem 0.4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
.index { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; padding: 0; list-style: none; }
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
