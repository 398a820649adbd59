/** A context in which expressions are compiled: without collections and without limits. */
import { Meter, type PipelineContext } from '../../src/aggregate/index.ts';

/** The context. */
export const context: PipelineContext = {
  db: 'test',
  collection: 'sample',
  read: async function* () {
    yield* [];
    await Promise.resolve();
  },
  now: new Date(0),
  checkTime: () => undefined,
  yield: () => Promise.resolve(),
  due: () => false,
  meter: new Meter(
    () => 0,
    () => undefined,
  ),
  memoryLimitBytes: 100 * 1024 * 1024,
};
