/** The button that opens the search over all models, by `/` too. It is there at once: what is typed after `/` is for it. */
import { Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FindDialog } from './find-dialog.tsx';

export function FindAll() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={open}
        data-key="find"
        aria-label="Search all models"
        aria-keyshortcuts="/"
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        }
      >
        Search
      </Button>
      {isOpen ? <FindDialog close={close} /> : null}
    </>
  );
}
