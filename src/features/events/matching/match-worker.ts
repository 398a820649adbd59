/** The thread that matches rows with filters that take too long for the main thread. */
import { parentPort } from 'node:worker_threads';
import { encodedMatcher } from '../../../read/matches.ts';

/** A row and a filter, as BSON. */
export interface MatchTask {
  readonly row: Uint8Array;
  /** Equal for equal filters. */
  readonly key: string;
  readonly filter: Uint8Array;
}

/** `ready` once, then a verdict for each task. */
export type MatchAnswer = 'ready' | boolean;

/** Maximum cached compiled filters. */
const maxCompiled = 1000;

function serve(): void {
  const compiled = new Map<string, (row: Uint8Array) => boolean>();
  const compiledOf = ({ key, filter }: MatchTask): ((row: Uint8Array) => boolean) => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    if (compiled.size >= maxCompiled) compiled.clear();
    const matcher = encodedMatcher(filter);
    compiled.set(key, matcher);
    return matcher;
  };
  const answer = (message: MatchAnswer): void => parentPort?.postMessage(message);
  parentPort?.on('message', (task: MatchTask) => answer(compiledOf(task)(task.row)));
  answer('ready');
}

serve();
