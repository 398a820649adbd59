/** Another commit of this repository, installed and built in a folder of the cache, where the next comparison finds it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * @param commit anything that Git accepts as the name of a commit
 * @returns the folder of its files @throws Error for a commit that the repository lacks, and when it cannot be installed or built
 */
export function checkoutOf(commit: string): string {
  const named = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { encoding: 'utf8' });
  const hash = named.stdout.trim();
  if (named.status !== 0) throw new Error(`--against must be followed by a commit of this repository, got "${commit}"`);
  const folder = resolve('node_modules', '.cache', 'bench', hash);
  if (existsSync(folder)) return folder;
  const begun = `${folder}.${process.pid}`;
  mkdirSync(begun, { recursive: true });
  try {
    const files = execFileSync('git', ['archive', hash], { maxBuffer: 1e9 });
    execFileSync('tar', ['-x', '-C', begun], { input: files });
    const run = (program: string, ...args: string[]): void => {
      execFileSync(program, args, { cwd: begun, stdio: ['ignore', 'ignore', 'inherit'] });
    };
    run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
    run(process.execPath, join('scripts', 'build.mjs'));
    renameSync(begun, folder);
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
  return folder;
}
