/**
 * Ends a process when its parent has ended, such as by SIGKILL. Preloaded by what starts the process (`--import`). It watches in a thread, so that
 * it also ends a process whose own thread is busy with a file of the project, such as an endless loop.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Milliseconds between two looks, and from the signal that ends the process in order to the one that kills it. */
const everyMs = 250;
const graceMs = 5000;

/** Windows keeps the id of a parent that has ended. */
function hasEnded(parent: number): boolean {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

function watchParent(parent: number): void {
  const watch = setInterval(() => {
    if (!hasEnded(parent)) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
  }, everyMs);
}

// the process's other threads load this module, too
const { parentToWatch } = (workerData ?? {}) as { readonly parentToWatch?: number };
if (isMainThread)
  new Worker(new URL(import.meta.url), { workerData: { parentToWatch: process.ppid }, execArgv: [] }).unref();
else if (parentToWatch !== undefined) watchParent(parentToWatch);
