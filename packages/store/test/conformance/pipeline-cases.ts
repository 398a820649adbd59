/** The tables of stages and expressions as cases for any engine. */
import type { Db, Document } from 'mongodb';
import { expressionCases, sample } from '../pipelines/expression-cases.ts';
import { collections, stageCases } from '../pipelines/stage-cases.ts';
import { type Case, Refused } from './case.ts';
import { windowCases } from './window-cases.ts';

/** The collections of the pipelines. */
export const pipelineData: Readonly<Record<string, readonly Document[]>> = { ...collections, sample: [sample] };

const run = (db: Db, collection: string, stages: readonly Document[]): Promise<readonly Document[]> =>
  db
    .collection(collection)
    .aggregate([...stages])
    .toArray()
    .catch((error: unknown) => {
      throw new Refused(error as Refused);
    });

/** Pipelines. */
export const stages: readonly Case[] = [...Object.values(stageCases).flat(), ...windowCases].map(
  ({ name, stages: pipeline, result, code }) => ({
    name,
    ask: (db) => run(db, 'sales', pipeline),
    expected: code === undefined ? { answer: result } : { code },
  }),
);

/** Expressions. */
export const expressions: readonly Case[] = Object.values(expressionCases)
  .flat()
  .map(({ expression, value, code }) => ({
    name: JSON.stringify(expression),
    ask: async (db) => (await run(db, 'sample', [{ $replaceWith: { value: expression } }]))[0]?.['value'] as unknown,
    expected: code === undefined ? { answer: value } : { code },
  }));
