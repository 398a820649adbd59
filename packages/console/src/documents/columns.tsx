/** Chooses and orders the columns of a table. */
import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { columnsOf } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { change } from '../route.ts';

interface ColumnsParts {
  readonly model: OwnModel;
  readonly chosen: readonly string[];
}

export function Columns({ model, chosen }: ColumnsParts) {
  const others = columnsOf(model).filter((path) => !chosen.includes(path));
  return (
    <Popover position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="60vh" style={{ overflow: 'auto' }} aria-label="Columns">
        <Stack gap={6}>
          {chosen.map((path, at) => (
            <Chosen key={path} {...{ path, at, chosen }} label={labelOf(model, path)} />
          ))}
          {others.map((path) => (
            <Checkbox
              key={path}
              size="xs"
              label={labelOf(model, path)}
              checked={false}
              onChange={() => show([...chosen, path])}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const show = (columns: readonly string[]): void => change({ fields: columns.join(',') });

interface ChosenParts {
  readonly path: string;
  readonly label: string;
  readonly at: number;
  readonly chosen: readonly string[];
}

function Chosen({ path, label, at, chosen }: ChosenParts) {
  const others = chosen.filter((one) => one !== path);
  const moved = (to: number): string[] => [...others.slice(0, to), path, ...others.slice(to)];
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <Checkbox size="xs" label={label} checked disabled={others.length === 0} onChange={() => show(others)} />
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          size="sm"
          variant="default"
          aria-label={`Move ${label} left`}
          disabled={at === 0}
          onClick={() => show(moved(at - 1))}
        >
          ↑
        </ActionIcon>
        <ActionIcon
          size="sm"
          variant="default"
          aria-label={`Move ${label} right`}
          disabled={at === chosen.length - 1}
          onClick={() => show(moved(at + 1))}
        >
          ↓
        </ActionIcon>
      </Group>
    </Group>
  );
}
