import eslint from '@eslint/js';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';
import { exportedNames } from './scripts/lint/exported-names.ts';

export default tseslint.config(
  {
    ignores: [
      ...['**/dist/', 'node_modules/', 'data/', 'coverage/', 'docs/', 'test/support/models/'],
      ...['test/docs/express-application/', 'test/models/projects/applications/'],
    ],
  },
  eslint.configs.recommended,
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      // one block without blank lines: side effects, Node.js, packages, parent folders, this folder
      'simple-import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.\\.', '^\\.']] }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        AbortSignal: false,
        Buffer: false,
        console: false,
        fetch: false,
        process: false,
        setTimeout: false,
        URL: false,
      },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'packages/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'no-console': 'error',
      // what an interface says is a promise may be at hand already
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^ignored' },
      ],
      // values of the database are unknown until they are looked at, and ids are texts in the end
      '@typescript-eslint/no-base-to-string': 'off',
      'no-control-regex': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
  {
    // declarations that merge with Mongoose's repeat its type parameters
    files: ['src/models/options/schema-options.ts', 'src/features/file-options.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
    },
  },
  {
    files: ['src/**/*.ts'],
    // the constructors of failures are called as the failures are
    ignores: ['src/errors/errors.ts'],
    plugins: { dossier: { rules: { 'exported-names': exportedNames } } },
    rules: { 'dossier/exported-names': 'error' },
  },
  {
    // the elements of a component are a line each
    files: ['packages/*/src/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // tests look at answers as they come
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      'max-lines': ['error', 500],
      'no-var': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
