/** Only the policy builds row filters, tests the names of paths and decides what may leave. Checked in the syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** The uses that are searched for, and the files in which they are allowed, each with its reason. A final slash marks a folder. */
const rules = {
  'asks what a path is called': {
    'models/secrets.ts': 'the one place that knows the name',
    'policy/': 'makes the view that everything else asks',
    'models/loading/secret-paths.ts': 'model files are checked at the start',
    'models/built-in/login-field.ts': 'users do not sign in by what is hidden',
    'models/fields/compile-schema.ts': 'finds the paths, for the policy',
    'models/fields/known-path.ts': 'messages suggest no hidden name to anybody',
    'jxp-preload/requests.ts': 'an empty password is none that is cleared',
    'models/mongoose/password-rules.ts': 'applies the rules of passwords before they are hashed',
    'models/mongoose/keep-hashes.ts': 'keeps model files from hashing hashes',
    'write/rules/passwords.ts': 'hashes such values',
    'write/mutation/mongoose-errors.ts': 'never repeats such values, which are hashes by then',
    'write/rules/update.ts': 'refuses operators whose values would not be hashed',
    'features/audit/audited.ts': 'tells that the password of a user differs, and no value',
    'write/rules/user-rules.ts': 'fields of the own user that have an endpoint of their own',
    'operations/passwords.ts': 'names the fault of a field of its own body',
    'operations/user-body.ts': 'the same',
    'features/oauth/config.ts': 'paths that a provider never fills',
    'cli/import/to-server.ts': 'asks a server to keep the hashes of a record',
    'transfer/export.ts': 'an export without secrets leaves out such fields',
  },
  'asks whose a document is': {
    'policy/field-writes.ts': 'knows the rows in which only an owner may change a field',
    'write/plan/new-document.ts': 'stamps a new document with its owner',
    'write/plan/change.ts': 'casts the owner that an admin sets',
    'write/plan/replacement.ts': 'a replacement keeps the owner',
    'auth/setup/first-admin.ts': 'stamps a new user',
    'auth/create-user.ts': 'the same',
  },
  'takes the rows of a policy for a filter': {},
  'reads rights past the policy': {
    'policy/': 'decides',
    'models/': 'reads and describes the options of model files',
  },
  'says by itself what may leave': {
    'policy/': 'makes the brand',
    'operations/answer.ts': 'marks the own values of the server, whose types hold no document',
    'read/bytes/json-bytes.ts': 'the one encoder',
    'features/idempotency/records.ts': 'repeats what has left before',
    'docs/openapi/document.ts': 'describes models and tables: no import leads from there to a document',
  },
} as const;
type Rule = keyof typeof rules;

interface Finding {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
}

const secretName = /^password$/i;
const asking: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'startsWith',
  'endsWith',
  'indexOf',
  'from',
  'localeCompare',
  'search',
  'match',
  'matchAll',
]);
const equalities: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

const isEquality = (node: ts.Node): boolean => ts.isBinaryExpression(node) && equalities.has(node.operatorToken.kind);
const isOwnerName = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) && node.text === '_owner_id';

/** The modules with the rule for password-named paths. */
const secretFunctions = /(^|\/)(registry\/secrets|secrets|hidden-parts)\.ts$/;

function isNameTest(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return secretFunctions.test(node.moduleSpecifier.text);
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) return /password/i.test(node.getText());
  if (!ts.isStringLiteralLike(node) || !secretName.test(node.text)) return false;
  const { parent } = node;
  if (
    isEquality(parent) ||
    ts.isCaseClause(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isArrayLiteralExpression(parent)
  )
    return true;
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    asking.has(parent.expression.name.text)
  );
}

function isOwnerTest(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) return node.name.text === 'ownerPath';
  if (ts.isPropertyAssignment(node) && isOwnerName(node.name)) return true;
  if (ts.isPropertyAssignment(node) && ts.isComputedPropertyName(node.name)) return isOwnerName(node.name.expression);
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isElementAccessExpression(node.left) &&
    isOwnerName(node.left.argumentExpression)
  );
}

