/** Planted faults of `src/query`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfQuery: readonly FaultyFile[] = [
  {
    file: 'query/filter.ts',
    tests: ['test/queries/filters.test.ts', 'test/queries/free-form.test.ts'],
    faults: [
      [
        "if (row === undefined || !row.inUrl || row.operand === 'filters') throw",
        "if (row === undefined || row.operand === 'filters') throw",
        'operators are accepted in addresses that are not for them',
      ],
      ['  checkPath(context.view, real);\n', '', 'a filter names what objects of JavaScript inherit'],
      ["if (name === '$ne') return { [path]: { $nin: values } };", '', '$ne of several forms of a value matches all'],
      ['  context.budget.level(depth - 1);\n', '', 'a filter may have any depth'],
    ],
  },
  {
    file: 'query/sort.ts',
    tests: ['test/queries/cursors.test.ts', 'test/security/hidden.test.ts'],
    faults: [
      ['if (view.holdsHidden(path)) throw secretPath(path);', '', 'a list is sorted by what holds hidden fields'],
      ["'_id' in sort ? sort : { ...sort, _id: 1 }", 'sort', 'equal rows have no order'],
    ],
  },
  {
    file: 'query/regex.ts',
    tests: ['test/unit/query/patterns.test.ts'],
    faults: [
      [
        'if (backtracks(parse(source, flags))) throw',
        'if (source.length > longest && backtracks(parse(source, flags))) throw',
        'patterns that take unbounded time are accepted',
      ],
    ],
  },
  {
    file: 'query/search.ts',
    tests: ['test/security/injection.test.ts'],
    faults: [
      [
        'escapePattern(checked(`search[${path}]`, text))',
        'checked(`search[${path}]`, text)',
        'a search for a text is a pattern',
      ],
    ],
  },
  {
    file: 'query/updates.ts',
    tests: ['test/permissions/letters.test.ts'],
    faults: [
      ["if (operator === '$rename') for", "if (operator === '$set') for", 'the target of $rename is not checked'],
    ],
  },
  {
    file: 'query/pipeline-secrets.ts',
    tests: ['test/aggregation/stray-passwords.test.ts', 'test/permissions/letters.test.ts'],
    faults: [
      ['    ...removalOfPaths(hidden.paths),\n', '', 'pipelines read hidden fields'],
      [
        "{ $toLower: '$$pair.k' }, hidden.keys",
        "'$$pair.k', hidden.keys",
        'pipelines show passwords in other letter cases',
      ],
    ],
  },
];
