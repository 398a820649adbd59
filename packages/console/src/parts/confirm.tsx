/** Asks before something that cannot be undone. */
import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ConfirmParts {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly action: string;
  readonly act: () => void;
  readonly children: ReactNode;
}

export const Confirm = ({ isOpen, close, title, action, act, children }: ConfirmParts) => (
  <Modal opened={isOpen} onClose={close} title={title}>
    <Text size="sm" component="div" mb="md">
      {children}
    </Text>
    <Group justify="flex-end">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button
        color="red"
        onClick={() => {
          close();
          act();
        }}
      >
        {action}
      </Button>
    </Group>
  </Modal>
);
