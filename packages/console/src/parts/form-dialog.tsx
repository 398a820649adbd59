/** A button that opens a form in a dialog. */
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { hasDraft } from '../drafts.ts';

interface DialogParts {
  /** The text of the button, and the title. */
  readonly title: string;
  /** The key of the form's draft. */
  readonly draft: string;
  /** @param close closes the dialog */
  readonly children: (close: () => void) => ReactNode;
}

export function FormDialog({ title, draft, children }: DialogParts) {
  const [isOpen, { open, close }] = useDisclosure(hasDraft(draft));
  return (
    <>
      <Button size="xs" onClick={open}>
        {title}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        {children(close)}
      </Modal>
    </>
  );
}
