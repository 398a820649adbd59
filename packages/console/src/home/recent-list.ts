/** A list of documents that were opened last. Pure. */
import { type Id, isId } from '../api/fields.ts';

export interface Recent {
  readonly model: string;
  readonly id: Id;
}

/** Documents that are kept at most. */
export const maxRecent = 12;

/** Recent documents as they were kept; what is not understood is left out. */
export function readRecent(text: string | null): Recent[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]');
    return (Array.isArray(given) ? (given as unknown[]) : []).filter(isRecent).slice(0, maxRecent);
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is Recent => {
  const { model, id } = (value ?? {}) as Partial<Recent>;
  return typeof model === 'string' && isId(id);
};

/** Recent documents with one more, which comes first. */
export const withRecent = (all: readonly Recent[], { model, id }: Recent): Recent[] =>
  [{ model, id }, ...all.filter((one) => one.model !== model || one.id !== id)].slice(0, maxRecent);
