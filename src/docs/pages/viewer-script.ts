/** The browser script of the Swagger UI page. */

/**
 * Starts Swagger UI in the colours of the browser. The description depends on the caller: it is loaded again with the credentials
 * that Authorize adds and Logout removes. A refused credential leaves the operations unchanged and is reported in its form.
 */
export const viewerScript = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();

const description = '/openapi.json';

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

// credentials: one entry for each security scheme with a value, as Swagger UI keeps them
const descriptionRequest = (credentials) => {
  const url = new URL(description, window.location.href);
  const headers = new Headers();
  for (const { schema, value } of credentials) {
    if (schema.scheme === 'bearer') headers.set('authorization', 'Bearer ' + value);
    else if (schema.scheme === 'basic')
      headers.set('authorization', 'Basic ' + base64(value.username + ':' + value.password));
    else if (schema.in === 'header') headers.set(schema.name, value);
    else url.searchParams.set(schema.name, value);
  }
  // the browser must neither add credentials of its own nor ask for some after a 401
  return new Request(url, { headers, cache: 'no-store', credentials: 'omit' });
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

window.ui = window.SwaggerUIBundle({
  url: description,
  dom_id: '#viewer',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  docExpansion: 'none',
  plugins: [
    { statePlugins: { auth: { wrapActions: { authorize: thenReadDescription, logout: thenReadDescription } } } },
  ],
});
`;
