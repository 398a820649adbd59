/** Faults of the server's own models: their rows, their actions and their end. */
import type { FaultyFile } from './contract.ts';

export const faultsOfOwnModels: readonly FaultyFile[] = [
  {
    file: 'auth/user-data.ts',
    tests: ['test/own-models/ended-users.test.ts'],
    faults: [
      ['if (!model.publishes) return', 'if (model.publishes) return', 'what ends with a user is not published'],
      [
        'remove({ ...remover, services }, all, users)',
        'remove({ services, user: undefined, silent: false }, all, users)',
        'a silent deletion is published, and by no one',
      ],
      ['endedByRecovery === ends', 'endedByRecovery !== ends', 'a recovery ends other data than keys'],
    ],
  },
  {
    file: 'models/built-in/internal-model.ts',
    tests: ['test/own-models/actions.test.ts'],
    faults: [["{ needs: 'r', on: 'document' }", "{ needs: 'r' }", 'an action is called without a document']],
  },
  {
    file: 'features/call/operations.ts',
    tests: ['test/own-models/actions.test.ts'],
    faults: [['      hasModel: ({ isOwn }) => !isOwn,\n', '', 'a link rotates a secret']],
  },
  {
    file: 'features/jobs/functions.ts',
    tests: ['test/own-models/actions.test.ts'],
    faults: [
      ['model === undefined || model.isOwn', 'model === undefined', 'an action runs as a job, without a document'],
    ],
  },
];
