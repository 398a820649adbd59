/** The documents of a page that are chosen: one by one, all, and in ranges. */
import { type ChangeEvent, useRef, useState } from 'react';
import type { Document, Id } from '../api/fields.ts';

export interface Choosing {
  readonly chosen: ReadonlySet<Id>;
  /** Whether all documents that match are chosen, and not only those of this page. */
  readonly isAll: boolean;
  readonly all: () => void;
  readonly clear: () => void;
  /** Chooses one, or no longer. */
  readonly toggle: (id: Id) => void;
  /** Chooses all of the page, or none where all are chosen. */
  readonly toggleAll: () => void;
  /** Chooses all from the last one that was toggled to this one. @param from where the range begins if none was toggled */
  readonly extend: (id: Id, from?: Id) => void;
}

interface State {
  readonly some: ReadonlySet<Id>;
  readonly isAll: boolean;
  /** What the table has selected. */
  readonly of: string;
}

interface Anchor {
  readonly id: Id;
  /** What was chosen when the range began. */
  readonly others: ReadonlySet<Id>;
}

/** @param selection what the table selects: where that changes, nothing is chosen */
export function useChoosing(rows: readonly Document[], selection: string): Choosing {
  const [{ some, isAll, of }, setState] = useState<State>({ some: new Set(), isAll: false, of: selection });
  const anchor = useRef<Anchor>(undefined);
  const ids = rows.map(({ _id }) => _id);
  const setChosen = (next: ReadonlySet<Id>): void => setState({ some: next, isAll: false, of: selection });
  if (of !== selection) setChosen(new Set());
  const chosen = isAll ? new Set(ids) : some;
  const toggle = (id: Id): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    anchor.current = { id, others: next };
    setChosen(next);
  };
  const extend = (id: Id, from: Id = id): void => {
    // another page has other documents
    if (anchor.current === undefined || !ids.includes(anchor.current.id)) anchor.current = { id: from, others: chosen };
    setChosen(new Set([...anchor.current.others, ...rangeOf(ids, anchor.current.id, id)]));
  };
  return {
    chosen,
    isAll,
    all: () => setState({ some: new Set(ids), isAll: true, of: selection }),
    clear: () => {
      anchor.current = undefined;
      setChosen(new Set());
    },
    toggle,
    toggleAll: () => setChosen(ids.every((id) => chosen.has(id)) ? new Set() : new Set(ids)),
    extend,
  };
}

/** All from one to another, in the order of the page. */
function rangeOf(ids: readonly Id[], from: Id, to: Id): readonly Id[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}

/** What the box of a document does: with Shift it chooses a range. */
export const onBox =
  (id: Id, { toggle, extend }: Choosing) =>
  ({ nativeEvent }: ChangeEvent): void =>
    nativeEvent instanceof MouseEvent && nativeEvent.shiftKey ? extend(id) : toggle(id);
