/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

/** Tests are transformed to CommonJS by swc; type checking is `npm run check`. */
const config: Config = {
  globalSetup: '<rootDir>/test/support/engine.ts',
  globalTeardown: '<rootDir>/test/support/engine-stop.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.(t|m?j)s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
  moduleNameMapper: { '^dossier$': '<rootDir>/src/index.ts' },
  transformIgnorePatterns: ['/node_modules/(?!(re2js|sorted-btree|@orama|@json2csv|marked|leven)/)'],
  // half as many more than processors, since much of what tests do is waiting: for processes, browsers, time limits
  // (a number: Jest reads percentages over 100 as numbers of workers)
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testTimeout: 30_000,
};

export default config;
