/** The browser script of the Swagger UI page. */

/**
 * Starts Swagger UI in the colours of the page. The description depends on the caller: it is loaded again with the credentials
 * that Authorize adds and Logout removes. A refused credential leaves the operations unchanged and is reported in its form.
 */
export const viewerScript = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
// those that are chosen in the console, otherwise those of the system
const { documentElement } = document;
const { colours } = documentElement.dataset;
const setColours = () => documentElement.classList.toggle('dark-mode', colours ? colours === 'dark' : dark.matches);
dark.addEventListener('change', setColours);
setColours();

const root = new URL(document.getElementById('viewer').dataset.root, window.location.href);
const description = new URL('openapi.json', root).href;

// requests go to where this page comes from: its content policy allows no other server
const withServer = (action) => (text) => action(JSON.stringify({ ...JSON.parse(text), servers: [{ url: root.href }] }));

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

// credentials: one entry for each security scheme with a value, as Swagger UI keeps them
const descriptionRequest = (credentials) => {
  const url = new URL(description);
  const headers = new Headers();
  for (const { schema, value } of credentials) {
    if (schema.scheme === 'bearer') headers.set('authorization', 'Bearer ' + value);
    else if (schema.scheme === 'basic')
      headers.set('authorization', 'Basic ' + base64(value.username + ':' + value.password));
    else if (schema.in === 'header') headers.set(schema.name, value);
    else url.searchParams.set(schema.name, value);
  }
  // the browser must neither add credentials of its own nor ask for some after a 401
  return new Request(url, { headers, cache: 'no-store', credentials: 'omit', redirect: 'error' });
};

let reads = 0;
const readDescription = async ({ authSelectors, specActions, errActions }) => {
  const read = (reads += 1);
  const authorized = authSelectors.authorized().toJS();
  const response = await fetch(descriptionRequest(Object.values(authorized)));
  const text = await response.text();
  // the caller has changed the credentials since
  if (read !== reads) return;
  errActions.clear({ source: 'auth' });
  if (response.ok) return specActions.updateSpec(text);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const message = isJson ? JSON.parse(text).err : 'GET ' + description + ' answered ' + response.status;
  for (const authId of Object.keys(authorized))
    errActions.newAuthErr({ authId, level: 'error', source: 'auth', message });
};

const thenReadDescription = (action, system) => (payload) => {
  const result = action(payload);
  readDescription(system).catch((error) => system.errActions.newThrownErr(error));
  return result;
};

// Swagger UI leaves out names, levels of headings and access by the keyboard; each entry adds what its elements lack
const viewer = document.getElementById('viewer');
const setMissing = (name, valueOf) => (element) => {
  if (!element.hasAttribute(name)) element.setAttribute(name, valueOf(element));
};
const named = (text) => setMissing('aria-label', () => text);
const byParameter = setMissing('aria-label', (element) => {
  const row = element.closest('tr[data-param-name]');
  return row ? row.dataset.paramName : 'Request body';
});
const byKeyboard = (element) => {
  setMissing('tabindex', () => '0')(element);
  setMissing('role', () => 'group')(element);
  named('Code')(element);
};
const repairs = [
  ['#servers', named('Server')],
  ['.copy-to-clipboard button', named('Copy')],
  ['.close-modal', named('Close')],
  ['.opblock textarea, .parameters select, .parameters input', byParameter],
  ['pre.microlight, pre.example, .curl-command pre, .model-box', byKeyboard],
  // the levels begin at 1 and leave out 2
  ['h3, h4, h5, h6', setMissing('aria-level', ({ tagName }) => String(Number(tagName[1]) - 1))],
  // a link within a button; opening the operation sets the address as well
  ['.opblock-summary-control a[href]', (link) => link.removeAttribute('href')],
  // names that differ from the text of the button
  ['.auth-btn-wrapper button[aria-label]', (button) => button.removeAttribute('aria-label')],
];
const repair = () => {
  for (const [selector, mend] of repairs) for (const element of viewer.querySelectorAll(selector)) mend(element);
};
new MutationObserver(repair).observe(viewer, { childList: true, subtree: true });

window.ui = window.SwaggerUIBundle({
  url: description,
  dom_id: '#viewer',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  docExpansion: 'none',
  plugins: [
    {
      statePlugins: {
        auth: { wrapActions: { authorize: thenReadDescription, logout: thenReadDescription } },
        spec: { wrapActions: { updateSpec: withServer } },
      },
    },
  ],
});
`;
