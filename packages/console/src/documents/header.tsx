/**
 * The header of a column: sorts by a click. Dragged, or by Shift and an arrow key, it moves the column; dragged at its edge, or by the arrow
 * keys there, it changes the width.
 */
import { Table, UnstyledButton } from '@mantine/core';
import type { DragEvent, KeyboardEvent, PointerEvent } from 'react';
import { useState } from 'react';
import { isSecret } from '../api/fields.ts';
import { keep } from './kept-table.ts';
import { type ListState, select } from './list-state.ts';
import { showColumns } from './show-columns.ts';
import { type KeptTable, movedBy, narrowest, widest, widthWithin } from './table-look.ts';

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
  const move = (event: KeyboardEvent): void => {
    const places = event.shiftKey ? (arrows[event.key] ?? 0) : 0;
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
      aria-label={label}
      className={isTarget ? 'header target' : 'header'}
      style={widthStyle(widths[path])}
      draggable
      {...dragging}
    >
      <UnstyledButton
        fw={600}
        fz="sm"
        onClick={() => select({ sort: next })}
        onKeyDown={move}
        disabled={isSecret(path)}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      >
        {label} {order === undefined ? '' : order === 'ascending' ? '↑' : '↓'}
      </UnstyledButton>
      <Edge label={label} width={widths[path]} set={(width) => keep(model, { widths: changed(widths, path, width) })} />
    </Table.Th>
  );
}

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

interface EdgeParts {
  readonly label: string;
  /** Undefined while the content decides. */
  readonly width: number | undefined;
  readonly set: (width: number | undefined) => void;
}

/** Pixels of a step by key. */
const step = 16;
const widthOf = (edge: Element): number => edge.parentElement?.getBoundingClientRect().width ?? narrowest;

/** The right edge of a header, by which the width of its column is set; a double click gives that back to the content. */
function Edge({ label, width, set }: EdgeParts) {
  const [start, setStart] = useState<number>();
  const drag = ({ clientX }: PointerEvent): void => {
    if (start !== undefined) set(widthWithin(clientX - start));
  };
  return (
    <div
      className="edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuenow={width ?? narrowest}
      aria-valuetext={width === undefined ? 'as its content' : `${width} pixels`}
      tabIndex={0}
      onDoubleClick={() => set(undefined)}
      onKeyDown={({ key, shiftKey, currentTarget }) => {
        if (key === 'Delete') set(undefined);
        else if (!shiftKey && arrows[key] !== undefined) set(widthWithin(widthOf(currentTarget) + step * arrows[key]));
      }}
      // the header is not dragged
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={({ clientX, currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId);
        setStart(clientX - widthOf(currentTarget));
      }}
      onPointerMove={drag}
      onPointerUp={() => setStart(undefined)}
      onPointerCancel={() => setStart(undefined)}
    />
  );
}
