/** Planted faults of `src/read`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfRead: readonly FaultyFile[] = [
  {
    file: 'read/fetch.ts',
    tests: [
      'test/links/populate.test.ts',
      'test/permissions/attacks.test.ts',
      'test/queries/cursors.test.ts',
      'test/queries/lists.test.ts',
      'test/queries/read-preference.test.ts',
    ],
    faults: [
      [
        'range === undefined ? plan.filter : allOf([plan.filter, range])',
        'range ?? plan.filter',
        'a page by a cursor is read without its filter',
      ],
      [
        '{ $and: [linked, plan.filter] }',
        '{ $and: [linked] }',
        'populated documents are read without the rights on them',
      ],
      [
        'filter: allOf([{ _id: id }, plan.filter])',
        'filter: { _id: id }',
        'a document is read without the rights on it',
      ],
      ['if (skip > 0) made', 'if (skip > 1) made', 'the second of pages of one row is the first'],
      [
        'isKept || depth > 0 || unit !== undefined ? undefined',
        'unit !== undefined ? undefined',
        'cached lists are read from secondaries',
      ],
    ],
  },
  {
    file: 'read/plan.ts',
    tests: [
      'test/hooks/hooks.test.ts',
      'test/permissions/attacks.test.ts',
      'test/permissions/letters.test.ts',
      'test/queries/lists.test.ts',
    ],
    faults: [
      [
        'if (plan.isConstant) plans.set(intent, plan);',
        'plans.set(intent, plan);',
        'a plan with the time of a request is used by later ones',
      ],
      [
        'if (text === undefined) return [filter, ...filters, hook];',
        'if (text === undefined) return [filter, ...filters];',
        'a search in a field is without the filter of a pre-hook',
      ],
      [
        'if (!model.textPaths.every((path) => coversOnlyShown(path, view, principal.admin)))',
        'if (model.textPaths.length > 99)',
        'a text search matches words of hidden fields',
      ],
      ['(page ?? 0) + 1)', '(page ?? 0) + 2)', 'the address of the next page skips one'],
    ],
  },
  {
    file: 'read/index.ts',
    tests: ['test/caching/etag.test.ts', 'test/realtime/list-positions.test.ts', 'test/security/deleting.test.ts'],
    faults: [
      [
        'if (isDeleted(row) && !showDeleted) throw',
        'if (isDeleted(row) && showDeleted) throw',
        'deleted documents are shown',
      ],
      ['if (position !== undefined) return read(true);', '', 'a list with a position comes from the cache'],
      [
        'isDerived = links.length > 0 || model.fieldPerms.size > 0 || model.computed',
        'isDerived = links.length > 0',
        'callers who see other fields get the same entity tag',
      ],
    ],
  },
  {
    file: 'read/cursors/position.ts',
    tests: ['test/queries/cursor-walks.test.ts'],
    faults: [
      ['(direction === 1) !== isReversed', '(direction === 1) === isReversed', 'cursors walk backwards'],
      ['fixed.push(...same(key, value));', '', 'a walk by several keys skips rows'],
      ["if (bracket === 'nan' && upwards)", "if (bracket === 'nan' && !upwards)", 'a walk ends at NaN'],
    ],
  },
  {
    file: 'read/link-filters.ts',
    tests: ['test/links/through.test.ts'],
    faults: [
      ['&& view.shows(path));', ');', 'a filter goes through a link that the caller may not see'],
      [
        'if (level > maxLinks) throw',
        'if (level > maxLinks + 9) throw',
        'a filter goes through more links than allowed',
      ],
      [
        'if (ids.length > maxLinked) throw',
        'if (ids.length > 2 * maxLinked) throw',
        'a condition through links is cut without an error',
      ],
    ],
  },
  {
    file: 'read/cached.ts',
    tests: ['test/caching/not-kept.test.ts', 'test/caching/cache.test.ts', 'test/permissions/attacks.test.ts'],
    faults: [
      [
        'cache === undefined || unit?.session !== undefined',
        'cache === undefined',
        'a transaction reads from the cache',
      ],
      ['policy: policy.key,', '', 'cached answers ignore what the caller may see'],
      ['if (!plan.isConstant) return make(false);', '', 'answers with the time of a request are cached'],
      [
        'models.every(({ options }) => options.cache)',
        'models.some(({ options }) => options.cache)',
        'answers of models without a cache are cached',
      ],
    ],
  },
];
