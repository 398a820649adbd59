/** The columns of a CSV, and the text of its cells. */
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { isNumberOfBson } from '../../models/fields/values/bson-types.ts';
import { jsonValue } from '../../models/fields/values/bson-types.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Fields } from '../../query/fields.ts';
import { scorePath } from '../../query/search.ts';

/** The columns: the requested fields in that order, otherwise the schema's; nested documents have a column for each field. */
export function columnsOf({ model, shownView: view }: Policy, fields: Fields | undefined, scored: boolean): string[] {
  const { schema } = view;
  const stored = leavesOf(schema).filter((path) => path !== '_id');
  const virtuals = model.computed ? withKinds(schema).flatMap((one) => one.shownVirtuals) : [];
  const known = ['_id', ...stored, ...virtuals].filter(view.shows);
  const below = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);
  const chosen =
    fields === undefined
      ? known
      : fields.mode === 'without'
        ? known.filter((path) => !fields.paths.some((hidden) => below(path, hidden)))
        : fields.paths.flatMap((requested) => {
            const found = known.filter((path) => below(path, requested));
            return found.length === 0 ? [requested] : found;
          });
  const isLeftOut = fields?.mode === 'without' && fields.paths.includes(scorePath);
  const score = scored && !isLeftOut ? [scorePath] : [];
  return [...new Set([...(chosen.includes('_id') ? [] : ['_id']), ...chosen, ...score])];
}

/** The paths of plain values, lists and free-form objects, those of all kinds included; the model's own come first. */
function leavesOf(schema: ModelSchema, prefix = ''): string[] {
  const all = withKinds(schema).flatMap((one) => ownLeavesOf(one, prefix));
  return [...new Set(all)];
}

const withKinds = (schema: ModelSchema): readonly ModelSchema[] => [schema, ...schema.kinds.map((kind) => kind.schema)];

const ownLeavesOf = ({ declared }: ModelSchema, prefix: string): string[] =>
  [...declared.values()].flatMap(({ path, type, schema }) =>
    type?.shape === 'document' && schema !== undefined ? leavesOf(schema, `${prefix}${path}.`) : [prefix + path],
  );

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula, and quotes by RFC 4180. */
export function textCell(text: string): string {
  // most cells need neither, and one search finds them
  if (!/[",\r\n]|^[\s=+\-@]/.test(text)) return text;
  const harmless = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Numbers stay numbers, dates and ids are as in JSON, lists and free-form objects are JSON. @param value shaped by `cellsOf` */
export function objectCell(value: object | null): string {
  if (value === null) return '';
  const plain = jsonValue(value);
  if (isNumberOfBson(value)) return String(plain);
  return textCell(typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : String(plain ?? ''));
}
