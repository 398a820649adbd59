/** Planted faults of what is recorded of writes, and reacts to them. */
import type { FaultyFile } from './contract.ts';

export const faultsOfRecorders: readonly FaultyFile[] = [
  {
    file: 'features/changed/reactions.ts',
    tests: ['test/rules'],
    faults: [
      ['if (chain.length > maxDepth)', 'if (chain.length >= maxDepth)', 'reactions may be nine deep'],
      ['await this.#call(change, author,', 'void this.#call(change, author,', 'a refusal is not awaited'],
      ['return this.#services !== undefined;', 'return false;', 'reactions are never called'],
    ],
  },
  {
    file: 'features/audit/audited.ts',
    tests: ['test/rules/stories.test.ts'],
    faults: [
      [
        '? states.map((state) => documentEvent',
        "? states.filter((state) => operationOf(state) !== 'restore').map((state) => documentEvent",
        'restorations are missing in the audit log',
      ],
    ],
  },
  {
    file: 'features/webhooks/recorder.ts',
    tests: ['test/rules/stories.test.ts'],
    faults: [
      [
        'after: clean(state.after) }',
        'after: clean(state.after && (state.before ?? state.after)) }',
        'a delivery has the document before a change as the one after it',
      ],
      [
        'before: clean(state.before),',
        'before: clean(state.before && (state.after ?? state.before)),',
        'a delivery has the document after a change as the one before it',
      ],
    ],
  },
  {
    file: 'api/for-write.ts',
    tests: ['test/rules', 'test/hooks/account-hooks.test.ts'],
    faults: [
      ['    progress.end();\n', '', 'code that never ends may write later'],
      [
        'known instanceof Failure ? known : internal(known)',
        'known',
        'an error of the database in a reaction is one of the write',
      ],
      ['    stop.abort();\n', '', 'the signal is not aborted at the time limit'],
    ],
  },
  {
    file: 'features/changed/changed-documents.ts',
    tests: ['test/rules/changed.test.ts', 'test/rules/stories.test.ts'],
    faults: [
      ["paths.length === 0 && event === 'change'", 'false', 'a write that changes nothing is reacted to'],
      ['before, after, paths }]', 'before, after, paths: paths.slice(0, 1) }]', 'a reaction gets one of the paths'],
    ],
  },
];
