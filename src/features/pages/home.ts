/** The home page: what this server is, the models that the caller may read, and how to sign in. */
import type { ModelEntry } from '../../core.ts';
import { code, codeBlock, type Html, html, table } from './html.ts';
import { modelsAddress, page, type Site } from './page.ts';

export interface HomeParts {
  /** Models that the caller may read. */
  readonly models: readonly ModelEntry[];
  /** Whether there is no user yet. */
  readonly setupNeeded: boolean;
  /** What the caller signs in with; undefined for others. */
  readonly user: string | undefined;
  readonly loginField: string;
  /** The public URL of the server. */
  readonly url: string;
  readonly site: Site;
}

export function homePage({ models, setupNeeded, user, loginField, url, site }: HomeParts): string {
  const { root, name: appName, console } = site;
  const rows = models.map(({ name, options }) => [
    console === undefined ? name : html`<a href="${modelsAddress(site, name)}">${name}</a>`,
    code(`GET /api/${name}`),
    options.advanced_queries.query ? code(`POST /query/${name}`) : '',
  ]);
  return page(
    { title: appName, site },
    html`
      <h1>${appName}</h1>
      <p>
        This server gives each of its models a REST interface: documents are created, read, changed and deleted,
        queried, aggregated and exported. <a href="${root}docs">Guides and a reference</a> describe it; on
        <a href="${root}docs/api">OpenAPI</a> you can send requests from the page.
      </p>
      ${console === undefined ? undefined : toConsole(console)}
      ${setupNeeded ? firstAdmin(url, loginField, console !== undefined) : undefined}
      <h2 id="models">Models</h2>
      <p class="quiet">
        ${user === undefined ? 'The models that callers may read without signing in.' : `The models that ${user} may read.`}
      </p>
      ${models.length === 0 ? html`<p>None.</p>` : table(['Model', 'List', 'Query'], rows)}
      <h2>Signing in</h2>
      <p>Send ${loginField} and password; the answer contains a token and a permanent key.</p>
      ${codeBlock(`curl ${url}/login -H 'content-type: application/json' \\
  -d '{${sampleOf(loginField)},"password":"…"}'

curl ${url}/model -H 'authorization: Bearer <token>'`)}
      <p>
        A key works as the header ${code('x-api-key')} or the parameter ${code('apikey')}; Basic authentication works on
        any request.
      </p>
    `,
  );
}

const toConsole = (href: string): Html =>
  html`<p>
      <a class="button" href="${href}">Open the console</a>
    </p>
    <p class="quiet">It shows and changes the documents in the browser.</p>`;

const sampleOf = (loginField: string): string =>
  `"${loginField}":"${loginField === 'email' ? 'you@example.org' : 'you'}"`;

const firstAdmin = (url: string, loginField: string, hasConsole: boolean): Html => html`
  <h2>The first admin</h2>
  <p>
    There is no admin yet. Create the first one
    ${hasConsole ? 'in the console, or by this request' : 'by this request'}:
  </p>
  ${codeBlock(`curl ${url}/setup -H 'content-type: application/json' \\
  -d '{${sampleOf(loginField)},"password":"…"}'`)}
`;
