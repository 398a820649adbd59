/** Planted faults of `src/query`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfQuery: readonly FaultyFile[] = [
  {
    file: 'query/filter.ts',
    tests: ['test/queries', 'test/security', 'test/api', 'test/unit/query'],
    faults: [
      [
        "if (row === undefined || !row.inUrl || row.operand === 'filters') throw",
        "if (row === undefined || row.operand === 'filters') throw",
        'operators are accepted in addresses that are not for them',
      ],
      ['  checkPath(context.view, real);\n', '', 'a filter on a hidden field is accepted'],
      ["if (name === '$ne') return { [path]: { $nin: values } };", '', '$ne of several forms of a value matches all'],
      [
        'context.budget.level(depth);\n  return Object.entries(tree)',
        'return Object.entries(tree)',
        'a filter may have any depth',
      ],
    ],
  },
  {
    file: 'query/sort.ts',
    tests: ['test/queries', 'test/permissions', 'test/unit/query'],
    faults: [
      ['if (view.holdsHidden(path)) throw secretPath(path);', '', 'a list is sorted by what holds hidden fields'],
      ["'_id' in sort ? sort : { ...sort, _id: 1 }", 'sort', 'equal rows have no order'],
    ],
  },
  {
    file: 'query/regex.ts',
    tests: ['test/queries', 'test/security', 'test/unit/query'],
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
    tests: ['test/queries', 'test/unit/query', 'test/security'],
    faults: [
      [
        'escaped(checked(`search[${path}]`, text))',
        'checked(`search[${path}]`, text)',
        'a search for a text is a pattern',
      ],
    ],
  },
  {
    file: 'query/updates.ts',
    tests: ['test/writing', 'test/permissions', 'test/bulk-writes'],
    faults: [
      ["if (operator === '$rename') for", "if (operator === '$set') for", 'the target of $rename is not checked'],
    ],
  },
  {
    file: 'query/pipeline-secrets.ts',
    tests: ['test/aggregation', 'test/security', 'test/unit/query'],
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
