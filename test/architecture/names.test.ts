/** The rule `exported-names`, by which ESLint holds the names of exports (scripts/lint/exported-names.ts). */
import { expect, test } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { exportedNames } from '../../scripts/lint/exported-names.ts';

/** The messages about a file. */
function messagesAbout(text: string): readonly string[] {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { own: { rules: { names: exportedNames } } },
    rules: { 'own/names': 'error' as const },
  };
  return new Linter().verify(text, config, 'file.ts').map(({ message }) => message);
}

test.each([
  ['export function recorded(): void {}', 'recorded is a participle'],
  ['export const shown = 1;', 'shown begins with "shown"'],
  ['export const shownKey = (): string => "";', 'shownKey begins with "shown"'],
  ['export interface Wanted { readonly a: number }', 'Wanted begins with "wanted"'],
  ['export type AskedFigure = string;', 'AskedFigure begins with "asked"'],
  ['export class KeptAdvice {}', 'KeptAdvice begins with "kept"'],
  ['export type Judged = string;', 'Judged begins with "judged"'],
  ['export interface Shared {}', 'Shared is a participle'],
  ['export class Pruning {}', 'Pruning is a participle'],
  ['export const unrepeatable = 1;', 'unrepeatable is a participle'],
  ['export const writtenBy = 1;', 'writtenBy is a participle'],
  ['export const withoutHidden = 1;', 'withoutHidden is a participle'],
  ['export const firstMade = 1;', 'firstMade is a participle'],
  ['export const { a: changed } = { a: 1 };', 'changed is a participle'],
  ['export async function* changed() {}', 'changed is a participle'],
  ['const rows = 1; export { rows as kept };', 'kept begins with "kept"'],
  ["export { rows as done } from './rows.ts';", 'done is a participle'],
])('refuses %s', (text, message) => {
  expect(messagesAbout(text)).toEqual([expect.stringContaining(message)]);
});

test.each([
  'export const changedPaths = 1;',
  'export function recordEvent(): void {}',
  'export interface SharedState {}',
  'export const setting = 1;',
  'export const seed = 1;',
  'export type Mapping = string;',
  'export class Speed {}',
  'export const readOnlyPlace = 1;',
  'export const fromExtendedJson = 1;',
  'export const without = 1;',
  "export { kept } from './rows.ts';",
  'const recorded = 1; const shown = () => recorded; shown();',
  'export default function shown() {}',
])('accepts %s', (text) => {
  expect(messagesAbout(text)).toEqual([]);
});
