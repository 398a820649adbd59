/** Bundles a program of the tests, so that its processes start without a compiler. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** A bundled program. */
export interface ChildProgram {
  /** Runs it to its end. */
  run(...args: readonly string[]): SpawnSyncReturns<string>;
  remove(): void;
}

/** Bundles a file beside the tests. */
export function bundled(file: string): ChildProgram {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  const program = join(folder, 'program.cjs');
  const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };
  buildSync({
    entryPoints: [join(__dirname, file)],
    outfile: program,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // it loads files by name
    external: ['libsql'],
    logLevel: 'silent',
  });
  return {
    run: (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
