/** Parts of digits in paths: a position in a list, or the name of a field, such as a year. */
import type { Schema } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import type { DigitNames, ModelSchema } from './model-schema.ts';
import { isPosition } from './path-type.ts';
import { shapeOf } from './types/index.ts';

export function readDigitNames(schema: Schema): DigitNames {
  const names = new Set<string>();
  const lists = new Map<string, number>();
  const note = (path: string): void => {
    const parts = path.split('.');
    for (const [at, part] of parts.entries()) if (isPosition(part)) names.add(parts.slice(0, at + 1).join('.'));
  };
  for (const place of placesOf(schema)) {
    for (const alias of Object.keys(schemaParts(place.schema).aliases)) note(place.prefix + alias);
    const depths = new Map<string, number>();
    for (const { type, path } of typesIn(place)) {
      note(path);
      if (shapeOf(type) === 'list') depths.set(path, (depths.get(path) ?? 0) + 1);
    }
    // kinds may declare lists of different depths
    for (const [path, depth] of depths) lists.set(path, Math.max(depth, lists.get(path) ?? 0));
  }
  return { names, lists };
}

/** Tells positions from names, part by part, while a path is read from its beginning. */
export class PositionReader {
  readonly #numbered: DigitNames;
  /** Positions that have followed the current name. */
  #passed = 0;

  constructor({ numbered }: ModelSchema) {
    this.#numbered = numbered;
  }

  /** @param above the path so far, without positions and aliases; empty at the beginning */
  isPosition(above: string, part: string): boolean {
    const { lists, names } = this.#numbered;
    const isOne =
      isPosition(part) && above !== '' && (this.#passed < (lists.get(above) ?? 0) || !names.has(`${above}.${part}`));
    this.#passed = isOne ? this.#passed + 1 : 0;
    return isOne;
  }
}

/** A placeholder of update operators: `$`, `$[]` or `$[name]`. */
const isPlaceholder = (part: string): boolean => /^\$(?:\[\w*\])?$/.test(part);

/** A path as the schema has it: without positions in lists, and without the placeholders of update operators. */
export function withoutPositions(schema: ModelSchema, path: string): string {
  if (!/\.[\d$]/.test(path)) return path;
  const reader = new PositionReader(schema);
  let name = '';
  for (const part of path.split('.')) {
    if (name !== '' && (isPlaceholder(part) || reader.isPosition(name, part))) continue;
    name = name === '' ? part : `${name}.${part}`;
  }
  return name;
}

/** Whether a path has a name of digits directly in the members of a list, where requests cannot tell it from a position. */
export function takenForPosition(schema: Schema): (path: string) => boolean {
  const { lists } = readDigitNames(schema);
  return (path) => {
    const parts = path.split('.');
    return parts.some((part, at) => isPosition(part) && lists.has(parts.slice(0, at).join('.')));
  };
}
