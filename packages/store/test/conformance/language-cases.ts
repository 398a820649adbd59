/** The tables of filters, updates, upserts and projections as cases for any engine. */
import type { Doc } from 'dossier-language/values';
import { projectionCases } from '../../../language/test/projection-cases.ts';
import { badQueries, queryCases } from '../../../language/test/query-cases.ts';
import { seeds, updateCases } from '../../../language/test/update-cases.ts';
import { brief, type Case, clear, command, found, holding, only, sent, shown } from './case.ts';

/** Results are compared as text that distinguishes every BSON type. */
const outcome = (result: Doc | number, more: Doc = {}): Case['expected'] =>
  typeof result === 'number' ? { code: result } : { answer: shown([sent({ ...more, ...result })]) };

const notSupported = 115;

/** Whether a filter matches a document. */
export const filterCases: readonly Case[] = queryCases.map(([filter, doc, matches]) => {
  const from = holding(sent({ _id: 1, ...doc }));
  return {
    name: `${brief(filter)} on ${brief(doc)}`,
    ask: async (db) => ((await found(db, from, { filter: sent(filter) })).length === 1 ? 'found' : 'not found'),
    expected: { answer: matches ? 'found' : 'not found' },
  };
});

/** Some engines check filters when they match a document. */
const matched = holding(sent({ _id: 1, a: [1, { b: 1 }] }));

/** Filters that every engine refuses. */
export const refusedFilters: readonly Case[] = badQueries
  .filter(([, code]) => code !== notSupported)
  .map(([filter, code]) => ({
    name: brief(filter),
    ask: async (db) => shown(await found(db, matched, { filter: sent(filter) })),
    expected: { code },
  }));

/** The result of an update. */
export const changeCases: readonly Case[] = updateCases.map(({ doc, update, result, filter = {}, arrayFilters }) => ({
  name: [brief(update), ...(arrayFilters ?? []).map(brief), `on ${brief(doc)}`].join(' '),
  ask: async (db) => {
    await only(db, sent({ _id: 7, ...doc }));
    const filters = arrayFilters ? { arrayFilters: arrayFilters.map(sent) } : {};
    await command(db, { update: 'one', updates: [{ q: sent(filter), u: sent(update), ...filters }] });
    return shown(await found(db, 'one'));
  },
  expected: outcome(result, { _id: 7 }),
}));

/** The initial document of an upsert that matches nothing. */
export const upsertCases: readonly Case[] = seeds.map(([filter, seed]) => ({
  name: `an upsert by ${brief(filter)}`,
  ask: async (db) => {
    await clear(db);
    const u = { $setOnInsert: sent({ z: 1 }) };
    await command(db, { update: 'one', updates: [{ q: sent(filter), u, upsert: true }] });
    return shown(await found(db, 'one', '_id' in filter ? {} : { projection: { _id: 0 } }));
  },
  expected: typeof seed === 'number' ? { code: seed } : outcome({ ...seed, z: 1 }),
}));

/** The result of a projection. */
export const leftCases: readonly Case[] = projectionCases.map(([projection, doc, result, filter = {}]) => {
  const from = holding(sent(doc));
  return {
    name: `${brief(projection)} of ${brief(doc)}`,
    ask: async (db) => shown(await found(db, from, { filter: sent(filter), projection: sent(projection) })),
    expected: outcome(result),
  };
});
