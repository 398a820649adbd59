/** Chooses and orders the columns of a table. */
import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { columnsOf } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { icons, iconSize } from '../parts/icons.tsx';
import { useOpened } from '../parts/use-opened.ts';
import { change } from '../route.ts';
import { keep } from './kept-table.ts';
import { showColumns } from './show-columns.ts';
import { movedBy } from './table-look.ts';

interface ColumnsParts {
  readonly model: OwnModel;
  readonly chosen: readonly string[];
}

export function Columns({ model, chosen }: ColumnsParts) {
  const menu = useOpened();
  const show = (next: readonly string[]): void => showColumns({ model: model.name, columns: chosen }, next);
  const others = columnsOf(model).filter((path) => !chosen.includes(path));
  return (
    <Popover position="bottom-start" withinPortal trapFocus {...menu}>
      <Popover.Target>
        <Button variant="default" size="xs" onClick={() => menu.onChange(!menu.opened)}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="60vh" style={{ overflow: 'auto' }} aria-label="Columns">
        <Stack gap={8}>
          {chosen.map((path, at) => (
            <Chosen key={path} {...{ path, at, chosen, show }} label={labelOf(model, path)} />
          ))}
          {others.map((path) => (
            <Checkbox
              key={path}
              size="sm"
              label={labelOf(model, path)}
              checked={false}
              onChange={() => show([...chosen, path])}
            />
          ))}
          <Button size="xs" variant="default" onClick={() => reset(model)}>
            As at first
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The columns and widths that the model has before anything is set. */
function reset({ name }: OwnModel): void {
  keep(name, { columns: [], widths: {} });
  change({ fields: undefined });
}

interface ChosenParts {
  readonly path: string;
  readonly label: string;
  readonly at: number;
  readonly chosen: readonly string[];
  readonly show: (columns: readonly string[]) => void;
}

function Chosen({ path, label, at, chosen, show }: ChosenParts) {
  const others = chosen.filter((one) => one !== path);
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <Checkbox size="sm" label={label} checked disabled={others.length === 0} onChange={() => show(others)} />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          size={24}
          variant="default"
          aria-label={`Move ${label} left`}
          disabled={at === 0}
          onClick={() => show(movedBy(chosen, path, -1))}
        >
          <icons.up size={iconSize} />
        </ActionIcon>
        <ActionIcon
          size={24}
          variant="default"
          aria-label={`Move ${label} right`}
          disabled={at === chosen.length - 1}
          onClick={() => show(movedBy(chosen, path, 1))}
        >
          <icons.down size={iconSize} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
