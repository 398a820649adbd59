/** The built-in pages: HTML that the server renders, under a strict content policy. */
import { maySee } from '../policy/decide.ts';
import { policyFor } from '../policy/policy.ts';
import { setupNeeded } from '../auth/setup/first-admin.ts';
import type { Context } from '../context.ts';
import { unknownModel } from '../errors.ts';
import { guidePage, guides } from '../pages/guides.ts';
import { homePage } from '../pages/home.ts';
import { modelPage } from '../pages/models.ts';
import { referencePage } from '../pages/reference.ts';
import { style } from '../pages/style.ts';
import { viewerFile, viewerPage } from '../pages/viewer.ts';
import { describe } from '../models/describe.ts';
import { textOf } from '../openapi/shapes.ts';
import { text, type Answer } from './answer.ts';
import { open, type OperationGroup, type PlainOperation } from './operation.ts';

const nothingElse = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const readOnly = `${nothingElse}; style-src 'self'; img-src data:`;
/** The viewer runs its own script, and sends what the reader asks it to, to this server alone. */
const interactive = `${nothingElse}; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'`;

const asHtml = (body: string, policy = readOnly): Answer =>
  text('text/html; charset=utf-8', body, { 'Content-Security-Policy': policy });

const row = (
  name: PlainOperation['name'],
  path: string,
  summary: string,
  run: PlainOperation['run'],
  type = 'text/html',
): PlainOperation => ({
  name,
  http: { method: 'GET', path },
  summary,
  effect: 'read',
  access: open('documentation; it names only models on which the caller has some right'),
  answers: { 200: textOf(type) },
  run,
});

/** @param groups the operations that the reference lists */
export const pages = (groups: readonly OperationGroup[]): OperationGroup => ({
  title: 'Pages',
  operations: [
    row('pages.home', '/', 'Describes this server', home),
    row('pages.reference', '/docs', 'The reference', async () => asHtml(referencePage(groups, await guides()))),
    row(
      'pages.style',
      '/docs/style.css',
      'The style of the pages',
      () => text('text/css; charset=utf-8', style),
      'text/css',
    ),
    row('pages.guide', '/docs/guides/:guide', 'A guide', async ({ params }) =>
      asHtml(await guidePage(params['guide'] ?? '')),
    ),
    row('pages.model', '/docs/models/:name', 'The page of a model', model),
    row('pages.viewer', '/docs/api', 'The interactive reference', () => asHtml(viewerPage(), interactive)),
    row('pages.viewerFile', '/docs/api/:file', 'Files of the interactive reference', file, '*/*'),
  ],
});

async function home({ services, principal }: Context): Promise<Answer> {
  const { registry, publicUrl } = services;
  return asHtml(
    homePage({
      models: registry.served.filter((entry) => policyFor(principal, entry).permits('r')),
      setupNeeded: await setupNeeded(registry),
      email: principal.user?.email,
      url: publicUrl(),
    }),
  );
}

function model({ services, principal, params }: Context): Answer {
  const entry = services.registry.get(params['name'] ?? '');
  if (!maySee(principal, entry)) throw unknownModel(entry.name);
  return asHtml(modelPage(describe(entry, policyFor(principal, entry).shownView.shows)));
}

async function file({ params }: Context): Promise<Answer> {
  const { type, body } = await viewerFile(params['file'] ?? '');
  return text(type, body, { 'Cache-Control': 'public, max-age=3600' });
}
