/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/** Tests are transformed to CommonJS by swc; type checking is `npm run check`. */
const config: Config = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.(t|m?j)s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(re2js|sorted-btree|@orama|@json2csv|marked)/)'],
  testTimeout: 30_000,
};

export default config;
