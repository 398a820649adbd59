/** Which input shows which fault. Pure. */
import type { Fault } from 'dossier-client';
import { type Fields, placeOf } from '../api/places.ts';
import { withLabel } from '../api/server-words.ts';

const isAtOrBelow = (place: string): ((fault: Fault) => boolean) => {
  const prefix = `${place}.`;
  return ({ path }) => path === place || path.startsWith(prefix);
};

/** The faults of a value and of what is inside of it. */
export const faultsBelow = (faults: readonly Fault[], place: string): readonly Fault[] =>
  faults.filter(isAtOrBelow(place));

/** The faults that none of these places has. */
export const otherFaults = (faults: readonly Fault[], places: readonly string[]): Fault[] =>
  faults.filter((fault) => !places.some((place) => isAtOrBelow(place)(fault)));

/** Faults as one text, which has labels in place of the paths; undefined for none. */
export const faultText = (model: Fields | undefined, faults: readonly Fault[], label?: string): string | undefined =>
  faults
    .map(({ path, message }) =>
      withLabel(message, path, label ?? (model === undefined ? path : placeOf(model, path).label)),
    )
    .join('; ') || undefined;

/** The first member of a list that has a fault, and that fault. @param place the path of the list, with positions in outer lists */
export function firstFault(
  faults: readonly Fault[],
  place: string,
  length: number,
): readonly [at: number, fault: Fault] | readonly [-1, undefined] {
  const prefix = `${place}.`;
  const found = faults
    .filter(({ path }) => path.startsWith(prefix))
    .map((fault) => [Number(fault.path.slice(prefix.length).split('.', 1)[0]), fault] as const)
    .filter(([at]) => at >= 0 && at < length)
    .sort(([one], [other]) => one - other);
  return found[0] ?? [-1, undefined];
}
