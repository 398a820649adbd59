/**
 * Before all tests: the programs that they start are made; with `TEST_ENGINE=mongod` a real mongod is fetched and
 * started, as a replica set of one, and the suite runs on it.
 */
import { execFileSync } from 'node:child_process';
import type { MongoMemoryReplSet } from 'mongodb-memory-server';

declare global {
  // what the setup leaves for the teardown
  var testEngine: MongoMemoryReplSet | undefined;
}

export default async function start(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const engine = process.env['TEST_ENGINE'];
  if (engine === undefined || engine === '' || engine === 'embedded') return;
  if (engine !== 'mongod') throw new Error(`TEST_ENGINE must be mongod or embedded, not ${engine}`);
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  globalThis.testEngine = await MongoMemoryReplSet.create({ replSet: { count: 1 } });
  process.env['MONGODB_URL'] = globalThis.testEngine.getUri();
}
