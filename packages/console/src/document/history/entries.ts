/** The entries of a history as they are shown: the steps of each, by day, and the documents that their values name. Pure. */
import type { HistoryEntry } from 'dossier-client';
import { isId, isRow } from '../../api/fields.ts';
import { listText } from '../../api/labels.ts';
import type { Field } from '../../api/models.ts';
import { type Fields, placeOf } from '../../api/places.ts';
import type { Reference } from '../../api/titles.ts';
import { dayText } from '../../parts/dates.ts';
import { grouped } from './grouped.ts';
import { type Step, stepsOf } from './steps.ts';

export interface ShownEntry {
  readonly entry: HistoryEntry;
  readonly steps: readonly Step[];
}

/** Entries without what their heads say: that a document is deleted, and that the user who created it owns it. */
export const shownEntries = (model: Fields, entries: readonly HistoryEntry[]): readonly ShownEntry[] =>
  entries.map((entry) => {
    const isSaid = (path: string, to: unknown): boolean =>
      (path === '_deleted' && (entry.op === 'delete' || entry.op === 'restore')) ||
      (path === '_owner_id' && entry.op === 'create' && to === entry.who);
    return {
      entry,
      steps: stepsOf(
        model,
        entry.changes.filter(({ path, to }) => !isSaid(path, to)),
      ),
    };
  });

/** Entries by the day, in their order. */
export const byDay = (entries: readonly ShownEntry[]): (readonly [day: string, entries: readonly ShownEntry[]])[] => [
  ...grouped(entries, ({ entry }) => dayText(entry.at)),
];

/** The model that a path links to; the owner of a document is a user. */
export const linkOf = (path: string, field: Field | undefined): string | undefined =>
  field?.link ?? (path === '_owner_id' ? 'user' : undefined);

/** The documents that the values of steps link to. */
export const referencesIn = (model: Fields, steps: readonly Step[]): readonly Reference[] =>
  steps.flatMap((step) => {
    const values =
      step.kind === 'value'
        ? [step.from, step.to]
        : [...step.added, ...step.removed, ...step.moved].map(({ value }) => value);
    return values.flatMap((value) => referencesOf(model, step.place.path, value));
  });

function referencesOf(model: Fields, path: string, value: unknown): Reference[] {
  if (Array.isArray(value)) return value.flatMap((member) => referencesOf(model, path, member));
  if (isRow(value))
    return Object.entries(value).flatMap(([name, inner]) => referencesOf(model, `${path}.${name}`, inner));
  const link = linkOf(path, model.fields[path]);
  return link !== undefined && isId(value) ? [{ model: link, id: value }] : [];
}

/** What a revert has done. @param kept the paths that keep their values */
export function revertedText(model: Fields, kept: readonly string[]): string {
  if (kept.length === 0) return 'The document is reverted.';
  const labels = [...new Set(kept.map((path) => placeOf(model, path).label))];
  const verb = labels.length === 1 ? 'keeps its value' : 'keep their values';
  return `The document is reverted, but ${listText(labels)} ${verb}: you may not change ${labels.length === 1 ? 'it' : 'them'}.`;
}
