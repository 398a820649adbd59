/** The stages that take password-named fields out of a model's documents before any stage of a caller sees them. */
import type { Schema, SchemaType } from 'mongoose';
import { isSecretName, isSecretPath } from '../registry/secrets.ts';
import { innerOf } from '../registry/type-at.ts';

export type Stage = Readonly<Record<string, unknown>>;

/** Levels of a free-form field that pipelines see; what lies deeper is null in them. */
const freeLevels = 8;

/**
 * The stage for documents of a schema. Fields are removed by `$set`, since not every engine keeps what `$unset` removed from the
 * stages after it.
 * @param at the field that holds the documents, where they are not the pipeline's own
 */
export function removalOf(schema: Schema, at?: string): Stage[] {
  if (at !== undefined) return [{ $set: { [at]: cleaned(`$${at}`, freeLevels + 1) } }];
  if (isOpen(schema)) return [{ $replaceWith: cleaned('$$ROOT', freeLevels + 1) }];
  const set: Record<string, unknown> = { password: '$$REMOVE' };
  for (const [path, type] of Object.entries(schema.paths)) {
    const [field = path, ...below] = path.split('.');
    if (isSecretName(field)) set[field] = '$$REMOVE';
    else if (below.some(isSecretName) || mayHoldSecrets(type)) set[field] = cleaned(`$${field}`, freeLevels);
  }
  return [{ $set: set }];
}

/** Whether the schema names password-named fields, besides which it may hold some in free-form parts. */
export const namesSecrets = (schema: Schema): boolean =>
  Object.entries(schema.paths).some(([path, type]) => {
    const inner = innerOf(type).schema;
    return isSecretPath(path) || (inner !== undefined && namesSecrets(inner));
  });

/** Below this path there are password-named fields, or there may be any. */
function mayHoldSecrets(type: SchemaType): boolean {
  const { schema, embeddedSchemaType } = innerOf(type);
  if (schema !== undefined)
    return isOpen(schema) || namesSecrets(schema) || Object.values(schema.paths).some(mayHoldSecrets);
  if (type.instance === 'Mixed' || type.instance === 'Map') return true;
  return type.instance === 'Array' && (embeddedSchemaType === undefined || mayHoldSecrets(embeddedSchemaType));
}

/** The schema lets fields in that it does not name. */
const isOpen = (schema: Schema): boolean =>
  schema.get('strict') === false || (schema as unknown as { discriminators?: object }).discriminators !== undefined;

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
