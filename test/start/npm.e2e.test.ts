/** `npm start`: a signal to npm alone, as a process manager sends it, stops the server in an orderly way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@jest/globals';
import { onPosix } from '../support/needs.ts';

// Windows has neither the shell that the command needs nor signals that a program can handle

onPosix(
  'SIGTERM to npm stops the server',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'npm-start-'));
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, MONGODB_URL: '', HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const output = createInterface({ input: npm.stdout });
    const started = new Promise<void>((done) => {
      output.on('line', (line) => {
        lines.push(line);
        if (line.includes('"msg":"started"')) done();
      });
    });
    // the output ends when the last process that writes to it has ended, so a server that outlives npm is noticed
    const ended = once(output, 'close');
    await Promise.race([started, ended]);
    npm.kill('SIGTERM');
    await ended;
    expect(lines.at(-1)).toContain('"msg":"stopped"');
    await rm(folder, { recursive: true });
  },
  180_000,
);
