/** Keeps the load and the database on other cores than the measured servers, where the machine has enough of them. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores for each side: two workers with their primary need two, and so do the load and the store. */
const minCores = 4;

export interface Cores {
  /** As `taskset` reads them, such as `0-3`. */
  readonly servers: string;
  readonly others: string;
}

/** @returns undefined where the machine has too few cores, or no `taskset` */
export function coresApart(): Cores | undefined {
  const count = availableParallelism();
  const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!hasTaskset || count < minCores) return undefined;
  const half = Math.floor(count / 2);
  return { servers: `0-${half - 1}`, others: `${half}-${count - 1}` };
}

/** Keeps processes, with all their threads, on cores. @throws Error when the system refuses */
export function pin(pids: readonly number[], cores: string): void {
  for (const pid of pids) {
    const { status, stderr } = spawnSync('taskset', ['-acp', cores, String(pid)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`taskset: ${stderr}`);
  }
}
