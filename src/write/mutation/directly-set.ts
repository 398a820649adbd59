/** Which updates need no Mongoose query, since they set plain values and raise the revision, and which run no code of their model. */
import { modelOf, type Row } from '../../models/mongoose.ts';
import { directOf } from '../../models/mongoose/direct/index.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import type { Mutation } from '../contract.ts';

/** What an update sets, as Mongoose would send it; undefined where the update must go through Mongoose. */
export function directlySet({ model, update, through }: Extract<Mutation, { kind: 'update' }>): Row | undefined {
  return through === modelOf(model) && setsAndRaises(update)
    ? directOf(model).set?.(update['$set'] as Row, new Date())
    : undefined;
}

function setsAndRaises(update: Row): boolean {
  for (const operator of Object.keys(update)) if (operator !== '$set' && operator !== '$inc') return false;
  const raised = Object.keys(update['$inc'] ?? {});
  return raised.length === 1 && raised[0] === '__v';
}

/** Whether an update runs no middleware, setter or validator of the model file. */
export function runsNoCode({ model, update, through }: Extract<Mutation, { kind: 'update' }>): boolean {
  if (through === undefined) return true;
  return through === modelOf(model) && pathsOf(update as Update).every((path) => directOf(model).isPlainPath(path));
}
