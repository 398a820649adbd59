/** The page of one model, from its description: fields, permissions and endpoints. */
import type { FieldDescription, ModelDescription } from '../../models/fields/describe.ts';
import { code, type Html, html, table } from './html.ts';
import { page, type Site } from './page.ts';

export function modelPage(model: ModelDescription, site: Site): string {
  const { name, fields, reverses, perms, indexes, callable_statics: statics, advanced_queries: endpoints } = model;
  return page(
    { title: name, site, entry: 'Models' },
    html`
      <h1>${name}</h1>
      <p>Documents of ${code(model.collection)}, at ${code(`/api/${name}`)}.</p>
      <h2>Fields</h2>
      ${table(
        ['Field', 'Type', 'Rules'],
        Object.entries(fields).map(([path, field]) => [code(path), typeOf(field), rulesOf(field)]),
      )}
      ${reverses === undefined ? undefined : reversesOf(reverses)}
      <h2>Permissions</h2>
      ${table(
        ['Role', 'Letters'],
        Object.entries(perms).map(([role, letters]) => [role, code(letters)]),
      )}
      <h2>Endpoints</h2>
      ${table(
        ['Endpoint', 'Enabled'],
        Object.entries(endpoints).map(([endpoint, enabled]) => [code(`/${endpoint}/${name}`), enabled ? 'yes' : 'no']),
      )}
      ${Object.keys(statics).length === 0 ? undefined : functionsOf(statics)}
      <h2>Indexes</h2>
      ${table(
        ['Index'],
        indexes.map((index) => [code(JSON.stringify(index))]),
      )}
    `,
  );
}

const typeOf = ({ type, array, link }: FieldDescription): string =>
  `${array ? 'list of ' : ''}${type}${link === undefined ? '' : `, links to ${link}`}`;

function rulesOf(field: FieldDescription): string {
  const { required, unique, index, enum: values, default: fallback, map_to: as } = field;
  return [
    ...(required ? ['required'] : []),
    ...(unique ? ['unique'] : index ? ['indexed'] : []),
    ...(values === undefined ? [] : [`one of ${values.join(', ')}`]),
    ...limitTexts(field),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(as === undefined ? [] : [`shown as ${as}`]),
  ].join('; ');
}

const limitTexts = ({ min, max, minlength, maxlength, match }: FieldDescription): string[] => [
  ...(min === undefined ? [] : [`at least ${boundText(min)}`]),
  ...(max === undefined ? [] : [`at most ${boundText(max)}`]),
  ...(minlength === undefined ? [] : [`at least ${minlength} characters`]),
  ...(maxlength === undefined ? [] : [`at most ${maxlength} characters`]),
  ...(match === undefined ? [] : [`matches /${match.pattern}/${match.flags}`]),
];

const boundText = (bound: number | Date): string => (bound instanceof Date ? bound.toJSON() : String(bound));

const reversesOf = (reverses: NonNullable<ModelDescription['reverses']>): Html => html`
  <h2>Reverse links</h2>
  ${table(
    ['Shown as', 'Documents of', 'That link by'],
    Object.entries(reverses).map(([as, { model, path }]) => [code(as), code(model), code(path)]),
  )}
`;

const functionsOf = (statics: ModelDescription['callable_statics']): Html => html`
  <h2>Functions</h2>
  ${table(
    ['Function', 'Letter', 'Called on'],
    Object.entries(statics).map(([name, rule]) =>
      typeof rule === 'string'
        ? [code(name), code(rule), 'document or model']
        : [code(name), code(rule.needs), rule.on ?? ''],
    ),
  )}
`;
