/** A copy in memory. */
import type { SyncStore } from './store.ts';

/** What is used of a Map. */
export interface MapLike<Id, Row> {
  set(id: Id, row: Row): unknown;
  delete(id: Id): unknown;
  keys(): Iterable<Id>;
  clear(): void;
}

/** Keeps a copy in a map, by ids. The position ends with the store: another store over the same map begins again. */
export function mapStore<Id extends string | number, Row>(map: MapLike<Id, Row>): SyncStore<Row, Id> {
  let reached: string | undefined;
  let marked = new Set<Id>();
  return {
    position: () => reached,
    apply(changes, position, from) {
      if (from !== reached) return false;
      for (const change of changes) {
        if (change.event === 'mark') marked = new Set(map.keys());
        else if (change.event === 'sweep') {
          for (const id of marked) map.delete(id);
          marked.clear();
        } else {
          marked.delete(change.id);
          if (change.event === 'del') map.delete(change.id);
          else map.set(change.id, change.item);
        }
      }
      reached = position;
      return true;
    },
    clear() {
      map.clear();
      marked.clear();
      reached = undefined;
    },
  };
}
