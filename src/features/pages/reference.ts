/** The reference: endpoints, parameters, operators, stages, failures and settings, from the tables that the server uses. */
import type { Operation, OperationGroup } from '../../core.ts';
import type { ListedOption } from '../../models/options/options.ts';
import { statusRows } from '../../operations/statuses.ts';
import { expressionGroups } from '../../query/expressions.ts';
import { operatorRows } from '../../query/operators.ts';
import { parameterRows } from '../../query/parameter-table.ts';
import { stageRows } from '../../query/stages.ts';
import { updateRows } from '../../query/updates.ts';
import type { SettingRow } from '../../settings/row.ts';
import { contents, guideAddress, searchForm } from './beside.ts';
import { type GuideGroup, search, type SearchHit } from './guide-list.ts';
import { code, type Html, html, table } from './html.ts';
import { modelsAddress, page, type Site } from './page.ts';

interface Section {
  /** The anchor in the page. */
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | Html)[])[];
}

const tableSection = (id: string, title: string, { heads, rows }: Table): Section => ({
  id,
  title,
  content: table(heads, rows),
});

/** The sections that are the same for every server. */
const languageSections: readonly Section[] = [
  tableSection('parameters', 'Parameters', {
    heads: ['Form', 'Meaning'],
    rows: parameterRows.map((row) => [code(row.form), row.meaning]),
  }),
  tableSection('operators', 'Filter operators', {
    heads: ['Operator', 'Meaning', 'In a URL'],
    rows: operatorRows.map((row) => [code(row.name), row.meaning, row.inUrl ? 'yes' : 'no']),
  }),
  tableSection('stages', 'Aggregation stages', {
    heads: ['Stage', 'Meaning', 'Who'],
    rows: stageRows.map((row) => [code(row.name), row.meaning, row.admin === true ? 'admins' : 'callers who may read']),
  }),
  tableSection('expressions', 'Aggregation expressions', {
    heads: ['Theme', 'Operators'],
    rows: Object.entries(expressionGroups),
  }),
  tableSection('updates', 'Update operators of bulk writes', {
    heads: ['Operator', 'Meaning'],
    rows: updateRows.map((row) => [code(row.name), row.meaning]),
  }),
];

const optionsSection = (rows: readonly ListedOption[]): Section =>
  tableSection('options', 'Options of model files', {
    heads: ['Option', 'Meaning'],
    rows: rows.map(({ name, meaning }) => [code(name), meaning]),
  });

const failuresSection: Section = {
  id: 'failures',
  title: 'Failures',
  content: html`<p>Every failure is <code>{"status":"fail","message","err"}</code>.</p>
    ${table(
      ['Status', 'When'],
      statusRows.map(([status, when]) => [String(status), when]),
    )}`,
};

/** What the reference lists of this server. */
interface Listed {
  readonly groups: () => readonly OperationGroup[];
  readonly options: readonly ListedOption[];
  readonly settings: readonly SettingRow[];
}

const settingsSection = (rows: readonly SettingRow[]): Section =>
  tableSection('settings', 'Settings', {
    heads: ['Variable', 'Default', 'Meaning'],
    rows: rows.map((row) => [code(row.variable), row.default ?? '', row.meaning]),
  });

/** The guides by task, and the reference. @param groups of guides */
export function referencePage(listed: Listed, groups: readonly GuideGroup[], site: Site): string {
  const sections = sectionsOf(listed, site);
  const guides = groups.map(({ title }) => ({ id: idOf(title), title, depth: 3 }));
  const { beside, above } =
    contents([...(guides.length === 0 ? [] : [{ id: 'guides', title: 'Guides' }]), ...guides, ...sections]) ?? {};
  return page(
    { title: 'Guides and reference', site, entry: 'Guides', after: beside },
    html`
      <h1>Guides and reference</h1>
      ${above} ${groups.length === 0 ? undefined : guideList(groups, site)}
      ${sections.map(
        ({ id, title, content }) =>
          html`<section>
            <h2 id="${id}">${title}</h2>
            ${content}
          </section>`,
      )}
    `,
  );
}

const sectionsOf = ({ groups, options, settings }: Listed, site: Site): readonly Section[] => [
  { id: 'models', title: 'Models', content: modelsOf(site) },
  { id: 'endpoints', title: 'Endpoints', content: html`${groups().map(endpointsOf)}` },
  ...languageSections,
  optionsSection(options),
  failuresSection,
  settingsSection(settings),
];

/** Where the models of this server are described. */
const modelsOf = (site: Site): Html =>
  html`<p>
    ${site.console === undefined ? undefined : html`<a href="${modelsAddress(site)}">The console</a> describes each model: its fields, rights, links, indexes and functions, with examples.`}
    <a href="${site.root}docs/api">OpenAPI</a> describes the requests and answers of each model; ${code('GET /model')}
    describes the models as JSON.
  </p>`;

/** The guides whose titles or headings have all words of a text. */
export function foundPage(groups: readonly GuideGroup[], sought: string, site: Site): string {
  const found = search(groups, sought);
  return page(
    { title: 'Search', site, entry: 'Guides' },
    html`
      <h1>Search</h1>
      ${searchForm(site, sought)}
      ${
        found.length === 0
          ? html`<p>No title and no heading of a guide has these words.</p>`
          : html`<ul class="found">
              ${found.map((one) => resultOf(one, site))}
            </ul>`
      }
      <p><a href="${site.root}docs">All guides</a></p>
    `,
  );
}

function resultOf({ guide, heading }: SearchHit, site: Site): Html {
  const address = guideAddress(site, guide);
  if (heading === undefined)
    return html`<li><a href="${address}">${guide.title}</a> <span class="quiet">${guide.summary}</span></li>`;
  return html`<li><a href="${address}#${heading.id}">${guide.title}: ${heading.title}</a></li>`;
}

/** The anchor of a group of guides, apart from those of sections. */
const idOf = (title: string): string => `guides-${title.toLowerCase().replaceAll(' ', '-')}`;

const guideList = (groups: readonly GuideGroup[], site: Site): Html => html`
  <h2 id="guides">Guides</h2>
  ${searchForm(site)}
  <div class="groups">
    ${groups.map(
      ({ title, guides }) =>
        html`<section>
          <h3 id="${idOf(title)}">${title}</h3>
          <ul>
            ${guides.map(
              (guide) =>
                html`<li>
                  <a href="${guideAddress(site, guide)}">${guide.title}</a>
                  <span class="quiet">${guide.summary}</span>
                </li>`,
            )}
          </ul>
        </section>`,
    )}
  </div>
`;

const endpointsOf = ({ title, operations }: OperationGroup): Html => html`
  <h3>${title}</h3>
  ${table(
    ['Method', 'Path', 'Who', 'What'],
    operations.map((row) => [code(row.http.method), code(row.http.path), whoMay(row), row.summary]),
  )}
`;

function whoMay({ access }: Operation): string {
  switch (access.kind) {
    case 'letter':
      return `the letter ${access.letter} on the model`;
    case 'perOperation':
      return 'the letter of each operation';
    case 'signedIn':
      return 'every signed-in user';
    case 'admin':
      return 'admins';
    case 'group':
      return `the group ${access.group}, or admins`;
    case 'right':
      return `the letter ${access.letter} on ${access.model.name}`;
    case 'selfOrAdmin':
      return 'the user, or admins';
    default:
      return `everyone: ${access.reason}`;
  }
}
