/** The embedded store has every operator that the REST API allows. */
import { describe, expect, test } from '@jest/globals';
import { supported } from 'dossier-language';
import { expressionGroups } from '../../../src/query/expressions.ts';
import { operatorRows } from '../../../src/query/operators.ts';
import { stageRows } from '../../../src/query/stages.ts';
import { updateRows } from '../../../src/query/updates.ts';

const listed = (text: string): readonly string[] => text.split(' ');

describe('allow-lists', () => {
  test('of expressions are in the tables of the language, except for JavaScript in the database', () => {
    const { expressions, accumulators, windowFunctions } = supported;
    const missing = Object.values(expressionGroups)
      .flatMap(listed)
      .filter((name) => !expressions.has(name) && !accumulators.has(name) && !windowFunctions.has(name));
    expect(missing.sort()).toEqual(['$accumulator', '$function']);
  });

  test.each([
    ['stages', stageRows, [supported.stages]],
    ['filter operators', operatorRows, [supported.fieldOperators, supported.documentOperators]],
    ['update operators', updateRows, [supported.updateOperators]],
  ] as const)('of %s are in the tables of the language', (_name, rows, tables) => {
    const missing = rows.map(({ name }) => name).filter((name) => !tables.some((table) => table.has(name)));
    expect(missing).toEqual([]);
  });
});
