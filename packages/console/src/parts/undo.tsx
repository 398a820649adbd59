/** Reports what was done, with a button that undoes it. */
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { run } from './run.ts';
import { focusBack } from './use-focus-back.ts';

/** Milliseconds for which the button is offered. */
const offered = 15_000;

export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  const before = document.activeElement;
  const id = notifications.show({
    autoClose: offered,
    message: (
      <Group justify="space-between">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            // the button, which has the focus, goes
            focusBack(before, '[data-rows]', '#main');
            run(undo, 'Undone.');
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
