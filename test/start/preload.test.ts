/** Model files that were written for JXP load unchanged with the preload (docs/migrating.md). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';

const file = `/* global JXPSchema ObjectId Mixed */
const TestSchema = new JXPSchema({
  foo: { type: String },
  other_id: { type: ObjectId, link: "Test", map_to: "other" },
  any: Mixed,
}, { perms: { all: "cr", admin: "crud" } });
TestSchema.statics.test = function () { return "Testing OKAY!"; };
const Test = JXPSchema.model("Test", TestSchema);
module.exports = Test;
`;

test('JXPSchema, ObjectId and Mixed are there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'preload-'));
  await writeFile(join(folder, 'test_model.js'), file);
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', './src/jxp.ts', 'src/main.ts'], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      MODELS_DIR: folder,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'silent',
    },
  });
  try {
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url = /listens on (\S+)/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    const send = async (path: string, body?: object): Promise<any> =>
      (
        await fetch(
          url + path,
          body === undefined
            ? {}
            : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        )
      ).json();
    const { data } = await send('/api/test', { foo: 'a', any: { x: 1 } });
    await send('/api/test', { foo: 'b', other_id: data._id });
    expect((await send('/api/test?filter[foo]=b&populate=other')).data).toMatchObject([
      { foo: 'b', other: { foo: 'a' } },
    ]);
  } finally {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
