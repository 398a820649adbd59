/** The stages that take password-named fields out of a model's documents before any stage of a caller sees them. */
import type { Schema } from 'mongoose';
import { isOpen, mayHoldSecrets } from '../registry/secret-parts.ts';
import { isSecretName, isSecretPath } from '../registry/secrets.ts';

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

/**
 * Whether the stages make documents of fields that they name before they could see one that the schema does not: then the removal
 * of a stray `password`, which costs as much as the grouping, has nothing to do. What is not plain to see counts as seeing.
 */
export function seesNoStrays(schema: Schema, stages: readonly Stage[]): boolean {
  if (isOpen(schema) || Object.entries(schema.paths).some(([path, type]) => isSecretPath(path) || mayHoldSecrets(type)))
    return false;
  const grouping = stages.findIndex((stage) => Object.keys(stage).some((name) => !keeping.has(name)));
  const first = stages[grouping];
  if (first === undefined || !('$group' in first || '$count' in first)) return false;
  return !reaching.test(JSON.stringify(stages.slice(0, grouping + 1)));
}

/** Stages that leave documents as they are. */
const keeping: ReadonlySet<string> = new Set(['$match', '$sort', '$skip', '$limit']);
/** Variables stand for whole documents, these operators take names of fields, and a name of a key may be a sort key. */
const reaching = /\$\$|\$(get|set|unset)Field|password/i;

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
