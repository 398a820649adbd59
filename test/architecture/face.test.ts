/** The face of the core, `src/core.ts`: what it names, features import from it alone. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { features } from '../../src/features/index.ts';
import { files, imports } from './source-imports.ts';

const face = 'core.ts';

/** Names by the files that they come from: `*` for all names of a file, which are one name here. */
const exported = new Map<string, ReadonlySet<string>>();
const faceNames: string[] = [];
const otherStatements: string[] = [];
for (const statement of parse(face).statements) {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) {
    otherStatements.push(statement.getText());
    continue;
  }
  const from = (statement.moduleSpecifier as ts.StringLiteral).text.slice('./'.length);
  const clause = statement.exportClause;
  const own = clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : ['*'];
  exported.set(from, new Set([...(exported.get(from) ?? []), ...own]));
  faceNames.push(...own);
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(`src/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** What a file imports of others in the sources: a name and the file that has it. */
const namesIn = (file: string): { readonly from: string; readonly name: string; readonly isType: boolean }[] =>
  parse(file).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [];
    const { text } = statement.moduleSpecifier as ts.StringLiteral;
    const bindings = statement.importClause?.namedBindings;
    if (!text.startsWith('.') || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const from = new URL(text, `file:///${file}`).pathname.slice(1);
    return bindings.elements.map(({ name, propertyName, isTypeOnly }) => ({
      from,
      name: (propertyName ?? name).text,
      isType: isTypeOnly || statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    }));
  });

/** The files of features that are loaded before the core, with the settings, or without it, in a thread. */
const loadedAlone = new Set([
  'features/configs.ts',
  'features/file-options.ts',
  'features/events/matching/match-worker.ts',
]);
for (const start of loadedAlone)
  for (const { file, from } of imports) if (file === start && from.startsWith('features/')) loadedAlone.add(from);
const ofFeatures = files.filter((file) => /^features\/[^/]+\//.test(file) && !loadedAlone.has(file));

/** Imports of features past the face. */
const past = imports.filter(
  ({ file, from, isPackage }) =>
    !isPackage && ofFeatures.includes(file) && from !== face && !from.startsWith('features/'),
);

describe('the face', () => {
  test('only names what other files define', () => {
    expect(otherStatements).toEqual([]);
    expect(faceNames).toEqual([...new Set(faceNames)]);
    expect(faceNames.length).toBeLessThanOrEqual(131);
  });

  test('is the only way to what it names', () => {
    const others = ofFeatures.flatMap((file) =>
      namesIn(file)
        .filter(({ from, name, isType }) => {
          const own = exported.get(from);
          return own !== undefined && (own.has(name) || (own.has('*') && !isType));
        })
        .map(({ from, name }) => `${file} imports ${name} of ${from}`),
    );
    expect(others).toEqual([]);
  });

  test('is imported by features and by what loads files of projects', () => {
    const others = imports.filter(({ file, from }) => from === face && !file.startsWith('features/'));
    expect(others.map(({ file }) => file)).toEqual(['start/project-imports.ts']);
  });

  test('is enough for some features', () => {
    const without = features
      .map(({ name }) => name)
      .filter((name) => !past.some(({ file }) => file.startsWith(`features/${name}/`)));
    expect(without).toEqual(expect.arrayContaining(['cache', 'console', 'counts', 'mcp']));
  });

  test('is passed less and less', () => {
    // lower them with what you move; a feature that needs more of the core needs a better face
    expect(past.length).toBeLessThanOrEqual(595);
    expect(new Set(past.map(({ from }) => from)).size).toBeLessThanOrEqual(213);
  });
});
