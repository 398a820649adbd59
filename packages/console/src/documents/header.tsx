/**
 * The header of a column: sorts by a click. Dragged, or by Shift and an arrow key, it moves the column; dragged at its edge, or by + and -,
 * it changes the width, and by 0 gives it back to the content.
 */
import { Table, UnstyledButton } from '@mantine/core';
import type { DragEvent, KeyboardEvent } from 'react';
import { useState } from 'react';
import { isSecret } from '../api/fields.ts';
import { icons } from '../parts/icons.tsx';
import { keep } from './kept-table.ts';
import { type ListState, select } from './list-state.ts';
import { showColumns } from './show-columns.ts';
import { type KeptTable, movedBy, narrowest, widthWithin } from './table-look.ts';

/** The order is in `aria-sort`. */
const orderIcon = { size: 14, style: { verticalAlign: 'text-bottom', marginInlineStart: 4 } } as const;

interface HeaderParts {
  readonly model: string;
  readonly path: string;
  readonly label: string;
  readonly state: Pick<ListState, 'columns' | 'sort'>;
  readonly widths: KeptTable['widths'];
}

/** The style of the cells of a column whose width was set. */
export const widthStyle = (width: number | undefined) =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width };

export function Header({ model, path, label, state: { columns, sort }, widths }: HeaderParts) {
  const order = sort === path ? 'ascending' : sort === `-${path}` ? 'descending' : undefined;
  const next = order === undefined ? path : order === 'ascending' ? `-${path}` : undefined;
  const setWidth = (width: number | undefined): void => keep(model, { widths: changed(widths, path, width) });
  const act = (event: KeyboardEvent): void => {
    const places = event.shiftKey ? (arrows[event.key] ?? 0) : 0;
    const wider = steps[event.key];
    if (wider !== undefined) setWidth(widthWithin(headerWidth(event.currentTarget) + wider));
    else if (event.key === '0') setWidth(undefined);
    if (places === 0) return;
    event.preventDefault();
    const moved = movedBy(columns, path, places);
    if (moved.join() !== columns.join()) showColumns({ model, columns }, moved);
  };
  const { isTarget, ...dragging } = useDragging(path, (from) =>
    showColumns({ model, columns }, movedBy(columns, from, columns.indexOf(path) - columns.indexOf(from))),
  );
  return (
    <Table.Th
      aria-sort={order ?? 'none'}
      className={isTarget ? 'header target' : 'header'}
      style={widthStyle(widths[path])}
      draggable
      {...dragging}
    >
      <UnstyledButton
        fw={600}
        fz="sm"
        onClick={() => select({ sort: next })}
        onKeyDown={act}
        disabled={isSecret(path)}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Plus - 0"
      >
        {label}
        {order === 'ascending' ? <icons.up {...orderIcon} /> : null}
        {order === 'descending' ? <icons.down {...orderIcon} /> : null}
      </UnstyledButton>
      <Edge set={setWidth} />
    </Table.Th>
  );
}

/** Pixels of a step by key. */
const steps: Readonly<Record<string, number>> = { '+': 16, '-': -16 };
const arrows: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function changed(widths: KeptTable['widths'], path: string, width: number | undefined): KeptTable['widths'] {
  const others = Object.entries(widths).filter(([one]) => one !== path);
  return Object.fromEntries(width === undefined ? others : [...others, [path, width]]);
}

/** The type of what is dragged, so that nothing else is taken for a column. */
const dragged = 'application/x-dossier-column';

/** Takes the header of another column that is dropped here. */
function useDragging(path: string, drop: (from: string) => void) {
  const [isTarget, setTarget] = useState(false);
  const isColumn = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(dragged);
  return {
    isTarget,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(dragged, path);
      dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event: DragEvent) => {
      if (!isColumn(event)) return;
      event.preventDefault();
      setTarget(true);
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      setTarget(false);
      const from = event.dataTransfer.getData(dragged);
      if (from === '' || from === path) return;
      event.preventDefault();
      drop(from);
    },
  };
}

const headerWidth = (inside: Element): number => inside.closest('th')?.getBoundingClientRect().width ?? narrowest;

/** The right edge of a header, by which the width of its column is dragged; a double click gives that back to the content. */
function Edge({ set }: { readonly set: (width: number | undefined) => void }) {
  /** Where the column begins, while its edge is dragged. */
  const [start, setStart] = useState<number>();
  return (
    <div
      className="edge"
      // the button beside it does the same by keys
      aria-hidden
      onDoubleClick={() => set(undefined)}
      // the header is not dragged
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={({ clientX, currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId);
        setStart(clientX - headerWidth(currentTarget));
      }}
      onPointerMove={({ clientX }) => (start === undefined ? undefined : set(widthWithin(clientX - start)))}
      onPointerUp={() => setStart(undefined)}
      onPointerCancel={() => setStart(undefined)}
    />
  );
}
