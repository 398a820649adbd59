/** Stored rows in the form of answers. */
import { computedRow } from '../models/mongoose/computed-row.ts';
import type { Json } from '../models/plain-object.ts';
import { defaultFields, type Fields } from '../query/fields.ts';
import type { Policy } from './policy.ts';
import { shape } from './shape.ts';
import type { ShapedDocument } from './shaped.ts';

/** A row in the default form: with the schema's virtuals and getters, without `select: false`. */
export function present(policy: Policy, row: Readonly<Record<string, unknown>>): ShapedDocument {
  const { model } = policy;
  const whole = model.computed ? computedRow(model, { ...row }) : row;
  const shown = model.unselected.length === 0 ? whole : withFields(whole, defaultFields(model), []);
  return shape(shown, { hidden: policy.hiddenIn(row), fields: undefined, withId: !model.schema.hasOwnId });
}

/**
 * Reduces a plain document to the requested fields, where the database could not (virtuals and getters require whole documents).
 * @param also paths that are needed to place linked documents
 */
export function withFields(row: Json, fields: Fields | undefined, also: readonly string[]): Json {
  if (fields === undefined || fields.mode === 'stored') return row;
  const paths =
    fields.mode === 'only' ? [...fields.paths, '_id', ...also] : fields.paths.filter((path) => !also.includes(path));
  return cut(
    row,
    fields.mode,
    paths.map((path) => path.split('.')),
  ) as Json;
}

function cut(value: unknown, mode: 'only' | 'without', paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((member) => cut(member, mode, paths));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const here = paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
    const whole = here.some((rest) => rest.length === 0);
    if (mode === 'only' ? whole : here.length === 0) result[key] = inner;
    else if (!whole && here.length > 0) result[key] = cut(inner, mode, here);
  }
  return result;
}
