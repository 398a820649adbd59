/** The first page: what this server is, which models it has for the caller, how to sign in. */
import type { ModelEntry } from '../../models/entry.ts';
import { code, codeBlock, html, page, table } from './html.ts';

export interface HomeParts {
  /** Models that the caller may read. */
  readonly models: readonly ModelEntry[];
  /** There is no user yet. */
  readonly setupNeeded: boolean;
  readonly email: string | undefined;
  /** Where the server is, as its callers see it. */
  readonly url: string;
}

export function homePage({ models, setupNeeded, email, url }: HomeParts): string {
  const rows = models.map(({ name, options }) => [
    html`<a href="/docs/models/${name}">${name}</a>`,
    code(`GET /api/${name}`),
    options.advanced_queries.query ? code(`POST /query/${name}`) : '',
  ]);
  return page(
    { title: 'Home' },
    html`
      <h1>Dossier</h1>
      <p>
        This server gives each of its models a REST interface: documents are created, read, changed and deleted,
        queried, aggregated and exported. <a href="/docs">The reference</a> tells how; at
        <a href="/docs/api">Try it</a> requests can be sent from the page.
      </p>
      ${setupNeeded ? firstAdmin(url) : undefined}
      <h2>Models</h2>
      <p class="quiet">
        ${email === undefined ? 'What callers who have not signed in may read.' : `What ${email} may read.`}
      </p>
      ${models.length === 0 ? html`<p>None.</p>` : table(['Model', 'List', 'Query'], rows)}
      <h2>Signing in</h2>
      <p>Send email and password; the answer holds a token and a permanent key.</p>
      ${codeBlock(`curl ${url}/login -H 'content-type: application/json' \\
  -d '{"email":"you@example.org","password":"…"}'

curl ${url}/model -H 'authorization: Bearer <token>'`)}
      <p>
        A key works as the header ${code('x-api-key')} or the parameter ${code('apikey')}; Basic authentication works on
        any request.
      </p>
    `,
  );
}

const firstAdmin = (url: string) => html`
  <h2>The first admin</h2>
  <p>There is no user yet. Make the first one, who is an admin:</p>
  ${codeBlock(`curl ${url}/setup -H 'content-type: application/json' \\
  -d '{"email":"you@example.org","password":"…"}'`)}
`;
