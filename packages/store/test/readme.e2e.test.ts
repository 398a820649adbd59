/** Runs the examples of the packages' READMEs unchanged. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const example = (name: string): string =>
  /```ts\n([\s\S]*?)```/.exec(readFileSync(`packages/${name}/README.md`, 'utf8'))?.[1] ?? '';

test.each(['language', 'store'])('the example of dossier-%s prints the output in its comment', (name) => {
  const code = example(name);
  const said = [...code.matchAll(/^.*console\.log\(.*\/\/ (.*)$/gm)].map(([, comment]) => comment);
  expect(said).toHaveLength(1);
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  expect(printed.trim()).toBe(said[0]);
});
