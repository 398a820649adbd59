/**
 * The order of test files. Where no earlier run has left its times, as on a fresh machine, Jest begins with the largest files, and the
 * longest of these tests are in small ones: the last of them would run alone.
 */
import TestSequencer from '@jest/test-sequencer';

/** The files that take longest, those that occupy the processors and those that wait in turn. */
const longest = [
  'test/docs/guides.e2e.test.ts',
  'test/console/accessible-states.e2e.test.ts',
  'test/transfer/backups.e2e.test.ts',
  'test/endpoints/accessible-pages.e2e.test.ts',
  'test/workers/process.e2e.test.ts',
  'test/console/accessible.e2e.test.ts',
  'test/jobs/killed.e2e.test.ts',
  'test/console/server.e2e.test.ts',
  'test/packages/packed.e2e.test.ts',
  'test/client/browser.e2e.test.ts',
  'packages/store/test/server/kill-points.e2e.test.ts',
  'test/console/tasks.e2e.test.ts',
  'test/webhooks/killed.e2e.test.ts',
  'test/endpoints/pages.e2e.test.ts',
  'test/backups/killed.e2e.test.ts',
  'test/console/deep-links.e2e.test.ts',
  'test/security/load.e2e.test.ts',
  'test/console/export.e2e.test.ts',
  'test/schedules/servers.test.ts',
  'test/client/node.test.ts',
  'test/models/projects/projects.test.ts',
  'test/backups/backups.test.ts',
  'test/writing/rules/rules.test.ts',
  'test/backups/failures.test.ts',
  'test/rules/stories.test.ts',
];

/** The place of a file without a known time among the longest, else after all of them. */
const placeOf = ({ path, duration }) => {
  const at = duration === undefined ? longest.findIndex((file) => path.endsWith(`/${file}`)) : -1;
  return at === -1 ? longest.length : at;
};

export default class extends TestSequencer {
  sort(tests) {
    // the sort is stable
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
