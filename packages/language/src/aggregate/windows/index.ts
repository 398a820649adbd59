/** The table of window functions. */
import { accumulators } from '../accumulators/index.ts';
import { accumulated } from './accumulated.ts';
import { rankFunctions } from './ranks.ts';
import { seriesFunctions } from './series.ts';
import type { WindowReader } from './window-function.ts';

const notInWindows: ReadonlySet<string> = new Set(['$mergeObjects', '$accumulator']);

/** Window functions by name. */
export const windowFunctions: ReadonlyMap<string, WindowReader> = new Map<string, WindowReader>([
  ...[...accumulators]
    .filter(([name]) => !notInWindows.has(name))
    .map(([name, read]): readonly [string, WindowReader] => [name, accumulated(read)]),
  ...rankFunctions,
  ...seriesFunctions,
]);
