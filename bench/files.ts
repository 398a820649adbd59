/** `npm run bench -- files [request]`: how many files of `src` each request runs on a warm server; of one request, which, and their functions. */
import { traceRequests } from '../test/support/files-run.ts';

/** @param print takes one line @param name of a request; all by default @throws Error for an unknown name */
export async function measureFiles(print: (line: string) => void, name?: string): Promise<void> {
  const [traces] = await traceRequests();
  const all = Object.entries(traces ?? {});
  if (name === undefined) {
    print('| request | files run | functions run |');
    print('|---|---|---|');
    for (const [request, run] of all)
      print(`| ${request} | ${Object.keys(run).length} | ${Object.values(run).flat().length} |`);
    return;
  }
  const run = all.find(([request]) => request === name)?.[1];
  if (run === undefined)
    throw new Error(`"${name}" is not a request: ${all.map(([request]) => `"${request}"`).join(', ')}`);
  for (const [file, functions] of Object.entries(run).sort(([one], [other]) => (one < other ? -1 : 1)))
    print(`${file}  ${tally(functions)}`);
}

/** Each name once, with the number of functions that have it, or that have none. */
function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ');
}
