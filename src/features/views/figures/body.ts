/** Reads a figure of a body, and checks it against a model as the caller may read it. */
import { isPlainObject, ownCheck, shapes, suggestion } from '../../../core.ts';
import { badValue, secretPath } from '../../../errors/errors.ts';
import { listsOn, typeAt } from '../../../models/fields/path-type.ts';
import { realPath } from '../../../models/fields/resolve-alias.ts';
import { checkKnown, checkPath } from '../../../query/key-checks.ts';
import type { SchemaView } from '../../../query/schema-view.ts';
import { type Figure, measures, units } from './contract.ts';

const [maxPath, maxZone] = [300, 60];

const pathText = { ...shapes.text, minLength: 1, maxLength: maxPath };

const shape = {
  type: 'object',
  required: ['of'],
  properties: {
    of: shapes.withDescription('What the numbers are: how many documents, or what is made of `path`', {
      ...shapes.text,
      enum: measures,
    }),
    path: shapes.withDescription(
      'The field with one number of which there is the sum, average, least or greatest; null for a count',
      shapes.orNull(pathText),
    ),
    by: shapes.withDescription(
      'The field for each of whose values, or periods, there is a row; null for one row',
      shapes.orNull(pathText),
    ),
    unit: shapes.withDescription(
      'The periods of a date in `by`, for which it is required; null for other fields',
      shapes.orNull({ ...shapes.text, enum: units }),
    ),
    zone: shapes.withDescription(
      'The time zone in which periods begin, such as "Europe/Berlin"; null for UTC',
      shapes.orNull({ ...shapes.text, minLength: 1, maxLength: maxZone }),
    ),
  },
  additionalProperties: false,
};
/** Of a body. */
export const figureSchema = ownCheck(shape);
/** Of an answer, which has all parts. */
export const figureAnswer = { ...shape, required: Object.keys(shape.properties) };

const fault = (part: string, kind: string, rule: string) => badValue(part, kind, rule);

const none: Figure = { of: 'count', path: null, by: null, unit: null, zone: null };

/** @throws 400 that names the part */
export function figureFrom(given: unknown): Figure {
  if (!isPlainObject(given))
    throw fault('figure', 'object', 'must be an object such as {"of": "count", "by": "status"}');
  const parts = Object.entries(given).filter(([, value]) => value !== null);
  for (const [name, value] of parts) {
    if (!Object.hasOwn(none, name))
      throw fault(
        'figure',
        'unknown',
        `has no part ${JSON.stringify(name.slice(0, 40))}${suggestion(name, Object.keys(none))}`,
      );
    const max = name === 'zone' ? maxZone : maxPath;
    if (typeof value !== 'string' || value === '' || value.length > max)
      throw fault(`figure.${name}`, 'string', `must be text of 1 to ${max} characters`);
  }
  const { of, path = null, by = null, unit, zone } = Object.fromEntries(parts) as Record<string, string | undefined>;
  return {
    of: chosen('of', measures, of),
    path,
    by,
    unit: unit === undefined ? null : chosen('unit', units, unit),
    zone: zone === undefined ? null : checkedZone(zone),
  };
}

function chosen<One extends string>(part: string, choices: readonly One[], given: string | undefined): One {
  const found = choices.find((one) => one === given);
  if (found === undefined)
    throw fault(`figure.${part}`, 'enum', `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`);
  return found;
}

/** Names alone: an offset is of no use where summer time begins and ends. */
function checkedZone(zone: string): string {
  try {
    if (/^[A-Za-z]/.test(zone)) return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // named below
  }
  const near = suggestion(zone, Intl.supportedValuesOf('timeZone'));
  throw fault('figure.zone', 'zone', `must be the name of a time zone such as Europe/Berlin${near}`);
}

/** The figure with the paths of the model, and the time zone where it has periods. @throws 400, 403 that name the part */
export function checkedFigure(view: SchemaView, figure: Figure): Figure {
  const { of, path, by, unit, zone } = figure;
  if ((of === 'count') !== (path === null))
    throw fault(
      'figure.path',
      'figure',
      of === 'count'
        ? 'must not be given: a count is of documents'
        : `must name the numbers of which there is the ${of}`,
    );
  const number = path === null ? null : checkedPath(view, path);
  if (number !== null && !(number.field.type?.isNumber === true && number.isSingle))
    throw fault('figure.path', 'type', 'must be a field with one number, as it is stored');
  const group = by === null ? null : checkedPath(view, by);
  const isDate = group?.field.type?.input === 'date' && group.isSingle;
  if (isDate && unit === null) throw fault('figure.unit', 'figure', `must be given with a date: ${units.join(', ')}`);
  if (!isDate && unit !== null) throw fault('figure.unit', 'figure', 'must be given with a date only');
  if (unit === null && zone !== null) throw fault('figure.zone', 'figure', 'must be given with a unit only');
  return {
    of,
    path: number?.path ?? null,
    by: group?.path ?? null,
    unit,
    zone: unit === null ? null : (zone ?? 'UTC'),
  };
}

/** A path of plain values that are shown as they are stored, and whether a document has at most one of them. @throws 400, 403 */
function checkedPath(view: SchemaView, name: string) {
  const { schema } = view;
  const path = realPath(schema, name);
  checkPath(view, path);
  checkKnown(view, path, 'figure');
  if (view.holdsHidden(path)) throw secretPath(path);
  const type = typeAt(schema, path);
  if (type.kind !== 'leaf' || type.field.isComputed || type.field.isEncrypted)
    throw fault('figure', 'type', `cannot be made of ${path}, which has no plain values as they are stored`);
  return { path, field: type.field, isSingle: listsOn(schema, path).length === 0 };
}
