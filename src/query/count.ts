/** Parses `count`: whether and how the rows of a list are counted. */
import { badParameter } from '../errors.ts';
import { type ParameterTree, textOf } from './parameter-tree.ts';

/** All rows, rows up to a maximum, or the size of the collection where nothing filters. */
export const countModes = ['exact', 'capped', 'estimated'] as const;
export type CountMode = (typeof countModes)[number];

const modes: ReadonlyMap<string, CountMode | undefined> = new Map<string, CountMode | undefined>([
  ['', undefined],
  ['0', undefined],
  ['false', undefined],
  ['1', 'exact'],
  ['true', 'exact'],
  ...countModes.map((mode) => [mode, mode] as const),
]);

/** @throws 400 for anything else */
export function countFrom(query: ParameterTree): CountMode | undefined {
  const text = textOf(query, 'count') ?? '';
  if (modes.has(text)) return modes.get(text);
  throw badParameter(
    'count',
    `must be exact (or true, 1), capped or estimated, or for no count false or 0, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}
