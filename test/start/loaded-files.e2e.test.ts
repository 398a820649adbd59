/** What files of a project do to the process while they are loaded: exits are faults, timers are named, and other code is not run. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Run, runDossier } from '../support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-loaded-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function check(files: Readonly<Record<string, string>>): Promise<Run> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return runDossier(['check'], { folder, environment: { DATA_DIR: join(folder, 'data') } });
}

const note =
  "const { Schema } = require('mongoose'); module.exports = new Schema({ a: String }, { perms: { user: 'r' } });";
const route = "const { defineRoute } = require('dossier');";
const exits = (code: string): string => `process.exit(${code}) is not for files that the server loads`;

test('each exit is a fault with its file and line', async () => {
  const { code, output } = await check({
    'models/note.js': `process.exit(3);\n${note}`,
    'models/caught.js': `${note}\ntry { process.exit(4); } catch {}`,
    'models/late.js': `${note}\n(async () => { throw 0; })().catch(() => process.exit(5));`,
    'models/required.js': `${note}\nrequire('../config/env.js');`,
    'config/env.js': '\n\nprocess.exit(7);',
    'models/packaged.js': `${note}\nrequire('checks-variables');`,
    'node_modules/checks-variables/index.js': 'process.exit(8);',
    'models/module.mjs': "import { Schema } from 'mongoose';\nexport default new Schema({});\nprocess.exit(9);",
  });
  expect(code).toBe(1);
  expect(output.split('\n').sort()).toEqual(
    [
      '',
      `Model file models/caught.js: ${exits('4')}: it would end the server (line 2)`,
      `Model file models/late.js: ${exits('5')}: it would end the server (line 2)`,
      `Model file models/module.mjs: ${exits('9')}: it would end the server (line 3)`,
      `Model file models/note.js: ${exits('3')}: it would end the server (line 1)`,
      `Model file models/packaged.js: ${exits('8')}: it would end the server (line 2)`,
      `Model file models/required.js: ${exits('7')}: it would end the server (config/env.js:3)`,
    ].sort(),
  );
});

test('a later exit is named by its line', async () => {
  const { code, messages } = await check({ 'models/note.js': `${note}\nsetTimeout(() => process.exit(6));` });
  expect(code).toBe(6);
  expect(messages).toMatch(/models\/note\.js:2\)? ends the process: process\.exit\(6\)/);
});

test('an exit of a file of routes is a fault', async () => {
  const { code, output } = await check({ 'models/note.js': note, 'routes/own.js': `${route}\nprocess.exit(1);` });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`routes/own.js: ${exits('1')}`) });
});

test('timers that files leave are notices, those that have ended or keep no process are none', async () => {
  const { code, output } = await check({
    'models/note.js': `${note}
setInterval(() => undefined, 1000);
setInterval(() => undefined, 1000).unref();
setTimeout(() => undefined);
clearTimeout(setTimeout(() => undefined, 60_000));
require('./_own.js').start();`,
    'models/_own.js': 'exports.start = () => {\n  setTimeout(() => undefined, 60_000);\n};',
    'routes/own.js': `${route}\nmodule.exports = [];\nsetInterval(() => undefined, 1000);`,
  });
  expect(code).toBe(0);
  expect(output.split('\n').filter((line) => line.includes('leaves a timer'))).toEqual([
    expect.stringMatching(/^File models\/note\.js:2 leaves a timer \(setInterval\)/),
    expect.stringMatching(/^File exports\.start \(models\/_own\.js:2\) leaves a timer \(setTimeout\)/),
    expect.stringMatching(/^File routes\/own\.js:3 leaves a timer \(setInterval\)/),
  ]);
});

test('the routers, controllers and mailers of an application are not run', async () => {
  const { code, output } = await check({
    'models/note.js': note,
    'routes/users.js': "require('../controllers/users.js'); module.exports = require('express').Router();",
    'routes/index.js': 'process.exit(1);',
    'controllers/users.js': "require('node:fs').writeFileSync('ran', '');",
  });
  expect(code).toBe(0);
  expect(output.split('\n').filter((line) => line.includes('ROUTES_DIR'))).toEqual([
    expect.stringMatching(
      /^File \.\/routes \(ROUTES_DIR\): index\.js, users\.js are not run, since a file of routes names/,
    ),
  ]);
  await expect(rm(join(folder, 'ran'))).rejects.toThrow('ENOENT');
});
