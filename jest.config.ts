/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

/** On another database only the tests of the embedded store run that compare both. */
const onMongo = (process.env['MONGODB_URL'] ?? '') !== '' || process.env['TEST_ENGINE'] === 'mongod';

/** Tests are transformed to CommonJS by swc; type checking is `npm run check`. */
const config: Config = {
  testRunner: '<rootDir>/test/support/runner.ts',
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  globalSetup: '<rootDir>/test/support/engine.ts',
  globalTeardown: '<rootDir>/test/support/engine-stop.ts',
  testMatch: ['test', ...(onMongo ? ['packages/store/test/conformance'] : ['packages/*/test'])].map(
    (folder) => `<rootDir>/${folder}/**/*.test.ts`,
  ),
  testPathIgnorePatterns: ['/node_modules/', ...(process.env['SKIP_E2E'] === 'true' ? ['\\.e2e\\.test\\.ts$'] : [])],
  transform: {
    '^.+\\.(t|m?j)s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
  moduleNameMapper: {
    '^dossier$': '<rootDir>/src/index.ts',
    '^dossier/core$': '<rootDir>/src/core.ts',
    '^dossier-client$': '<rootDir>/packages/client/src/index.ts',
    '^dossier-language/errors$': '<rootDir>/packages/language/src/errors.ts',
    '^dossier-language$': '<rootDir>/packages/language/src/index.ts',
    '^dossier-language/(.*)$': '<rootDir>/packages/language/src/$1/index.ts',
    '^dossier-store$': '<rootDir>/packages/store/src/index.ts',
    '^dossier-store/exit$': '<rootDir>/packages/store/src/exit.ts',
    '^dossier-store/single-flight$': '<rootDir>/packages/store/src/single-flight.ts',
    '^dossier-store/worker$': '<rootDir>/packages/store/src/launch.ts',
    '^dossier-store/command$': '<rootDir>/packages/store/src/command.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/packages/[^/]+/dist'],
  transformIgnorePatterns: ['/node_modules/(?!(re2js|@orama|@json2csv|marked|leven)/)'],
  // for `npm run coverage`: `src` and the query languages, by tests of which most start no server; the whole suite would take twice its time
  // (not `test/unit/log`: it replaces the timers of the process, and Jest's own runner gives tests others)
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcovonly'],
  collectCoverageFrom: ['src/**/*.ts', 'packages/language/src/**/*.ts'],
  coverageThreshold: {
    global: {},
    './src/': { statements: 72, branches: 83, functions: 70, lines: 72 },
    './packages/language/src/': { statements: 92, branches: 86, functions: 92, lines: 92 },
  },
  // half as many more than processors, since much of what tests do is waiting: for processes, browsers, time limits
  // (a number: Jest reads percentages over 100 as numbers of workers)
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // a worker that keeps the modules of `src` also keeps what their servers leave behind
  workerIdleMemoryLimit: '1GB',
  // far more than a test takes on a machine that is slow and loaded
  testTimeout: 180_000,
};

export default config;
