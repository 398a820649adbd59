/** Mutations of the rows of the server's own models: they keep the revision `__v`, by which a change stream knows a write of this server. */
import type { ModelEntry } from '../models/entry.ts';
import type { Filter } from '../query/filter.ts';
import type { Change, Insertion, Removal } from './contract.ts';

export const insertRow = (model: ModelEntry, row: object): Insertion => ({
  kind: 'insert',
  model,
  rows: [{ ...row, __v: 0 }],
});

/** @param update operators, without `$inc` */
export const changeRow = (model: ModelEntry, filter: object, update: object): Change => ({
  ...{ kind: 'change', model, event: 'put' },
  filter: filter as Filter,
  update: { ...update, $inc: { __v: 1 } },
});

export const removeRow = (model: ModelEntry, filter: object): Removal => ({
  kind: 'remove',
  model,
  filter: filter as Filter,
});
