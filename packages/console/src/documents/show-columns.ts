/** Shows other columns: in the address, which the browser's back button takes back, and for the next time in the browser. */
import { change, changedHref } from '../route.ts';
import { keep } from './kept-table.ts';

interface Shown {
  readonly model: string;
  /** The columns of now. */
  readonly columns: readonly string[];
}

export function showColumns({ model, columns }: Shown, next: readonly string[]): void {
  // the address before is that of the columns of before, whatever is kept
  window.history.replaceState(window.history.state, '', changedHref({ fields: columns.join(',') }));
  keep(model, { columns: next });
  change({ fields: next.join(',') });
}
