/** Who sees Mongoose's schemas, and what they do not declare. Checked in the syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** The places besides `models/` that take a schema of Mongoose: the adapter of JXP, which is another layer over Mongoose. */
const adapters: readonly string[] = ['jxp-preload', 'jxp.ts'];

/** The files of `models/` that read what Mongoose does not declare, each with its reason. */
const casting: Readonly<Record<string, string>> = {
  'models/mongoose/internals.ts': 'schemas and their types, for all other files',
  'models/mongoose.ts': 'the rows of an internal collection, whose shape its owner declares',
  'models/author/author-mongoose.ts': 'the plugins of the module that model files get',
  'models/author/handle.ts': 'calls a model without `new`, as a model file may',
  'models/author/one-mongoose.ts': 'the loader of Node, whose resolution it does not declare',
  'models/options/define-model.ts': 'a schema whose types the compiler has inferred',
  'models/mongoose/password-rules.ts': 'errors of validators in one form',
};

const parse = (source: string): ts.SourceFile => ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);

/** Whether a source imports the class of schemas, or of their types. */
const seesSchemas = (source: string): boolean =>
  parse(source).statements.some(
    (one) =>
      ts.isImportDeclaration(one) &&
      ts.isStringLiteral(one.moduleSpecifier) &&
      one.moduleSpecifier.text === 'mongoose' &&
      one.importClause?.namedBindings !== undefined &&
      ts.isNamedImports(one.importClause.namedBindings) &&
      one.importClause.namedBindings.elements.some(({ name, propertyName }) =>
        ['Schema', 'SchemaType'].includes((propertyName ?? name).text),
      ),
  );

/** Whether a source takes a value for one of another type: `value as unknown as Other`. */
function casts(source: string): boolean {
  const isCast = (node: ts.Node): boolean =>
    (ts.isAsExpression(node) &&
      ts.isAsExpression(node.expression) &&
      node.expression.type.kind === ts.SyntaxKind.UnknownKeyword) ||
    ts.forEachChild(node, (inner) => isCast(inner) || undefined) === true;
  return isCast(parse(source));
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, folder: file.split('/')[0] ?? '', source: readFileSync(join('src', file), 'utf8') }));
const others = sources.filter(({ folder }) => folder !== 'models' && !adapters.includes(folder));

test('no other folder sees schemas of Mongoose', () => {
  expect(others.filter(({ source }) => seesSchemas(source)).map(({ file }) => file)).toEqual([]);
});

test('no other folder reads what a compiled schema has of Mongoose', () => {
  const reading =
    /mongoose-keys\.ts|mongoose\/(internals|schema-kinds|schema-places|virtuals)\.ts|\.constructor as .*schema|modelOf\([^)]*\)\.schema|\.schema\.(path|eachPath|pathType)\(/;
  expect(others.filter(({ source }) => reading.test(source)).map(({ file }) => file)).toEqual([]);
});

test('in models/ these files cast past what Mongoose declares', () => {
  const files = sources.filter(({ folder, source }) => folder === 'models' && casts(source)).map(({ file }) => file);
  expect(files.sort()).toEqual(Object.keys(casting).sort());
});

test.each([
  "import type { Schema } from 'mongoose';",
  "import { type SchemaType } from 'mongoose';",
  "import mongoose, { Schema as Own } from 'mongoose';",
])('sees a schema in %s', (source) => {
  expect(seesSchemas(source)).toBe(true);
});

test.each([
  "import type { Model } from 'mongoose';",
  "import { Schema } from './own.ts';",
  "const Schema = 'mongoose';",
])('sees none in %s', (source) => {
  expect(seesSchemas(source)).toBe(false);
});

test('sees casts at any depth', () => {
  expect(casts('const read = () => { return (type as unknown as Parts).setters; };')).toBe(true);
  expect(casts('const value = given as unknown;')).toBe(false);
  expect(casts('const value = given as Row as Other;')).toBe(false);
});