/** `policy.rows(letter)` may only be compared. */
const isRowsTaken = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'rows' &&
  /policy/i.test(`${node.expression.expression.getText()} own`) &&
  node.arguments.length === 1 &&
  !isEquality(node.parent);

const isRight = (node: ts.Node): boolean => {
  const name = ts.isPropertyAccessExpression(node) ? node.name : ts.isBindingElement(node) ? node.name : undefined;
  return name !== undefined && ts.isIdentifier(name) && (name.text === 'perms' || name.text === 'roles');
};

const isOwnWord = (node: ts.Node): boolean =>
  ts.isAsExpression(node) && /\b(ShapedJson|ShapedDocument|ServerJson|EncodedJson)\b/.test(node.type.getText());

const tests: Readonly<Record<Rule, (node: ts.Node) => boolean>> = {
  'asks what a path is called': isNameTest,
  'asks whose a document is': isOwnerTest,
  'takes the rows of a policy for a filter': isRowsTaken,
  'reads rights past the policy': isRight,
  'says by itself what may leave': isOwnWord,
};

function findingsIn(file: string, text: string): Finding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    for (const [rule, matches] of Object.entries(tests))
      if (matches(node))
        found.push({ rule: rule as Rule, file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isAllowed = (file: string, place: string): boolean =>
  place.endsWith('/') ? file.startsWith(place) : file === place;

const findings = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => findingsIn(file, readFileSync(join('src', file), 'utf8')));

test.each(Object.entries(rules))('no other file %s', (rule, places) => {
  const others = findings.filter(
    (one) => one.rule === rule && !Object.keys(places).some((place) => isAllowed(one.file, place)),
  );
  expect(others.map(({ file, line }) => `src/${file}:${line} ${rule}`)).toEqual([]);
});

test('every listed exception is used', () => {
  const needed = (rule: string, place: string): boolean =>
    findings.some((one) => one.rule === rule && isAllowed(one.file, place));
  const idle = Object.entries(rules).flatMap(([rule, places]) =>
    Object.keys(places)
      .filter((place) => !needed(rule, place))
      .map((place) => `${place} ${rule}`),
  );
  expect(idle).toEqual([]);
});

test.each<[Rule, string]>([
  ['asks what a path is called', `import { isSecretPath } from '../registry/secrets.ts';`],
  ['asks what a path is called', `import { holdsSecrets } from '../policy/hidden-parts.ts';`],
  ['asks what a path is called', `if (path === 'password') throw x;`],
  ['asks what a path is called', `const hidden = path.split('.').includes("Password");`],
  ['asks what a path is called', `const name = 'password';`],
  ['asks what a path is called', `const name = Buffer.from('password');`],
  ['asks what a path is called', `const hidden = new Set(['password']);`],
  ['asks what a path is called', `switch (key) { case 'password': break; }`],
  ['asks what a path is called', `if (/passWORD$/i.test(path)) throw x;`],
  ['asks whose a document is', `const filter = { _owner_id: id };`],
  ['asks whose a document is', `const filter = { '_owner_id': { $in: ids } };`],
  ['asks whose a document is', `filter['_owner_id'] = id;`],
  ['asks whose a document is', `import { notYours, ownerPath } from '../policy/policy.ts';`],
  ['takes the rows of a policy for a filter', `const filter = { $and: [given, policy.rows('r')] };`],
  ['takes the rows of a policy for a filter', `const rows = grant.policy.rows(letter);`],
  ['takes the rows of a policy for a filter', `const rows = policyFor(principal, model).rows('r');`],
  ['reads rights past the policy', `if (model.options.perms.get('user')?.has('r')) return;`],
  ['reads rights past the policy', `const { roles } = principal;`],
  ['says by itself what may leave', `return row as unknown as ShapedJson;`],
  ['says by itself what may leave', `return Buffer.from(text) as EncodedJson;`],
])('a file that %s is found: %s', (rule, line) => {
  expect(findingsIn('read/bad.ts', `/** A file. */\n\n${line}\n`)).toEqual([{ rule, file: 'read/bad.ts', line: 3 }]);
});
