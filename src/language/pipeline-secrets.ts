/** The stages that take password-named fields out of a model's documents before any stage of a caller sees them. */
import type { Schema, SchemaType } from 'mongoose';
import { isSecretName, isSecretPath } from '../registry/secrets.ts';
import { innerOf } from '../registry/type-at.ts';

export type Stage = Readonly<Record<string, unknown>>;

/** Levels of a free-form field that pipelines see; what lies deeper is null in them. */
const freeLevels = 8;

/**
 * The stages for documents of a schema.
 * @param at the field that holds the documents, where they are not the pipeline's own
 */
export function removalOf(schema: Schema, at?: string): Stage[] {
  const found = { secrets: new Set(['password']), free: new Set<string>() };
  const open = isOpen(schema);
  look(schema, [], found);
  const prefix = at === undefined ? '' : `${at}.`;
  if (open && at === undefined) return [{ $replaceWith: cleaned('$$ROOT', freeLevels) }];
  if (at !== undefined && (open || found.free.size > 0)) return [{ $set: { [at]: cleaned(`$${at}`, freeLevels) } }];
  const free = [...found.free].map((field) => [field, cleaned(`$${field}`, freeLevels)]);
  return [
    { $unset: [...found.secrets].map((path) => prefix + path) },
    ...(free.length === 0 ? [] : [{ $set: Object.fromEntries(free) as Stage }]),
  ];
}

interface Found {
  /** Paths that the schema names. */
  readonly secrets: Set<string>;
  /** Top-level fields with a part that may hold anything. */
  readonly free: Set<string>;
}

function look(schema: Schema, above: readonly string[], found: Found): void {
  for (const [path, type] of Object.entries(schema.paths)) {
    if (path.includes('$*')) continue;
    const parts = [...above, ...path.split('.')];
    if (isSecretPath(path)) found.secrets.add(parts.slice(0, parts.findIndex(isSecretName) + 1).join('.'));
    else if (isFree(type)) found.free.add(parts[0] ?? path);
    else {
      const inner = innerOf(type).schema;
      if (inner !== undefined) look(inner, parts, found);
    }
  }
}

/** The schema lets fields in that it does not name. */
const isOpen = (schema: Schema): boolean =>
  schema.get('strict') === false || (schema as unknown as { discriminators?: object }).discriminators !== undefined;

function isFree(type: SchemaType): boolean {
  const { schema, embeddedSchemaType } = innerOf(type);
  if (schema !== undefined) return isOpen(schema);
  if (type.instance === 'Mixed' || type.instance === 'Map') return true;
  return type.instance === 'Array' && (embeddedSchemaType === undefined || isFree(embeddedSchemaType));
}

/**
 * An expression for a value without its password-named keys, in any letter case, in objects and lists of them. Objects and lists
 * both become lists of `{k, v}`, so that the expression grows by one part a level, not by two.
 */
function cleaned(value: string, levels: number): unknown {
  if (levels === 0) return { $cond: [{ $in: [{ $type: value }, ['object', 'array']] }, null, value] };
  const pairs = {
    $cond: [
      { $isArray: '$$value' },
      { $map: { input: '$$value', as: 'pair', in: { k: '', v: '$$pair' } } },
      {
        $filter: {
          input: { $objectToArray: '$$value' },
          as: 'pair',
          cond: { $ne: [{ $toLower: '$$pair.k' }, 'password'] },
        },
      },
    ],
  };
  const inner = { $map: { input: pairs, as: 'pair', in: { k: '$$pair.k', v: cleaned('$$pair.v', levels - 1) } } };
  const whole = {
    $let: {
      vars: { pairs: inner },
      in: { $cond: [{ $isArray: '$$value' }, '$$pairs.v', { $arrayToObject: '$$pairs' }] },
    },
  };
  const composed = { $in: [{ $type: '$$value' }, ['object', 'array']] };
  return {
    $let: {
      vars: { value },
      in: { $switch: { branches: [{ case: composed, then: whole }], default: '$$value' } },
    },
  };
}
