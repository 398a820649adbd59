import { readFileSync } from 'node:fs';

/** Places of the times of ended children in `/proc/self/stat`, in user code and in the kernel, counted after the name (proc_pid_stat(5)). */
const childTimes = [13, 14];
const ticksPerSecond = 100;

/** Seconds of processor time of this process with its threads, and on Linux of the processes that it has started and that have ended. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return childTimes.reduce((sum, at) => sum + Number(fields[at]), 0) / ticksPerSecond;
}
