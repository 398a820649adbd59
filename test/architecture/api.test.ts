/** `api` invokes operations by their names, with values: it makes no address, and knows nothing of HTTP. Checked in syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { operations as ofClient, requestOf } from '../../packages/client/src/operations.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { imports } from './source-imports.ts';

const inSource = readdirSync('src/api', { encoding: 'utf8' }).map((file) => `src/api/${file}`);
/** The methods of models, and what makes the values that an operation is asked for with. */
const methods = ['model-api', 'model-history'].map((name) => `packages/client/src/${name}.ts`);

const makers: ReadonlySet<string> = new Set([
  ...['encodeURIComponent', 'encodeURI', 'decodeURIComponent', 'URLSearchParams', 'URL'],
  ...['queryText', 'queryOf', 'pathOf', 'requestOf', 'addressOf', 'stringify', 'parse', 'fromJson'],
]);

function nodesOf(node: ts.Node, found: ts.Node[] = []): readonly ts.Node[] {
  found.push(node);
  node.forEachChild((child) => void nodesOf(child, found));
  return found;
}

/** The names and texts in a program by which it makes or reads an address or JSON. */
const addressesIn = (text: string): readonly string[] =>
  nodesOf(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)).flatMap((node) => {
    if (ts.isIdentifier(node)) return makers.has(node.text) ? [node.text] : [];
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node);
    const isImport = ts.isImportDeclaration(node.parent ?? node) || ts.isExportDeclaration(node.parent ?? node);
    return isText && !isImport && /^\/\w|^\?/.test(node.text) ? [node.text] : [];
  });

test.each([...inSource, ...methods])('%s makes no address and no JSON', (file) => {
  expect(addressesIn(readFileSync(join(file), 'utf8'))).toEqual([]);
});

describe('what is found', () => {
  test.each([
    ['const path = `/api/${model}`;', ['/api/']],
    ["sender.json({ path: '/batch' });", ['/batch']],
    ['new URL(path)', ['URL']],
    ['const { stringify } = JSON; stringify(1);', ['stringify', 'stringify']],
    ["import { a } from '/root/a.ts'; import b from './b.ts';", []],
    ["invoke('documents.list', { model, filter });", []],
  ])('%s', (text, found) => {
    expect(addressesIn(text)).toEqual(found);
  });
});

test('api imports nothing of http, and no Express', () => {
  const found = imports.filter(
    ({ file, from }) => file.startsWith('api/') && (from === 'express' || from.startsWith('http/')),
  );
  expect(found.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
});

test('the client sends what its methods ask for to where the server has it', () => {
  const rows = new Map(
    operationGroups.flatMap((group) => group.operations.map((row) => [row.name as string, row.http])),
  );
  for (const operation of Object.keys(ofClient)) {
    const { method = '', path = '' } = rows.get(operation) ?? {};
    const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, `<${name}>`]));
    const sent = requestOf({ operation, params, repeat: 'once' });
    expect({ operation, method: sent.method, path: decodeURIComponent(sent.path) }).toEqual({
      operation,
      method,
      path: path.replace(/:(\w+)/g, '<$1>'),
    });
  }
});
