/** The reference: endpoints, parameters, operators, stages, failures and settings, from the tables that the server uses. */
import type { ListedOption } from '../../models/options/options.ts';
import type { Operation, OperationGroup } from '../../operations/operation.ts';
import { statusRows } from '../../operations/statuses.ts';
import { expressionGroups } from '../../query/expressions.ts';
import { operatorRows } from '../../query/operators.ts';
import { parameterRows } from '../../query/parameter-table.ts';
import { stageRows } from '../../query/stages.ts';
import { updateRows } from '../../query/updates.ts';
import type { SettingRow } from '../../settings/row.ts';
import type { Guide } from './guides.ts';
import { code, type Html, html, table } from './html.ts';
import { page, type Site } from './page.ts';

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

/** A section that is one table. */
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

export function referencePage({ groups, options, settings }: Listed, guides: readonly Guide[], site: Site): string {
  const endpoints = { id: 'endpoints', title: 'Endpoints', content: html`${groups().map(endpointsOf)}` };
  const sections = [
    endpoints,
    ...languageSections,
    optionsSection(options),
    failuresSection,
    settingsSection(settings),
  ];
  return page(
    { title: 'Guides and reference', site, entry: 'Guides' },
    html`
      <h1>Guides and reference</h1>
      <ul class="index">
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
      ${guides.length === 0 ? undefined : guideList(guides, site.root)}
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

const guideList = (guides: readonly Guide[], root: string): Html => html`
  <h2 id="guides">Guides</h2>
  <ul>
    ${guides.map(({ name, title }) => html`<li><a href="${root}docs/guides/${name}">${title}</a></li>`)}
  </ul>
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
