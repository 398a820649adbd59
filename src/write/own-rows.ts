/** Mutations of the rows of the server's own models: they keep the revision `__v`, by which a change stream knows a write of this server. */
import type { ModelEntry } from '../models/entry.ts';
import type { Filter } from '../query/filter.ts';
import type { Change, Insertion, Removal } from './contract.ts';

/** @throws TypeError for a model whose documents callers write, under its rights and rules */
export const insertRow = (model: ModelEntry, row: object): Insertion => ({
  kind: 'insert',
  model: ownModel(model),
  rows: [{ ...row, __v: 0 }],
});

/** @param update operators, without `$inc` @throws TypeError as `insertRow` */
export const changeRow = (model: ModelEntry, filter: object, update: object): Change => ({
  ...{ kind: 'change', model: ownModel(model), event: 'put' },
  filter: filter as Filter,
  update: { ...update, $inc: { __v: 1 } },
});

/** @throws TypeError as `insertRow` */
export const removeRow = (model: ModelEntry, filter: object): Removal => ({
  kind: 'remove',
  model: ownModel(model),
  filter: filter as Filter,
});

function ownModel(model: ModelEntry): ModelEntry {
  if (!model.options.internal)
    throw new TypeError(`${model.name} is no own model: its documents are written by the api`);
  return model;
}
