/** The list of planted faults: each can be planted, and there are enough of them in enough files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { faultyFiles } from './index.ts';

test('each text is once in its file', () => {
  const wrong = faultyFiles.flatMap(({ file, faults }) => {
    const source = readFileSync(join('src', file), 'utf8');
    return faults.flatMap(([from, to]) => (source.split(from).length === 2 && from !== to ? [] : [{ file, from }]));
  });
  expect(wrong).toEqual([]);
});

test('each fault is a program, since any test finds one that is none', () => {
  for (const { file, faults } of faultyFiles) {
    const source = readFileSync(join('src', file), 'utf8');
    for (const [from, to] of faults)
      expect(() =>
        parseSync(
          source.replace(from, () => to),
          { syntax: 'typescript', target: 'es2023' },
        ),
      ).not.toThrow();
  }
});

test('a hundred faults in forty files, with tests that exist', () => {
  expect(faultyFiles.length).toBeGreaterThanOrEqual(40);
  expect(faultyFiles.flatMap(({ faults }) => faults).length).toBeGreaterThanOrEqual(100);
  expect(faultyFiles.flatMap(({ tests }) => tests).filter((path) => !existsSync(path))).toEqual([]);
});
