/** The button that opens the search over all models, by `/` too. The search is loaded when it is first opened. */
import { Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';

const FindDialog = lazy(() => import('./find-dialog.tsx'));

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
      {isOpen ? (
        <Suspense fallback={null}>
          <FindDialog close={close} />
        </Suspense>
      ) : null}
    </>
  );
}
