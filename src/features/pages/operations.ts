/** The built-in pages: HTML that the server renders, with a strict content security policy. */
import {
  type Answer,
  type Context,
  openAccess,
  type Operation,
  type OperationGroup,
  type PlainOperation,
  policyFor,
  redirect,
  type ServerDescription,
  serverUrl,
  shapes,
  text,
  textOf,
} from '../../core.ts';
import { variesBy } from '../../operations/answer.ts';
import { loginOf } from '../../policy/principal.ts';
import { setupNeeded } from '../../write/before-setup.ts';
import { guideIndex, guideMarkdown } from './for-agents.ts';
import { guideGroups } from './guide-list.ts';
import { guidePage } from './guides.ts';
import { homePage } from './home.ts';
import { modelsAddress, siteOf } from './page.ts';
import { foundPage, referencePage } from './reference.ts';
import { style } from './style.ts';
import { viewerFile, viewerPage } from './viewer.ts';

const nothingElse = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const readOnly = `${nothingElse}; style-src 'self'; img-src data:`;
/** The guides have a form that searches them. */
const searching = readOnly.replace("form-action 'none'", "form-action 'self'");
/** The viewer runs its own script and sends requests to this server only. */
const interactive = `${nothingElse}; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'`;

/** The colours of a page depend on a cookie. */
const vary = `${variesBy}, Cookie`;

const asHtml = (body: string, policy = readOnly): Answer =>
  text('text/html; charset=utf-8', body, { 'Content-Security-Policy': policy, Vary: vary });

interface Page extends Pick<PlainOperation, 'name' | 'summary' | 'run'> {
  readonly path: string;
  /** The media type; HTML by default. */
  readonly type?: string;
}

const row = ({ path, type = 'text/html', ...page }: Page): PlainOperation => ({
  ...page,
  http: { method: 'GET', path },
  access: openAccess('documentation; it names only models on which the caller has some right'),
  openToScopes: true,
  answers: { 200: shapes.textOf(type) },
});

/** @param described what the reference lists */
export const pageOperations = (described: ServerDescription): OperationGroup => ({
  title: 'Pages',
  isDescription: true,
  operations: pagesOf(described).map(row),
});

const pagesOf = (described: ServerDescription): readonly Page[] => [
  ...pagesForPeople(described),
  // after those of fixed paths below /docs
  {
    name: 'pages.markdown',
    path: '/docs/:file',
    summary: 'Returns a guide as Markdown, such as `/docs/models.md`',
    type: 'text/markdown',
    run: async ({ params }) => text('text/markdown; charset=utf-8', await guideMarkdown(params['file'] ?? '')),
  },
  {
    name: 'pages.index',
    path: '/llms.txt',
    summary: 'Lists the guides and descriptions of the server for agents',
    type: 'text/plain',
    run: (context) => index(described, context),
  },
];

const pagesForPeople = (described: ServerDescription): readonly Page[] => [
  { name: 'pages.home', path: '/', summary: 'Describes this server', run: home },
  {
    name: 'pages.reference',
    path: '/docs',
    summary: 'Shows the guides by task and the reference; `search=` finds guides',
    run: (context) => docs(described, context),
  },
  {
    name: 'pages.style',
    path: '/docs/style.css',
    summary: 'Returns the style of the pages',
    type: 'text/css',
    run: () => text('text/css; charset=utf-8', style),
  },
  { name: 'pages.guide', path: '/docs/guides/:guide', summary: 'Shows a guide', run: guide },
  {
    name: 'pages.model',
    path: '/docs/models/:name',
    summary: 'Leads to the reference of a model',
    // also to one that does not exist: browsers send no credentials here, and the console decides by those that it has
    run: (context) => redirect(modelsAddress(siteOf(context), context.params['name'])),
  },
  {
    name: 'pages.viewer',
    path: '/docs/api',
    summary: 'Shows the interactive reference',
    run: (context) => asHtml(viewerPage(siteOf(context)), interactive),
  },
  {
    name: 'pages.viewerFile',
    path: '/docs/api/:file',
    summary: 'Returns a file of the interactive reference',
    type: '*/*',
    run: file,
  },
];

async function home(context: Context): Promise<Answer> {
  const { services, principal } = context;
  const { registry } = services;
  return asHtml(
    homePage({
      models: registry.served.filter((entry) => policyFor(principal, entry).permits('r')),
      setupNeeded: await setupNeeded(registry),
      user: principal.user && loginOf(principal.user),
      loginField: services.settings.login_field,
      url: services.of(serverUrl)(),
      site: siteOf(context),
    }),
  );
}

async function docs(described: ServerDescription, context: Context): Promise<Answer> {
  const [groups, site] = [await guideGroups(), siteOf(context)];
  const sought = textOf(context.query, 'search');
  return asHtml(
    sought === undefined ? referencePage(described, groups, site) : foundPage(groups, sought, site),
    searching,
  );
}

async function guide(context: Context): Promise<Answer> {
  return asHtml(await guidePage(context.params['guide'] ?? '', siteOf(context)), searching);
}

async function index({ groups }: ServerDescription, { services }: Context): Promise<Answer> {
  const isMcp = ({ http, isOn = () => true }: Operation): boolean => http.path === '/mcp' && isOn(services.settings);
  const hasMcp = groups().some(({ operations }) => operations.some(isMcp));
  const url = services.of(serverUrl)();
  return text('text/plain; charset=utf-8', await guideIndex({ url, hasMcp }));
}

async function file({ params }: Context): Promise<Answer> {
  const { type, body } = await viewerFile(params['file'] ?? '');
  return text(type, body, { 'Cache-Control': 'public, max-age=3600' });
}
